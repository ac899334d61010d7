import { compareValues, type HandlerContext, HttpError, type Violation } from 'specmill/mock';

import type { FieldValue, Row } from '../../generated/engine/types.js';

type Context = Pick<HandlerContext, 'collection'>;

/** An entity. Without a configuration there is one as soon as a row of it is created. Collection `entities`, by name. */
export interface Entity {
  readonly name: string;
  /** Its primary key field. */
  readonly key: string;
}

interface RowRecord {
  readonly entity: string;
  readonly row: Row;
}

const ENTITIES = 'entities';
export const ROWS = 'rows';
/** The primary key of an entity whose first row is not created by its key. */
const DEFAULT_KEY = 'id';

function toKey(entity: Entity, value: string): string {
  return JSON.stringify([entity.name, value]);
}

async function findEntity(context: Context, name: string): Promise<Entity | undefined> {
  return context.collection<Entity>(ENTITIES).get(name);
}

/** @throws HttpError 404 */
export async function requireEntity(context: Context, name: string): Promise<Entity> {
  const entity = await findEntity(context, name);
  if (entity === undefined) throw entityNotFound(name);
  return entity;
}

/** The entity, made where there is none. */
export async function openEntity(context: Context, name: string, key: string = DEFAULT_KEY): Promise<Entity> {
  const made = { name, key };
  return (await context.collection<Entity>(ENTITIES).update(name, (known) => known ?? made)) ?? made;
}

export async function listEntities(context: Context): Promise<readonly Entity[]> {
  const { items } = await context.collection<Entity>(ENTITIES).query();
  return items.map(({ value }) => value);
}

/** All rows of an entity, in the order in which they were created. */
export async function listRows(context: Context, entity: Entity): Promise<readonly Row[]> {
  const where = [{ path: 'entity', test: 'equals' as const, value: entity.name }];
  const { items } = await context.collection<RowRecord>(ROWS).query({ where });
  return items.map(({ value }) => value.row);
}

export async function findRow(context: Context, entity: Entity, value: string): Promise<Row | undefined> {
  return (await context.collection<RowRecord>(ROWS).get(toKey(entity, value)))?.row;
}

/** The value of the key as it is written in a path. @throws HttpError 400 where it is none */
export function keyTextOf({ key, name }: Entity, row: Row): string {
  const value = fieldOf(row, key);
  if ((typeof value === 'string' && value !== '') || typeof value === 'number') return String(value);
  const message = 'must be a text or a number';
  throw refuse(400, `The key ${key} of the entity ${name} must be a text or a number.`, {
    in: 'body',
    pointer: `/${key}`,
    message,
  });
}

/** A new row; without a key it gets the next number. @throws HttpError 409 where its key is taken */
export async function createRow(context: Context, entity: Entity, fields: Row): Promise<Row> {
  const { key } = entity;
  const given = fieldOf(fields, key);
  const row = given === null ? { [key]: await nextKey(context, entity), ...withoutField(fields, key) } : fields;
  const text = keyTextOf(entity, row);
  await context.collection<RowRecord>(ROWS).update(toKey(entity, text), (known) => {
    if (known === undefined) return { entity: entity.name, row };
    throw refuse(409, `The entity ${entity.name} already has a row with ${key} ${text}.`);
  });
  return row;
}

async function nextKey(context: Context, entity: Entity): Promise<number> {
  const numbers = (await listRows(context, entity))
    .map((row) => fieldOf(row, entity.key))
    .filter((value) => typeof value === 'number');
  return Math.trunc(numbers.reduce((most, number) => Math.max(most, number), 0)) + 1;
}

interface RowChange {
  readonly value: string;
  readonly fields: Row;
  /** `replace`: fields that are left out go; `merge`: they stay. */
  readonly how: 'replace' | 'merge';
  readonly mayCreate: boolean;
}

