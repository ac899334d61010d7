import type { Operation } from '../model/api.js';
import { BOTH_DIRECTIONS, type Touch, type TouchingFact } from './raw-change.js';
import { isWordsOnly, judge } from './severity.js';
import type { PlaceLocator } from './resolve-locations.js';
import type { Change, Direction, Level, Position, TouchedOperation } from './types.js';
import { capitalise } from './phrases.js';

const WORST_FIRST: readonly Level[] = ['breaking', 'risky', 'safe'];

interface Locators {
  readonly old: PlaceLocator;
  readonly new: PlaceLocator;
}

/** A change that is being put together from all facts that say the same. */
interface Draft {
  readonly fact: TouchingFact['fact'];
  readonly old: Position;
  readonly new: Position;
  readonly touches: Touch[];
  readonly exceptions: Set<Direction>;
}

/**
 * Makes changes of facts: each is judged in the directions that it reaches, and those that say the same of the same place,
 * found on several ways, are one.
 */
export function collectChanges(found: readonly TouchingFact[], locate: Locators): Change[] {
  const drafts = new Map<string, Draft>();
  for (const { fact, touches } of found) {
    const [old, next] = [locate.old(fact.old), locate.new(fact.new)];
    const key = JSON.stringify([
      fact.kind,
      fact.message,
      fact.anchor === 'new' ? '' : [old.file, old.pointer],
      fact.anchor === 'old' ? '' : [next.file, next.pointer],
    ]);
    const draft = drafts.get(key) ?? { fact, old, new: next, touches: [], exceptions: new Set<Direction>() };
    drafts.set(key, draft);
    draft.touches.push(...touches);
    for (const direction of fact.exceptions ?? []) draft.exceptions.add(direction);
  }
  return [...drafts.values()].flatMap((draft) => toChange(draft) ?? []).sort(compareChanges);
}

/** Nothing where no direction is reached in which the change means anything. */
function toChange({ fact, old, new: next, touches, exceptions }: Draft): Change | undefined {
  const levels = BOTH_DIRECTIONS.flatMap((direction) => {
    if (!touches.some((touch) => touch.direction === direction)) return [];
    const level = judge(fact.kind, direction, exceptions.has(direction));
    return level === undefined ? [] : [[direction, level] as const];
  });
  const level = WORST_FIRST.find((one) => levels.some(([, own]) => own === one));
  if (level === undefined) return undefined;
  return {
    kind: fact.kind,
    level,
    ...Object.fromEntries(levels),
    wordsOnly: isWordsOnly(fact.kind),
    message: `${capitalise(fact.message)}.`,
    old,
    new: next,
    operations: gatherOperations(touches),
  };
}

function gatherOperations(touches: readonly Touch[]): TouchedOperation[] {
  const byOperation = new Map<Operation, Set<Direction>>();
  for (const { operation, direction } of touches) {
    if (operation === undefined) continue;
    byOperation.set(operation, (byOperation.get(operation) ?? new Set()).add(direction));
  }
  return [...byOperation]
    .sort(([one], [other]) => comparePositions(one, other))
    .map(([{ id, method, path }, directions]) => ({
      id,
      method,
      path,
      directions: BOTH_DIRECTIONS.filter((direction) => directions.has(direction)),
    }));
}

function comparePositions(one: Operation, other: Operation): number {
  return one.path === other.path ? compareTexts(one.method, other.method) : compareTexts(one.path, other.path);
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The worst first, then in the order of the new spec. */
function compareChanges(one: Change, other: Change): number {
  return (
    WORST_FIRST.indexOf(one.level) - WORST_FIRST.indexOf(other.level) ||
    compareTexts(one.new.file, other.new.file) ||
    one.new.line - other.new.line ||
    one.new.column - other.new.column ||
    compareTexts(one.message, other.message)
  );
}
