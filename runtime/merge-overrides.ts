/**
 * What to change in a fixture, as deep as needed. Arrays are replaced as a whole; `undefined` takes an optional member
 * out.
 */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> | Removal<T, K> }
    : T;

/** `undefined` where a member is optional, so that a fixture stays what its type says. */
type Removal<T, K extends keyof T> = Partial<Pick<T, K>> extends Pick<T, K> ? undefined : never;

export interface FixtureOptions {
  /** Picks one of the variants; any whole number. Default: 0, the typical one. */
  readonly seed?: number;
}

/** A fresh copy of the variant that the seed picks, changed by the overrides. Nothing in it is shared. */
export function makeFixture<T>(
  variants: readonly (() => T)[],
  overrides: DeepPartial<T> | undefined,
  options: FixtureOptions = {},
): T {
  const index = Math.abs(Math.trunc(options.seed ?? 0)) % variants.length;
  const make = variants[index] ?? variants[0];
  if (make === undefined) throw new RangeError('A fixture needs a variant.');
  const value = make();
  // What stands where a member was expected is of the type of the member, by the type of the overrides.
  return overrides === undefined ? value : (mergeOverrides(value, overrides) as T);
}

/**
 * Merges overrides into a value: objects by member, everything else is replaced, and a member whose override is
 * `undefined` is taken out. Neither argument is changed, and the result shares no object or array with them.
 *
 * @example mergeOverrides({ a: 1, b: { c: 2, d: 3 } }, { b: { c: 9, d: undefined } }) // { a: 1, b: { c: 9 } }
 */
export function mergeOverrides(value: unknown, overrides: unknown): unknown {
  if (!isPlainObject(overrides)) return copy(overrides);
  const merged = new Map<string, unknown>(
    isPlainObject(value) ? Object.entries(value).map(([key, member]) => [key, copy(member)]) : [],
  );
  for (const [key, override] of Object.entries(overrides)) {
    if (override === undefined) merged.delete(key);
    else merged.set(key, mergeOverrides(merged.get(key), override));
  }
  // Defines members, so that one named `__proto__` is like any other.
  return Object.fromEntries(merged);
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  return isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copy(member)]))
    : value;
}

/** Not a Blob, a Date or the like, which are values as a whole. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
