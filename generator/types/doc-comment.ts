import { toCommentText } from '../../model/identifiers.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';

/** A TSDoc comment of some paragraphs at an indent; nothing where there is no text. */
export function printDocComment(paragraphs: readonly (string | undefined)[], indent: string): string {
  const texts = paragraphs
    .filter((text) => text !== undefined && text.trim() !== '')
    .map((text) => toCommentText(String(text).trim()));
  const lines = texts.join('\n\n').split('\n');
  if (lines.length === 1) return lines[0] === '' ? '' : `${indent}/** ${lines[0]} */\n`;
  const body = lines.map((line) => (line.trim() === '' ? `${indent} *` : `${indent} * ${line.trimEnd()}`)).join('\n');
  return `${indent}/**\n${body}\n${indent} */\n`;
}

/** The comment of a schema: what the document says, then what a type cannot say. */
export function printSchemaComment(
  schema: Schema,
  indent: string,
  extra: readonly (string | undefined)[] = [],
): string {
  if (typeof schema === 'boolean') return printDocComment(extra, indent);
  const title = schema.description === undefined ? schema.title : undefined;
  const marks = schema.deprecated === true ? '@deprecated' : undefined;
  return printDocComment([schema.description ?? title, describeRules(schema), ...extra, marks], indent);
}

type Rule = readonly [label: string, value: unknown];

/** The rules of a schema in one line: `Format: uuid. Default: 20. Maximum: 100.` */
function describeRules(schema: SchemaObject): string | undefined {
  const rules: readonly Rule[] = [
    ['Format', schema.format],
    ['Encoding', schema.contentEncoding],
    ['Media type', schema.contentMediaType],
    ['Default', schema.default],
    ['Minimum', schema.minimum],
    ['Greater than', schema.exclusiveMinimum],
    ['Maximum', schema.maximum],
    ['Less than', schema.exclusiveMaximum],
    ['Multiple of', schema.multipleOf],
    ['Minimum length', schema.minLength],
    ['Maximum length', schema.maxLength],
    ['Pattern', schema.pattern],
    ['Minimum items', schema.minItems],
    ['Maximum items', schema.maxItems],
    ['Unique items', schema.uniqueItems],
    ['Minimum members', schema.minProperties],
    ['Maximum members', schema.maxProperties],
  ];
  const said = rules
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => `${label}: ${printValue(label, value)}.`);
  return said.length === 0 ? undefined : said.join(' ');
}

const MAX_VALUE_LENGTH = 120;

function printValue(label: string, value: unknown): string {
  if (label === 'Format' || label === 'Encoding' || label === 'Media type') return String(value);
  const text = label === 'Pattern' ? String(value) : JSON.stringify(value);
  const short = text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
  return `\`${short.replaceAll('`', "'")}\``;
}
