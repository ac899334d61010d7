import { isSuccess } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import { hasStatus, headerOf, same } from '../expectations/assertion.js';
import { isStream } from '../checks/is-stream.js';
import type { ContractRun } from '../execute/contract-run.js';
import type { Call, Exchange } from '../types.js';

/** A GET, and the HEAD of the same URL. */
interface Pair {
  readonly get: Exchange;
  readonly head: Exchange;
  readonly isDocumented: boolean;
}

/** Statuses that say nothing of the method: a credential that is needed, and a limit. */
const TURNED_AWAY: ReadonlySet<number> = new Set([0, 401, 403, 429, 503]);

/** For each path without HEAD, how many must have it, so that its absence is a mistake. */
const USUAL = 3;

/**
 * Checks that HEAD responds like GET, without the body (RFC 9110, 9.3.2): the same status and length. A server need not
 * have HEAD where the spec does not: its refusal is a finding only if HEAD works at most other paths.
 */
export async function checkHeads(run: ContractRun, operations: readonly Operation[]): Promise<void> {
  const pairs: Pair[] = [];
  for (const operation of operations) {
    const pair = operation.method === 'get' ? await sendPair(run, operation) : undefined;
    if (pair !== undefined) pairs.push(pair);
  }
  const failed = pairs.filter(({ head }) => !isSuccess(head));
  // A framework may add HEAD to some of its routes.
  const isUsual = failed.length * USUAL <= pairs.length - failed.length;
  for (const pair of pairs) {
    if (pair.isDocumented || (isUsual && ![405, 501].includes(pair.head.status))) expectStatus(run, pair);
    if (pair.head.status === pair.get.status) await expectLength(run, pair);
  }
}

async function sendPair(run: ContractRun, operation: Operation): Promise<Pair | undefined> {
  const documented = run.operations.find(({ method, path }) => method === 'head' && path === operation.path);
  if (isStream(operation) || (documented === undefined && !run.options.maySend('head'))) return undefined;
  const call = await run.items.validCall(operation, 'stateful');
  const get = call === undefined ? undefined : await run.client.sendValid(call);
  if (call === undefined || get === undefined || get.isCut === true || !isSuccess(get)) return undefined;
  const head = documented === undefined ? await probe(run, call) : await run.client.sendValid(asHead(call, documented));
  if (head === undefined || TURNED_AWAY.has(head.status)) return undefined;
  return { get, head, isDocumented: documented !== undefined };
}

async function probe(run: ContractRun, call: Call): Promise<Exchange | undefined> {
  const expectation = { kind: 'other identity' } as const;
  const outcome = await run.client.probe({ phase: 'stateful', call: { ...call, method: 'head' }, expectation });
  return outcome?.exchange;
}

function asHead({ parameters }: Call, operation: Operation): Call {
  const own = [...parameters].flatMap(([one, value]) => {
    const parameter = operation.parameters.find(({ in: place, name }) => place === one.in && name === one.name);
    return parameter === undefined ? [] : [[parameter, value] as const];
  });
  return { operation, parameters: new Map(own) };
}

function expectStatus(run: ContractRun, { get, head }: Pair): void {
  if (isSuccess(get) === isSuccess(head)) return;
  run.findings.expect('same status for HEAD', hasStatus(head, get.status), {
    message: 'HEAD gets another status than GET.',
    others: [get],
  });
}

/** A length of HEAD must be that of the body that GET sends (RFC 9110, 8.6). What changes by itself is no finding. */
async function expectLength(run: ContractRun, { get, head }: Pair): Promise<void> {
  const lengths = [get, head].map(({ headers }) => headers.get('content-length'));
  if (lengths.includes(null) || lengths[0] === lengths[1] || get.headers.has('content-encoding')) return;
  const call = run.log.find(get)?.sent.call;
  const again = call === undefined ? undefined : await run.client.sendValid(call);
  if (again?.status !== get.status || again.text !== get.text) return;
  run.findings.expect('same status for HEAD', same(headerOf(head, 'content-length'), headerOf(get, 'content-length')), {
    cause: 'length',
    message: 'HEAD has another Content-Length than GET.',
  });
}
