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
