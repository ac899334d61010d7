import { isSuccess } from '../../http/messages.js';
import { listedItems } from '../../resources/envelope.js';
import { type CreationResponse, createdIds, idOf } from '../../resources/extract-id.js';
import type { Resource } from '../../resources/resource.js';
import { problem } from '../checks/problem.js';
import type { ContractRun } from '../execute/contract-run.js';
import { pathPattern } from '../execute/path-pattern.js';
import type { Call, Case, Exchange } from '../types.js';
import { header, matches } from '../expectations/assertion.js';
import { readItem } from './crud-context.js';

const NO_LOCATION: CreationHeaders = { get: () => null };
type CreationHeaders = CreationResponse['headers'];
/** Number of concurrent creations. */
const TOGETHER = 3;

/** Checks what the lifecycle of an item does not: the location of a creation, and the ids of concurrent creations. */
export async function checkCreation(run: ContractRun, resource: Resource, creation: Call): Promise<void> {
  const made = await send(run, await run.ready(creation, 'stateful'));
  if (made === undefined || !isSuccess(made.exchange)) return;
  // The job that creates the item is followed elsewhere.
  if (made.exchange.status === 202) return;
  await checkLocation(run, resource, made);
  await createTogether(run, resource, creation);
}

/** Checks that each item of a bulk creation can be read. */
export async function checkBulkCreation(run: ContractRun, resource: Resource): Promise<void> {
  const { read, parameter, views } = resource;
  for (const operation of read === undefined ? [] : views.filter(({ method }) => method === 'post')) {
    const base = await run.base(operation, 'stateful');
    const made = base === undefined ? undefined : await send(run, await run.ready(base, 'stateful'));
    const items = listedItems(operation, made?.exchange.json, run.options.api) ?? [];
    const id = idOf(items.at(-1), parameter);
    if (read === undefined || made?.exchange.status !== 201 || id === undefined) continue;
    const shown = await readItem({ run, resource, id, created: made });
    if (shown?.status !== 404) continue;
    const found = problem('created is available', {
      cause: operation.id,
      message: `An item that ${operation.id} has created cannot be read.`,
      expected: '200',
      actual: '404',
    });
    const assertion = { expects: 'status', exchange: shown, status: 'good' } as const;
    const call = { operation: read, parameters: new Map() };
    run.report(found, { call, phase: 'stateful', assertion, others: [made.exchange] }, shown);
  }
}

interface Made {
  readonly call: Call;
  readonly exchange: Exchange;
}

async function send(run: ContractRun, call: Call): Promise<Made | undefined> {
  const exchange = await run.tryValid(call);
  return exchange === undefined ? undefined : { call, exchange };
}

/** Checks that the location of a created item leads to it. */
async function checkLocation(run: ContractRun, resource: Resource, { call, exchange }: Made): Promise<void> {
  const { read } = resource;
  const address = exchange.headers.get('location');
  if (address === null || exchange.status !== 201 || read === undefined) return;
  // An unreadable item is a separate finding.
  const crud = {
    run,
    resource,
    id: createdIds({ headers: NO_LOCATION, json: exchange.json }, resource.parameter, read)[0] ?? '',
    created: { call, exchange },
  };
  const own = crud.id === '' ? undefined : await readItem(crud);
  if (own !== undefined && !isSuccess(own)) return;
  const target = URL.canParse(address, exchange.request.url) ? new URL(address, exchange.request.url) : undefined;
  if (target?.origin !== run.options.url.origin) return;
  const followed = await send(run, { operation: read, parameters: new Map(), address: target.href });
  if (followed === undefined || ![404, 410].includes(followed.exchange.status)) return;
  const found = problem('location leads to item', {
    message: 'The Location of what was created leads nowhere.',
    expected: 'the address of the item',
    actual: `${address}: ${followed.exchange.status}`,
  });
  const pattern = pathPattern(read);
  const assertion = new RegExp(pattern).test(address)
    ? ({ expects: 'status', exchange: followed.exchange, status: 'good' } as const)
    : matches(header(exchange, 'location'), pattern);
  run.report(found, { call, phase: 'stateful', assertion, others: [exchange] }, followed.exchange);
}

/** Checks that concurrent creations have different ids. */
async function createTogether(run: ContractRun, { parameter, read }: Resource, creation: Call): Promise<void> {
  if (run.options.concurrency < 2) return;
  const cases: Case[] = [];
  for (let count = 0; count < TOGETHER; count += 1) {
    const call = run.context.pool.withFreshKey(
      run.context.pool.withDistinctValues(await run.ready(creation, 'stateful')),
    );
    cases.push({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  }
  const sent = await run.sendTogether(cases);
  const made = sent.filter(({ outcome }) => isSuccess(outcome.exchange));
  const ids = made.map(({ outcome: { exchange } }) => createdIds(exchange, parameter, read)[0]);
  const index = ids.findIndex((id, at) => id !== undefined && ids.indexOf(id) !== at);
  const twice = made[index];
  const first = made[ids.indexOf(ids[index])];
  if (twice === undefined || first === undefined) return;
  const found = problem('unique id', {
    cause: 'concurrent',
    message: 'Two items were created at the same time, and both have the same id.',
    expected: 'its own id for each',
    actual: String(ids[index]),
  });
  const assertion = {
    expects: 'other',
    left: { from: 'text', exchange: first.outcome.exchange },
    right: { from: 'text', exchange: twice.outcome.exchange },
  } as const;
  run.report(found, { call: twice.tried.call, phase: 'stateful', assertion }, twice.outcome.exchange);
}
