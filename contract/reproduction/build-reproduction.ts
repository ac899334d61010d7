import { resolvePointer } from '../../model/document/pointer.js';
import { idsOf } from '../../resources/extract-id.js';
import type { ContractRun } from '../execute/contract-run.js';
import type { Call, Case, Exchange } from '../types.js';
import type { Assertion } from '../expectations/assertion.js';
import { findSource } from './capture.js';
import { exchangesOf, idsIn } from '../expectations/kinds.js';
import type { LogEntry } from './exchange-log.js';
import { findAddressed, findFills } from './find-fills.js';
import {
  type NamedItem,
  callsOn,
  findOrigin,
  idsMade,
  isSentFirst,
  isCreationFor,
  isExample,
  itemAt,
  kindsShownBy,
  placesOf,
  removalsBefore,
  findTagProvider,
  takenBefore,
} from './find-origin.js';
import { findValidTwin, writerOf } from './find-writer.js';
import type { Fill, FillPlace, NoProblem, Reproduction, Step } from './reproduction.js';

export interface ReproductionInput {
  /** The last request. */
  readonly exchange: Exchange;
  readonly assertion: Assertion | NoProblem;
  /** Other requests that the finding needs. */
  readonly others: readonly Exchange[];
  /** Other requests that may matter. */
  readonly spare: readonly Exchange[];
  /** Pointer to the problem in the last response. */
  readonly pointer: string;
  /** Values that the last request takes from others. */
  readonly fills?: readonly Fill[] | undefined;
  /** Exchanges whose requests were sent at the same time. */
  readonly together?: readonly Exchange[] | undefined;
}

/**
 * Finds the requests that a finding needs: those in its assertion, those whose responses gave their ids, and the calls
 * on these items in between.
 */
export function buildReproduction(run: ContractRun, input: ReproductionInput): Reproduction {
  const { log } = run;
  const { exchange, assertion, others, spare, pointer, fills = [], together = [] } = input;
  const own = assertion.expects === 'response' ? [] : exchangesOf(assertion);
  const seeds = [exchange, ...own, ...others].flatMap((one) => log.find(one) ?? []);
  const search = new Search(run, seeds);
  search.chosen.addSpare(spare.flatMap((one) => log.find(one) ?? []).filter(({ number }) => number < search.to));
  const last = log.find(exchange);
  const about = last === undefined || assertion.expects !== 'response' ? undefined : search.findAbout(last, pointer);
  // What a refusal is about must not be made smaller: `/reference must be unique`.
  if (['status', 'one refused'].includes(assertion.expects) && pointer !== '') search.keep(seeds, pointer);
  const taken = last === undefined ? undefined : takenBefore(run, last);
  if (taken !== undefined) search.chosen.addSpare([taken]);
  for (const { exchange: shown, value } of assertion.expects === 'response' ? [] : idsIn(assertion))
    search.addCallsOn({ id: value, kinds: [] }, (log.find(shown)?.number ?? search.to) + 1);
  for (const seed of seeds) for (const made of idsMade(run, seed).slice(0, 1)) search.addCallsOn(made, seed.number + 1);
  for (const [shownBy, at] of shownIn(input)) search.addWriter(log.find(shownBy), at);
  if (last !== undefined) search.addCreationOf(last, resolvePointer(exchange.json, pointer));
  const steps = search.collect(new Set([exchange, ...own]));
  const isTogether = (step: Step | undefined): boolean => step !== undefined && together.includes(step.key);
  const filled = steps.map((step, index): Step => ({
    ...step,
    ...(step.key === exchange ? { fills: [...step.fills, ...fills] } : {}),
    ...(isTogether(step) && isTogether(steps[index + 1]) ? { withNext: true } : {}),
  }));
  return { steps: filled, assertion, ...about };
}

