import { isMarked } from '../../schema/facts/parts.js';
import { toPropertyKey } from '../../model/identifiers.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { printSchemaComment } from './doc-comment.js';
import { type PrintType, type TypeScope, indented, travels } from './type-scope.js';
import { OPEN_OBJECT, layOut, union } from './type-text.js';

/** Whether a schema without a `type` describes an object. */
export function hasObjectShape(schema: SchemaObject): boolean {
  return (
    schema.properties !== undefined ||
    schema.patternProperties !== undefined ||
    schema.additionalProperties !== undefined
  );
}

/**
 * Prints an object type: its members with their comments, and an index signature if the schema types the rest.
 *
 * @param printType - prints the types of the members.
 */
export function printObjectType(schema: SchemaObject, scope: TypeScope, printType: PrintType): string {
  const members = printMembers(schema, indented(scope), printType);
  const index = printIndexSignature(schema, scope, printType);
  if (members.length === 0)
    return index === undefined
      ? schema.additionalProperties === false
        ? '{ [key: string]: never }'
        : OPEN_OBJECT
      : `{ ${index} }`;
  const lines = index === undefined ? members : [...members, `${scope.indent}  ${index};\n`];
  return `{\n${lines.join('')}${scope.indent}}`;
}

/** Whether an object type has members with names: such an object can be an interface. */
export function hasNamedMembers(schema: SchemaObject, scope: TypeScope): boolean {
  const described = schema.properties ?? {};
  if (Object.values(described).some((property) => travels(property, scope))) return true;
  return (
    schema.additionalProperties !== false && schema.required?.some((name) => !Object.hasOwn(described, name)) === true
  );
}

/** The lines of the members of an object type, each with its comment. */
function printMembers(schema: SchemaObject, scope: TypeScope, printType: PrintType): string[] {
  const required = new Set(schema.required ?? []);
  const described = schema.properties ?? {};
  const lines = Object.entries(described)
    .filter(([, property]) => travels(property, scope))
    .map(([name, property]) => {
      const readOnly = isMarked(property, 'readOnly', scope.api) ? 'readonly ' : '';
      const key = `${readOnly}${toPropertyKey(name)}${required.has(name) ? '' : '?'}`;
      const type = layOut(printType(property, scope), scope.indent, key.length + 3);
      return `${printSchemaComment(property, scope.indent)}${scope.indent}${key}:${type.startsWith('\n') ? '' : ' '}${type};\n`;
    });
  if (schema.additionalProperties === false) return lines;
  const rest = printType(schema.additionalProperties ?? true, scope);
  const demanded = [...required].filter((name) => !Object.hasOwn(described, name));
  return [...lines, ...demanded.map((name) => `${scope.indent}${toPropertyKey(name)}: ${rest};\n`)];
}

/** Whether a type is nested too deeply to be printed a second time, because each level would double the text. */
export function isDeep({ indent }: TypeScope): boolean {
  return indent.length > 2;
}

/**
 * Prints an index signature for members without a name in the schema; its type must include the types of the named
 * ones.
 */
function printIndexSignature(schema: SchemaObject, scope: TypeScope, printType: PrintType): string | undefined {
  const rest = [
    ...Object.values(schema.patternProperties ?? {}),
    ...(schema.additionalProperties === undefined || schema.additionalProperties === false
      ? []
      : [schema.additionalProperties]),
  ];
  if (rest.length === 0) return undefined;
  const named = Object.entries(schema.properties ?? {}).filter(([, property]) => travels(property, scope));
  const isOptional = named.some(([name]) => !(schema.required ?? []).includes(name));
  if (isDeep(scope) && named.length > 0) return '[key: string]: unknown';
  const types = [...rest, ...named.map(([, property]) => property)].map((child: Schema) =>
    printType(child, indented(scope)),
  );
  return `[key: string]: ${union(isOptional ? [...types, 'undefined'] : types)}`;
}
