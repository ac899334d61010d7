import { appendPointer, type JsonSchema, stringifyExactJson } from 'specmill/mock';

import type { FieldValue, Row } from '../../generated/engine/types.js';
import type { Entity } from './configuration/entity.js';
import { allowedFields, type Context, learnFields } from './entities.js';
import { checkFields, type Grant, grantOf } from './grants.js';
import { describeKey, refuse, rowNotFound } from './refusals.js';
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

export type UnknownFields = 'ignore' | 'refuse';

function toKey(entity: Entity, values: readonly string[]): string {
  return stringifyExactJson([entity.name, ...values]);
}

function rowsOf(context: Context) {
  return context.collection<RowRecord>(ROWS);
}

/** All rows of an entity, in the order in which they were created. */
export async function listRows(context: Context, entity: Entity): Promise<readonly Row[]> {
  const where = [{ path: 'entity', test: 'equals' as const, value: entity.name }];
  const { items } = await rowsOf(context).query({ where });
  return items.map(({ value }) => value.row);
}

/** Finds a row that the action may reach. */
export async function findRow(
  context: Context,
  entity: Entity,
  values: readonly string[],
  grant: Grant,
): Promise<Row | undefined> {
  const row = (await rowsOf(context).get(toKey(entity, values)))?.row;
  return row === undefined || !grant.allows(row) ? undefined : row;
}

/** The values of the key as written in a path. @throws HttpError 400 if one is not a value of its column */
export function keyTextsOf({ keys, name }: Entity, row: Row): readonly string[] {
  return keys.map((key) => {
    const value = fieldOf(row, key);
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') return String(value);
    const violation = { in: 'body', pointer: `/${key}`, message: 'must be a text or a number' } as const;
    throw refuse(400, `The key ${key} of the entity ${name} must be a text or a number.`, violation);
  });
}

interface NewRow {
  readonly fields: Row;
  readonly session: Session;
  readonly unknown: UnknownFields;
}

/** Creates a row; a single missing key gets the next number. @throws HttpError 409 if its key is taken */
export async function createRow(context: Context, entity: Entity, given: NewRow): Promise<Row> {
  const { keys } = entity;
  const grant = grantOf(given.session, entity, 'create');
  const fields = await fitFields(context, entity, given);
  checkFields(grant, Object.keys(fields));
  const [key = ''] = keys;
  const row =
    keys.length === 1 && fieldOf(fields, key) === null
      ? { [key]: await nextKey(context, entity, key), ...withoutFields(fields, keys) }
      : fields;
  const values = keyTextsOf(entity, row);
  if (!grant.allows(row)) throw refuse(403, 'The policy of the role does not allow this row.');
  await rowsOf(context).update(toKey(entity, values), (known) => {
    if (known === undefined) return { entity: entity.name, row };
    throw refuse(409, `The entity ${entity.name} already has a row with ${describeKey(keys, values)}.`);
  });
  await learnFields(context, entity, Object.keys(row));
  return row;
}

async function nextKey(context: Context, entity: Entity, key: string): Promise<number> {
  const numbers = (await listRows(context, entity))
    .map((row) => fieldOf(row, key))
    .filter((value) => typeof value === 'number');
  return Math.trunc(numbers.reduce((most, number) => Math.max(most, number), 0)) + 1;
}

interface RowChange extends NewRow {
  readonly values: readonly string[];
  /** `replace` removes omitted fields; `merge` keeps them. */
  readonly how: 'replace' | 'merge';
  readonly mayCreate: boolean;
}

export async function writeRow(
  context: Context,
  entity: Entity,
  change: RowChange,
): Promise<{ readonly row: Row; readonly isNew: boolean }> {
  const { values, how, mayCreate, session } = change;
  const key = await readKeys(context, entity, values);
  const sent = withoutFields(await fitFields(context, entity, change), entity.keys);
  let isNew = false;
  const written = await rowsOf(context).update(toKey(entity, values), (known) => {
    const isThere = known !== undefined && grantOf(session, entity, 'update').allows(known.row);
    if (!isThere && (!mayCreate || known !== undefined)) throw rowNotFound(entity, values);
    isNew = !isThere;
    const grant = grantOf(session, entity, isNew ? 'create' : 'update');
    checkFields(grant, Object.keys(sent));
    const before = known === undefined ? key : how === 'merge' ? known.row : keysOf(entity, known.row);
    const row = { ...before, ...sent };
    if (!grant.allows(row)) throw refuse(403, 'The policy of the role does not allow this row.');
    return { entity: entity.name, row };
  });
  await learnFields(context, entity, Object.keys(sent));
  return { row: written?.row ?? {}, isNew };
}

function keysOf({ keys }: Entity, row: Row): Row {
  return Object.fromEntries(keys.map((key) => [key, fieldOf(row, key)]));
}

/** Deletes a row and returns it. @throws HttpError 404 if it does not exist */
export async function deleteRow(
  context: Context,
  entity: Entity,
  values: readonly string[],
  session: Session,
): Promise<Row> {
  const row = await findRow(context, entity, values, grantOf(session, entity, 'delete'));
  if (row === undefined || !(await rowsOf(context).delete(toKey(entity, values)))) throw rowNotFound(entity, values);
  return row;
}

/** Reads a key from a path, with the types of the entity's existing keys; the keys of a new entity may be numbers. */
async function readKeys(context: Context, entity: Entity, values: readonly string[]): Promise<Row> {
  const rows = await listRows(context, entity);
  const read = (key: string, value: string): FieldValue => {
    const isNumber =
      Number.isFinite(Number(value)) &&
      String(Number(value)) === value &&
      rows.every((row) => typeof fieldOf(row, key) === 'number');
    return isNumber ? Number(value) : value;
  };
  return Object.fromEntries(entity.keys.map((key, index) => [key, read(key, values[index] ?? '')]));
}

/**
 * Returns the fields of a write that the entity has. A database name for which callers see another one is not a field.
 *
 * @throws HttpError 400 for an unknown field, if these are refused
 */
async function fitFields(context: Context, entity: Entity, { fields, unknown }: NewRow): Promise<Row> {
  const allowed = await allowedFields(context, entity);
  const exposed = new Set(entity.mappings.values());
  const isKnown = (name: string): boolean =>
    (!entity.mappings.has(name) || exposed.has(name)) && (allowed === undefined || allowed.has(name));
  const extra = Object.keys(fields).filter((name) => !isKnown(name));
  if (extra.length === 0) return fields;
  if (unknown === 'ignore') return withoutFields(fields, extra);
  const violations = extra.map(
    (name) => ({ in: 'body', pointer: appendPointer('', name), message: 'must not be present' }) as const,
  );
  throw refuse(400, `The entity ${entity.name} has no field ${extra[0]}.`, ...violations);
}

function withoutFields(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !names.includes(field)));
}

/** The fields that the rows of an entity have, its keys first. */
export async function fieldsOf(context: Context, entity: Entity): Promise<ReadonlySet<string>> {
  const rows = await listRows(context, entity);
  const known = (await allowedFields(context, entity)) ?? [];
  return new Set([...entity.keys, ...entity.fields, ...known, ...rows.flatMap((row) => Object.keys(row))]);
}

export async function putRow(context: Context, entity: Entity, values: readonly string[], row: Row): Promise<void> {
  await rowsOf(context).put(toKey(entity, values), { entity: entity.name, row });
}
