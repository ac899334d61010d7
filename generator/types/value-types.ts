import type { ValueTypes } from '../../config/config-types.js';
import type { SchemaObject, SchemaType } from '../../model/schema-types.js';

/** A value whose type in the program differs from JSON. */
export interface ConvertedValue {
  readonly type: string;
  /** Name of the codec in `runtime/codecs.ts`. */
  readonly codec: string;
}

const DATES: Readonly<Record<'Date' | 'Temporal', Readonly<Record<string, ConvertedValue>>>> = {
  Date: {
    'date-time': { type: 'Date', codec: 'dateTime' },
    date: { type: 'Date', codec: 'dateOnly' },
  },
  Temporal: {
    'date-time': { type: 'Temporal.Instant', codec: 'temporalInstant' },
    date: { type: 'Temporal.PlainDate', codec: 'temporalDate' },
  },
};

const INTEGERS: Readonly<Record<'bigint' | 'string', ConvertedValue>> = {
  bigint: { type: 'bigint', codec: 'bigInteger' },
  string: { type: 'string', codec: 'integerText' },
};

const CONVERTED_TYPES = new Set(Object.values(DATES).flatMap((dates) => Object.values(dates).map(({ type }) => type)));

/** The conversion of a schema's values of this JSON type; `undefined` if they are not converted. */
export function convertedValue(
  type: SchemaType,
  { format = '', const: value, enum: values }: SchemaObject,
  { dates, int64 }: ValueTypes,
): ConvertedValue | undefined {
  if (value !== undefined || values !== undefined) return undefined;
  if (type === 'string')
    return dates === 'string' || !Object.hasOwn(DATES[dates], format) ? undefined : DATES[dates][format];
  const isLong = (type === 'integer' || type === 'number') && /^u?int64$/.test(format);
  return isLong && int64 !== 'number' ? INTEGERS[int64] : undefined;
}

/** Whether values of some schemas are converted between JSON and the program. */
export function convertsValues(types: ValueTypes | undefined): types is ValueTypes {
  return types !== undefined && (types.dates !== 'string' || types.int64 !== 'number');
}

/** The types of the parts of one schema, without a JSON type that another part converts. */
export function dropJsonTypes(parts: readonly string[], { int64 }: ValueTypes): string[] {
  const isDate = parts.some((part) => CONVERTED_TYPES.has(part));
  const isLong = int64 !== 'number' && parts.includes(INTEGERS[int64].type);
  return parts.filter((part) => !((isDate && part === 'string') || (isLong && part === 'number')));
}

/** Options without conversions, for validators, fixtures and examples, which use the types of JSON. */
export function jsonTypes<Types extends { readonly types?: ValueTypes | undefined }>(options: Types): Types {
  if (options.types === undefined) return options;
  return { ...options, types: { ...options.types, dates: 'string', int64: 'number' } };
}

/** The module with {@link jsonTypes}; a separate one if the types of `types.ts` differ. */
export function jsonTypesModule({ types }: { readonly types?: ValueTypes | undefined }): string {
  return convertsValues(types) ? 'json' : 'types';
}
