import type { Api } from '../../model/api.js';
import { resolvePointer } from '../../model/document/pointer.js';
import type { ContractRun } from '../execute/contract-run.js';
import { type Id, createdIds, idsOf } from '../../resources/extract-id.js';
import { findPaging } from '../stateful/pagination/walk.js';
import { scalarText } from '../execute/http/serialize-parameter.js';
import type { Call, Exchange } from '../types.js';
import type { Assertion } from './assertion.js';
import { exchangesOf, idsIn } from './evaluate-assertion.js';
import type { LogEntry } from './exchange-log.js';
import type { Fill, FillPlace, Reproduction, Step } from './reproduction.js';
import { readPlace } from './reproduction.js';
import { findSource } from './capture.js';

/** So many accepted calls on an item are taken along, the last ones: what they did to it may matter. */
const MAX_BEFORE = 12;

export interface RecipeInput {
  /** The last request. */
  readonly exchange: Exchange;
  readonly claim: Assertion;
  /** Others that the finding needs. */
  readonly others: readonly Exchange[];
  /** Others that may matter. */
  readonly spare: readonly Exchange[];
  /** Where the last response is not as it should be. */
  readonly pointer: string;
}

/**
 * Finds the requests that a finding needs: those that its claim is about, those whose responses gave the ids in them, and what
 * was done to these items in between.
 */
export function buildReproduction(
  run: ContractRun,
  { exchange, claim, others, spare, pointer }: RecipeInput,
): Reproduction {
  const { log } = run;
  const seeds = [exchange, ...exchangesOf(claim), ...others].flatMap((one) => log.find(one) ?? []);
  const to = Math.max(...seeds.map(({ number }) => number));
  const chosen = new Chosen(seeds);
  chosen.addSpare(spare.flatMap((one) => log.find(one) ?? []).filter(({ number }) => number < to));
  const lookBack = (entry: LogEntry, id: unknown): LogEntry | undefined => {
    const origin = findOrigin(run, entry, id);
    if (origin === undefined) return undefined;
    if (chosen.isSpare(entry)) chosen.addSpare([origin]);
    else chosen.add(origin);
    chosen.addSpare(callsOn(run, id, { from: origin.number + 1, to }));
    return origin;
  };
  const last = log.find(exchange);
  let about: Reproduction['about'];
  if (last !== undefined && claim.expects === 'response')
    for (const id of idsAround(exchange.json, pointer)) {
      const origin = lookBack(last, id);
      const source = origin === undefined ? undefined : findSource(id, origin.exchange);
      if (origin !== undefined && source !== undefined) about ??= { from: origin.exchange, source };
    }
  for (const { exchange: shown, value } of idsIn(claim))
    chosen.addSpare(callsOn(run, value, { from: (log.find(shown)?.number ?? to) + 1, to }));
  const origins = new Map<LogEntry, ReadonlyMap<FillPlace, LogEntry>>();
  for (let entry = chosen.next(); entry !== undefined; entry = chosen.next()) {
    const { call } = entry.sent;
    const known = placesOf(run, call).flatMap((place) => {
      const origin = lookBack(entry, readPlace(call, place));
      return origin === undefined ? [] : [[place, origin] as const];
    });
    origins.set(entry, new Map(known));
    for (const removal of removalsBefore(run, entry)) chosen.add(removal);
    const giver = tagGiver(run, entry);
    if (giver !== undefined && chosen.isSpare(entry)) chosen.addSpare([giver]);
    else if (giver !== undefined) chosen.add(giver);
  }
  const ordered = [...origins.keys()].sort((one, other) => one.number - other.number);
  const steps = ordered.map((entry): Step => ({
    key: entry.exchange,
    sent: entry.sent,
    exchange: entry.exchange,
    fills: [
      ...fillsFrom(entry, origins.get(entry) ?? new Map()),
      ...headerFills(entry, ordered),
      ...addressFills(entry, ordered),
      ...queryFills(entry, ordered, run.options.api).filter(({ place }) => !isFilled(place, origins.get(entry))),
    ],
    ...(chosen.isSpare(entry) ? { isSpare: true } : {}),
  }));
  return { steps, claim, ...(about === undefined ? {} : { about }) };
}

