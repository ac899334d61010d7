import type { Operation } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { createdIds, isId, lastPartOf } from '../../resources/extract-id.js';
import type { Resource } from '../../resources/resource.js';
import type { ContractRun } from '../execute/contract-run.js';
import { scalarText } from '../../http/request/write-request.js';
import { isCreationOf } from '../execute/ids/operation-roles.js';
import type { Call, Exchange } from '../types.js';
import { findSource } from './capture.js';
import type { LogEntry } from './exchange-log.js';
import { type FillPlace, readPlace } from './reproduction.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The most accepted calls on an item that are included, latest first: they may matter. */
const MAX_BEFORE = 12;

export interface NamedItem {
  readonly id: unknown;
  /** The possible kinds of the item: a number may be the id of a vehicle and of a driver. Empty if unknown. */
  readonly kinds: readonly Resource[];
}

/** The places of ids in a request that may come from a response. The user's values are left out. */
export function placesOf(run: ContractRun, call: Call): FillPlace[] {
  return idPlacesOf(run, call).filter((place) => {
    const value = readPlace(call, place);
    return isId(value) && !isUsers(run, call, place);
  });
}

/** Whether the value at a place is an example of the spec. */
export function isExample(call: Call, place: FillPlace): boolean {
  const value = readPlace(call, place);
  return place.in === 'parameter' && place.parameter.examples.some((example) => example.value === value);
}

/** Where a call takes ids: in its path, in its query and at any depth of its body. */
function idPlacesOf({ context: { pool } }: ContractRun, call: Call): FillPlace[] {
  const slots = pool.idPlaces(call);
  const members = new Set(slots.flatMap((slot) => (slot.in === 'body' ? [slot.name] : [])));
  const named = pool.references
    .placesIn(call)
    .filter((path) => path.length > 1 || !members.has(String(path[0])))
    .map((path): FillPlace => ({ in: 'value', path }));
  return [...slots, ...named];
}

function isUsers({ context: { pool } }: ContractRun, { operation }: Call, place: FillPlace): boolean {
  if (place.in === 'value') return pool.isGivenByUser(operation, { in: 'body', name: String(place.path[0]) });
  return (place.in === 'parameter' || place.in === 'body') && pool.isGivenByUser(operation, place);
}

/** The item that a call names at a place. */
export function itemAt({ context: { pool } }: ContractRun, call: Call, place: FillPlace): NamedItem {
  const id = readPlace(call, place);
  const { operation } = call;
  if (place.in === 'value') return { id, kinds: pool.references.kindsAt(call, place.path) };
  const kinds = pool.resources.filter(({ slots, references }) =>
    [slots.get(operation), references.get(operation)].some((slot) => {
      if (slot?.in === 'parameter') return place.in === 'parameter' && slot.parameter === place.parameter;
      return slot !== undefined && place.in === 'body' && slot.name === place.name;
    }),
  );
  return { id, kinds };
}

/** The kinds of items that a response shows, singly or as a list. */
export function kindsShownBy({ context: { pool } }: ContractRun, operation: Operation): Resource[] {
  return pool.resources.filter((kind) => {
    const { list, read, replace, patch, views } = kind;
    return [list, read, replace, patch, ...views].includes(operation) || isCreationOf(kind, operation);
  });
}

/** The ids that a creation gave, likeliest first. */
export function idsMade({ context: { pool } }: ContractRun, { sent, exchange }: LogEntry): NamedItem[] {
  return pool.resources
    .filter((kind) => isCreationOf(kind, sent.call.operation))
    .flatMap((kind) => createdIds(exchange, kind).map((id) => ({ id, kinds: [kind] })));
}

/** Whether a call created an item. */
export function isCreationFor(run: ContractRun, entry: LogEntry, { id, kinds }: NamedItem): boolean {
  const text = scalarText(id);
  const isMade = kinds.some(({ create, creators }) => create !== undefined || creators.length > 0);
  return idsMade(run, entry).some(
    (made) => scalarText(made.id) === text && (!isMade || made.kinds.some((kind) => kinds.includes(kind))),
  );
}

/** The call that created an item: the last creation that shows its id, else the last response that does. */
export function findOrigin(run: ContractRun, entry: LogEntry, item: NamedItem): LogEntry | undefined {
  const { log, context } = run;
  const text = scalarText(item.id);
  const shown = log
    .goodBefore(entry)
    .toReversed()
    .filter(
      ({ sent: { call }, exchange }) =>
        // The response comes first: it rules out nearly all.
        findSource(item.id, exchange) !== undefined &&
        (!names(run, call, item, idPlacesOf(run, call)) || context.pool.roles.createsUnder(call, text)),
    );
  const ofKind = shown.filter((one) =>
    kindsShownBy(run, one.sent.call.operation).some((kind) => item.kinds.includes(kind)),
  );
  return (
    shown.find((one) => isCreationFor(run, one, item)) ??
    shown.find(({ exchange }) => exchange.request.method !== 'GET') ??
    // The list of items of another kind that name the item is often empty on a new server, as a later page is.
    ofKind.toSorted((one, other) => countQuery(one.sent.call) - countQuery(other.sent.call))[0] ??
    shown[0]
  );
}

