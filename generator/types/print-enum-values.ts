import type { NamedSchema } from '../../model/api.js';
import type { SchemaObject } from '../../model/schema-types.js';
import { printKey } from '../fixtures/print-value.js';
import { printDocComment } from './doc-comment.js';
import { printLiteralType } from './print-literal-type.js';

/**
 * Prints the values of a named enum as a constant beside its type:
 * `export const CaseStatus = { Draft: 'Draft' } as const`. The members are named by `x-enum-varnames`, else by the texts
 * themselves; numbers without names have no constant.
 */
export function printEnumValues({ name, schema }: Pick<NamedSchema, 'name' | 'schema'>): string {
  if (typeof schema === 'boolean' || schema.enum === undefined) return '';
  const names = namesOf(schema);
  if (names === undefined) return '';
  const docs = textsOf(schema, 'x-enum-descriptions') ?? textsOf(schema, 'x-enumDescriptions') ?? [];
  const members = schema.enum.flatMap((value, index) =>
    value === null
      ? []
      : [`${printDocComment([docs[index]], '  ')}  ${printKey(names[index] ?? '')}: ${printLiteralType(value)},\n`],
  );
  return `/** The values of \`${name}\` by name. */\nexport const ${name} = {\n${members.join('')}} as const;\n`;
}

/** A name for each value; `undefined` if some are missing or equal. */
function namesOf(schema: SchemaObject): readonly string[] | undefined {
  const values = schema.enum ?? [];
  const isScalar = values.every((value) => value === null || ['string', 'number'].includes(typeof value));
  const given = textsOf(schema, 'x-enum-varnames') ?? textsOf(schema, 'x-enumNames');
  const isText = values.every((value) => value === null || typeof value === 'string');
  const names = given ?? (isText ? values.map(String) : []);
  const isComplete = names.length === values.length && new Set(names).size === names.length;
  return isScalar && isComplete && values.some((value) => value !== null) ? names : undefined;
}

function textsOf(schema: SchemaObject, extension: `x-${string}`): readonly string[] | undefined {
  const texts: unknown = schema[extension];
  return Array.isArray(texts) && texts.length === schema.enum?.length && texts.every((text) => typeof text === 'string')
    ? texts
    : undefined;
}
