import type { SchemaObject, SchemaType } from '../../model/schema-types.js';
import type { ChangeKind } from '../change-catalog.js';
import { toExactNumber } from '../../runtime/json-integers.js';
import type { ExactNumbers } from '../exact-numbers.js';
import type { SpecLocation } from '../location.js';
import { matchByKey } from '../match-by-key.js';
import { describeChange, quoteShort, showValue, showValues } from '../phrases.js';
import { compareCounts } from './compare-counts.js';
import type { EffectiveSchema } from './effective-schema.js';
import type { LocatedSchema } from './schema-location.js';
import { isByteSchema } from './effective-types.js';
import type { ShapePair } from './scope.js';

/** Compares the constraints on texts: lengths, patterns, formats, encoded content. */
export function compareTexts(pair: ShapePair): void {
  compareCounts(pair, 'length');
  comparePatterns(pair);
  compareFormats(pair);
  compareContents(pair);
}

function compareContents(pair: ShapePair): void {
  const { old, next } = pair;
  const [was, is] = [encodedContent(old), encodedContent(next)];
  if (was?.text !== is?.text)
    pair.report({
      kind: `encoded-content-${kindOfChange(was, is)}`,
      message: `The encoded content of ${pair.title} ${describeChange(was?.text, is?.text)}`,
      was,
      is,
      exceptions: was?.isEncoded === true ? ['response'] : [],
    });
  const [oldSchema, schema] = [contentSchema(old), contentSchema(next)];
  if (oldSchema !== undefined || schema !== undefined)
    pair.scope.compare(
      [oldSchema ?? { schema: true, location: old.location }],
      [schema ?? { schema: true, location: next.location }],
    );
}

function kindOfChange(was: unknown, is: unknown): 'added' | 'removed' | 'changed' {
  if (was === undefined) return 'added';
  return is === undefined ? 'removed' : 'changed';
}

function contentSchema({ parts }: EffectiveSchema): LocatedSchema | undefined {
  const part = parts.find(({ schema }) => schema.contentSchema !== undefined);
  const schema = part?.schema.contentSchema;
  return part === undefined || schema === undefined
    ? undefined
    : { schema, location: part.location.child('contentSchema') };
}

/**
 * Compares the constraints on numbers: ranges, multiples, formats.
 *
 * @param types - the types that both allow.
 */
export function compareNumbers(pair: ShapePair, types: ReadonlySet<SchemaType> | undefined): void {
  const isInteger = types?.size === 1 && types.has('integer');
  for (const bound of ['minimum', 'maximum'] as const) compareLimits(pair, bound, isInteger);
  compareMultiples(pair);
  // If texts are allowed too, their comparison already covers the format.
  if (types !== undefined && !types.has('string')) compareFormats(pair);
}

interface Found<Value> {
  readonly value: Value;
  readonly location: SpecLocation;
}

/** The values of a keyword in all schemas that apply. */
function findAll<Key extends 'pattern' | 'format' | 'multipleOf'>(
  { parts }: Pick<EffectiveSchema, 'parts'>,
  key: Key,
): Found<NonNullable<SchemaObject[Key]>>[] {
  return parts.flatMap(({ schema, location }) => {
    const value = schema[key];
    return value === undefined ? [] : [{ value, location: location.child(key) }];
  });
}

function comparePatterns(pair: ShapePair): void {
  const patternsOf = (shape: EffectiveSchema): Found<string>[] => {
    const found = findAll(shape, 'pattern').filter(({ value }) => !MATCHES_ALL.test(value));
    return [...new Map(found.map((one) => [one.value, one])).values()];
  };
  const { removed, added } = matchByKey(patternsOf(pair.old), patternsOf(pair.next), ({ value }) => value);
  for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
    const [was, is] = [removed[index], added[index]];
    const words = {
      changed: `The pattern of ${pair.title} ${describeChange(was?.value, is?.value)}`,
      added: `${pair.title} must match the pattern ${quoteShort(is?.value ?? '')} now`,
      removed: `${pair.title} need not match the pattern ${quoteShort(was?.value ?? '')} any more`,
    };
    const kind = kindOfChange(was, is);
    pair.report({ kind: `pattern-${kind}`, message: words[kind], was, is });
  }
}

