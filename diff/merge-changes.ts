import { getOrInsert } from '../model/maps.js';
import type { Operation } from '../model/api.js';
import { upperFirst } from '../model/identifiers.js';
import { LEVELS } from '../reports/diff/labels.js';
import { BOTH_DIRECTIONS, type ChangePlaces, type RawChange, type Usage, type UsedChange } from './raw-change.js';
import { isWordsOnly, decideLevel } from './severity.js';
import type { LocationResolver } from './resolve-locations.js';
import type { Change, Direction, Position, TouchedOperation } from './api-diff.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

/** Resolve locations in both specs. */
export interface Locators {
  readonly old: LocationResolver;
  readonly new: LocationResolver;
}

/** A change that is being merged from all equal changes. */
interface Draft {
  readonly change: RawChange;
  readonly old: Position;
  readonly new: Position;
  readonly usages: Usage[];
  readonly exceptions: Set<Direction>;
}

/**
 * Converts raw changes to changes with a level for each direction that they reach. Merges changes with the same message
 * and location.
 */
export function mergeChanges(found: readonly UsedChange[], locate: Locators): Change[] {
  const drafts = new Map<string, Draft>();
  for (const { change, usages } of found) {
    const [old, next] = [locate.old(change.old), locate.new(change.new)];
    const key = stringifyExactJson([
      change.kind,
      change.message,
      change.anchor === 'new' ? '' : [old.file, old.pointer],
      change.anchor === 'old' ? '' : [next.file, next.pointer],
    ]);
    const draft = getOrInsert(drafts, key, () => ({
      change,
      old,
      new: next,
      usages: [],
      exceptions: new Set<Direction>(),
    }));
    draft.usages.push(...usages);
    for (const direction of change.exceptions ?? []) draft.exceptions.add(direction);
  }
  return [...drafts.values()].flatMap((draft) => toChange(draft) ?? []).sort(compareChanges);
}

/** Finds the places of finished changes, when they are first asked for. */
export function indexPlaces(found: readonly UsedChange[], locate: Locators): () => ReadonlyMap<string, ChangePlaces> {
  let places: Map<string, ChangePlaces> | undefined;
  return () => {
    if (places !== undefined) return places;
    places = new Map();
    for (const { change } of found) {
      const [old, next] = [locate.old(change.old), locate.new(change.new)];
      const key = changeKey({ kind: change.kind, message: `${upperFirst(change.message)}.`, old, new: next });
      if (!places.has(key)) places.set(key, change);
    }
    return places;
  };
}

/** The identity of a change in a diff. */
export function changeKey(change: Pick<Change, 'kind' | 'message' | 'old' | 'new'>): string {
  const { kind, message, old, new: next } = change;
  return stringifyExactJson([kind, message, old.file, old.pointer, next.file, next.pointer]);
}

/** Finishes a change. Returns `undefined` if it matters in no direction that uses the schema. */
function toChange({ change, old, new: next, usages, exceptions }: Draft): Change | undefined {
  const levels = BOTH_DIRECTIONS.flatMap((direction) => {
    const own = usages.filter((usage) => usage.direction === direction);
    if (own.length === 0) return [];
    const level = decideLevel(change.kind, direction, exceptions.has(direction));
    const isAllowed = level === 'breaking' && own.every(({ isUnstable }) => isUnstable === true);
    return level === undefined ? [] : [[direction, isAllowed ? ('risky' as const) : level] as const];
  });
  const level = LEVELS.find((one) => levels.some(([, own]) => own === one));
  if (level === undefined) return undefined;
  return {
    kind: change.kind,
    level,
    ...Object.fromEntries(levels),
    wordsOnly: isWordsOnly(change.kind),
    message: `${upperFirst(change.message)}.`,
    old,
    new: next,
    operations: gatherOperations(usages),
  };
}

function gatherOperations(usages: readonly Usage[]): TouchedOperation[] {
  const byOperation = new Map<Operation, Set<Direction>>();
  for (const { operation, direction } of usages) {
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

/** Sorts the worst first, then in the order of the new spec. */
function compareChanges(one: Change, other: Change): number {
  return (
    LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level) ||
    compareTexts(one.new.file, other.new.file) ||
    one.new.line - other.new.line ||
    one.new.column - other.new.column ||
    compareTexts(one.message, other.message)
  );
}
