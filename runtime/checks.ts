import { type Check, type Evaluated, fail, type Out, ValidationFailure } from './validation.js';

/** Whether a text has fewer characters than a limit. JSON Schema counts code points; a lone surrogate counts as one. */
export function isShorter(text: string, limit: number): boolean {
  return text.length < limit || (text.length < 2 * limit && [...text].length < limit);
}

/**
 * Whether a text has more characters than a limit. A character has one or two UTF-16 units, so most texts need no
 * counting.
 */
export function isLonger(text: string, limit: number): boolean {
  return text.length > 2 * limit || (text.length > limit && [...text].length > limit);
}

/** Whether a value is in a list that has objects or arrays in it. */
export function isListed(list: readonly unknown[], value: unknown): boolean {
  return list.some((item) => isEqual(item, value));
}

/** Whether two JSON values are equal. Members are compared as data, even one named `valueOf`. */
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

/** Rounds a `bigint` to the nearest double, because numbers in a schema are doubles. Returns other values unchanged. */
export function roundBigint(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Whether a value is in a list, ignoring letter case. */
export function isListedInAnyCase(list: readonly unknown[], value: unknown): boolean {
  const folded = fold(value);
  return list.some((item) => isEqual(fold(item), folded));
}

function fold(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/** The number of schemas that accept a value. Their evaluated members are added to `evaluated`. */
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

/** Adds the members that a subschema has evaluated to those of the schema. */
export function addEvaluated(evaluated: Evaluated, own: Evaluated): void {
  for (const place of own) evaluated.add(place);
}

/** The indexes of two equal items, the earlier one first, or `undefined` if all differ. */
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

/** Values nested deeper than this count as different, because the call stack is limited. */
const MAX_COMPARED_DEPTH = 500;
let deepValues = 0;

/** A text that is the same for equal values: members are sorted. */
function toCanonicalText(value: unknown, depth = 0): string {
  if (typeof value === 'bigint') return String(value);
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

/** Whether a value is a JSON number, which is never `NaN` or infinite. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** Whether a value is a number without a fraction. */
export function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

/** Whether a member of an object has one of the given discriminator values. */
export function hasTag(value: unknown, name: string, tags: readonly unknown[]): boolean {
  return isObject(value) && Object.hasOwn(value, name) && tags.includes(value[name]);
}

type Test = (value: unknown) => boolean;

/** Whether a member of an object, or an item of an array, is absent or passes a test. */
export function memberIs(value: unknown, name: string, test: Test): boolean {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return true;
  const member = (value as Readonly<Record<string, unknown>>)[name];
  return member === undefined || test(member);
}

/** Whether all members of an object pass a test, except those with the given names. */
export function othersAre(value: unknown, names: readonly string[], test: Test): boolean {
  return !isObject(value) || Object.keys(value).every((name) => names.includes(name) || memberIs(value, name, test));
}

/** Whether the items of an array pass a test, from a start index on. */
export function itemsAre(value: unknown, start: number, test: Test): boolean {
  return !Array.isArray(value) || value.every((item, index) => index < start || test(item));
}

/** Throws if a valid value has the discriminator of another type. */
export function assertTag(isTagged: boolean, subject: string): void {
  const message = `must have the discriminator of ${subject}`;
  if (!isTagged) throw new ValidationFailure(subject, [{ pointer: '', message, keyword: 'discriminator', params: {} }]);
}

/** Whether a value is a string or a binary object of the platform, such as a Blob or a typed array. */
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
 * Whether a number is a multiple of another in decimal arithmetic: 0.07 is a multiple of 0.01, although the quotient of
 * the two doubles is not a whole number.
 */
export function isMultipleOf(value: number | bigint, divisor: number): boolean {
  const isBig = typeof value === 'bigint';
  if (!isBig && Number.isInteger(value) && Number.isInteger(divisor)) return value % divisor === 0;
  if (!isBig && !Number.isFinite(value)) return false;
  const [digits, exponent] = isBig ? [value, 0] : toDecimal(value);
  const [divisorDigits, divisorExponent] = toDecimal(divisor);
  const shift = exponent - divisorExponent;
  if (divisorDigits === 0n) return false;
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % divisorDigits === 0n
    : digits % (divisorDigits * 10n ** BigInt(-shift)) === 0n;
}

/** Splits a double into digits and a power of ten, using the shortest text that parses back to it. */
function toDecimal(value: number): readonly [bigint, number] {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const fraction = mantissa.split('.')[1] ?? '';
  return [BigInt(mantissa.replace('.', '')), Number(exponent) - fraction.length];
}

/** Whether a value is not an array, or has an item that is not valid. */
export function failsItems(check: Check, data: unknown, path = '', out?: Out): boolean {
  if (!Array.isArray(data)) return failType(out, path, 'array');
  for (let index = 0; index < data.length; index += 1)
    if (check(data[index], out && `${path}/${index}`, out)) return true;
  return false;
}

/** Whether a value is not an object, or has a member that is not valid. */
export function failsMembers(check: Check, data: unknown, path = '', out?: Out): boolean {
  if (!isObject(data)) return failType(out, path, 'object');
  for (const key in data) if (check(data[key], out && `${path}/${toPointerSegment(key)}`, out)) return true;
  return false;
}

// One function for each keyword, so that a bundle has only the messages that its schemas need. Each adds an error to `out`
// and returns whether the check stops.

export function failType(out: Out, pointer: string, type: string | readonly string[]): boolean {
  return fail(out, { pointer, keyword: 'type', message: `must be ${String(type)}`, params: { type } });
}

export function failEnum(out: Out, pointer: string, allowedValues: readonly unknown[]): boolean {
  return fail(out, {
    pointer,
    keyword: 'enum',
    message: 'must be equal to one of the allowed values',
    params: { allowedValues },
  });
}

/** `enum` of a schema whose type is `string`, for a value that is not in the list. */
export function failTexts(out: Out, pointer: string, allowedValues: readonly unknown[], data: unknown): boolean {
  return (typeof data !== 'string' && failType(out, pointer, 'string')) || failEnum(out, pointer, allowedValues);
}

export function failConst(out: Out, pointer: string, allowedValue: unknown): boolean {
  return fail(out, { pointer, keyword: 'const', message: 'must be equal to constant', params: { allowedValue } });
}

/** `minimum`, `maximum`, `exclusiveMinimum` and `exclusiveMaximum`. */
export function failBound(
  out: Out,
  pointer: string,
  keyword: string,
  params: { readonly comparison: string; readonly limit: number },
): boolean {
  return fail(out, { pointer, keyword, message: `must be ${params.comparison} ${params.limit}`, params });
}

export function failMultipleOf(out: Out, pointer: string, multipleOf: number): boolean {
  return fail(out, {
    pointer,
    keyword: 'multipleOf',
    message: `must be multiple of ${multipleOf}`,
    params: { multipleOf },
  });
}

/** `minLength`, `maxItems` and the like, and forbidden items. */
export function failCount(out: Out, pointer: string, keyword: string, limit: number): boolean {
  const amount = keyword.startsWith('min') ? 'fewer' : 'more';
  const counted = keyword.endsWith('Length') ? 'characters' : keyword.endsWith('Properties') ? 'properties' : 'items';
  return fail(out, {
    pointer,
    keyword,
    message: `must NOT have ${amount} than ${limit} ${counted}`,
    params: { limit },
  });
}

export function failMatch(out: Out, pointer: string, keyword: 'format' | 'pattern', text: string): boolean {
  return fail(out, { pointer, keyword, message: `must match ${keyword} "${text}"`, params: { [keyword]: text } });
}

export function failRequired(out: Out, pointer: string, missingProperty: string): boolean {
  return fail(out, {
    pointer,
    keyword: 'required',
    message: `must have required property '${missingProperty}'`,
    params: { missingProperty },
  });
}

export function failAdditional(out: Out, pointer: string, additionalProperty: string): boolean {
  return fail(out, {
    pointer,
    keyword: 'additionalProperties',
    message: 'must NOT have additional properties',
    params: { additionalProperty },
  });
}

export function failUnevaluated(out: Out, pointer: string, unevaluatedProperty: string): boolean {
  return fail(out, {
    pointer,
    keyword: 'unevaluatedProperties',
    message: 'must NOT have unevaluated properties',
    params: { unevaluatedProperty },
  });
}

export function failPropertyName(out: Out, pointer: string, propertyName: string): boolean {
  return fail(out, {
    pointer,
    keyword: 'propertyNames',
    message: 'property name must be valid',
    params: { propertyName },
  });
}

/** The dependencies of a property: `deps` must be present, but `missingProperty` is not. */
export interface Dependency {
  readonly property: string;
  readonly missingProperty: string;
  readonly depsCount: number;
  readonly deps: string;
}

export function failDependency(
  out: Out,
  pointer: string,
  params: Dependency & Readonly<Record<string, unknown>>,
): boolean {
  const { property, depsCount, deps } = params;
  const message = `must have ${depsCount === 1 ? 'property' : 'properties'} ${deps} when property ${property} is present`;
  return fail(out, { pointer, keyword: 'dependentRequired', message, params });
}

/** @param twins - the indexes of two equal items, the earlier one first. */
export function failDuplicate(out: Out, pointer: string, [j, i]: readonly [number, number]): boolean {
  const message = `must NOT have duplicate items (items ## ${j} and ${i} are identical)`;
  return fail(out, { pointer, keyword: 'uniqueItems', message, params: { i, j } });
}

export function failContains(out: Out, pointer: string, minContains: number, maxContains?: number): boolean {
  const upper = maxContains === undefined ? '' : ` and no more than ${maxContains}`;
  const params = maxContains === undefined ? { minContains } : { minContains, maxContains };
  return fail(out, {
    pointer,
    keyword: 'contains',
    message: `must contain at least ${minContains}${upper} valid item(s)`,
    params,
  });
}

/** @param forbidden - sets of members that must not all be present, if the schema forbids nothing else. */
export function failNot(out: Out, pointer: string, forbidden?: readonly (readonly string[])[]): boolean {
  if (forbidden === undefined) return fail(out, { pointer, keyword: 'not', message: 'must NOT be valid', params: {} });
  const choices = forbidden.map((names) => {
    const quoted = names.map((name) => `'${name}'`);
    return names.length === 1 ? `property ${quoted.join('')}` : `${quoted.join(' and ')} together`;
  });
  return fail(out, {
    pointer,
    keyword: 'not',
    message: `must NOT have ${choices.join(', or ')}`,
    params: { forbidden },
  });
}

export function failIf(out: Out, pointer: string, failingKeyword: 'then' | 'else'): boolean {
  return fail(out, {
    pointer,
    keyword: 'if',
    message: `must match "${failingKeyword}" schema`,
    params: { failingKeyword },
  });
}

/** The schema `false`. */
export function failAlways(out: Out, pointer: string): boolean {
  return fail(out, { pointer, keyword: 'false schema', message: 'boolean schema is false', params: {} });
}

/** `anyOf` or `oneOf`. */
export interface Union {
  readonly keyword: 'anyOf' | 'oneOf';
  readonly branches: readonly Check[];
}

/** A `oneOf` whose branches require members that exclude each other. */
export interface ExclusiveUnion extends Union {
  /** By branch: a member that only this branch requires, or null. */
  readonly members?: readonly (string | null)[];
}

/** A union whose branches differ in the value of one member. */
export interface TaggedUnion extends ExclusiveUnion {
  readonly tag: string;
  /** The values of that member by branch; empty for a branch that does not restrict it. */
  readonly tags: readonly (readonly unknown[])[];
}

/** Adds the errors of a value that matches no branch of a union, or too many. */
export function failUnion(data: unknown, path = '', out: Out, { keyword, branches }: Union): boolean {
  if (out === undefined) return true;
  const passing = findPassing(data, branches);
  if (passing.length === 0 && branches.some((branch) => branch(data, path, out))) return true;
  return keyword === 'anyOf'
    ? fail(out, { pointer: path, keyword, message: 'must match a schema in anyOf', params: {} })
    : fail(out, {
        pointer: path,
        keyword,
        message: 'must match exactly one schema in oneOf',
        params: {
          passingSchemas: passing.length === 0 ? null : passing,
        },
      });
}

/** Like {@link failUnion}, but names the members that exclude each other. */
export function failExclusiveUnion(data: unknown, path = '', out: Out, union: ExclusiveUnion): boolean {
  const passingSchemas = out === undefined ? [] : findPassing(data, union.branches);
  const members = passingSchemas.flatMap((index) => union.members?.[index] ?? []);
  if (members.length < 2 || members.length < passingSchemas.length) return failUnion(data, path, out, union);
  const message = `must have only one of ${members.slice(0, -1).join(', ')} and ${members.at(-1)}`;
  return fail(out, { pointer: path, keyword: union.keyword, message, params: { passingSchemas, members } });
}

/** Adds the errors of the branches that the tag selects; otherwise reports the tag or the union. */
export function failTaggedUnion(data: unknown, path = '', out: Out, union: TaggedUnion): boolean {
  if (out === undefined) return true;
  const { branches, tag, tags } = union;
  const value = isObject(data) && Object.hasOwn(data, tag) ? data[tag] : undefined;
  const chosen = branches.filter((_branch, index) => tags[index]?.includes(value));
  const isOpen = chosen.length === 0 && tags.some((values) => values.length === 0);
  if (!isObject(data) || isOpen || findPassing(data, branches).length > 1)
    return failExclusiveUnion(data, path, out, union);
  if (chosen.length > 0) return chosen.some((branch) => branch(data, path, out));
  if (value === undefined) return failRequired(out, path, tag);
  return failEnum(out, `${path}/${toPointerSegment(tag)}`, [...new Set(tags.flat())]);
}

function findPassing(data: unknown, branches: readonly Check[]): readonly number[] {
  return branches.flatMap((branch, index) => (branch(data) ? [] : [index]));
}

export { createResponseValidator, findResponseErrors } from './validation.js';
export type { DataValidator, ResponseRule, ResponseValidator, ResponseView } from './validation.js';
export { createRequestValidator, createValidator } from './validation.js';
export type { RequestValidator, Validator } from './validation.js';
export { assertValid, descend, descendOnce, fail, findErrors } from './validation.js';
export type { Check, Evaluated, Out, ValidationError, ValidationResult } from './validation.js';
