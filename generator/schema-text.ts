import { HOLDS_SCHEMA, HOLDS_SCHEMA_LIST, HOLDS_SCHEMA_MAP } from '../model/schema-keywords.js';
import type { Schema } from '../model/schema-types.js';

/** What is said to people: no value depends on it, and no check. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['description', 'title']);

/** A schema as a text without what is said to people: the same text means the same values and the same checks. */
export function printSchemaText(schema: Schema): string {
  if (typeof schema === 'boolean') return String(schema);
  let text = '';
  for (const [key, value] of Object.entries(schema)) {
    if (!FOR_PEOPLE.has(key)) text += `${JSON.stringify(key)}:${printKeyword(key, value)},`;
  }
  return `{${text}}`;
}

function printKeyword(key: string, value: unknown): string {
  if (typeof value !== 'object') return JSON.stringify(value) ?? '';
  if (HOLDS_SCHEMA.has(key)) return printSchemaText(value as Schema);
  if (HOLDS_SCHEMA_LIST.has(key)) return `[${(value as readonly Schema[]).map(printSchemaText).join()}]`;
  return HOLDS_SCHEMA_MAP.has(key) ? printMap(value as Readonly<Record<string, Schema>>) : JSON.stringify(value);
}

function printMap(schemas: Readonly<Record<string, Schema>>): string {
  let text = '';
  for (const [name, child] of Object.entries(schemas)) text += `${JSON.stringify(name)}:${printSchemaText(child)},`;
  return `{${text}}`;
}