/** Patterns that every string matches, such as `.*`, which have no effect. */
const MATCHES_ALL = /^\^?(?:\(?(?:\?:)?(?:\.|\[\\s\\S\])\*\)?)?\$?$/;

/** The width of numeric formats; a number without a format counts as the widest. */
const WIDTHS: ReadonlyMap<string | undefined, number> = new Map([
  ['int32', 1],
  ['float', 1],
  ['int64', 2],
  ['double', 2],
  [undefined, 2],
]);

function compareFormats(pair: ShapePair): void {
  const [was, is] = [formatOf(pair.old), formatOf(pair.next)];
  if (was?.value === is?.value) return;
  const message = `The format of ${pair.title} ${describeChange(was?.value, is?.value)}`;
  const [oldWidth, width] = [WIDTHS.get(was?.value), WIDTHS.get(is?.value)];
  if (oldWidth === undefined || width === undefined)
    pair.report({ kind: `format-${kindOfChange(was, is)}`, message, was, is });
  else if (oldWidth !== width)
    pair.report({ kind: width > oldWidth ? 'format-widened' : 'format-narrowed', message, was, is });
}

/** The format, except those that describe how bytes are encoded. */
function formatOf({ parts }: EffectiveSchema): Found<string> | undefined {
  return findAll(
    { parts: parts.filter(({ schema }) => schema.format !== 'byte' && !isByteSchema(schema)) },
    'format',
  )[0];
}

/** The encoding of content. `format: byte` of OpenAPI 2.0 and 3.0 equals `contentEncoding: base64` of 3.1. */
function encodedContent(
  shape: EffectiveSchema,
): { readonly text: string; readonly isEncoded: boolean; readonly location: SpecLocation } | undefined {
  for (const { schema, location } of shape.parts) {
    if (isByteSchema(schema)) continue;
    const encoding = schema.format === 'byte' ? 'base64' : schema.contentEncoding;
    const key = schema.contentEncoding === undefined ? 'contentMediaType' : 'contentEncoding';
    const words = [encoding, schema.contentMediaType].filter((word) => word !== undefined);
    if (words.length > 0)
      return {
        text: words.join(' '),
        isEncoded: encoding !== undefined,
        location: location.child(schema.format === 'byte' ? 'format' : key),
      };
  }
  return undefined;
}

interface Limit extends Found<number | bigint> {
  readonly isExclusive: boolean;
}

const EXCLUSIVE = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' } as const;

/** The strictest of all limits that apply. For integers, an exclusive limit becomes the next integer. */
function limitOf(shape: EffectiveSchema, { bound, isInteger, numbers }: LimitOptions): Limit | undefined {
  const sign = bound === 'minimum' ? 1 : -1;
  const limits = shape.parts.flatMap(({ schema, location }): Limit[] =>
    [bound, EXCLUSIVE[bound]].flatMap((key) => {
      const written = schema[key as typeof bound];
      if (written === undefined) return [];
      const place = location.child(key);
      const value = numbers.at(written, place);
      const isExclusive = key !== bound;
      if (!isInteger) return [{ value, isExclusive, location: place }];
      return [{ value: wholeLimit(value, { sign, isExclusive }), isExclusive: false, location: place }];
    }),
  );
  return limits.reduce<Limit | undefined>(
    (best, limit) => (best === undefined || isTighter(limit, best, sign) ? limit : best),
    undefined,
  );
}

interface LimitOptions {
  readonly bound: 'minimum' | 'maximum';
  readonly isInteger: boolean;
  readonly numbers: ExactNumbers;
}

