import { stringifyExactJson } from 'specmill/mock';

import type { Row } from '../../generated/engine/types.js';
import type { Entity } from './configuration/entity.js';
import { type Context, learnFields, type RowShape, shapeOf } from './entities.js';
import { checkValues, fillDefaults, fitFields, type UnknownFields, withoutFields } from './fit-row.js';
import { checkFields, grantOf } from './grants.js';
import { describeKey, refuse, rowNotFound } from './refusals.js';
import { completeRow, keyTextsOf, listRows, readKeys, readKeyTexts, rowsOf, toKey } from './rows.js';
import type { Session } from './session.js';
import { fieldOf } from './sort-rows.js';

interface NewRow {
  readonly fields: Row;
  readonly session: Session;
  readonly unknown: UnknownFields;
}

/** Creates a row; a single missing key gets the next number. @throws HttpError 409 if its key is taken */
export async function createRow(context: Context, entity: Entity, given: NewRow): Promise<Row> {
  const shape = await shapeOf(context, entity);
  const grant = grantOf(given.session, entity, 'create');
  const fields = fitFields(entity, shape, given);
  checkFields(grant, Object.keys(fields));
  checkValues(entity, shape, fields);
  const row = await numberRow(context, entity, { shape, fields: fillDefaults(context, entity, shape, fields) });
  const values = keyTextsOf(entity, row);
  if (!grant.allows(completeRow(entity, shape, row)))
    throw refuse(403, 'The policy of the role does not allow this row.');
  await checkUnique(context, entity, row, values);
  await rowsOf(context).update(toKey(entity, values), (known) => {
    if (known === undefined) return { entity: entity.name, row };
    throw refuse(409, `The entity ${entity.name} already has a row with ${describeKey(entity.keys, values)}.`);
  });
  await learnFields(context, entity, Object.keys(row));
  return completeRow(entity, await shapeOf(context, entity), row);
}

interface Draft {
  readonly shape: RowShape;
  readonly fields: Row;
}

/** Numbers the columns that the database numbers, and a single key; a key of UUIDs gets a new one. */
async function numberRow(context: Context, entity: Entity, { shape, fields }: Draft): Promise<Row> {
  const { keys } = entity;
  const generated = [...shape.columns.values()].filter(({ isGenerated }) => isGenerated).map(({ name }) => name);
  const [key = ''] = keys;
  const isMade = keys.length === 1 && shape.columns.get(key)?.type !== 'text';
  const names = new Set([...generated, ...(isMade ? [key] : [])]);
  const missing = [...names].filter((name) => fieldOf(fields, name) === null);
  const made: (readonly [string, string | number])[] = [];
  for (const name of missing) {
    const isUuid = shape.columns.get(name)?.type === 'uuid';
    made.push([name, isUuid ? context.random.uuid() : await nextNumber(context, entity, name)]);
  }
  // The key comes first, as in a row that names it.
  return Object.fromEntries([...made, ...Object.entries(withoutFields(fields, missing))]);
}

async function nextNumber(context: Context, entity: Entity, name: string): Promise<number> {
  const numbers = (await listRows(context, entity))
    .map((row) => fieldOf(row, name))
    .filter((value) => typeof value === 'number');
  return Math.trunc(numbers.reduce((most, number) => Math.max(most, number), 0)) + 1;
}

/** @throws HttpError 409 if another row has the same values in columns that the database keeps unique */
async function checkUnique(context: Context, entity: Entity, row: Row, own: readonly string[]): Promise<void> {
  if (entity.unique.length === 0) return;
  const others = (await listRows(context, entity)).filter((other) => keyTextsOf(entity, other).join() !== own.join());
  for (const set of entity.unique) {
    const isSame = (other: Row): boolean =>
      set.every((name) => fieldOf(row, name) !== null && fieldOf(other, name) === fieldOf(row, name));
    if (others.some(isSame))
      throw refuse(409, `The entity ${entity.name} already has a row with this ${set.join(' and ')}.`);
  }
}

interface RowChange extends NewRow {
  readonly values: readonly string[];
  /** `replace` gives omitted fields their defaults; `merge` keeps them. */
  readonly how: 'replace' | 'merge';
  readonly mayCreate: boolean;
}

export async function writeRow(
  context: Context,
  entity: Entity,
  change: RowChange,
): Promise<{ readonly row: Row; readonly isNew: boolean }> {
  const { how, mayCreate, session } = change;
  const shape = await shapeOf(context, entity);
  const values = readKeyTexts(entity, shape, change.values);
  const key = await readKeys(context, entity, values);
  const sent = sentFields(entity, shape, change);
  let isNew = false;
  const written = await rowsOf(context).update(toKey(entity, values), (known) => {
    const before = known === undefined ? undefined : completeRow(entity, shape, known.row);
    const isThere = before !== undefined && grantOf(session, entity, 'update').allows(before);
    if (!isThere && (!mayCreate || before !== undefined)) throw rowNotFound(entity, values);
    isNew = !isThere;
    const grant = grantOf(session, entity, isNew ? 'create' : 'update');
    checkFields(grant, Object.keys(sent));
    const kept = before === undefined ? key : how === 'merge' ? (known?.row ?? {}) : keysOf(entity, before);
    const merged = { ...kept, ...sent };
    const row = before !== undefined && how === 'merge' ? merged : fillDefaults(context, entity, shape, merged);
    if (!grant.allows(completeRow(entity, shape, row)))
      throw refuse(403, 'The policy of the role does not allow this row.');
    return { entity: entity.name, row };
  });
  await learnFields(context, entity, Object.keys(sent));
  return { row: completeRow(entity, await shapeOf(context, entity), written?.row ?? {}), isNew };
}

/** The fields of a change without the key, which the path has. @throws HttpError 400 if the body has another key */
function sentFields(entity: Entity, shape: RowShape, change: RowChange): Row {
  const fields = fitFields(entity, shape, change);
  const other = entity.keys.find((key, index) => {
    const value = fieldOf(fields, key);
    return (
      value !== null && stringifyExactJson(value).replaceAll('"', '') !== change.values[index]?.replaceAll('"', '')
    );
  });
  if (other !== undefined) {
    const message = 'must be the key of the path, or absent';
    throw refuse(400, `The key ${other} of a row does not change.`, { in: 'body', pointer: `/${other}`, message });
  }
  const sent = withoutFields(fields, entity.keys);
  checkValues(entity, shape, sent);
  return sent;
}

function keysOf({ keys }: Entity, row: Row): Row {
  return Object.fromEntries(keys.map((key) => [key, fieldOf(row, key)]));
}
