import type { JSONSchema } from 'json-schema-to-typescript';

import type { Api } from '../../model/api.js';
import { toCommentText } from '../../model/identifiers.js';
import type { Schema } from '../../model/schema-types.js';

/** Keywords that say nothing to a type, or that json-schema-to-typescript would turn into `unknown`. */
const CONDITIONS: ReadonlySet<string> = new Set([
  'if',
  'then',
  'else',
  'not',
  'dependentSchemas',
  'dependentRequired',
  'propertyNames',
  'examples',
  'contains',
]);

/** The types of the schemas of a bare JSON Schema document, named as the model names them. */
export async function printJsonSchemaTypes(api: Api, names: ReadonlySet<string>): Promise<string> {
  const { compile } = await import('json-schema-to-typescript');
  const definitions = Object.fromEntries(
    [...names].map((name) => [name, plainSchema(api.schemas.get(name)?.schema ?? true, name)]),
  );
  const root: JSONSchema = { $ref: `#/definitions/${api.rootSchema ?? ''}`, definitions };
  const text = await compile(root, ROOT_NAME, {
    bannerComment: '',
    format: false,
    additionalProperties: false,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    declareExternallyReferenced: true,
    $refOptions: { resolve: { external: false, file: false, http: false } },
  });
  return tidyDeclarations(text);
}

const ROOT_NAME = 'SpecmillRoot';

/** The schema as json-schema-to-typescript reads it: names as titles, references into `definitions`, texts made safe. */
function plainSchema(schema: Schema, title?: string): JSONSchema {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  const entries = Object.entries(schema)
    .filter(([key]) => !CONDITIONS.has(key) && !key.startsWith('x-') && key !== 'title')
    .map(([key, value]) => [key, plainKeyword(key, value)] as const);
  return { ...Object.fromEntries(entries), ...(title === undefined ? {} : { title }) };
}

function plainKeyword(key: string, value: unknown): unknown {
  switch (key) {
    case '$ref':
      return String(value).replace('#/$defs/', '#/definitions/');
    case 'description':
      return toCommentText(String(value));
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
    case 'prefixItems':
      return (value as readonly Schema[]).map((item) => plainSchema(item));
    case 'properties':
    case 'patternProperties':
      return Object.fromEntries(
        Object.entries(value as Record<string, Schema>).map(([name, child]) => [name, plainSchema(child)]),
      );
    case 'additionalProperties':
    case 'items':
      return typeof value === 'boolean' ? value : plainSchema(value as Schema);
    default:
      return value;
  }
}

/** Leaves out the notes about who refers to what, and indents by the depth of the braces. */
function tidyDeclarations(text: string): string {
  const plain = text
    .replaceAll(/\n \*\s*\n \* This interface was referenced by[^\n]*\n \* via the `definition`[^\n]*/g, '')
    .replaceAll(/\/\*\*\n \* This interface was referenced by[^\n]*\n \* via the `definition`[^\n]*\n \*\/\n/g, '');
  let depth = 0;
  const lines = plain.split('\n').map((line) => {
    const isComment = /^\s*(\/\*\*|\*)/.test(line);
    if (!isComment && /^[)}\]]/.test(line)) depth -= 1;
    const indented = line === '' ? '' : `${'  '.repeat(Math.max(depth, 0))}${line.trimEnd()}`;
    if (!isComment && /[({[]$/.test(line)) depth += 1;
    return indented;
  });
  return lines
    .join('\n')
    .replaceAll(/\n(?=export )/g, '\n\n')
    .replaceAll(/\*\/\n\n(?=export )/g, '*/\n')
    .trim()
    .concat('\n');
}