interface WholeLimitOptions {
  readonly sign: 1 | -1;
  readonly isExclusive: boolean;
}

/** The last integer that a limit allows. Beyond 2^53, doubles cannot count. */
function wholeLimit(value: number | bigint, { sign, isExclusive }: WholeLimitOptions): number | bigint {
  if (typeof value === 'number' && !(Number.isInteger(value) && !Number.isSafeInteger(value)))
    return sign * (isExclusive ? Math.floor(sign * value) + 1 : Math.ceil(sign * value));
  return toExactNumber(String(BigInt(value) + (isExclusive ? BigInt(sign) : 0n)));
}

function isTighter(one: Limit, other: Limit, sign: 1 | -1): boolean {
  if (one.value !== other.value) return sign === 1 ? one.value > other.value : one.value < other.value;
  return one.isExclusive && !other.isExclusive;
}

function compareLimits(pair: ShapePair, bound: 'minimum' | 'maximum', isInteger: boolean): void {
  const { old, new: next } = pair.scope.sides;
  const was = limitOf(pair.old, { bound, isInteger, numbers: old.sites.numbers });
  const is = limitOf(pair.next, { bound, isInteger, numbers: next.sites.numbers });
  if (was?.value === is?.value && was?.isExclusive === is?.isExclusive) return;
  const isTight = is !== undefined && (was === undefined || isTighter(is, was, bound === 'minimum' ? 1 : -1));
  const show = (limit: Limit): string => `${limit.value}${limit.isExclusive ? ' (exclusive)' : ''}`;
  pair.report({
    kind: isTight ? 'range-tightened' : 'range-loosened',
    message: `The ${bound} of ${pair.title} is ${is === undefined ? 'gone' : show(is)}, was ${was === undefined ? 'not there' : show(was)}`,
    was,
    is,
  });
}

function compareMultiples(pair: ShapePair): void {
  const [[was], [is]] = [findAll(pair.old, 'multipleOf'), findAll(pair.next, 'multipleOf')];
  if (was?.value === is?.value) return;
  const isMultiple = (one: number, other: number): boolean => Number.isInteger(Number((one / other).toPrecision(12)));
  const isTight = is !== undefined && (was === undefined || isMultiple(is.value, was.value));
  const isLoose = was !== undefined && (is === undefined || isMultiple(was.value, is.value));
  const loosened = isLoose ? 'multiple-of-loosened' : 'multiple-of-changed';
  const message = `The multipleOf of ${pair.title} ${describeChange(was?.value, is?.value)}`;
  pair.report({ kind: isTight ? 'multiple-of-tightened' : loosened, message, was, is });
}

/** Compares `enum` and `const`. */
export function compareListedValues(pair: ShapePair): void {
  const { old, next, title } = pair;
  if (old.values === undefined && next.values === undefined) return;
  const report = (kind: ChangeKind, message: string): void =>
    pair.report({ kind, message, was: { location: old.valuesLocation }, is: { location: next.valuesLocation } });
  if (next.values === undefined) return report('enum-removed', `${title} is not limited to listed values any more`);
  if (old.values === undefined)
    return report('enum-added', `${title} must be one of ${showValues([...next.values.values()])} now`);
  const { values } = old;
  const { values: newValues } = next;
  const added = [...newValues].filter(([text]) => !values.has(text)).map(([, value]) => value);
  const removed = [...values].filter(([text]) => !newValues.has(text)).map(([, value]) => value);
  if (values.size === 1 && newValues.size === 1 && added.length === 1)
    return report('const-changed', `${title} must be ${showValue(added[0])}, was ${showValue(removed[0])}`);
  if (added.length > 0) report('enum-value-added', `${title} may also be ${showValues(added)} now`);
  if (removed.length > 0) report('enum-value-removed', `${title} must not be ${showValues(removed)} any more`);
}
