import type { DynamicAnchors } from './resources.js';

/** No schema with a dynamic anchor has been entered. */
export const NO_ANCHORS: DynamicAnchors = new Map();

/** The dynamic anchors inside a resource that was entered: those of the resource entered first count. */
export function enterAnchors(outer: DynamicAnchors, own: DynamicAnchors): DynamicAnchors {
  if ([...own.keys()].every((name) => outer.has(name))) return outer;
  return new Map([...own, ...outer]);
}

/** A text that is the same for scopes that mean the same by some names. */
export function scopeKey(anchors: DynamicAnchors, names: ReadonlySet<string>): string {
  const parts = [...names].toSorted().flatMap((name) => {
    const located = anchors.get(name);
    return located === undefined ? [] : [`${name}=${located.file}#${located.pointer}`];
  });
  return parts.join(' ');
}
