import { escapeTags, toCommentText } from '../../model/identifiers.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';

/** Prints a TSDoc comment of paragraphs from a spec, followed by our own tags; empty if there is no text. */
export function printDocComment(
  paragraphs: readonly (string | undefined)[],
  indent: string,
  tags: readonly string[] = [],
): string {
  const parts: string[] = [];
  for (const paragraph of paragraphs) {
    const text = paragraph === undefined ? '' : escapeTags(toCommentText(paragraph).trim());
    if (text !== '') parts.push(wrapText(text, MAX_WIDTH - indent.length));
  }
  const text = [...parts, ...tags].join('\n\n');
  if (text === '') return '';
  if (!text.includes('\n')) return `${indent}/** ${text} */\n`;
  const lines = text.split('\n').map((line) => `${indent} * ${line}`.trimEnd());
  return `${indent}/**\n${lines.join('\n')}\n${indent} */\n`;
}

const MAX_WIDTH = 115;

/** Breaks lines of prose that are too long. Lists keep their shape; code, tables and indented text are not changed. */
function wrapText(text: string, width: number): string {
  if (text.length <= width) return text;
  let isFenced = false;
  return text
    .split('\n')
    .map((line) => {
      const isFence = /^\s*(```|~~~)/.test(line);
      if (isFence) isFenced = !isFenced;
      return isFenced || isFence || line.length <= width || /^\s*\||^ {4}|^\t|^#/.test(line)
        ? line
        : wrapLine(line, width);
    })
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const margin = /^\s*(?:[-*+] |\d+[.)] )?/.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let here = margin;
  for (const word of line.slice(margin.length).split(' ')) {
    // A word that would start a list, a heading, a quotation or a tag stays on the line.
    const isFull = here.length + word.length + 1 > width && here.trim() !== '' && here !== margin;
    if (isFull && !/^([-+*#>@|~=]|\d+[.)]|`{3})/.test(word)) {
      lines.push(here);
      here = ' '.repeat(margin.length) + word;
    } else here += here === margin ? word : ` ${word}`;
  }
  return [...lines, here].join('\n');
}

/** Prints the comment of a schema: its description, then the rules that a type cannot express. */
export function printSchemaComment(
  schema: Schema,
  indent: string,
  extra: readonly (string | undefined)[] = [],
): string {
  if (typeof schema === 'boolean') return printDocComment(extra, indent);
  const text = schema.description ?? schema.title;
  const tags = schema.deprecated === true ? ['@deprecated'] : [];
  return printDocComment([text, describeRules(schema), ...extra], indent, tags);
}

/** The documentation of a schema beside its type, in this order. */
const RULES: readonly (readonly [keyword: keyof SchemaObject, label: string])[] = [
  ['format', 'Format'],
  ['contentEncoding', 'Encoding'],
  ['contentMediaType', 'Media type'],
  ['default', 'Default'],
  ['minimum', 'Minimum'],
  ['exclusiveMinimum', 'Greater than'],
  ['maximum', 'Maximum'],
  ['exclusiveMaximum', 'Less than'],
  ['multipleOf', 'Multiple of'],
  ['minLength', 'Minimum length'],
  ['maxLength', 'Maximum length'],
  ['pattern', 'Pattern'],
  ['minItems', 'Minimum items'],
  ['maxItems', 'Maximum items'],
  ['uniqueItems', 'Unique items'],
  ['minProperties', 'Minimum members'],
  ['maxProperties', 'Maximum members'],
];

const RANKS: ReadonlyMap<string | number, number> = new Map(RULES.map(([keyword], rank) => [keyword, rank]));

/** The rules of a schema in one line: `Format: uuid. Default: 20. Maximum: 100.` Most schemas have none. */
function describeRules(schema: SchemaObject): string {
  const ranks: number[] = [];
  for (const keyword in schema) {
    const rank = RANKS.get(keyword);
    if (rank !== undefined) ranks.push(rank);
  }
  if (ranks.length === 0) return '';
  return ranks
    .toSorted((one, other) => one - other)
    .flatMap((rank) => {
      const [keyword, label] = RULES[rank] ?? [];
      const value = keyword === undefined ? undefined : schema[keyword];
      return keyword === undefined || value === undefined ? [] : [`${label}: ${printValue(keyword, value)}.`];
    })
    .join(' ');
}

const MAX_VALUE_LENGTH = 120;

/** Keywords whose values are plain words of the standards, shown without quotes. */
const WORDS: ReadonlySet<string | number> = new Set(['format', 'contentEncoding', 'contentMediaType']);

function printValue(keyword: string | number, value: unknown): string {
  if (WORDS.has(keyword)) return String(value);
  if (typeof value === 'number' || typeof value === 'boolean') return `\`${value}\``;
  const text = keyword === 'pattern' ? String(value) : JSON.stringify(value);
  const short = text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
  return `\`${short.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``;
}
