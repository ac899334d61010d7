import { type Collection, type JsonSchema, stringifyExactJson } from 'specmill/mock';

import type { FieldValue, Row } from '../../generated/engine/types.js';
import { checkType, readColumnText } from './columns/column.js';
import type { Entity } from './configuration/entity.js';
import { type Context, type RowShape, shapeOf } from './entities.js';
import { type Grant, grantOf } from './grants.js';
import { refuse, rowNotFound } from './refusals.js';
import type { Session } from './session.js';
import { fieldOf } from './sort-rows.js';

interface RowRecord {
  readonly entity: string;
  readonly row: Row;
}

export const ROWS = 'rows';
/** The schema that a restored {@link RowRecord} must fit. */
export const ROW_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['entity', 'row'],
  properties: { entity: { type: 'string' }, row: { type: 'object' } },
};

export function toKey(entity: Pick<Entity, 'name'>, values: readonly string[]): string {
  return stringifyExactJson([entity.name, ...values]);
}

export function rowsOf(context: Pick<Context, 'collection'>): Collection<RowRecord> {
  return context.collection<RowRecord>(ROWS);
}

/** All rows of an entity, in the order in which they were created. A column without a value is null. */
export async function listRows(context: Context, entity: Entity): Promise<readonly Row[]> {
  const where = [{ path: 'entity', test: 'equals' as const, value: entity.name }];
  const { items } = await rowsOf(context).query({ where });
  const shape = await shapeOf(context, entity);
  return items.map(({ value }) => completeRow(entity, shape, value.row));
}

/** Adds the columns that a row has no value for. The result of a stored procedure stays as it is. */
export function completeRow({ kind }: Entity, { columns }: RowShape, row: Row): Row {
  if (kind === 'stored-procedure') return row;
  const names = new Set([...columns.keys(), ...Object.keys(row)]);
  return Object.fromEntries([...names].map((name) => [name, fieldOf(row, name)]));
}

/** Finds a row that the action may reach. @throws HttpError 400 if a value of the key has another type than its column */
export async function findRow(
  context: Context,
  entity: Entity,
  values: readonly string[],
  grant: Grant,
): Promise<Row | undefined> {
  const shape = await shapeOf(context, entity);
  const row = (await rowsOf(context).get(toKey(entity, readKeyTexts(entity, shape, values))))?.row;
  return row === undefined || !grant.allows(completeRow(entity, shape, row))
    ? undefined
    : completeRow(entity, shape, row);
}

/** Returns the values of a key as they are stored. @throws HttpError 400 if one is not a value of its column */
export function readKeyTexts({ keys, name }: Entity, { columns }: RowShape, values: readonly string[]): string[] {
  return keys.map((key, index) => {
    const text = values[index] ?? '';
    const column = columns.get(key);
    if (column === undefined || column.isGuess === true) return text;
    const value: unknown = readColumnText(column, text);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return String(value);
    const message = checkType(column.type, text) ?? 'must be a value of the column';
    throw refuse(400, `The key ${key} of the entity ${name} ${message}.`, { in: 'path', pointer: '/value', message });
  });
}

/** The values of the key as written in a path. @throws HttpError 400 if one is not a value of its column */
export function keyTextsOf({ keys, name }: Entity, row: Row): readonly string[] {
  return keys.map((key) => {
    const value: unknown = fieldOf(row, key);
    if ((typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'bigint')
      return String(value);
    const violation = { in: 'body', pointer: `/${key}`, message: 'must be a text or a number' } as const;
    throw refuse(400, `The key ${key} of the entity ${name} must be a text or a number.`, violation);
  });
}

/** Reads a key from a path, with the types of its columns, else of the existing keys; new keys may be numbers. */
export async function readKeys(context: Context, entity: Entity, values: readonly string[]): Promise<Row> {
  const { columns } = await shapeOf(context, entity);
  const rows = await listRows(context, entity);
  const read = (key: string, value: string): FieldValue => {
    const column = columns.get(key);
    if (column !== undefined && column.isGuess !== true) return readColumnText(column, value) ?? value;
    const isNumber =
      Number.isFinite(Number(value)) &&
      String(Number(value)) === value &&
      rows.every((row) => typeof fieldOf(row, key) === 'number');
    return isNumber ? Number(value) : value;
  };
  return Object.fromEntries(entity.keys.map((key, index) => [key, read(key, values[index] ?? '')]));
}

/** Deletes a row and returns it. @throws HttpError 404 if it does not exist */
export async function deleteRow(
  context: Context,
  entity: Entity,
  values: readonly string[],
  session: Session,
): Promise<Row> {
  const row = await findRow(context, entity, values, grantOf(session, entity, 'delete'));
  const key = row === undefined ? undefined : toKey(entity, keyTextsOf(entity, row));
  if (row === undefined || key === undefined || !(await rowsOf(context).delete(key))) throw rowNotFound(entity, values);
  return row;
}

/** The fields that the rows of an entity have, its keys first. */
export async function fieldsOf(context: Context, entity: Entity): Promise<ReadonlySet<string>> {
  const rows = await listRows(context, entity);
  const { columns } = await shapeOf(context, entity);
  return new Set([...entity.keys, ...columns.keys(), ...rows.flatMap((row) => Object.keys(row))]);
}

export async function putRow(context: Context, entity: Entity, values: readonly string[], row: Row): Promise<void> {
  await rowsOf(context).put(toKey(entity, values), { entity: entity.name, row });
}
