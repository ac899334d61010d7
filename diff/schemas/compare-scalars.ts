import type { SchemaType } from '../../model/schema-types.js';
import type { SpecLocation } from '../location.js';
import { quote, showValue, showValues, describeChange } from '../phrases.js';
import { compareCounts } from './compare-counts.js';
import type { ObjectPart, EffectiveSchema } from './effective-schema.js';
import type { Part } from './schema-location.js';
import { isBytes } from './effective-types.js';
import type { Scope } from './scope.js';

/** Compares what is said of texts: lengths, patterns, formats, encoded content. */
export function compareTexts(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): void {
  compareCounts({ old, next, scope }, 'length');
  comparePatterns(old, next, scope);
  compareFormats({ old, next }, scope);
  compareContents(old, next, scope);
}

function compareContents(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): void {
  const [was, is] = [encodedContent(old), encodedContent(next)];
  const [oldSchema, schema] = [contentSchema(old), contentSchema(next)];
  const locations = { old: was?.location ?? old.location, new: is?.location ?? next.location };
  const title = `The encoded content of ${next.location.title}`;
  if (was?.text !== is?.text) {
    const message = `${title} ${describeChange(was?.text, is?.text)}`;
    if (was === undefined) scope.report({ kind: 'encoded-content-added', message, ...locations });
    else if (is === undefined)
      scope.report({
        kind: 'encoded-content-removed',
        message,
        ...locations,
        exceptions: was.isEncoded ? ['response'] : [],
      });
    else scope.report({ kind: 'encoded-content-changed', message, ...locations });
  }
  if (oldSchema !== undefined || schema !== undefined)
    scope.compare(
      [oldSchema ?? { schema: true, location: old.location }],
      [schema ?? { schema: true, location: next.location }],
    );
}

function contentSchema({ parts }: EffectiveSchema): Part | undefined {
  const part = parts.find(({ schema }) => schema.contentSchema !== undefined);
  const schema = part?.schema.contentSchema;
  return part === undefined || schema === undefined
    ? undefined
    : { schema, location: part.location.child('contentSchema') };
}

interface Numbers {
  readonly old: EffectiveSchema;
  readonly next: EffectiveSchema;
  /** The types that both allow. */
  readonly types: ReadonlySet<SchemaType> | undefined;
}

/** Compares what is said of numbers: ranges, multiples, formats. */
export function compareNumbers({ old, next, types }: Numbers, scope: Scope): void {
  const isInteger = types?.size === 1 && types.has('integer');
  for (const bound of ['minimum', 'maximum'] as const)
    compareLimits({ old, next, scope }, limitOf(old, bound, isInteger), limitOf(next, bound, isInteger), bound);
  compareMultiples(old, next, scope);
  // Where texts are allowed too, their comparison has looked at the format.
  if (types !== undefined && !types.has('string')) compareFormats({ old, next }, scope);
}

interface Found<Value> {
  readonly value: Value;
  readonly location: SpecLocation;
}

function findAll<Value>(
  { parts }: EffectiveSchema,
  read: (part: ObjectPart) => Found<Value> | undefined,
): Found<Value>[] {
  return parts.flatMap((part) => read(part) ?? []);
}

