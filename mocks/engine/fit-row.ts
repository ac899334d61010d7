import { appendPointer, type HttpError, type Violation } from 'specmill/mock';

import type { FieldValue, Row } from '../../generated/engine/types.js';
import { checkValue, type Column, isNumeric } from './columns/column.js';
import type { Entity } from './configuration/entity.js';
import { type Context, hasField, type RowShape } from './entities.js';
import { refuse } from './refusals.js';
import { fieldOf } from './sort-rows.js';

export type UnknownFields = 'ignore' | 'refuse';

interface SentFields {
  readonly fields: Row;
  readonly unknown: UnknownFields;
}

/**
 * Returns the fields of a write that the entity has. A database name for which callers see another one is not a field. An
 * open entity has any field.
 *
 * @throws HttpError 400 for an unknown field, if these are refused
 */
export function fitFields(entity: Entity, shape: RowShape, { fields, unknown }: SentFields): Row {
  const extra = Object.keys(fields).filter((name) => !hasField(entity, shape, name));
  if (extra.length === 0) return fields;
  if (unknown === 'ignore') return withoutFields(fields, extra);
  const violations = extra.map(
    (name) => ({ in: 'body', pointer: appendPointer('', name), message: 'must not be present' }) as const,
  );
  throw refuse(400, `The entity ${entity.name} has no field ${extra[0]}.`, ...violations);
}

export function withoutFields(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !names.includes(field)));
}

/** Adds the defaults of the columns that a new row leaves out. @throws HttpError 400 for one that must be present */
export function fillDefaults(
  context: Pick<Context, 'clock' | 'random'>,
  entity: Entity,
  shape: RowShape,
  row: Row,
): Row {
  const missing = [...shape.columns.values()].filter(({ name }) => !Object.hasOwn(row, name));
  const required = missing.filter(
    (column) => !column.nullable && column.default === undefined && !isMade(entity, column),
  );
  if (required.length > 0) {
    const violations = required.map(({ name }) => violationOf(name, 'must be present'));
    throw refuseFields(entity, violations);
  }
  const defaults = missing.flatMap((column) => {
    const value = defaultOf(context, column);
    return value === undefined ? [] : [[column.name, value] as const];
  });
  return Object.fromEntries([...Object.entries(row), ...defaults]);
}

/** Whether the mock makes a value itself: of numbered columns, and of a single key. */
function isMade({ keys }: Entity, { name, isGenerated, type }: Column): boolean {
  return isGenerated === true || (keys.length === 1 && keys[0] === name && type !== 'text');
}

function defaultOf({ clock, random }: Pick<Context, 'clock' | 'random'>, column: Column): FieldValue | undefined {
  const { default: made, nullable, type } = column;
  if (made === undefined) return undefined;
  if ('value' in made) return fitLiteral(column, made.value);
  const now = new Date(clock.now()).toISOString();
  if (made.make === 'now') return type === 'date' ? now.slice(0, 10) : now;
  if (made.make === 'uuid') return random.uuid();
  // Only the database can compute it: the row gets a value of the type.
  if (nullable) return null;
  if (type === 'datetime') return now;
  if (type === 'date') return now.slice(0, 10);
  if (type === 'uuid') return random.uuid();
  return isNumeric(column) ? 0 : type === 'boolean' ? false : '';
}

/** SQL writes `1` or `'0'` for booleans, and `'5'` for numbers. */
function fitLiteral(column: Column, value: FieldValue): FieldValue {
  if (value === null) return null;
  if (column.type === 'boolean') return value === true || value === 1 || value === '1' || value === 'true';
  return isNumeric(column) && typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
}

/** @throws HttpError 400 for values that do not fit their columns */
export function checkValues(entity: Entity, { columns }: RowShape, fields: Row): void {
  const violations = Object.keys(fields).flatMap((name) => {
    const column = columns.get(name);
    const message = column === undefined ? undefined : checkValue(column, fieldOf(fields, name));
    return message === undefined ? [] : [violationOf(name, message)];
  });
  if (violations.length > 0) throw refuseFields(entity, violations);
}

function violationOf(name: string, message: string): Violation & { readonly name: string } {
  return { name, in: 'body', pointer: appendPointer('', name), message };
}

function refuseFields(entity: Entity, violations: readonly (Violation & { readonly name: string })[]): HttpError {
  const [first, ...others] = violations;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return refuse(
    400,
    `The field ${first?.name} of the entity ${entity.name} ${first?.message}${more}.`,
    ...violations.map(({ in: part, pointer, message }) => ({ in: part, pointer, message })),
  );
}
