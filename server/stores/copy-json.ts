import { setMember } from '../../model/document/records.js';

/**
 * Copies JSON data, which may contain bytes and `bigint`, several times faster than `structuredClone`. Leaves out
 * members that are `undefined`, like JSON.
 *
 * @throws TypeError for other values, such as a Date or a function.
 */
export function copyJson(value: unknown): unknown {
  return copy(value, false);
}

/** Makes a frozen copy, for code that only reads. Bytes are copied but cannot be frozen. */
export function copyFrozen(value: unknown): unknown {
  return copy(value, true);
}

function copy(value: unknown, isFrozen: boolean): unknown {
  if (typeof value !== 'object' || value === null) return checkScalar(value);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const copied = items.map((item) => copy(item ?? null, isFrozen));
    return isFrozen ? Object.freeze(copied) : copied;
  }
  if (value instanceof Uint8Array) return new Uint8Array(value);
  checkPlain(value);
  const copied: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (member === undefined) continue;
    setMember(copied, key, copy(member, isFrozen));
  }
  return isFrozen ? Object.freeze(copied) : copied;
}

function checkScalar(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw notStorable(String(value));
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw notStorable(`a ${typeof value}`);
  }
  return value;
}

function checkPlain(value: object): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return;
  // Objects of another realm, such as a behaviour file loaded by jiti, have their own Object.prototype.
  if (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null) return;
  throw notStorable(`an instance of ${value.constructor.name}`);
}

function notStorable(what: string): TypeError {
  return new TypeError(`The state cannot hold ${what}: expected JSON data or bytes.`);
}
