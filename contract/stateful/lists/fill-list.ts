import { isSuccess } from '../../../http/messages.js';
import type { Api, Operation } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import type { Schema } from '../../../model/schema-types.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { itemsOf, keywordOf, membersOf, typesOf } from '../../../schema/facts/members.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { withPathOf } from '../../execute/ids/id-slot.js';
import { makeCall } from '../../plan/build-request-values.js';
import { isValidBody } from '../../plan/call-body.js';
import { RULED } from '../maximal-body.js';
import type { Call, Exchange } from '../../types.js';

/** More items than a small page holds. */
const ITEMS = 5;
/** Numbers that sort differently as text. */
const NUMBERS = [9, 10, 100, 1, 2];
/** Which choice each item gets: two get the same one, so that a list filtered by it has a second page. */
const PICKS = [0, 1, 2, 3, 2];
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
    const exchange =
      (await send(run, vary(creation, { index, hasTexts: true }, run))) ??
      (await send(run, vary(creation, { index, hasTexts: false }, run))) ??
      (await send(run, creation));
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

/** How the items of a list differ. */
interface Variety {
  readonly index: number;
  /** Whether texts and lists differ, too, for which a server may have rules that no schema states. */
  readonly hasTexts: boolean;
}

/** Returns the same creation with other choices, booleans, numbers and texts, as far as they are valid. */
function vary(creation: Call, { index, hasTexts }: Variety, run: ContractRun): Call {
  const { body, operation } = creation;
  if (body === undefined || body.raw !== undefined) return creation;
  const references = new Set(run.context.pool.references.of(operation).map(({ path }) => path.join('/')));
  const isFree = (path: readonly string[]): boolean =>
    hasTexts && !references.has(path.join('/')) && !RULED.test(path.at(-1) ?? '');
  const value = varyValue(body.value, { schema: body.media.schema ?? true, index, path: [], isFree }, run);
  return isValidBody({ ...body, value }, run.options.api) ? { ...creation, body: { ...body, value } } : creation;
}

interface Variation {
  readonly schema: Schema;
  readonly index: number;
  readonly path: readonly string[];
  /** Whether a text or a list at a place may have any value. */
  readonly isFree: (path: readonly string[]) => boolean;
}

function varyValue(value: unknown, variation: Variation, run: ContractRun): unknown {
  const { schema, index, path, isFree } = variation;
  const { api } = run.options;
  if (isRecord(value)) {
    if (path.length === MAX_DEPTH) return value;
    const members = membersOf(schema, api);
    return Object.fromEntries(
      Object.entries(value).map(([name, own]) => {
        const inner = { schema: members.get(name)?.schema ?? true, path: [...path, name] };
        return [name, varyValue(own, { ...variation, ...inner }, run)];
      }),
    );
  }
  const validate = compileValidator(api, schema, { direction: 'request' });
  const choices = keywordOf(schema, 'enum', api)?.filter((one) => one !== null);
  const others = [
    ...(choices === undefined ? [] : [choices[(PICKS[index] ?? index) % choices.length]]),
    ...(typeof value === 'boolean' ? [index % 2 === 0] : []),
    ...(typeof value === 'number' && !typesOf(schema, api).has('string') ? [NUMBERS[index]] : []),
    ...(Array.isArray(value) && isFree(path) ? otherLists(value, variation, run) : []),
    ...(typeof value === 'string' && isFree(path) && isFreeText(schema, api) ? otherTexts(value, index) : []),
  ];
  return others.find((other) => other !== undefined && validate(other).length === 0) ?? value;
}

/** Beginnings of texts, whose order is not that of their creation. */
const WORDS = ['Mango', 'Cedar', 'Walnut', 'Aspen', 'Quince'];

function otherTexts(value: string, index: number): string[] {
  const word = WORDS[index % WORDS.length] ?? '';
  return [`${word} ${value}`, `${word}-${value}`, word].flatMap((one) => [one, one.toLowerCase()]);
}

/** Texts whose values no rule but their length and a pattern decides. */
function isFreeText(schema: Schema, api: Api): boolean {
  return (['enum', 'const', 'format', 'default'] as const).every((one) => keywordOf(schema, one, api) === undefined);
}

/** Lists of other entries: all of them, none, the first one, and others. */
function otherLists(value: readonly unknown[], variation: Variation, run: ContractRun): unknown[] {
  const { schema, index, path } = variation;
  const items = itemsOf(schema, run.options.api);
  if (index === 0 || items === undefined || path.length > MAX_DEPTH || value.some(isRecord)) return [];
  if (index === 1) return [[]];
  const [first] = value;
  return [[varyValue(first, { ...variation, schema: items }, run)], [first]];
}