/** The places in responses that an assertion looks at. */
function shownIn({ assertion, exchange, pointer }: ReproductionInput): (readonly [Exchange, string])[] {
  if (assertion.expects === 'response') return [[exchange, pointer]];
  const values = 'left' in assertion ? [assertion.left, assertion.right] : [];
  return values.flatMap((value) => (value.from === 'response' ? [[value.exchange, value.pointer] as const] : []));
}

type Origins = ReadonlyMap<FillPlace, LogEntry>;

/** Searches backwards from the requests of a finding for those that they need. */
class Search {
  readonly #run: ContractRun;
  readonly chosen: Chosen;
  /** The parts of bodies that must be kept unchanged. */
  readonly #kept = new Map<LogEntry, string>();
  /** The number of the last request. */
  readonly to: number;

  constructor(run: ContractRun, seeds: readonly LogEntry[]) {
    this.#run = run;
    this.chosen = new Chosen(seeds);
    this.to = Math.max(...seeds.map(({ number }) => number));
  }

  /** Adds the calls on an item as spare: they may matter. */
  addCallsOn(item: NamedItem, from: number): void {
    this.chosen.addSpare(callsOn(this.#run, item, { from, to: this.to }));
  }

  /** Finds the creation of the item that is wrong in a response. */
  findAbout(last: LogEntry, pointer: string): Pick<Reproduction, 'about'> {
    let about: Pick<Reproduction, 'about'> = {};
    for (const item of itemsAround(this.#run, last, pointer)) {
      const origin = this.#lookBack(last, item);
      const source = origin === undefined ? undefined : findSource(item.id, origin.exchange);
      if (origin !== undefined && source !== undefined && about.about === undefined)
        about = { about: { from: origin.exchange, source } };
    }
    return about;
  }

  /** Adds the creation of another item, if a response shows its id where another one should be. */
  addCreationOf(last: LogEntry, wrong: unknown): void {
    if (typeof wrong !== 'string') return;
    const isMadeBy = (entry: LogEntry): boolean => idsMade(this.#run, entry).some(({ id }) => id === wrong);
    const creation = this.#run.log.goodBefore(last).find(isMadeBy);
    if (creation !== undefined) this.chosen.add(creation);
  }

  /**
   * Adds the request that wrote a value that no request creates, such as settings: another server has another value.
   */
  addWriter(entry: LogEntry | undefined, pointer: string): void {
    if (entry === undefined) return;
    const { call } = entry.sent;
    const isMade = placesOf(this.#run, call).some((place) => {
      const item = itemAt(this.#run, call, place);
      const origin = findOrigin(this.#run, entry, item);
      return origin !== undefined && isCreationFor(this.#run, origin, item);
    });
    const writer = isMade ? undefined : writerOf(this.#run, entry, pointer);
    if (writer === undefined) return;
    this.chosen.add(writer);
    this.#kept.set(writer, pointer);
  }

  /** Keeps a part of the bodies that have it. */
  keep(entries: readonly LogEntry[], pointer: string): void {
    for (const entry of entries)
      if (resolvePointer(entry.sent.call.body?.value, pointer) !== undefined) this.#kept.set(entry, pointer);
  }

  /**
   * Returns the steps with everything that they need, in order. Steps in `own`, which the assertion is about, keep
   * their requests.
   */
  collect(own: ReadonlySet<Exchange>): Step[] {
    const found = new Map<
      LogEntry,
      { readonly known: Origins; readonly validTwin?: Case; readonly twinKnown?: Origins }
    >();
    for (let entry = this.chosen.next(); entry !== undefined; entry = this.chosen.next()) {
      const validTwin = own.has(entry.exchange) ? undefined : findValidTwin(this.#run, entry, this.to);
      const known = this.#originsOf(entry, entry.sent.call);
      found.set(
        entry,
        validTwin === undefined ? { known } : { known, validTwin, twinKnown: this.#originsOf(entry, validTwin.call) },
      );
      for (const removal of removalsBefore(this.#run, entry)) this.chosen.add(removal);
      this.#addFor(entry, findTagProvider(this.#run, entry));
      this.#addFor(entry, findAddressed(entry, this.#run.log.goodBefore(entry))?.provider);
    }
    const steps = [...found.keys()].sort((one, other) => one.number - other.number);
    const { api } = this.#run.options;
    return steps.map((entry): Step => {
      const { known, validTwin, twinKnown } = found.get(entry) ?? { known: new Map() };
      const as = validTwin === undefined ? undefined : { ...entry, sent: validTwin };
      return {
        key: entry.exchange,
        sent: entry.sent,
        exchange: entry.exchange,
        fills: findFills(entry, known, { steps, api }),
        ...(as === undefined
          ? {}
          : { validTwin: { sent: as.sent, fills: findFills(as, twinKnown ?? new Map(), { steps, api }) } }),
        ...keptIn(this.#kept.get(entry)),
        ...(this.chosen.isSpare(entry) ? { isSpare: true } : {}),
      };
    });
  }

  /** The entries that gave the ids in a call. */
  #originsOf(entry: LogEntry, call: Call): Origins {
    const known = placesOf(this.#run, call).flatMap((place) => {
      if (isUnknown(entry.sent, place)) return [];
      const item = itemAt(this.#run, call, place);
      const origin = findOrigin(this.#run, entry, item);
      if (origin === undefined) return [];
      // An example of the spec may exist on any server, and no server has to show what the run has made up.
      const isKnown = isExample(call, place) || (place.in === 'value' && isSentFirst(this.#run, origin, item));
      if (isKnown && !isCreationFor(this.#run, origin, item)) return [];
      this.#addOrigin(entry, item, origin);
      return [[place, origin] as const];
    });
    return new Map(known);
  }

  #lookBack(entry: LogEntry, item: NamedItem): LogEntry | undefined {
    const origin = findOrigin(this.#run, entry, item);
    if (origin !== undefined) this.#addOrigin(entry, item, origin);
    return origin;
  }

  #addOrigin(entry: LogEntry, item: NamedItem, origin: LogEntry): void {
    this.#addFor(entry, origin);
    this.addCallsOn(item, origin.number + 1);
  }

  /** A request needed by a spare request is spare as well. */
  #addFor(entry: LogEntry, provider: LogEntry | undefined): void {
    if (provider !== undefined && this.chosen.isSpare(entry)) this.chosen.addSpare([provider]);
    else if (provider !== undefined) this.chosen.add(provider);
  }
}

/** Whether a request names an unknown item in a place on purpose. A faulty server may have shown it since. */
function isUnknown({ expectation }: Case, place: FillPlace): boolean {
  return (
    expectation.kind === 'unknown item' && place.in === 'parameter' && place.parameter.name === expectation.parameter
  );
}

/** The entries of a reproduction. */
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

  /** Returns an entry that has not been returned yet. */
  next(): LogEntry | undefined {
    const next = [...this.#needed, ...this.#spare].find((entry) => !this.#seen.has(entry));
    if (next !== undefined) this.#seen.add(next);
    return next;
  }
}

function keptIn(keeps: string | undefined): Pick<Step, 'keeps'> {
  return keeps === undefined ? {} : { keeps };
}

/** The items around a place in a response, innermost first. */
export function itemsAround(
  run: ContractRun,
  { sent: { call }, exchange: { json } }: Pick<LogEntry, 'sent' | 'exchange'>,
  pointer: string,
): NamedItem[] {
  const kinds = kindsShownBy(run, call.operation);
  const parameters = kinds.length === 0 ? ['id'] : kinds.map(({ parameter }) => parameter);
  const keys = pointer.split('/').slice(1);
  const around = keys.map((_, index) => resolvePointer(json, ['', ...keys.slice(0, index)].join('/'))).toReversed();
  return around.flatMap((value) =>
    parameters
      .flatMap((parameter) => idsOf(value, parameter).slice(0, 1))
      .slice(0, 1)
      .map((id) => ({ id, kinds })),
  );
}
