import type { SchemaType } from '../schema-types.js';
import type { ReadSchemas, SchemaPlace } from './schema-place.js';

type Draft = Record<string, unknown>;

/**
 * Fits `enum` and `default` to the `type` beside them, with a warning. In OpenAPI, `1` in a list of texts is read as
 * `"1"`, as its author means it; what fits nothing is left out, because no value would be valid otherwise. `null` is
 * kept: authors write it for `nullable`.
 */
export function fitListedValues(out: Draft, place: SchemaPlace, reader: ReadSchemas): void {
  const types = [out['type']].flat().filter((type) => isType(type));
  if (Array.isArray(out['enum']) && types.length > 0) fitEnum(out, out['enum'], { types, place, reader });
  if (Object.hasOwn(out, 'default') && out['default'] !== null) fitDefault(out, { types, place, reader });
}

function isType(type: unknown): type is SchemaType {
  return typeof type === 'string' && Object.hasOwn(FITS, type);
}

interface Fitting {
  readonly types: readonly SchemaType[];
  readonly place: SchemaPlace;
  readonly reader: ReadSchemas;
}

function fitEnum(out: Draft, values: readonly unknown[], { types, place, reader }: Fitting): void {
  const isOpenApi = place.dialect.name.startsWith('openapi');
  const wrong = values.findIndex((value) => !fits(value, types));
  if (wrong === -1) return;
  const read = isOpenApi ? values.map((value) => (fits(value, types) ? value : convert(value, types))) : values;
  const isEmpty = isOpenApi && !read.some((value) => value !== null && fits(value, types));
  if (isEmpty) delete out['enum'];
  else out['enum'] = read.map((value, index) => (value === undefined ? values[index] : value));
  reader.problems.report(
    'enum-invalid',
    place.child('enum', wrong),
    `${describe(values[wrong], types)}; ${isEmpty ? 'the enum is ignored' : effectOf(isOpenApi ? read[wrong] : undefined, 'it never matches')}.`,
  );
}

function fitDefault(out: Draft, { types, place, reader }: Fitting): void {
  const value = out['default'];
  const report = (message: string): void => reader.problems.report('default-invalid', place.child('default'), message);
  const read = types.length === 0 || fits(value, types) ? value : convert(value, types);
  if (read === undefined || !isListed(read, out['enum'])) delete out['default'];
  else out['default'] = read;
  if (read !== value) report(`${describe(value, types)}; ${effectOf(read, 'the default is ignored')}.`);
  else if (!Object.hasOwn(out, 'default'))
    report(`The default ${show(value)} is not one of the enum; the default is ignored.`);
}

/** Whether a value is in an `enum`. Lists and objects are not compared. */
function isListed(value: unknown, values: unknown): boolean {
  return !Array.isArray(values) || typeof value === 'object' || values.includes(value);
}

function effectOf(read: unknown, otherwise: string): string {
  return read === undefined ? otherwise : `it is read as ${show(read)}`;
}

function describe(value: unknown, types: readonly SchemaType[]): string {
  return `The value ${show(value)} must be of type ${types.join(' or ')}`;
}

const MOST_LETTERS = 60;

function show(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text;
}

function fits(value: unknown, types: readonly SchemaType[]): boolean {
  return value === null || types.some((type) => FITS[type](value));
}

const FITS: Readonly<Record<SchemaType, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  integer: (value) => typeof value === 'bigint' || Number.isInteger(value),
  number: (value) => typeof value === 'bigint' || typeof value === 'number',
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** The value of one of the types that a scalar stands for: `"1"` for `1`, `true` for `"true"`. */
function convert(value: unknown, types: readonly SchemaType[]): unknown {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const text = String(value);
  if (types.includes('string')) return text;
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true';
  const pattern = types.includes('number') ? /^-?\d+(?:\.\d+)?$/ : /^-?\d+$/;
  const isNumber = types.includes('number') || types.includes('integer');
  return isNumber && typeof value === 'string' && pattern.test(text) && Number.isFinite(Number(text))
    ? Number(text)
    : undefined;
}
