import { isRecord, mergePatch } from 'specmill/mock';

import type { TableFieldSchema } from '../../generated/tables/types.js';
import type { TableRecord } from './table-record.js';

/** A patch applied to a table (RFC 7396), except that columns keep their governance tags (seed: "On patch"). */
export function mergeTable(stored: TableRecord, change: Readonly<Record<string, unknown>>): TableRecord {
  const merged = mergePatch(stored, change);
  const table = isRecord(merged) ? (merged as unknown as TableRecord) : stored;
  const { schema } = table;
  if (!isRecord(change['schema']) || schema?.fields === undefined) return table;
  return { ...table, schema: { ...schema, fields: keepTags(schema.fields, stored.schema?.fields ?? []) } };
}

/** Omitted tags are kept, an empty object clears them, a new tag replaces. Columns are the same by their name. */
function keepTags(fields: readonly TableFieldSchema[], stored: readonly TableFieldSchema[]): TableFieldSchema[] {
  return fields.map((field) => {
    const known = stored.find(({ name }) => name === field.name);
    const nested = field.fields === undefined ? {} : { fields: keepTags(field.fields, known?.fields ?? []) };
    const tags = field.dataGovernanceTagsInfo?.dataGovernanceTags ?? known?.dataGovernanceTagsInfo?.dataGovernanceTags;
    const { dataGovernanceTagsInfo: _, ...rest } = field;
    const isCleared = tags === undefined || Object.keys(tags).length === 0;
    return { ...rest, ...nested, ...(isCleared ? {} : { dataGovernanceTagsInfo: { dataGovernanceTags: tags } }) };
  });
}
