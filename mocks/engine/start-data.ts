import {
  appendPointer,
  type DataCollection,
  DataProblem,
  isRecord,
  type PreparedItem,
  stringifyExactJson,
} from 'specmill/mock';

import type { Row } from '../../generated/engine/types.js';
import { checkValue, type Column, type Columns, guessColumn, isNumeric } from './columns/column.js';
import { type Entity, describeUnconfigured } from './configuration/entity.js';
import type { EngineSettings } from './configuration/settings.js';
import { type Context, declareColumns, openEntity, shapeOf } from './entities.js';
import { listRows, ROWS, rowsOf, toKey } from './rows.js';
import { fieldOf } from './sort-rows.js';

/** The collections that start data can fill: one for each entity and linking table, by its name or that of its table. */
export function engineCollections({ entities, links }: EngineSettings): readonly DataCollection[] {
  const all = [...(entities?.values() ?? [describeUnconfigured('Book', ['id'])]), ...links.values()];
  const named = all.flatMap((entity) => {
    const { name, object } = entity;
    return [...new Set([name, object, object.slice(object.lastIndexOf('.') + 1)])].map(
      (word) => [word, entity] as const,
    );
  });
  const first = new Map(named.toReversed().map(([word, entity]) => [word, entity]));
  // The name of an entity is preferred to that of a table.
  for (const entity of all) first.set(entity.name, entity);
  return [...first].map(([name, entity]) => createCollection(name, entity));
}

function createCollection(name: string, entity: Entity): DataCollection {
  const add = async (context: Context, items: readonly PreparedItem[]): Promise<void> => {
    await openEntity(context, entity.name).catch(() => undefined);
    const rows = items.map(({ value }) => (value as { readonly row: Row }).row);
    const { isOpen } = await shapeOf(context, entity);
    if (isOpen || entity.columns.size > 0) await declareColumns(context, entity.name, columnsOf(entity, rows));
    for (const { key, value } of items) await rowsOf(context).put(key, value as { entity: string; row: Row });
  };
  return {
    name,
    prepare: ({ items, pointerOf, isText }) =>
      items.map((item, index) => {
        if (!isRecord(item)) throw new DataProblem('A row must be an object.', pointerOf(index));
        const row = toRow(entity, item as Row, { isText, pointer: pointerOf(index) });
        return { collection: ROWS, key: keyOf(entity, row, index), value: { entity: entity.name, row } };
      }),
    open: async () => {},
    replace: async (context, items) => {
      for (const row of await listRows(context, entity))
        await rowsOf(context).delete(
          toKey(
            entity,
            entity.keys.map((key) => textOf(fieldOf(row, key))),
          ),
        );
      await add(context, items);
    },
    add,
    read: async (context) => ({ [name]: await listRows(context, entity) }),
  };
}

/** Checks a row and gives its fields the names that callers see: it may have those of the database. */
function toRow(
  entity: Entity,
  given: Row,
  { isText, pointer }: { readonly isText: boolean; readonly pointer: string },
): Row {
  const entries = Object.entries(given).map(([field, value]) => {
    const name = entity.mappings.get(field) ?? field;
    const column = entity.columns.get(name);
    const at = appendPointer(pointer, field);
    if (entity.isDeclared && column === undefined)
      throw new DataProblem(`The entity ${entity.name} has no field ${field}.`, at);
    const read = isText && typeof value === 'string' ? readText(column, value) : value;
    const problem = column === undefined ? undefined : checkValue({ ...column, nullable: true }, read);
    if (problem !== undefined) throw new DataProblem(`The field ${field} ${problem}.`, at);
    return [name, read] as const;
  });
  return Object.fromEntries(entries);
}

/** Reads a text of a CSV file by its column; without one, numbers and booleans are recognised. */
function readText(column: Column | undefined, text: string): Row[string] {
  if (text === '') return null;
  const isTyped = column !== undefined && column.isGuess !== true;
  const mayBeNumber = isTyped ? isNumeric(column) : /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text);
  if (mayBeNumber && Number.isFinite(Number(text))) return Number(text);
  const mayBeBoolean = isTyped ? column.type === 'boolean' : true;
  return mayBeBoolean && (text === 'true' || text === 'false') ? text === 'true' : text;
}

/** The rows of a stored procedure have no key. */
function keyOf(entity: Entity, row: Row, index: number): string {
  const values = entity.keys.map((key) => textOf(fieldOf(row, key)));
  return toKey(entity, values.includes('') ? [String(index + 1)] : values);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : stringifyExactJson(value);
}

/** The columns of the rows that an entity starts with. */
function columnsOf(entity: Entity, rows: readonly Row[]): readonly Column[] {
  const known: Columns = entity.columns;
  const names = new Set([...entity.keys, ...known.keys(), ...rows.flatMap((row) => Object.keys(row))]);
  return [...names].map((name) =>
    guessColumn(
      name,
      rows.map((row) => fieldOf(row, name)),
    ),
  );
}
