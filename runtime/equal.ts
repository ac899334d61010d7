/** Whether two JSON values are equal. Members are compared as data: one named `valueOf` is like any other. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  const left = one as Record<string, unknown>;
  const right = other as Record<string, unknown>;
  return keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key], right[key]));
}

/** Whether a value is in a list, texts compared without regard to letter case. */
export function isListedInAnyCase(list: readonly unknown[], value: unknown): boolean {
  const folded = fold(value);
  return list.some((item) => isEqual(fold(item), folded));
}

function fold(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