function countQuery({ parameters }: Call): number {
  return [...parameters.keys()].filter(({ in: place }) => place === 'query').length;
}

/** Whether the run has made up an id: a request sent it before any response showed it. */
export function isSentFirst({ log }: ContractRun, origin: LogEntry, { id }: NamedItem): boolean {
  const text = stringifyExactJson(scalarText(id));
  const first = log
    .goodFrom(0, origin.number)
    .find(({ exchange }) => [exchange.request.body, exchange.text].some((one) => one?.includes(text) === true));
  return first?.exchange.request.body?.includes(text) === true;
}

/** The last accepted calls that name an item. */
export function callsOn(
  run: ContractRun,
  item: NamedItem,
  { from, to }: { readonly from: number; readonly to: number },
): LogEntry[] {
  return run.log
    .goodFrom(from, to)
    .filter(({ sent: { call } }) => names(run, call, item, run.context.pool.idPlaces(call)))
    .slice(-MAX_BEFORE);
}

/** The requests that deleted missing items, unless the reproduction creates them again. */
export function removalsBefore(run: ContractRun, entry: LogEntry): LogEntry[] {
  const { call } = entry.sent;
  // A server may also fail because an item is missing.
  if (entry.exchange.status < 400) return [];
  const { pool } = run.context;
  const places = pool.idPlaces(call);
  if (places.length === 0) return removalAt(run, entry);
  return places.flatMap((place) => {
    const item = itemAt(run, call, place);
    if (item.id === undefined) return [];
    const calls = callsOn(run, item, { from: 0, to: entry.number - 1 });
    return calls.findLast(({ sent }) => pool.roles.isRemoval(sent.call.operation)) ?? [];
  });
}

/** The accepted creation with most values of a refused one: a server may refuse what another item has taken. */
export function takenBefore(run: ContractRun, entry: LogEntry): LogEntry | undefined {
  const { sent, exchange } = entry;
  const { operation } = sent.call;
  const isRefused = sent.expectation.kind === 'valid' && exchange.status >= 400;
  if (!isRefused || !run.context.pool.roles.isCreation(operation)) return undefined;
  const values = new Set<unknown>(valuesIn(sent.call).filter(isId));
  const rated = run.log.goodBefore(entry).flatMap((one) => {
    const own = one.sent.call.operation === operation ? valuesIn(one.sent.call) : [];
    const equal = own.filter((value) => values.has(value)).length;
    return equal === 0 ? [] : [{ one, equal }];
  });
  return rated.toSorted((first, second) => second.equal - first.equal)[0]?.one;
}

/** The values of the members of a body, and of the parameters outside of the path. */
function valuesIn({ body, parameters }: Call): unknown[] {
  const outside = [...parameters].filter(([{ in: place }]) => place !== 'path').map(([, value]) => value);
  return [...(isRecord(body?.value) ? Object.values(body.value) : []), ...outside];
}

/** The last deletion of something without an id, such as a session. */
function removalAt({ log }: ContractRun, entry: LogEntry): LogEntry[] {
  const { url } = entry.exchange.request;
  const removal = log
    .goodBefore(entry)
    .findLast(({ exchange: { request } }) => request.method === 'DELETE' && request.url === url);
  return removal === undefined ? [] : [removal];
}

/** The accepted creation of an item, and the last accepted calls that name it. */
export function acceptedOn(run: ContractRun, id: unknown, created: Exchange): Exchange[] {
  const from = (run.log.find(created)?.number ?? -1) + 1;
  return [created, ...callsOn(run, { id, kinds: [] }, { from, to: Infinity }).map(({ exchange }) => exchange)];
}

/** Whether the run itself has changed an item between two responses. */
export function isTouchedBetween(run: ContractRun, id: unknown, first: Exchange, last: Exchange): boolean {
  const [from, to] = [run.log.find(first), run.log.find(last)];
  if (from === undefined || to === undefined) return true;
  const calls = callsOn(run, { id, kinds: [] }, { from: from.number + 1, to: to.number - 1 });
  return calls.some(({ exchange }) => !['GET', 'HEAD'].includes(exchange.request.method));
}

function names(run: ContractRun, call: Call, { id, kinds }: NamedItem, places: readonly FillPlace[]): boolean {
  const last = lastPartOf(scalarText(id));
  return places.some((place) => {
    const value = readPlace(call, place);
    if (value === undefined || lastPartOf(scalarText(value)) !== last) return false;
    const other = itemAt(run, call, place).kinds;
    return kinds.length === 0 || other.length === 0 || other.some((kind) => kinds.includes(kind));
  });
}

/** The read that showed the tag of a call. */
export function findTagProvider({ log }: ContractRun, entry: LogEntry): LogEntry | undefined {
  const { tag } = entry.sent.call;
  return tag === undefined
    ? undefined
    : log.goodBefore(entry).findLast(({ exchange }) => exchange.headers.get('etag') === tag);
}
