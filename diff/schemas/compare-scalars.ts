import type { SchemaType } from '../../model/schema-types.js';
import type { DiffPlace } from '../location.js';
import { quote, showValue, wasAndIs } from '../phrases.js';
import { compareCounts } from './compare-counts.js';
import type { Scope } from './schema-pairs.js';
import type { ObjectPart, Shape } from './effective-schema.js';
import { isBytes } from './effective-types.js';

/** Compares what is said of texts: lengths, patterns, formats, encoded content. */
export function compareTexts(old: Shape, next: Shape, scope: Scope): void {
  compareCounts({ old, next, scope }, 'length');
  comparePatterns(old, next, scope);
  compareFormats({ old, next }, scope);
  const oldContent = encodedContent(old);
  const content = encodedContent(next);
  if (oldContent?.text === content?.text) return;
  scope.report({
    kind: 'encoded-content-changed',
    message: `The encoded content of ${next.place.title} ${wasAndIs(oldContent?.text, content?.text)}`,
    old: oldContent?.place ?? old.place,
    new: content?.place ?? next.place,
  });
}

interface Numbers {
  readonly old: Shape;
  readonly next: Shape;
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
  readonly place: DiffPlace;
}

function findAll<Value>({ parts }: Shape, read: (part: ObjectPart) => Found<Value> | undefined): Found<Value>[] {
  return parts.flatMap((part) => read(part) ?? []);
}

function comparePatterns(old: Shape, next: Shape, scope: Scope): void {
  const patternsOf = (shape: Shape): Found<string>[] =>
    findAll(shape, ({ schema: { pattern }, place }) =>
      pattern === undefined ? undefined : { value: pattern, place: place.child('pattern') },
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
    const places = { old: was?.place ?? old.place, new: is?.place ?? next.place };
    if (was !== undefined && is !== undefined)
      scope.report({
        kind: 'pattern-changed',
        message: `The pattern of ${next.place.title} ${wasAndIs(was.value, is.value)}`,
        ...places,
      });
    else if (is !== undefined)
      scope.report({
        kind: 'pattern-added',
        message: `${next.place.title} must match the pattern ${quote(is.value)} now`,
        ...places,
      });
    else if (was !== undefined)
      scope.report({
        kind: 'pattern-removed',
        message: `${next.place.title} need not match the pattern ${quote(was.value)} any more`,
        ...places,
      });
  }
}

/** How much a number of a format holds; one without a format is taken for the wide one. */
const WIDTHS: ReadonlyMap<string | undefined, number> = new Map([
  ['int32', 1],
  ['float', 1],
  ['int64', 2],
  ['double', 2],
  [undefined, 2],
]);

function compareFormats({ old, next }: { readonly old: Shape; readonly next: Shape }, scope: Scope): void {
  const formatOf = (shape: Shape): Found<string> | undefined =>
    findAll(shape, ({ schema, place }) =>
      schema.format === undefined || schema.format === 'byte' || isBytes(schema)
        ? undefined
        : { value: schema.format, place: place.child('format') },
    )[0];
  const [was, is] = [formatOf(old), formatOf(next)];
  if (was?.value === is?.value) return;
  const message = `The format of ${next.place.title} ${wasAndIs(was?.value, is?.value)}`;
  const places = { old: was?.place ?? old.place, new: is?.place ?? next.place };
  const [oldWidth, width] = [WIDTHS.get(was?.value), WIDTHS.get(is?.value)];
  if (oldWidth !== undefined && width !== undefined) {
    if (oldWidth === width) return;
    scope.report({ kind: width > oldWidth ? 'format-widened' : 'format-narrowed', message, ...places });
  } else if (was === undefined) scope.report({ kind: 'format-added', message, ...places });
  else scope.report({ kind: is === undefined ? 'format-removed' : 'format-changed', message, ...places });
}

/** `format: byte` of OpenAPI 3.0 and 2.0 is what `contentEncoding: base64` is in 3.1. */
function encodedContent(shape: Shape): { readonly text: string; readonly place: DiffPlace } | undefined {
  for (const { schema, place } of shape.parts) {
    if (isBytes(schema)) continue;
    const encoding = schema.format === 'byte' ? 'base64' : schema.contentEncoding;
    const key = schema.contentEncoding === undefined ? 'contentMediaType' : 'contentEncoding';
    const words = [encoding, schema.contentMediaType].filter((word) => word !== undefined);
    if (words.length > 0)
      return { text: words.join(' '), place: place.child(schema.format === 'byte' ? 'format' : key) };
  }
  return undefined;
}

interface Limit extends Found<number> {
  readonly isExclusive: boolean;
}

const EXCLUSIVE = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' } as const;

/** The limit that counts, of all that hold. For integers an exclusive one is the next integer. */
function limitOf(shape: Shape, bound: 'minimum' | 'maximum', isInteger: boolean): Limit | undefined {
  const sign = bound === 'minimum' ? 1 : -1;
  const limits = shape.parts.flatMap(({ schema, place }): Limit[] =>
    [bound, EXCLUSIVE[bound]].flatMap((key) => {
      const value = schema[key as typeof bound];
      if (value === undefined) return [];
      const isExclusive = key !== bound;
      if (!isInteger) return [{ value, isExclusive, place: place.child(key) }];
      const whole = sign * (isExclusive ? Math.floor(sign * value) + 1 : Math.ceil(sign * value));
      return [{ value: whole, isExclusive: false, place: place.child(key) }];
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
  { old, next, scope }: { readonly old: Shape; readonly next: Shape; readonly scope: Scope },
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
    message: `The ${bound} of ${next.place.title} is ${is === undefined ? 'gone' : show(is)}, was ${show(was)}`,
    old: was?.place ?? old.place,
    new: is?.place ?? next.place,
  });
}

function compareMultiples(old: Shape, next: Shape, scope: Scope): void {
  const read = ({ schema: { multipleOf }, place }: ObjectPart): Found<number> | undefined =>
    multipleOf === undefined ? undefined : { value: multipleOf, place: place.child('multipleOf') };
  const [was, is] = [findAll(old, read)[0], findAll(next, read)[0]];
  if (was?.value === is?.value) return;
  const isMultiple = (one: number, other: number): boolean => Number.isInteger(Number((one / other).toPrecision(12)));
  const isTight = is !== undefined && (was === undefined || isMultiple(is.value, was.value));
  const isLoose = was !== undefined && (is === undefined || isMultiple(was.value, is.value));
  const message = `The multipleOf of ${next.place.title} is ${is === undefined ? 'gone' : showValue(is.value)}, was ${was === undefined ? 'not there' : showValue(was.value)}`;
  const loosened = isLoose ? 'multiple-of-loosened' : 'multiple-of-changed';
  scope.report({
    kind: isTight ? 'multiple-of-tightened' : loosened,
    message,
    old: was?.place ?? old.place,
    new: is?.place ?? next.place,
  });
}
