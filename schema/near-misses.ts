import type { Schema, SchemaObject } from '../model/schema-types.js';
import { compileValidator } from './compile-validator.js';
import { isRecord } from '../model/document/records.js';
import { compilePattern } from './patterns.js';
import { type SiteOptions, type ValueSite, valueSites } from './value-sites.js';
import { setAt } from './value-path.js';
import { toPointer } from '../model/document/pointer.js';

/** A value that violates a schema in one place, by one keyword. */
export interface NearMiss {
  readonly value: unknown;
  readonly keyword: string;
  /** JSON pointer to the invalid place in the value. */
  readonly pointer: string;
  readonly message: string;
}

/** The value at the invalid place; `undefined` if it is removed. */
interface Break {
  readonly keyword: string;
  readonly at?: string;
  readonly value: unknown;
  readonly message: string;
}

/** The longest strings and lists that are made in order to be too long by one. */
const MAX_LENGTH = 100_000;
const MAX_ITEMS = 2_000;

/**
 * Makes a valid value invalid, by one keyword at a time, in each of its places. Each result is proven invalid.
 *
 * @example nearMisses({ type: 'integer', maximum: 9 }, 5, options).map(({ value }) => value) // ['specmill', 10, ...]
 */
export function nearMisses(schema: Schema, value: unknown, options: SiteOptions): NearMiss[] {
  const validate = compileValidator(options.api, schema, { direction: options.direction });
  const seen = new Set<string>();
  return valueSites(schema, value, options).flatMap((site) =>
    breaksOf(site).flatMap((broken): NearMiss[] => {
      const path = broken.at === undefined ? site.path : [...site.path, broken.at];
      const miss = setAt(value, path, broken.value);
      const key = `${toPointer(path)} ${broken.keyword} ${JSON.stringify(broken.value) ?? ''}`;
      if (seen.has(key) || miss === undefined || validate(miss).length === 0) return [];
      seen.add(key);
      return [{ value: miss, keyword: broken.keyword, pointer: toPointer(path), message: broken.message }];
    }),
  );
}

function breaksOf({ value, schemas }: ValueSite): Break[] {
  return schemas.flatMap((schema) => [
    ...breakChoice(schema),
    ...(typeof value === 'number' ? breakNumber(schema, value) : []),
    ...(typeof value === 'string' ? breakText(schema, value) : []),
    ...(Array.isArray(value) ? breakList(schema, value) : []),
    ...(isRecord(value) ? breakObject(schema, value) : []),
    ...breakType(schema, value),
  ]);
}

function breakType(schema: SchemaObject, value: unknown): Break[] {
  const { type } = schema;
  if (type === undefined) return [];
  const types: readonly string[] = [type].flat();
  const said = types.join(' or ');
  const wrong = ['specmill', 12.5, true, ['specmill'], { specmill: true }].filter(
    (one) => typeof one !== typeof value || Array.isArray(one) !== Array.isArray(value),
  );
  const breaks = wrong
    .slice(0, 3)
    .map((one) => ({ keyword: 'type', value: one, message: `must be ${said}, is ${describeKind(one)}` }));
  const halves =
    types.includes('integer') && typeof value === 'number'
      ? [{ keyword: 'type', value: fractionNear(value, schema), message: 'must be integer, has a fraction' }]
      : [];
  // In some languages an empty list counts as nothing.
  const empty =
    types.includes('array') || Array.isArray(value) || schema['x-empty-list'] === true
      ? []
      : [{ keyword: 'type', value: [], message: `must be ${said}, is an empty list` }];
  const none = types.includes('null') ? [] : [{ keyword: 'type', value: null, message: `must be ${said}, is null` }];
  return [...halves, ...none, ...breaks, ...empty];
}

/**
 * Returns a fraction within the bounds, so that nothing else is wrong with it: parsers that round or truncate accept
 * it.
 */
function fractionNear(value: number, { minimum = -Infinity, exclusiveMinimum = -Infinity }: SchemaObject): number {
  const less = value - 0.5;
  return less < minimum || less <= exclusiveMinimum ? value + 0.5 : less;
}

function describeKind(value: unknown): string {
  return Array.isArray(value) ? 'a list' : typeof value;
}

function breakChoice(schema: SchemaObject): Break[] {
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (choices === undefined) return [];
  const value = typeof choices[0] === 'number' ? 987_654_321 : 'specmill-no-such-value';
  return [
    { keyword: schema.enum === undefined ? 'const' : 'enum', value, message: 'must be one of the allowed values' },
  ];
}

