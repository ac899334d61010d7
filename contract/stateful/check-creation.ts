import { isSuccess } from '../../http/messages.js';
import { listedItems } from '../../resources/envelope.js';
import { type CreationResponse, createdIds, idOf } from '../../resources/extract-id.js';
import type { Resource } from '../../resources/resource.js';
import type { ContractRun, SentCase } from '../execute/contract-run.js';
import { pathPattern } from '../execute/path-pattern.js';
import type { Call, Case, Exchange } from '../types.js';
import { good, headerOf, matches, other } from '../expectations/assertion.js';
import { createdId, isOneItem, latestRead, readItem, sentIdMember } from './crud-context.js';

const NO_LOCATION: CreationHeaders = { get: () => null };
type CreationHeaders = CreationResponse['headers'];
/** Number of concurrent creations. */
const TOGETHER = 3;

/** Checks what the lifecycle of an item does not: the location of a creation, and the ids of concurrent creations. */
export async function checkCreation(run: ContractRun, resource: Resource, creation: Call): Promise<void> {
  const made = await send(run, await run.items.refreshIds(creation, 'stateful'));
  if (made === undefined || !isSuccess(made.exchange)) return;
  // The job that creates the item is followed elsewhere.
  if (made.exchange.status === 202) return;
  await checkLocation(run, resource, made);
  await createTogether(run, resource, made, creation);
}

/** Checks that each item of a bulk creation can be read. */
export async function checkBulkCreation(run: ContractRun, resource: Resource): Promise<void> {
  const { read, views, create } = resource;
  // The response to the creation of one item may have a list of other things, such as its labels.
  const bulk = views.filter((one) => one.method === 'post' && one !== create);
  for (const operation of read === undefined ? [] : bulk) {
    const base = await run.items.validCall(operation, 'stateful');
    const made = base === undefined ? undefined : await send(run, await run.items.refreshIds(base, 'stateful'));
    const items = listedItems(operation, made?.exchange.json, run.options.api) ?? [];
    const id = idOf(items.at(-1), resource);
    if (read === undefined || made?.exchange.status !== 201 || id === undefined) continue;
    const shown = await readItem({ run, resource, id, created: made });
    if (shown?.status !== 404) continue;
    run.findings.expect('created is available', good(shown), {
      cause: operation.id,
      message: `An item that ${operation.id} created cannot be read.`,
      expected: '200',
      others: [made.exchange],
    });
  }
}

interface Made {
  readonly call: Call;
  readonly exchange: Exchange;
}

async function send(run: Pick<ContractRun, 'client'>, call: Call): Promise<Made | undefined> {
  const exchange = await run.client.sendValid(call);
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
    id: createdIds({ headers: NO_LOCATION, json: exchange.json }, resource)[0] ?? '',
    created: { call, exchange },
  };
  const own = crud.id === '' ? undefined : await latestRead(crud);
  if (own !== undefined && !isSuccess(own)) return;
  const target = URL.canParse(address, exchange.request.url) ? new URL(address, exchange.request.url) : undefined;
  if (target?.origin !== run.options.url.origin) return;
  const followed = await send(run, { operation: read, parameters: new Map(), address: target.href });
  if (followed === undefined || ![404, 410].includes(followed.exchange.status)) return;
  const pattern = pathPattern(read);
  const isAddress = new RegExp(pattern).test(address);
  run.findings.expect(
    'location leads to item',
    isAddress ? good(followed.exchange) : matches(headerOf(exchange, 'location'), pattern),
    {
      message: 'The Location header of the 201 is not readable.',
      expected: 'the address of the item',
      actual: `${address}: ${followed.exchange.status}`,
      at: followed.exchange,
      operation: call.operation,
      others: [exchange],
    },
  );
}

function madeBy({ tried, outcome }: SentCase): Made {
  return { call: tried.call, exchange: outcome.exchange };
}

/** Checks that concurrent creations have different ids, unless the creation before them led to the same item by design. */
async function createTogether(run: ContractRun, resource: Resource, before: Made, creation: Call): Promise<void> {
  if (run.options.concurrency < 2) return;
  const cases: Case[] = [];
  for (let count = 0; count < TOGETHER; count += 1) {
    const call = run.context.pool.withFreshKey(
      run.context.pool.withDistinctValues(await run.items.refreshIds(creation, 'stateful')),
    );
    cases.push({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  }
  const sent = await run.client.sendTogether(cases);
  const made = sent.filter(({ outcome }) => isSuccess(outcome.exchange));
  const ids = made.map(({ outcome: { exchange } }) => createdIds(exchange, resource)[0]);
  const index = ids.findIndex((id, at) => id !== undefined && ids.indexOf(id) !== at);
  const [twice, id] = [made[index], ids[index]];
  const first = made[ids.indexOf(id)];
  if (twice === undefined || first === undefined || id === undefined) return;
  if (sentIdMember(twice.tried.call, id) !== undefined) return;
  if (createdIds(before.exchange, resource)[0] === id && isOneItem(madeBy(first), madeBy(twice))) return;
  const [left, right] = [first, twice].map(({ outcome: { exchange } }) => createdId(id, exchange));
  if (left === undefined || right === undefined) return;
  run.findings.expect('unique id', other(left, right), {
    cause: 'concurrent',
    message: 'Two items that were created at the same time have the same id.',
    expected: 'its own id for each',
    actual: String(id),
    at: twice.outcome.exchange,
    together: [first.outcome.exchange, twice.outcome.exchange],
  });
}