function isFilled(place: FillPlace, known: ReadonlyMap<FillPlace, LogEntry> = new Map()): boolean {
  if (place.in !== 'parameter') return false;
  return [...known.keys()].some((one) => one.in === 'parameter' && one.parameter === place.parameter);
}

/** The entries that a reproduction is made of. */
class Chosen {
  readonly #needed: Set<LogEntry>;
  readonly #spare = new Set<LogEntry>();
  readonly #seen = new Set<LogEntry>();

  constructor(needed: readonly LogEntry[]) {
    this.#needed = new Set(needed);
  }

  add(entry: LogEntry): void {
    this.#needed.add(entry);
  }

  addSpare(entries: readonly LogEntry[]): void {
    for (const entry of entries) this.#spare.add(entry);
  }

  isSpare(entry: LogEntry): boolean {
    return !this.#needed.has(entry);
  }

  /** One that has not been given yet. */
  next(): LogEntry | undefined {
    const next = [...this.#needed, ...this.#spare].find((entry) => !this.#seen.has(entry));
    if (next !== undefined) this.#seen.add(next);
    return next;
  }
}

/** The candidate ids of the items around a place of a response, the innermost first. */
export function idsAround(json: unknown, pointer: string): Id[] {
  const keys = pointer.split('/').slice(1);
  const around = keys.map((_, index) => resolvePointer(json, ['', ...keys.slice(0, index)].join('/'))).toReversed();
  return around.flatMap((value) => idsOf(value, 'id').slice(0, 1));
}

/** The places of a request with ids that may come from a response. Values of the user or the spec are kept. */
function placesOf(run: ContractRun, call: Call): FillPlace[] {
  return idPlacesOf(run, call).filter((place) => {
    const value = readPlace(call, place);
    if ((typeof value !== 'string' && typeof value !== 'number') || isUsers(run, call, place)) return false;
    return place.in !== 'parameter' || !place.parameter.examples.some((example) => example.value === value);
  });
}

/** Where a call takes ids: in its path, its query and at any depth of its body. */
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

/** The call that brought an id into the world: the last creation that shows it, else the last response that does. */
function findOrigin(run: ContractRun, entry: LogEntry, value: unknown): LogEntry | undefined {
  const { log, context } = run;
  const text = scalarText(value);
  const shown = log
    .goodBefore(entry)
    .toReversed()
    .filter(
      ({ sent, exchange }) =>
        (!names(idPlacesOf(run, sent.call), sent.call, text) || context.pool.roles.createsUnder(sent.call, text)) &&
        findSource(value, exchange) !== undefined,
    );
  const isItsCreation = ({ sent, exchange }: LogEntry): boolean =>
    context.pool.roles.isCreation(sent.call.operation) &&
    createdIds(exchange, 'id', undefined).some((id) => scalarText(id) === text);
  return shown.find(isItsCreation) ?? shown.find(({ exchange }) => exchange.request.method !== 'GET') ?? shown[0];
}

/** Accepted calls that name an id, the last ones. */
function callsOn(
  { log, context }: ContractRun,
  id: unknown,
  { from, to }: { readonly from: number; readonly to: number },
): LogEntry[] {
  const text = scalarText(id);
  return log
    .goodFrom(from, to)
    .filter(({ sent: { call } }) => names(context.pool.idPlaces(call), call, text))
    .slice(-MAX_BEFORE);
}

/** The requests that deleted missing items, unless the reproduction creates them again. */
function removalsBefore(run: ContractRun, { number, sent: { call }, exchange: { status } }: LogEntry): LogEntry[] {
  // A server may also fail on what is not there.
  if (status < 400) return [];
  const { pool } = run.context;
  return pool.idPlaces(call).flatMap((place) => {
    const id = readPlace(call, place);
    if (id === undefined) return [];
    const calls = callsOn(run, id, { from: 0, to: number - 1 });
    return calls.findLast(({ sent }) => pool.roles.isRemoval(sent.call.operation)) ?? [];
  });
}

/** All accepted calls that name an id. */
export function acceptedOn(run: ContractRun, id: unknown): Exchange[] {
  return callsOn(run, id, { from: 0, to: Infinity }).map(({ exchange }) => exchange);
}

/** Whether the run has changed an item itself between two responses. */
export function isTouchedBetween(run: ContractRun, id: unknown, first: Exchange, last: Exchange): boolean {
  const [from, to] = [run.log.find(first), run.log.find(last)];
  if (from === undefined || to === undefined) return true;
  const calls = callsOn(run, id, { from: from.number + 1, to: to.number - 1 });
  return calls.some(({ exchange }) => !['GET', 'HEAD'].includes(exchange.request.method));
}

function names(places: readonly FillPlace[], call: Call, id: string): boolean {
  const last = id.split('/').at(-1);
  return places.some((place) => {
    const value = readPlace(call, place);
    return value !== undefined && scalarText(value).split('/').at(-1) === last;
  });
}

function fillsFrom({ sent }: LogEntry, origins: ReadonlyMap<FillPlace, LogEntry>): Fill[] {
  return [...origins].flatMap(([place, origin]) => {
    const source = findSource(readPlace(sent.call, place), origin.exchange);
    return source === undefined ? [] : [{ place, from: origin.exchange, source }];
  });
}

/** Headers that a response gives to be sent back. */
const VALIDATORS = ['etag', 'last-modified'];

function headerFills({ number, sent, exchange: { request } }: LogEntry, steps: readonly LogEntry[]): Fill[] {
  return Object.entries(conditionsOf(sent.call)).flatMap(([name, value]): Fill[] => {
    for (const validator of VALIDATORS) {
      const givers = steps.filter((one) => one.number < number && one.exchange.headers.get(validator) === value);
      // Of equal ones the first that this address gave: a later one may only be equal because the server is wrong.
      const giver = givers.find((one) => one.exchange.request.url === request.url) ?? givers[0];
      if (giver !== undefined)
        return [{ place: { in: 'header', name }, from: giver.exchange, source: { in: 'header', name: validator } }];
    }
    return [];
  });
}

/** The headers of a call beside those of its operation, also that which the run keeps current. */
function conditionsOf({ headers, tag }: Call): Readonly<Record<string, string>> {
  return { ...(tag === undefined ? {} : { 'if-match': tag }), ...headers };
}

/** The reading that has shown the tag of a call. */
function tagGiver({ log }: ContractRun, entry: LogEntry): LogEntry | undefined {
  const { tag } = entry.sent.call;
  return tag === undefined
    ? undefined
    : log.goodBefore(entry).findLast(({ exchange }) => exchange.headers.get('etag') === tag);
}

/** An address comes from a header of an earlier response. */
function addressFills({ number, sent: { call } }: LogEntry, steps: readonly LogEntry[]): Fill[] {
  const { address } = call;
  // A relative address is useless without its base.
  if (address === undefined || !URL.canParse(address)) return [];
  const giver = steps.findLast((one) => one.number < number && headerWith(one, address) !== undefined);
  const name = giver === undefined ? undefined : headerWith(giver, address);
  if (giver === undefined || name === undefined) return [];
  return [{ place: { in: 'address' }, from: giver.exchange, source: { in: 'header', name } }];
}

function headerWith({ sent: { call }, exchange }: LogEntry, value: string): string | undefined {
  const documented = call.operation.responses.flatMap(({ headers }) => headers.map(({ name }) => name));
  return ['location', ...documented].find((name) => exchange.headers.get(name) === value)?.toLowerCase();
}

/** The token of a page is in the page before, and an id in a query is that of an item in an earlier response. */
function queryFills({ number, sent: { call } }: LogEntry, steps: readonly LogEntry[], api: Api): Fill[] {
  const paging = findPaging(call.operation, api);
  const step = paging?.style === 'token' || paging?.style === 'after' ? paging.step : undefined;
  return [...call.parameters].flatMap(([parameter, value]): Fill[] => {
    if (parameter.in !== 'query' || typeof value !== 'string') return [];
    const giver = steps.findLast((one) => one.number < number && findSource(value, one.exchange) !== undefined);
    const source = giver === undefined ? undefined : findSource(value, giver.exchange);
    if (giver === undefined || source === undefined) return [];
    const isId = source.in === 'body' && /id$/i.test(source.pointer);
    return parameter === step || isId ? [{ place: { in: 'parameter', parameter }, from: giver.exchange, source }] : [];
  });
}
