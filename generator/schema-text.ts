import { HOLDS_SCHEMA, HOLDS_SCHEMA_LIST, HOLDS_SCHEMA_MAP } from '../model/schema-keywords.js';
import type { Schema } from '../model/schema-types.js';

/** A schema as a text without what is said to people: the same text means the same values and the same checks. */
export function printSchemaText(schema: Schema): string {
  if (typeof schema === 'boolean') return String(schema);
  let text = '{';
  for (const key in schema) {
    // No value depends on these, and no check.
    if (key === 'description' || key === 'title') continue;
    text += `${quote(key)}:${printKeyword(key, schema[key as keyof typeof schema])},`;
  }
  return `${text}}`;
}

function printKeyword(key: string, value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (HOLDS_SCHEMA_MAP.has(key)) return printMap(value as Readonly<Record<string, Schema>>);
  if (HOLDS_SCHEMA.has(key)) return printSchemaText(value as Schema);
  if (HOLDS_SCHEMA_LIST.has(key)) return `[${(value as readonly Schema[]).map(printSchemaText).join()}]`;
  return JSON.stringify(value);
}

function printMap(schemas: Readonly<Record<string, Schema>>): string {
  let text = '{';
  for (const name in schemas) text += `${quote(name)}:${printSchemaText(schemas[name] ?? true)},`;
  return `${text}}`;
}

const quoted = new Map<string, string>();

/** A text as JSON. The same few words come thousands of times, and to look one up takes a third of the time. */
function quote(text: string): string {
  if (text.length > MAX_KEPT) return JSON.stringify(text);
  let known = quoted.get(text);
  if (known === undefined) {
    known = JSON.stringify(text);
    quoted.set(text, known);
  }
  return known;
}

const MAX_KEPT = 40;
