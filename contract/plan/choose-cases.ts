import { groupBy } from '../../model/maps.js';
import type { Case } from '../types.js';

/** The most cases of an operation in a phase, if the user gives no number. */
export const MOST_CASES = 60;
const LEAST_CASES = 3;
/** About the number of requests of a run on a small API, on a large one, and for one operation of each. */
const SMALL_RUN = { requests: 2_900, each: 120 };
const LARGE_RUN = { requests: 6_000, each: 30 };
/** About the requests for one operation besides the cases of three phases: its example, and the lives of its items. */
const OTHER_REQUESTS = 20;

/** How many cases of an operation a phase sends if the user does not say so: fewer if an API has many operations. */
export function defaultCases(operations: number): number {
  const share = Math.floor((LARGE_RUN.requests / operations - OTHER_REQUESTS) / 3);
  return Math.min(MOST_CASES, Math.max(LEAST_CASES, share));
}

/** About how many requests a run sends if the user does not say how many cases it tries. */
export function defaultRequests(operations: number): number {
  const each = Math.min(LARGE_RUN.requests, SMALL_RUN.each * operations);
  return Math.max(SMALL_RUN.requests, each, LARGE_RUN.each * operations);
}

/** Picks cases evenly from all kinds and places, so that each has some. Deterministic. */
export class CaseChooser {
  /** How many cases of each kind the run has sent, by the part of the request. */
  readonly #sent = new Map<string, number>();

  /** Picks cases of one operation. If there are more kinds, those come first that the run has sent least often. */
  choose(cases: readonly Case[], most: number): Case[] {
    const chosen = cases.length <= most ? new Set(cases) : this.#pick(cases, most);
    for (const one of chosen) this.#sent.set(ruleOf(one), (this.#sent.get(ruleOf(one)) ?? 0) + 1);
    return cases.filter((one) => chosen.has(one));
  }

  #pick(cases: readonly Case[], most: number): Set<Case> {
    const lists = [...groupBy(cases, placeOf).values()];
    const longest = Math.max(...lists.map(({ length }) => length));
    const rounds = Array.from({ length: longest }, (_, round) => lists.flatMap((list) => list[round] ?? []));
    // Takes one of each kind first: a keyword may occur at one place only.
    const kinds = new Map(cases.toReversed().map((one) => [kindOf(one), one]));
    const rare = [...kinds.values()].toReversed().toSorted((one, other) => this.#countOf(one) - this.#countOf(other));
    return new Set([...new Set([...rare, ...rounds.flat()])].slice(0, most));
  }

  /** A missing credential comes first on each operation. */
  #countOf(one: Case): number {
    if (one.expectation.kind === 'unauthenticated' && one.expectation.isWrong !== true) return -1;
    return this.#sent.get(ruleOf(one)) ?? 0;
  }
}

function placeOf({ expectation }: Case): string {
  if (expectation.kind === 'invalid') return expectation.pointer;
  if (expectation.kind === 'unknown item') return expectation.parameter;
  return expectation.kind === 'valid' ? (expectation.about?.split(': ')[0] ?? '') : expectation.kind;
}

/** The kind of a case in bodies, in paths, or in another part of requests. */
function ruleOf(one: Case): string {
  return `${placeOf(one).split(/[ /]/, 1)[0]} ${kindOf(one)}`;
}

function kindOf({ expectation }: Case): string {
  if (expectation.kind === 'invalid') return expectation.keyword;
  return expectation.kind === 'valid' ? (expectation.about?.split(': ').at(-1) ?? '') : expectation.kind;
}
