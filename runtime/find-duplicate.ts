/** The indexes of two equal items, the earlier one first, or `undefined` where all differ. */
export function findDuplicate(items: readonly unknown[]): readonly [number, number] | undefined {
  const plain = new Map<unknown, number>();
  const nested = new Map<unknown, number>();
  for (const [index, item] of items.entries()) {
    const isNested = typeof item === 'object' && item !== null;
    const seen = isNested ? nested : plain;
    const key = isNested ? toCanonicalText(item) : item;
    const twin = seen.get(key);
    if (twin !== undefined) return [twin, index];
    seen.set(key, index);
  }
  return undefined;
}

/** A JSON text that is the same for equal values: members are sorted. */
function toCanonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
