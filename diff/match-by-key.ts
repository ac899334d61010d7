import { groupBy } from '../model/maps.js';

/** Which things of two lists belong together, and which are removed or new. */
export interface Match<Thing> {
  readonly pairs: readonly (readonly [Thing, Thing])[];
  readonly removed: readonly Thing[];
  readonly added: readonly Thing[];
}

type Key<Thing> = (thing: Thing) => string | undefined;

/** Pairs the things of two lists that have the same key, in their order. Things without a key match no other. */
export function matchByKey<Thing>(
  old: readonly Thing[],
  next: readonly Thing[],
  oldKey: Key<Thing>,
  newKey: Key<Thing> = oldKey,
): Match<Thing> {
  const waiting = groupBy(next, newKey);
  const pairs: [Thing, Thing][] = [];
  const removed: Thing[] = [];
  const matched = new Set<Thing>();
  for (const was of old) {
    const key = oldKey(was);
    const is = key === undefined ? undefined : waiting.get(key)?.shift();
    if (is === undefined) removed.push(was);
    else {
      pairs.push([was, is]);
      matched.add(is);
    }
  }
  return { pairs, removed, added: next.filter((thing) => !matched.has(thing)) };
}
