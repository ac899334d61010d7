import type { TableFieldSchema } from '../../generated/tables/types.js';
import type { TableRecord } from './table-record.js';

type Defaults = Pick<TableRecord, 'defaultCollation' | 'defaultRoundingMode'>;

/**
 * Fields that are added take the defaults of their table (seed: "affecting only fields added later"). A field that is there
 * already keeps what it has where it is not sent again, so that a change of the defaults leaves it alone.
 */
export function applyFieldDefaults<One extends Omit<TableRecord, 'etag'>>(table: One, stored?: TableRecord): One {
  const { schema } = table;
  if (schema?.fields === undefined) return table;
  return { ...table, schema: { ...schema, fields: fillFields(schema.fields, stored?.schema?.fields ?? [], table) } };
}

/** Fields are the same by their name. */
function fillFields(
  fields: readonly TableFieldSchema[],
  stored: readonly TableFieldSchema[],
  defaults: Defaults,
): TableFieldSchema[] {
  return fields.map((field) => {
    const known = stored.find(({ name }) => name === field.name);
    const nested =
      field.fields === undefined ? {} : { fields: fillFields(field.fields, known?.fields ?? [], defaults) };
    return { ...(known === undefined ? defaultsOf(field, defaults) : ownOf(known, field)), ...field, ...nested };
  });
}

const DECIMALS = new Set(['NUMERIC', 'BIGNUMERIC']);

/** The empty collation and the unspecified mode are what a field has that says nothing. */
function defaultsOf(
  { type }: TableFieldSchema,
  { defaultCollation, defaultRoundingMode }: Defaults,
): Partial<TableFieldSchema> {
  if (type === 'STRING') return defaultCollation === 'und:ci' ? { collation: defaultCollation } : {};
  if (!DECIMALS.has(type) || defaultRoundingMode === 'ROUNDING_MODE_UNSPECIFIED') return {};
  return defaultRoundingMode === undefined ? {} : { roundingMode: defaultRoundingMode };
}

/** What the defaults gave it once, or its sender; not where the type is another now. */
function ownOf(
  { type, collation, roundingMode }: TableFieldSchema,
  { type: sentType }: TableFieldSchema,
): Partial<TableFieldSchema> {
  if (type !== sentType) return {};
  return { ...(collation === undefined ? {} : { collation }), ...(roundingMode === undefined ? {} : { roundingMode }) };
}
