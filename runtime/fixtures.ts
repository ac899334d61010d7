/**
 * Changes to a fixture, at any depth. Arrays are replaced as a whole; `undefined` removes an optional member.
 */
export type DeepPartial<T> = T extends readonly unknown[] | string | number | bigint | Date
  ? T
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> | Removal<T, K> }
    : T;

/** `undefined` only for optional members, so that the fixture keeps its type. */
type Removal<T, K extends keyof T> = Partial<Pick<T, K>> extends Pick<T, K> ? undefined : never;

export interface FixtureOptions {
  /** Picks one of the variants; any whole number. Default: 0, the typical one. */
  readonly seed?: number;
  /** Whether optional members are filled; `seed` has no effect then. Default: false. */
  readonly full?: boolean;
}

/**
 * A new copy of the variant that the options select, with the overrides applied. It shares no object with other values.
 *
 * @param full - the index of the variant with all optional members.
 */
export function makeFixture<T>(
  variants: readonly (() => unknown)[],
  overrides: DeepPartial<T> | undefined,
  options: FixtureOptions = {},
  full = 0,
): T {
  const index = options.full === true ? full : Math.abs(Math.trunc(options.seed ?? 0)) % variants.length;
  const make = variants[index] ?? variants[0];
  if (make === undefined) throw new RangeError('A fixture needs a variant.');
  const value = make() as T;
  // The type of the overrides guarantees that each member keeps its type.
  return overrides === undefined ? value : (mergeOverrides(value, overrides) as T);
}

/** The same variants in the types of the client: a codec of `codecs.ts` converts them from JSON. */
export function decodeVariants(
  variants: readonly (() => unknown)[],
  codec: (value: unknown, way: 'decode') => unknown,
): readonly (() => unknown)[] {
  return variants.map((make) => () => codec(make(), 'decode'));
}

/** A new copy of a variant with changes, for variants that differ only slightly. */
export function derive(variants: readonly (() => unknown)[], index: number, changes?: object): unknown {
  const made = variants[index]?.();
  // A variant that is a list has no members to change.
  return changes === undefined ? made : mergeOverrides(made, changes);
}

/**
 * Merges overrides into a value: objects member by member, everything else is replaced, and a member whose override is
 * `undefined` is removed. Neither argument is changed, and the result shares no object or array with them.
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
  // Object.fromEntries defines own members, even `__proto__`.
  return Object.fromEntries(merged);
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  return isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copy(member)]))
    : value;
}

/** Excludes class instances such as Blob and Date, which are replaced as a whole. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