function comparePatterns(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): void {
  const patternsOf = (shape: EffectiveSchema): Found<string>[] =>
    findAll(shape, ({ schema: { pattern }, location }) =>
      pattern === undefined || MATCHES_ALL.test(pattern)
        ? undefined
        : { value: pattern, location: location.child('pattern') },
    );
  const lacks = (patterns: readonly Found<string>[]) => {
    const values = new Set(patterns.map(({ value }) => value));
    return ({ value }: Found<string>): boolean => !values.has(value);
  };
  const [oldPatterns, newPatterns] = [patternsOf(old), patternsOf(next)];
  const removed = oldPatterns.filter(lacks(newPatterns));
  const added = newPatterns.filter(lacks(oldPatterns));
  for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
    const [was, is] = [removed[index], added[index]];
    const locations = { old: was?.location ?? old.location, new: is?.location ?? next.location };
    if (was !== undefined && is !== undefined)
      scope.report({
        kind: 'pattern-changed',
        message: `The pattern of ${next.location.title} ${describeChange(was.value, is.value)}`,
        ...locations,
      });
    else if (is !== undefined)
      scope.report({
        kind: 'pattern-added',
        message: `${next.location.title} must match the pattern ${quote(is.value)} now`,
        ...locations,
      });
    else if (was !== undefined)
      scope.report({
        kind: 'pattern-removed',
        message: `${next.location.title} need not match the pattern ${quote(was.value)} any more`,
        ...locations,
      });
  }
}

/** Patterns that every string matches, such as `.*`: they are as good as none. */
const MATCHES_ALL = /^\^?(?:\(?(?:\?:)?(?:\.|\[\\s\\S\])\*\)?)?\$?$/;

/** How much a number of a format holds; one without a format is taken for the wide one. */
const WIDTHS: ReadonlyMap<string | undefined, number> = new Map([
  ['int32', 1],
  ['float', 1],
  ['int64', 2],
  ['double', 2],
  [undefined, 2],
]);

function compareFormats(
  { old, next }: { readonly old: EffectiveSchema; readonly next: EffectiveSchema },
  scope: Scope,
): void {
  const formatOf = (shape: EffectiveSchema): Found<string> | undefined =>
    findAll(shape, ({ schema, location }) =>
      schema.format === undefined || schema.format === 'byte' || isBytes(schema)
        ? undefined
        : { value: schema.format, location: location.child('format') },
    )[0];
  const [was, is] = [formatOf(old), formatOf(next)];
  if (was?.value === is?.value) return;
  const message = `The format of ${next.location.title} ${describeChange(was?.value, is?.value)}`;
  const locations = { old: was?.location ?? old.location, new: is?.location ?? next.location };
  const [oldWidth, width] = [WIDTHS.get(was?.value), WIDTHS.get(is?.value)];
  if (oldWidth !== undefined && width !== undefined) {
    if (oldWidth === width) return;
    scope.report({ kind: width > oldWidth ? 'format-widened' : 'format-narrowed', message, ...locations });
  } else if (was === undefined) scope.report({ kind: 'format-added', message, ...locations });
  else scope.report({ kind: is === undefined ? 'format-removed' : 'format-changed', message, ...locations });
}

