import { type Check, type Evaluated, fail, failRequired, type Out } from './validation.js';

/** Whether a text has fewer characters than a limit. JSON Schema counts code points; a lone surrogate counts as one. */
export function isShorter(text: string, limit: number): boolean {
  return text.length < limit || (text.length < 2 * limit && countCharacters(text) < limit);
}

/** Whether a text has more characters than a limit. It has no more code points than units, so those are counted first. */
export function isLonger(text: string, limit: number): boolean {
  return text.length > limit && countCharacters(text) > limit;
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** Whether a value is in a list that has objects or arrays in it. */
export function isListed(list: readonly unknown[], value: unknown): boolean {
  return list.some((item) => isEqual(item, value));
}

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

/** How many of some schemas a value is valid for. What these evaluate of it is added to `evaluated`. */
export function countValid(branches: readonly Check[], data: unknown, evaluated: Evaluated): number {
  let count = 0;
  for (const branch of branches) {
    const own: Evaluated = new Set();
    if (branch(data, '', undefined, own)) continue;
    count += 1;
    addEvaluated(evaluated, own);
  }
  return count;
}

/** Adds what a part of a schema has evaluated to what the schema has. */
export function addEvaluated(evaluated: Evaluated, own: Evaluated): void {
  for (const place of own) evaluated.add(place);
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

/** Values nested deeper than this are taken as different: no call stack holds any depth. */
const MAX_COMPARED_DEPTH = 500;
let deepValues = 0;

/** A text that is the same for equal values: members are sorted. */
function toCanonicalText(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (depth > MAX_COMPARED_DEPTH) return `deeper ${(deepValues += 1)}`;
  if (Array.isArray(value)) return `[${value.map((item) => toCanonicalText(item, depth + 1)).join()}]`;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toCanonicalText(member, depth + 1)}`).join()}}`;
}

/** Whether a value is a JSON object: not an array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a string, or holds bytes in one of the ways of the platform. */
export function isBytes(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    ArrayBuffer.isView(value) ||
    /^\[object (ArrayBuffer|Blob|File|ReadableStream)\]$/.test(Object.prototype.toString.call(value))
  );
}

/** A member name as a segment of a JSON pointer (RFC 6901). */
export function toPointerSegment(name: string): string {
  return name.replace(/~/g, '~0').replace(/\//g, '~1');
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

/** How deep schemas that contain themselves follow a value: far below what a call stack holds. */
const MAX_DEPTH = 500;

let depth = 0;
/** Whether a value is valid, by check and value, for one run. */
let known: Map<Check, Map<unknown, boolean>> | undefined;

/** Calls the check of a schema that contains itself. */
export function descend(check: Check, data: unknown, path = '', out?: Out): boolean {
  if (depth >= MAX_DEPTH) return fail(out, path, 'depth', { limit: MAX_DEPTH });
  const before = depth;
  depth += 1;
  try {
    return check(data, path, out);
  } finally {
    depth = before;
    if (before === 0) known = undefined;
  }
}

/**
 * {@link descend} for schemas that look at the same value in several branches. It remembers which values are valid, so that
 * the work does not double with each level.
 */
export function descendOnce(check: Check, data: unknown, path?: string, out?: Out): boolean {
  if (typeof data !== 'object' || data === null) return descend(check, data, path, out);
  known ??= new Map();
  let results = known.get(check);
  if (results === undefined) known.set(check, (results = new Map()));
  const isValid = results.get(data);
  if (isValid === true) return false;
  if (out !== undefined) return descend(check, data, path, out);
  const fails = isValid === false || descend(check, data);
  results.set(data, !fails);
  return fails;
}

/** `anyOf` or `oneOf`. */
export interface Union {
  readonly keyword: 'anyOf' | 'oneOf';
  readonly branches: readonly Check[];
  /** A member whose value tells the branches apart, and its values by branch; no values for a branch that says nothing. */
  readonly tag?: string;
  readonly tags?: readonly (readonly unknown[])[];
  /** `oneOf`: the member that each branch requires and no other does, if there is one. */
  readonly members?: readonly (string | null)[];
}

/** Adds the errors of a value that is not valid for a union: those of the branch that the tag chooses, or of all branches. */
export function failUnion(data: unknown, path: string, out: Out, union: Union): boolean {
  if (out === undefined) return true;
  const { keyword, branches, members = [] } = union;
  const passingSchemas = branches.flatMap((branch, index) => (branch(data, '', undefined, new Set()) ? [] : [index]));
  if (passingSchemas.length > 1) {
    const names = passingSchemas.map((index) => members[index]).filter((name) => typeof name === 'string');
    const params = names.length === passingSchemas.length ? { passingSchemas, members: names } : { passingSchemas };
    return fail(out, path, keyword, params);
  }
  const chosen = isObject(data) ? chooseBranches(data, union) : undefined;
  if (chosen?.length === 0) return failTag(data, path, out, union);
  for (const branch of chosen ?? branches) if (branch(data, path, out, new Set())) return true;
  return chosen === undefined && fail(out, path, keyword, keyword === 'oneOf' ? { passingSchemas: null } : {});
}

/** The branches whose tag is that of the value; `undefined` where tags do not decide. */
function chooseBranches(data: object, { branches, tag, tags = [] }: Union): readonly Check[] | undefined {
  if (tag === undefined) return undefined;
  const value = memberOf(data, tag);
  const matching = branches.filter((_branch, index) => tags[index]?.includes(value));
  return matching.length > 0 || tags.every((values) => values.length > 0) ? matching : undefined;
}

function failTag(data: unknown, path: string, out: Out, { tag = '', tags = [] }: Union): boolean {
  if (memberOf(data, tag) === undefined) return failRequired(out, path, tag);
  return fail(out, `${path}/${toPointerSegment(tag)}`, 'enum', { allowedValues: [...new Set(tags.flat())] });
}

function memberOf(data: unknown, name: string): unknown {
  return isObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;
}

export { createResponseValidator, findResponseErrors } from './validation.js';
export type { DataValidator, ResponseRule, ResponseValidator, ResponseView } from './validation.js';
export { createRequestValidator, createValidator } from './validation.js';
export type { RequestValidator, Validator } from './validation.js';
export { assertValid, fail, failRequired, failType, findErrors } from './validation.js';
export type { Check, Evaluated, Out, ValidationError, ValidationResult } from './validation.js';
