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
    return Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/**
 * Whether a number is a multiple of another, as their decimal texts say it: 0.07 is a multiple of 0.01, although the
 * quotient of the two doubles is not a whole number.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value)) return false;
  const [digits, exponent] = toDecimal(value);
  const [divisorDigits, divisorExponent] = toDecimal(divisor);
  const shift = exponent - divisorExponent;
  if (divisorDigits === 0n) return false;
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % divisorDigits === 0n
    : digits % (divisorDigits * 10n ** BigInt(-shift)) === 0n;
}

/** A double as digits times a power of ten, from the shortest text that reads back as it. */
function toDecimal(value: number): readonly [bigint, number] {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const fraction = mantissa.split('.')[1] ?? '';
  return [BigInt(mantissa.replace('.', '')), Number(exponent) - fraction.length];
}

/** Whether a value is in a list, texts compared without regard to letter case. */
export function isListedInAnyCase(list: readonly unknown[], value: unknown): boolean {
  const folded = fold(value);
  return list.some((item) => isEqual(fold(item), folded));
}

function fold(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/** Whether a value is a string, or holds bytes in one of the ways of the platform. */
export function isBytes(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    ArrayBuffer.isView(value) ||
    /^\[object (ArrayBuffer|Blob|File|ReadableStream)\]$/.test(Object.prototype.toString.call(value))
  );
}
