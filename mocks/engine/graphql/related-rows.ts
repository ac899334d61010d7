import type { Row } from '../../../generated/engine/types.js';
import type { Entity, Relationship } from '../configuration/entity.js';
import { listEntities } from '../entities.js';
import type { RowTest } from '../filter.js';
import { listRows } from '../rows.js';
import { fieldOf } from '../sort-rows.js';
import type { GraphqlRequest } from './arguments.js';

/**
 * Finds the rows of the other entity that belong to a row. Without fields in the configuration there are none, because
 * a mock has no foreign keys. A linking table is an entity whose source has its name.
 */
export async function findRelated(
  { context }: Pick<GraphqlRequest, 'context'>,
  { row, target }: { readonly row: Row; readonly target: Entity },
  { sourceFields, targetFields, linking }: Relationship,
): Promise<RowTest> {
  if (linking === undefined) {
    const wanted = targetFields.map((field) => exposed(target, field));
    return joins(valuesOf(row, sourceFields), wanted);
  }
  const table = (await listEntities(context)).find(({ object }) => object === linking.object);
  if (table === undefined) return () => false;
  const own = sourceFields.length === 0 ? ['id'] : sourceFields;
  const others = targetFields.length === 0 ? target.keys : targetFields.map((field) => exposed(target, field));
  const isLink = joins(
    valuesOf(row, own),
    linking.sourceFields.map((field) => exposed(table, field)),
  );
  const linkFields = linking.targetFields.map((field) => exposed(table, field));
  const tests = (await listRows(context, table))
    .filter(isLink)
    .map((link) => joins(valuesOf(link, linkFields), others));
  return (candidate) => tests.some((test) => test(candidate));
}

function exposed({ mappings }: Entity, field: string): string {
  return mappings.get(field) ?? field;
}

function valuesOf(row: Row, fields: readonly string[]): readonly unknown[] {
  return fields.map((field) => fieldOf(row, field));
}

/** Tests whether a row has these values in these fields; a missing value matches nothing. */
function joins(values: readonly unknown[], fields: readonly string[]): RowTest {
  if (values.length === 0 || values.length !== fields.length || values.includes(null)) return () => false;
  return (row) => fields.every((field, index) => fieldOf(row, field) === values[index]);
}
