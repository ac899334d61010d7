/** A whole number of 32 bits. */
export function int32(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}

/** A whole number of 32 bits without a sign. */
export function uint32(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 32;
}

/** A whole number of 64 bits, as far as a double can say it. */
export function int64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** A whole number of 64 bits without a sign, as far as a double can say it. */
export function uint64(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 64;
}

/** A whole number of 64 bits, in decimal digits. */
export function int64String(text: string): boolean {
  return /^(?:0|-?[1-9]\d{0,18})$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** A whole number of 64 bits without a sign, in decimal digits. */
export function uint64String(text: string): boolean {
  return /^(?:0|[1-9]\d{0,19})$/.test(text) && BigInt.asUintN(64, BigInt(text)) === BigInt(text);
}
