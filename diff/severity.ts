import { type ChangeKind, KIND_GROUPS } from './change-catalog.js';
import type { Direction, Level } from './api-diff.js';

/** The level of a kind of change in one direction. */
export type Verdict =
  | Level
  | {
      readonly usually: Level;
      readonly else: Level;
      /** The condition for `else`, worded to follow "where". */
      readonly when: string;
    };

/** The levels of a kind by direction: for data that a client sends, and for data that it receives. */
interface Verdicts {
  /** Absent if the kind does not occur there. */
  readonly request?: Verdict;
  readonly response?: Verdict;
}

/** The effects of most kinds on the values that may be sent and received, and their verdicts. */
const EFFECTS = {
  /** Less is allowed, so a sender may be refused. */
  narrows: { request: 'breaking', response: 'safe' },
  /** More is allowed than clients expect, and they must handle it. */
  widens: { request: 'safe', response: 'breaking' },
  /** More is allowed, and most clients never notice. */
  loosens: { request: 'safe', response: 'risky' },
  breaks: { request: 'breaking', response: 'breaking' },
  risks: { request: 'risky', response: 'risky' },
  harmless: { request: 'safe', response: 'safe' },
  /** Requests and responses are not affected. */
  words: { request: 'safe', response: 'safe' },
} as const satisfies Record<string, Verdicts>;

/** A kind of change: its description as a sentence, and its levels. */
type Kind = { readonly description: string } & ({ readonly effect: keyof typeof EFFECTS } | Verdicts);

const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>(
  Object.values(KIND_GROUPS).flatMap((group) => Object.entries<Kind>(group)),
);

export function isChangeKind(name: string): name is ChangeKind {
  return KINDS.has(name);
}

export function changeKinds(): ChangeKind[] {
  return [...KINDS.keys()].filter(isChangeKind);
}

export function verdictsOf(kind: ChangeKind): Verdicts {
  const entry = KINDS.get(kind);
  if (entry === undefined) throw new RangeError(`There is no kind of change named ${kind}.`);
  return 'effect' in entry ? EFFECTS[entry.effect] : entry;
}

export function isWordsOnly(kind: ChangeKind): boolean {
  const entry = KINDS.get(kind);
  return entry !== undefined && 'effect' in entry && entry.effect === 'words';
}

/** Whether a kind allows more in responses, which most clients do not notice. */
export function isLoosening(kind: ChangeKind): boolean {
  const entry = KINDS.get(kind);
  return entry !== undefined && 'effect' in entry && entry.effect === 'loosens';
}

/** The level of a change in one direction; `undefined` if its kind does not occur there. */
export function decideLevel(kind: ChangeKind, direction: Direction, isException: boolean): Level | undefined {
  const verdict = verdictsOf(kind)[direction];
  if (typeof verdict !== 'object') return verdict;
  return isException ? verdict.else : verdict.usually;
}
