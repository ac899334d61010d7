import { isSuccess } from '../../../http/messages.js';
import type { Operation } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import type { Schema } from '../../../model/schema-types.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { keywordOf, membersOf, typesOf } from '../../../schema/facts/members.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { withPathOf } from '../../execute/ids/id-slot.js';
import { makeCall } from '../../plan/build-request-values.js';
import { isValidBody } from '../../plan/call-body.js';
import type { Call, Exchange } from '../../types.js';

/** More items than a small page holds. */
const ITEMS = 5;
/** Numbers that sort differently as text. */
const NUMBERS = [9, 10, 100, 1, 2];
const MAX_DEPTH = 2;

/** Creates items that filters, orders and pages of a list can tell apart, below the list's parent item. */
export async function fillList(run: ContractRun, operation: Operation): Promise<readonly Exchange[]> {
  const create = creationOf(run, operation);
  await run.items.validCall(operation, 'stateful');
  const base = create === undefined ? undefined : await run.items.validCall(create, 'stateful');
  const list = makeCall(operation, { variant: 'minimal', seed: 1 }, run.context);
  if (base === undefined || list === undefined) return [];
  const made: Exchange[] = [];
  for (let index = 0; index < ITEMS; index += 1) {
    const creation = withPathOf(await run.items.refreshIds(base, 'stateful'), list);
    const exchange = (await send(run, vary(creation, index, run))) ?? (await send(run, creation));
    if (exchange === undefined) return made;
    made.push(exchange);
  }
  return made;
}

/** The operation that creates the items of a list, or a POST to its path. */
function creationOf(run: Pick<ContractRun, 'context' | 'operations'>, operation: Operation): Operation | undefined {
  const resource = run.context.pool.resources.find(({ list }) => list === operation);
  return (
    resource?.create ??
    run.operations.find(
      (one) =>
        one.method === 'post' && one.path === operation.path && one.responses.some(({ status }) => status === '201'),
    )
  );
}

async function send(run: Pick<ContractRun, 'client' | 'context'>, creation: Call): Promise<Exchange | undefined> {
  const call = run.context.pool.withFreshKey(run.context.pool.withDistinctValues(creation));
  const exchange = await run.client.sendValid(call);
  return exchange !== undefined && isSuccess(exchange) ? exchange : undefined;
}

/** Returns the same creation with other choices, booleans and numbers, as far as they are valid. */
function vary(creation: Call, index: number, run: ContractRun): Call {
  const { body } = creation;
  if (body === undefined || body.raw !== undefined) return creation;
  const value = varyValue(body.value, { schema: body.media.schema ?? true, index, depth: 0 }, run);
  return isValidBody({ ...body, value }, run.options.api) ? { ...creation, body: { ...body, value } } : creation;
}

interface Variation {
  readonly schema: Schema;
  readonly index: number;
  readonly depth: number;
}

function varyValue(value: unknown, { schema, index, depth }: Variation, run: ContractRun): unknown {
  const { api } = run.options;
  if (isRecord(value)) {
    if (depth === MAX_DEPTH) return value;
    const members = membersOf(schema, api);
    return Object.fromEntries(
      Object.entries(value).map(([name, own]) => {
        const inner = { schema: members.get(name)?.schema ?? true, index, depth: depth + 1 };
        return [name, varyValue(own, inner, run)];
      }),
    );
  }
  const validate = compileValidator(api, schema, { direction: 'request' });
  const choices = keywordOf(schema, 'enum', api)?.filter((one) => one !== null);
  const [other] = [
    ...(choices === undefined ? [] : [choices[index % choices.length]]),
    ...(typeof value === 'boolean' ? [index % 2 === 0] : []),
    ...(typeof value === 'number' && !typesOf(schema, api).has('string') ? [NUMBERS[index]] : []),
  ];
  return other !== undefined && validate(other).length === 0 ? other : value;
}