/** Changes a row, or creates it under the key of the path. */
export async function writeRow(
  context: Context,
  entity: Entity,
  { value, fields, how, mayCreate }: RowChange,
): Promise<{ readonly row: Row; readonly isNew: boolean }> {
  const key = { [entity.key]: await readKey(context, entity, value) };
  const sent = withoutField(fields, entity.key);
  let isNew = false;
  const written = await context.collection<RowRecord>(ROWS).update(toKey(entity, value), (known) => {
    if (known === undefined && !mayCreate) throw rowNotFound(entity, value);
    isNew = known === undefined;
    if (known === undefined) return { entity: entity.name, row: { ...key, ...sent } };
    const own = { [entity.key]: fieldOf(known.row, entity.key) ?? value };
    return { ...known, row: how === 'merge' ? { ...known.row, ...sent } : { ...own, ...sent } };
  });
  return { row: written?.row ?? {}, isNew };
}

/** @throws HttpError 404 where there is none */
export async function deleteRow(context: Context, entity: Entity, value: string): Promise<void> {
  if (!(await context.collection<RowRecord>(ROWS).delete(toKey(entity, value)))) throw rowNotFound(entity, value);
}

export function rowNotFound({ name, key }: Entity, value: string): HttpError {
  return refuse(404, `The entity ${name} has no row with ${key} ${value}.`);
}

/** A key from a path is read as the type that the keys of the entity have; those of a new one may be numbers. */
async function readKey(context: Context, entity: Entity, value: string): Promise<FieldValue> {
  const keys = (await listRows(context, entity)).map((row) => fieldOf(row, entity.key));
  const isNumber =
    Number.isFinite(Number(value)) && String(Number(value)) === value && keys.every((key) => typeof key === 'number');
  return isNumber ? Number(value) : value;
}

function withoutField(row: Row, name: string): Row {
  return Object.fromEntries(Object.entries(row).filter(([field]) => field !== name));
}

/** The fields that the rows of an entity have, its key first. */
export async function fieldsOf(context: Context, entity: Entity): Promise<ReadonlySet<string>> {
  return new Set([entity.key, ...(await listRows(context, entity)).flatMap((row) => Object.keys(row))]);
}

/** An error for a request that the engine does not do. */
export function refuse(status: 400 | 403 | 404 | 409, message: string, ...violations: readonly Violation[]): HttpError {
  return new HttpError(status, message, { details: violations.length === 0 ? {} : { violations } });
}

function entityNotFound(entity: string): HttpError {
  return refuse(404, `There is no entity ${entity}.`);
}

/** A query option that cannot be read. */
export function badOption(name: string, message: string): HttpError {
  return refuse(400, `The option ${name} cannot be read: ${message}.`, {
    in: 'query',
    pointer: `/${name}`,
    message,
  });
}

/** A field to sort by. */
export interface SortField {
  readonly field: string;
  readonly descending: boolean;
}

/** Null comes first, then by type, then by value. */
export function compareFields(one: unknown, other: unknown): number {
  return compareValues(one, other);
}

/** Reads `$orderby`: `year desc, title`. Nothing where it cannot be read. */
export function parseOrder(text: string): readonly SortField[] | undefined {
  const fields: SortField[] = [];
  for (const part of text.split(',')) {
    const match = /^\s*([\p{L}_][\p{L}\p{N}_]*)(?:\s+(asc|desc))?\s*$/u.exec(part);
    if (match === null) return undefined;
    fields.push({ field: match[1] ?? '', descending: match[2] === 'desc' });
  }
  return fields;
}

/** Rows that are equal in the fields are sorted by their key, so that paging is stable. */
export function withKey(order: readonly SortField[], key: string): readonly SortField[] {
  return order.some(({ field }) => field === key) ? order : [...order, { field: key, descending: false }];
}

/** Values of a row in the fields of an order. */
type Position = readonly FieldValue[];

export function positionOf(row: Row, order: readonly SortField[]): Position {
  return order.map(({ field }) => fieldOf(row, field));
}

/** The value of a field; null where the row does not have it. */
export function fieldOf(row: Row, field: string): FieldValue {
  return (Object.hasOwn(row, field) ? row[field] : null) ?? null;
}

export function comparePositions(one: Position, other: Position, order: readonly SortField[]): number {
  for (const [index, { descending }] of order.entries()) {
    const result = compareFields(one[index], other[index]);
    if (result !== 0) return descending ? -result : result;
  }
  return 0;
}