/** `format: byte` of OpenAPI 3.0 and 2.0 is what `contentEncoding: base64` is in 3.1. */
function encodedContent(
  shape: EffectiveSchema,
): { readonly text: string; readonly isEncoded: boolean; readonly location: SpecLocation } | undefined {
  for (const { schema, location } of shape.parts) {
    if (isBytes(schema)) continue;
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

interface Limit extends Found<number> {
  readonly isExclusive: boolean;
}

const EXCLUSIVE = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' } as const;

/** The limit that counts, of all that hold. For integers an exclusive one is the next integer. */
function limitOf(shape: EffectiveSchema, bound: 'minimum' | 'maximum', isInteger: boolean): Limit | undefined {
  const sign = bound === 'minimum' ? 1 : -1;
  const limits = shape.parts.flatMap(({ schema, location }): Limit[] =>
    [bound, EXCLUSIVE[bound]].flatMap((key) => {
      const value = schema[key as typeof bound];
      if (value === undefined) return [];
      const isExclusive = key !== bound;
      if (!isInteger) return [{ value, isExclusive, location: location.child(key) }];
      const whole = sign * (isExclusive ? Math.floor(sign * value) + 1 : Math.ceil(sign * value));
      return [{ value: whole, isExclusive: false, location: location.child(key) }];
    }),
  );
  return limits.reduce<Limit | undefined>(
    (best, limit) => (best === undefined || isTighter(limit, best, sign) ? limit : best),
    undefined,
  );
}

function isTighter(one: Limit, other: Limit, sign: 1 | -1): boolean {
  if (one.value !== other.value) return sign * one.value > sign * other.value;
  return one.isExclusive && !other.isExclusive;
}

function compareLimits(
  { old, next, scope }: { readonly old: EffectiveSchema; readonly next: EffectiveSchema; readonly scope: Scope },
  was: Limit | undefined,
  is: Limit | undefined,
  bound: 'minimum' | 'maximum',
): void {
  if (was?.value === is?.value && was?.isExclusive === is?.isExclusive) return;
  const isTight = is !== undefined && (was === undefined || isTighter(is, was, bound === 'minimum' ? 1 : -1));
  const show = (limit: Limit | undefined): string =>
    limit === undefined ? 'not there' : `${limit.value}${limit.isExclusive ? ' (exclusive)' : ''}`;
  scope.report({
    kind: isTight ? 'range-tightened' : 'range-loosened',
    message: `The ${bound} of ${next.location.title} is ${is === undefined ? 'gone' : show(is)}, was ${show(was)}`,
    old: was?.location ?? old.location,
    new: is?.location ?? next.location,
  });
}

function compareMultiples(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): void {
  const read = ({ schema: { multipleOf }, location }: ObjectPart): Found<number> | undefined =>
    multipleOf === undefined ? undefined : { value: multipleOf, location: location.child('multipleOf') };
  const [was, is] = [findAll(old, read)[0], findAll(next, read)[0]];
  if (was?.value === is?.value) return;
  const isMultiple = (one: number, other: number): boolean => Number.isInteger(Number((one / other).toPrecision(12)));
  const isTight = is !== undefined && (was === undefined || isMultiple(is.value, was.value));
  const isLoose = was !== undefined && (is === undefined || isMultiple(was.value, is.value));
  const message = `The multipleOf of ${next.location.title} is ${is === undefined ? 'gone' : showValue(is.value)}, was ${was === undefined ? 'not there' : showValue(was.value)}`;
  const loosened = isLoose ? 'multiple-of-loosened' : 'multiple-of-changed';
  scope.report({
    kind: isTight ? 'multiple-of-tightened' : loosened,
    message,
    old: was?.location ?? old.location,
    new: is?.location ?? next.location,
  });
}

/** Compares `enum` and `const`. */
export function compareValues(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): void {
  if (old.values === undefined && next.values === undefined) return;
  const locations = { old: old.valuesLocation, new: next.valuesLocation };
  const { location } = next;
  if (old.values === undefined || next.values === undefined) {
    if (next.values !== undefined)
      scope.report({
        kind: 'enum-added',
        message: `${location.title} must be one of ${showValues([...next.values.values()])} now`,
        ...locations,
      });
    if (old.values !== undefined)
      scope.report({
        kind: 'enum-removed',
        message: `${location.title} is not limited to listed values any more`,
        ...locations,
      });
    return;
  }
  const { values } = old;
  const { values: newValues } = next;
  const added = [...newValues].filter(([text]) => !values.has(text)).map(([, value]) => value);
  const removed = [...values].filter(([text]) => !newValues.has(text)).map(([, value]) => value);
  const [only] = added;
  if (values.size === 1 && newValues.size === 1 && added.length === 1) {
    const message = `${location.title} must be ${showValue(only)}, was ${showValue(removed[0])}`;
    scope.report({ kind: 'const-changed', message, ...locations });
    return;
  }
  if (added.length > 0)
    scope.report({
      kind: 'enum-value-added',
      message: `${location.title} may also be ${showValues(added)} now`,
      ...locations,
    });
  if (removed.length > 0)
    scope.report({
      kind: 'enum-value-removed',
      message: `${location.title} must not be ${showValues(removed)} any more`,
      ...locations,
    });
}
