import { isSuccess } from '../../http/messages.js';
import type { Operation, Parameter } from '../../model/api.js';
import { type Id, createdIds } from '../../resources/extract-id.js';
import { foldName } from '../../resources/inflection.js';
import type { ContractRun } from '../execute/contract-run.js';
import { refused, same } from '../expectations/assertion.js';
import type { Call, Case, Exchange } from '../types.js';
import { createdId } from './crud-context.js';
import { varyBody } from './maximal-body.js';

/** Matches descriptions that say that a key belongs to one body. */
const SAYS_OTHER =
  /\b(?:different|other|another|changed|same) (?:request |json )?(?:body|payload|request|parameters|content|data)\b/i;

/**
 * Checks that repeating a creation with the same idempotency key creates nothing new, also at the same time, and that
 * the key is refused for another body if the spec says so.
 */
export async function checkIdempotency(run: ContractRun, operation: Operation): Promise<void> {
  const key = operation.parameters.find((one) => one.in === 'header' && isIdempotencyKey(one.name));
  if (key === undefined || operation.method !== 'post') return;
  const keyed: Keyed = { run, key, operation };
  const first = await freshCase(keyed);
  if (first === undefined) return;
  const one = await run.client.send(first);
  const other = one === undefined || !isSuccess(one) ? undefined : await run.client.send(first);
  if (one === undefined || other === undefined || !isSuccess(one)) return;
  if (isSuccess(other) && !expectSame(keyed, [one, other], 'repeated')) return;
  await checkOtherBody(keyed, first, one);
  const together = run.options.concurrency < 2 ? undefined : await freshCase(keyed);
  if (together === undefined) return;
  const sent = await run.client.sendTogether([together, together]);
  const [left, right] = sent.map(({ outcome }) => outcome.exchange).filter(isSuccess);
  if (left !== undefined && right !== undefined) expectSame(keyed, [left, right], 'sent twice at the same time');
}

interface Keyed {
  readonly run: ContractRun;
  readonly key: Parameter;
  readonly operation: Operation;
}

/** A valid creation with a key that was not used yet. */
async function freshCase({ run, key, operation }: Keyed): Promise<Case | undefined> {
  const creation = await run.items.validCall(operation, 'stateful');
  if (creation === undefined) return undefined;
  const keyed = new Map([...creation.parameters, [key, creation.parameters.get(key) ?? 'specmill-key-0001']]);
  const fresh = run.context.pool.withFreshKey({ ...creation, parameters: keyed });
  const call: Call = { ...(await run.items.refreshIds(fresh, 'stateful')), keepsKey: true };
  return { phase: 'stateful', call, expectation: { kind: 'valid' } };
}

/** Expects that both responses show the same item. Returns whether they do, or show none. */
function expectSame({ run, key, operation }: Keyed, pair: readonly [Exchange, Exchange], how: string): boolean {
  const resource = run.context.pool.resources.find(({ create }) => create === operation) ?? { parameter: 'id' };
  const [one, other] = pair.map((exchange): Id | undefined => createdIds(exchange, resource)[0]);
  if (one === undefined || other === undefined || one === other) return true;
  return run.findings.expect('idempotency key', same(createdId(other, pair[1]), createdId(one, pair[0])), {
    cause: how === 'repeated' ? '' : 'together',
    message: `A creation that was ${how} with the same ${key.name} made a second item.`,
    expected: String(one),
    actual: String(other),
  });
}

/** Checks that a key is refused for another body, if the spec says so. */
async function checkOtherBody({ run, key, operation }: Keyed, first: Case, one: Exchange): Promise<void> {
  const texts = [key.description, operation.description, ...operation.responses.map(({ description }) => description)];
  const { body } = first.call;
  if (body === undefined || !texts.some((text) => SAYS_OTHER.test(text ?? ''))) return;
  const varied = varyBody(body, operation, { run, seed: run.options.seed + 91 });
  if (varied === undefined) return;
  const tried: Case = { ...first, call: { ...first.call, body: varied } };
  const outcome = await run.client.probe(tried);
  if (outcome === undefined) return;
  const { exchange } = outcome;
  // An accepted one shows the first item, which is no fault of its own.
  if (!isSuccess(exchange)) return run.findings.recordProblems(tried, outcome);
  run.findings.expect('idempotency key', refused(exchange), {
    cause: 'other body',
    message: `A ${key.name} that was used before was accepted with another body.`,
    expected: '409 or 422',
    others: [one],
  });
}

function isIdempotencyKey(name: string): boolean {
  return foldName(name).replace(/^x/, '') === 'idempotencykey';
}
