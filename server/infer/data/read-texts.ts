import { parseExactJson, toExactNumber } from '../../../runtime/json-integers.js';
import type { Api } from '../../../model/api.js';
import { getOrInsert } from '../../../model/maps.js';
import { splitPointer } from '../../../model/document/pointer.js';
import type { Schema } from '../../../model/schema-types.js';
import { membersOf, typesOf } from '../../../schema/facts/members.js';
import { type Item, withValueAt } from '../json-path.js';

/** Reads the cells of a record. */
export type ReadTexts = (cells: Item) => Item;

interface Column {
  readonly path: readonly string[];
  readonly types: ReadonlySet<string>;
}

/**
 * Creates a function that reads the cells of a record, which are texts, by the schema of an item: numbers and booleans
 * by their type, lists and objects as JSON. A column names a member, or one in an object: `address.city`, `/address/city`.
 */
export function createReadTexts(schema: Schema, api: Api): ReadTexts {
  const columns = new Map<string, Column>();
  const openColumn = (name: string): Column => {
    const path = pathOfColumn(name, schema, api);
    return { path, types: typesOf(schemaAt(schema, path, api), api) };
  };
  return (cells) => {
    let item: Item = {};
    for (const [name, cell] of Object.entries(cells)) {
      const { path, types } = getOrInsert(columns, name, () => openColumn(name));
      item = withValueAt(item, path, typeof cell === 'string' ? readCell(cell, types) : cell);
    }
    return item;
  };
}

function pathOfColumn(column: string, schema: Schema, api: Api): readonly string[] {
  if (column.startsWith('/')) return splitPointer(column);
  if (!column.includes('.') || membersOf(schema, api).has(column)) return [column];
  const path = column.split('.');
  return path.includes('') ? [column] : path;
}

function schemaAt(schema: Schema, path: readonly string[], api: Api): Schema {
  let found = schema;
  for (const name of path) found = membersOf(found, api).get(name)?.schema ?? true;
  return found;
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;

/** Returns a cell unchanged if it fits no other type, so that the check of the item reports it. */
function readCell(cell: string, types: ReadonlySet<string>): unknown {
  if (types.has('string')) return cell;
  const text = cell.trim();
  if ((types.has('number') || types.has('integer')) && text.length < 400 && NUMBER.test(text))
    return toExactNumber(text);
  if (types.has('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (types.has('null') && text === 'null') return null;
  if ((types.has('array') || types.has('object')) && /^[[{]/.test(text)) return readJson(text) ?? cell;
  return cell;
}

function readJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
