import type { Schema, SchemaObject } from '../model/schema-types.js';
import { compileValidator } from './compile-validator.js';
import { isRecord } from '../model/document/records.js';
import { compilePattern } from './compile-pattern.js';
import { type SiteOptions, type ValueSite, valueSites } from './value-sites.js';
import { setAt } from './value-path.js';
import { toPointer } from '../model/document/pointer.js';
import { showJson } from '../model/exact-json.js';
import { noteStep } from './sample/watched-work.js';

/** A value that violates a schema in one place, by one keyword. */
export interface NearMiss {
  readonly value: unknown;
  readonly keyword: string;
  /** JSON pointer to the invalid place in the value. */
  readonly pointer: string;
  readonly message: string;
}

interface Break {
  readonly keyword: string;
  /** The member that is wrong; absent if the value itself is. */
  readonly at?: string;
  /** The wrong value; `undefined` if it is removed. */
  readonly value: unknown;
  readonly message: string;
}

/** For each keyword, the values that violate it, each with the rule that it violates. */
type Breaks<Value> = {
  readonly [Keyword in keyof SchemaObject]?: (
    limit: NonNullable<SchemaObject[Keyword]>,
    value: Value,
    schema: SchemaObject,
  ) => readonly (readonly [wrong: unknown, message: string])[];
};

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
      noteStep();
      const path = broken.at === undefined ? site.path : [...site.path, broken.at];
      const miss = setAt(value, path, broken.value);
      const key = `${toPointer(path)} ${broken.keyword} ${showJson(broken.value, '')}`;
      if (seen.has(key) || miss === undefined || validate(miss).length === 0) return [];
      seen.add(key);
      return [{ value: miss, keyword: broken.keyword, pointer: toPointer(path), message: broken.message }];
    }),
  );
}

function breaksOf({ value, schemas }: ValueSite): Break[] {
  return schemas.flatMap((schema) => [
    ...breakChoice(schema),
    ...(typeof value === 'number' ? breakBy(NUMBER_BREAKS, schema, value) : []),
    ...(typeof value === 'string' ? breakBy(TEXT_BREAKS, schema, value) : []),
    ...(Array.isArray(value) ? breakBy(LIST_BREAKS, schema, value as readonly unknown[]) : []),
    ...(isRecord(value) ? [...breakMembers(schema, value), ...breakBy(OBJECT_BREAKS, schema, value)] : []),
    ...breakType(schema, value),
  ]);
}

function breakBy<Value>(breaks: Breaks<Value>, schema: SchemaObject, value: Value): Break[] {
  return Object.entries(breaks).flatMap(([keyword, make]) => {
    const limit = schema[keyword as 'minimum'];
    if (limit === undefined) return [];
    const broken = (make as NonNullable<Breaks<Value>['minimum']>)(limit, value, schema);
    return broken.map(([wrong, message]) => ({ keyword, value: wrong, message }));
  });
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

const NUMBER_BREAKS: Breaks<number> = {
  minimum: (least, _value, { multipleOf = 1 }) => [[least - multipleOf, `must be >= ${least}`]],
  maximum: (most, _value, { multipleOf = 1 }) => [[most + multipleOf, `must be <= ${most}`]],
  exclusiveMinimum: (bound) => [[bound, `must be > ${bound}`]],
  exclusiveMaximum: (bound) => [[bound, `must be < ${bound}`]],
  multipleOf: (step, value) => [[value + step / 2, `must be a multiple of ${step}`]],
  format: (format) => (format === 'int32' ? [[2 ** 31, 'must fit 32 bits']] : []),
};

const TEXT_BREAKS: Breaks<string> = {
  minLength: (least, value) => {
    const short = [...value].slice(0, Math.max(least - 1, 0)).join('');
    return least > 0 ? [[short, `must have at least ${least} characters`]] : [];
  },
  maxLength: (most, value) => {
    if (most >= MAX_LENGTH) return [];
    const letters = [...value];
    const long = value + (letters.at(-1) ?? 'x').repeat(most + 1 - letters.length);
    return [[long, `must have at most ${most} characters`]];
  },
  pattern: (pattern, value, { minLength = 0, maxLength = Infinity }) => {
    const compiled = compilePattern(pattern)?.regexp;
    const wrong = ['~ specmill ~', '!', 'é', '!'.repeat(Math.max(minLength, 1)), `${value}\n!`].find(
      (one) => compiled?.test(one) === false && one.length >= minLength && one.length <= maxLength,
    );
    // A matcher that ignores anchors finds its match in the middle.
    const within =
      compiled?.test(`~${value}~`) === false && [...value].length + 2 <= maxLength ? `~${value}~` : undefined;
    return [wrong, within].flatMap((one) => (one === undefined ? [] : [[one, `must match ${pattern}`] as const]));
  },
  format: (format) => {
    const wrong = Object.hasOwn(FORMAT_BREAKS, format) ? FORMAT_BREAKS[format] : undefined;
    return (wrong ?? ['not a ~ specmill']).map((one) => [one, `must be of the format ${format}`]);
  },
};

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

const LIST_BREAKS: Breaks<readonly unknown[]> = {
  minItems: (least, value) => (least > 0 ? [[value.slice(0, least - 1), `must have at least ${least} items`]] : []),
  maxItems: (most, value) => {
    if (most >= MAX_ITEMS || value.length === 0) return [];
    const many = Array.from({ length: most + 1 }, (_, index) => value[index % value.length]);
    return [[many, `must have at most ${most} items`]];
  },
  uniqueItems: (isUnique, value) =>
    isUnique && value.length > 0 ? [[[value[0], value[0]], 'must not have an item twice']] : [],
};

const OBJECT_BREAKS: Breaks<Readonly<Record<string, unknown>>> = {
  minProperties: (least) => (least > 0 ? [[{}, `must have at least ${least} members`]] : []),
  maxProperties: (most, value) => {
    if (most >= MAX_ITEMS) return [];
    const [first = 'x'] = Object.values(value);
    const more = Array.from({ length: most + 1 }, (_, index) => [`specmill${index}`, first ?? 'x']);
    return [[{ ...value, ...Object.fromEntries(more) }, `must have at most ${most} members`]];
  },
};

function breakMembers(schema: SchemaObject, value: Readonly<Record<string, unknown>>): Break[] {
  const breaks: Break[] = (schema.required ?? [])
    .filter((name) => Object.hasOwn(value, name))
    .map((name) => ({ keyword: 'required', at: name, value: undefined, message: `must have the member ${name}` }));
  const isClosed = schema.additionalProperties === false || schema.unevaluatedProperties === false;
  const message = 'must not have unknown members';
  return isClosed
    ? [...breaks, { keyword: 'additionalProperties', at: 'specmillUnknown', value: true, message }]
    : breaks;
}
