import { largestPage, sizeParameterOf } from '../pagination/walk.js';
import type { Operation, Parameter } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import { listPathOf, listedItems } from '../../../resources/envelope.js';
import { findListPlace } from '../../expectations/lists.js';
import type { IdValue, ListPlace } from '../../expectations/assertion.js';
import { createdIds, idOf } from '../../../resources/extract-id.js';
import { foldName } from '../../../resources/inflection.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { makeCall } from '../../plan/build-request-values.js';
import { scalarText } from '../../../http/request/write-request.js';
import { findSource } from '../../reproduction/capture.js';
import type { LogEntry } from '../../reproduction/exchange-log.js';
import { idsMade, kindsShownBy } from '../../reproduction/find-origin.js';
import type { Call, Exchange } from '../../types.js';

/** A response to a list, with its items. */
export interface ListResponse {
  readonly run: ContractRun;
  readonly call: Call;
  readonly exchange: Exchange;
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly place: ListPlace;
}

/** Reads a list with only the given and the required query parameters, on the largest page. */
export async function readList(
  run: ContractRun,
  operation: Operation,
  query: ReadonlyMap<Parameter, unknown>,
): Promise<ListResponse | undefined> {
  const bare = makeCall(operation, { variant: 'minimal', seed: 1 }, run.context);
  if (bare === undefined) return undefined;
  const { api } = run.options;
  const size = sizeParameterOf(operation, api);
  const largest = size === undefined ? undefined : largestPage(size);
  const sized = size === undefined || largest === undefined || query.has(size) ? [] : [[size, largest] as const];
  const call: Call = { ...bare, parameters: new Map([...bare.parameters, ...sized, ...query]) };
  const exchange = await run.client.sendValid(call);
  const items = exchange?.status === 200 ? listedItems(operation, exchange.json, api) : undefined;
  if (exchange === undefined || items === undefined) return undefined;
  const { parameter = 'id' } = kindsShownBy(run, operation)[0] ?? {};
  const place = findListPlace([exchange], parameter, listPathOf(operation, api));
  return { run, call, exchange, items: items.filter(isRecord), place };
}

/** Reads a list again with other query parameters. The required ones, such as the text of a search, stay. */
export async function readWith(
  { run, call }: ListResponse,
  ...query: readonly (readonly [Parameter, unknown])[]
): Promise<ListResponse | undefined> {
  const required = [...call.parameters].filter(([one]) => one.in === 'query' && one.required);
  return readList(run, call.operation, new Map([...required, ...query]));
}

/** The members of an item that filters and sorting may refer to, by name without case and separators. */
export function membersByName(item: Readonly<Record<string, unknown>>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const add = (name: string, path: readonly string[]): void => {
    if (!found.has(foldName(name))) found.set(foldName(name), path);
  };
  for (const name of Object.keys(item)) add(name, [name]);
  for (const group of ['attributes', 'relationships']) {
    const inner = item[group];
    if (!isRecord(inner)) continue;
    for (const [name, value] of Object.entries(inner)) {
      const isLink = isRecord(value) && isRecord(value['data']);
      add(name, isLink ? [group, name, 'data', 'id'] : [group, name]);
    }
  }
  return found;
}

/**
 * The names of an item that a search probably covers. Only in ASCII, since other letters are compared in different
 * ways.
 */
export function namesOf(item: unknown): string[] {
  const groups = isRecord(item) ? [item, item['attributes']].filter(isRecord) : [];
  const names = groups.flatMap((group) => [group['name'], group['title']]);
  return names.filter((name) => typeof name === 'string' && /^[\x21-\x7e][\x20-\x7e]*$/.test(name)).map(String);
}

/** The calls that created items of a list. A server that has never seen the run needs them again. */
export function creationsOf({ run, call: { operation } }: ListResponse, items: readonly unknown[]): Exchange[] {
  const kinds = kindsShownBy(run, operation);
  const sources = kinds.length === 0 ? ['id'] : kinds;
  const ids = new Set(items.flatMap((item) => sources.map((source) => scalarText(idOf(item, source)))));
  const isMade = (entry: LogEntry): boolean => {
    const made = idsMade(run, entry).filter(
      (one) => kinds.length === 0 || one.kinds.some((kind) => kinds.includes(kind)),
    );
    const { sent, exchange } = entry;
    // Items without a path for their id are created at the path of the list.
    const isOfList = sent.call.operation.path === operation.path && exchange.status === 201;
    const known = made.length > 0 || !isOfList ? made.map(({ id }) => id) : createdIds(exchange, { parameter: 'id' });
    return known.slice(0, 1).some((id) => ids.has(scalarText(id)));
  };
  return run.log
    .goodFrom(0, Infinity)
    .filter(isMade)
    .map(({ exchange }) => exchange);
}

/** The id of an item, and where the response to its creation shows it. */
export function madeId(creation: Exchange | undefined, item: unknown, parameter = 'id'): IdValue | undefined {
  const value = idOf(item, parameter);
  const source = creation === undefined || value === undefined ? undefined : findSource(value, creation);
  if (creation === undefined || value === undefined || source === undefined) return undefined;
  return { value, exchange: creation, source };
}