function breakNumber(schema: SchemaObject, value: number): Break[] {
  const step = schema.multipleOf ?? 1;
  const breaks: Break[] = [];
  const add = (keyword: string, made: number, message: string): void =>
    void breaks.push({ keyword, value: made, message });
  if (schema.minimum !== undefined) add('minimum', schema.minimum - step, `must be >= ${schema.minimum}`);
  if (schema.maximum !== undefined) add('maximum', schema.maximum + step, `must be <= ${schema.maximum}`);
  if (schema.exclusiveMinimum !== undefined)
    add('exclusiveMinimum', schema.exclusiveMinimum, `must be > ${schema.exclusiveMinimum}`);
  if (schema.exclusiveMaximum !== undefined)
    add('exclusiveMaximum', schema.exclusiveMaximum, `must be < ${schema.exclusiveMaximum}`);
  if (schema.multipleOf !== undefined) add('multipleOf', value + step / 2, `must be a multiple of ${step}`);
  if (schema.format === 'int32') add('format', 2 ** 31, 'must fit 32 bits');
  return breaks;
}

function breakText(schema: SchemaObject, value: string): Break[] {
  const breaks: Break[] = [];
  const letters = [...value];
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
  if (minLength > 0)
    breaks.push({
      keyword: 'minLength',
      value: letters.slice(0, minLength - 1).join(''),
      message: `must have at least ${minLength} characters`,
    });
  if (maxLength < MAX_LENGTH)
    breaks.push({
      keyword: 'maxLength',
      value: value + (letters.at(-1) ?? 'x').repeat(maxLength + 1 - letters.length),
      message: `must have at most ${maxLength} characters`,
    });
  if (pattern !== undefined) {
    const compiled = compilePattern(pattern)?.regexp;
    const wrong = ['~ specmill ~', '!', 'é', '!'.repeat(Math.max(minLength, 1)), `${value}\n!`].find(
      (one) => compiled?.test(one) === false && one.length >= minLength && one.length <= maxLength,
    );
    const message = `must match ${pattern}`;
    if (wrong !== undefined) breaks.push({ keyword: 'pattern', value: wrong, message });
    // A matcher that ignores anchors finds its match in the middle.
    const within = `~${value}~`;
    if (compiled?.test(within) === false && letters.length + 2 <= maxLength)
      breaks.push({ keyword: 'pattern', value: within, message });
  }
  if (format !== undefined) {
    for (const wrong of (Object.hasOwn(FORMAT_BREAKS, format) ? FORMAT_BREAKS[format] : undefined) ?? [
      'not a ~ specmill',
    ])
      breaks.push({ keyword: 'format', value: wrong, message: `must be of the format ${format}` });
  }
  return breaks;
}

const FORMAT_BREAKS: Readonly<Record<string, readonly string[]>> = {
  date: ['2026-02-30', 'specmill'],
  'date-time': ['2026-13-01T00:00:00Z', 'specmill'],
  'date-time-local': ['2026-02-30T00:00:00', 'specmill'],
  time: ['25:00:00Z'],
  email: ['specmill.example.com'],
  uuid: ['00000000-0000-0000-0000-00000000000g'],
  uri: ['specmill: no uri'],
  ipv4: ['256.0.0.1'],
  ipv6: ['1::2::3'],
  int64: ['9223372036854775808', 'specmill'],
};

function breakList(schema: SchemaObject, value: readonly unknown[]): Break[] {
  const { minItems = 0, maxItems = Infinity, uniqueItems } = schema;
  const breaks: Break[] = [];
  if (minItems > 0)
    breaks.push({
      keyword: 'minItems',
      value: value.slice(0, minItems - 1),
      message: `must have at least ${minItems} items`,
    });
  if (maxItems < MAX_ITEMS && value.length > 0) {
    const many = Array.from({ length: maxItems + 1 }, (_, index) => value[index % value.length]);
    breaks.push({ keyword: 'maxItems', value: many, message: `must have at most ${maxItems} items` });
  }
  if (uniqueItems === true && value.length > 0)
    breaks.push({ keyword: 'uniqueItems', value: [value[0], value[0]], message: 'must not have an item twice' });
  return breaks;
}

function breakObject(schema: SchemaObject, value: Readonly<Record<string, unknown>>): Break[] {
  const breaks: Break[] = (schema.required ?? [])
    .filter((name) => Object.hasOwn(value, name))
    .map((name) => ({ keyword: 'required', at: name, value: undefined, message: `must have the member ${name}` }));
  const isClosed = schema.additionalProperties === false || schema.unevaluatedProperties === false;
  if (isClosed)
    breaks.push({
      keyword: 'additionalProperties',
      at: 'specmillUnknown',
      value: true,
      message: 'must not have unknown members',
    });
  if ((schema.minProperties ?? 0) > 0)
    breaks.push({ keyword: 'minProperties', value: {}, message: `must have at least ${schema.minProperties} members` });
  if (schema.maxProperties !== undefined && schema.maxProperties < MAX_ITEMS) {
    const more = Array.from({ length: schema.maxProperties + 1 }, (_, index) => [
      `specmill${index}`,
      Object.values(value)[0] ?? 'x',
    ]);
    breaks.push({
      keyword: 'maxProperties',
      value: { ...value, ...Object.fromEntries(more) },
      message: `must have at most ${schema.maxProperties} members`,
    });
  }
  return breaks;
}
