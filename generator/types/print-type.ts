import { toStringLiteral } from '../../model/identifiers.js';
import {
  type Discriminator,
  type Schema,
  type SchemaObject,
  type SchemaType,
  refName,
} from '../../model/schema-types.js';
import { printLiteralType } from './print-literal-type.js';
import { hasObjectShape, printObjectType, printRequiredOnly } from './print-object-type.js';
import { type TypeScope, findProperty, typeNameOf } from './type-scope.js';

/** A schema as a TypeScript type. Conditions that a type cannot say (`not`, `if`, bounds) are left to the validators. */
export function printType(schema: Schema, scope: TypeScope): string {
  if (schema === false) return 'never';
  if (schema === true) return 'unknown';
  return intersection(printParts(schema, scope));
}

/** The types that hold together: a reference, what the schema says itself, and each of its combinators. */
function printParts(schema: SchemaObject, scope: TypeScope): string[] {
  const parts: string[] = [];
  if (schema.$ref !== undefined) parts.push(typeNameOf(schema.$ref, scope));
  parts.push(printOwn(schema, scope));
  for (const part of schema.allOf ?? []) parts.push(printType(part, scope));
  for (const branches of [schema.oneOf, schema.anyOf]) {
    if (branches !== undefined) parts.push(printBranches(schema, branches, scope));
  }
  return parts;
}

/** What a schema says without its references and combinators; `unknown` where that is nothing. */
function printOwn(schema: SchemaObject, scope: TypeScope): string {
  if (schema.const !== undefined) return printLiteralType(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(printLiteralType));
  if (schema.type === undefined) return printUntyped(schema, scope);
  const types: readonly SchemaType[] = typeof schema.type === 'string' ? [schema.type] : schema.type;
  return union(types.map((type) => printOfType(type, schema, scope)));
}

function printUntyped(schema: SchemaObject, scope: TypeScope): string {
  if (hasObjectShape(schema)) return printObjectType(schema, scope);
  if (schema.items !== undefined || schema.prefixItems !== undefined) return printArrayType(schema, scope);
  return 'unknown';
}

function printOfType(type: SchemaType, schema: SchemaObject, scope: TypeScope): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return printArrayType(schema, scope);
    case 'object':
      return printObjectType(schema, scope);
    default:
      return type;
  }
}

function printArrayType(schema: SchemaObject, scope: TypeScope): string {
  const rest = schema.items === undefined ? 'unknown' : printType(schema.items, scope);
  if (schema.prefixItems === undefined) return `${parenthesised(rest)}[]`;
  const required = schema.minItems ?? 0;
  const items = schema.prefixItems.map((item, index) => {
    const type = printType(item, scope);
    return index < required ? type : `${parenthesised(type)}?`;
  });
  return `[${[...items, ...(schema.items === false ? [] : [`...${parenthesised(rest)}[]`])].join(', ')}]`;
}

/** A union of branches. One branch about which a type can say nothing makes the whole union say nothing. */
function printBranches(owner: SchemaObject, branches: readonly Schema[], scope: TypeScope): string {
  return union(branches.map((branch) => printBranch(owner, branch, scope)));
}

function printBranch(owner: SchemaObject, branch: Schema, scope: TypeScope): string {
  if (typeof branch === 'boolean') return printType(branch, scope);
  const tag = owner.discriminator === undefined ? undefined : printTag(owner.discriminator, branch, scope);
  const own = printRequiredOnly(owner, branch, scope) ?? printType(branch, scope);
  return tag === undefined ? own : intersection([own, tag]);
}

/** `{ kind: 'cat' }` for a branch whose own `kind` is not that narrow yet, so that the union narrows. */
function printTag(
  { propertyName, mapping }: Discriminator,
  branch: SchemaObject,
  scope: TypeScope,
): string | undefined {
  if (branch.$ref === undefined) return undefined;
  const name = refName(branch.$ref);
  return printTagMember(propertyName, valuesOf(mapping, name), findProperty(scope.api, branch, propertyName));
}

function printTagMember(
  propertyName: string,
  values: readonly string[],
  property: Schema | undefined,
): string | undefined {
  const isNarrow =
    typeof property === 'object' &&
    (property.const !== undefined || property.enum?.every((value) => values.includes(String(value))) === true);
  if (values.length === 0 || isNarrow) return undefined;
  return `{ ${toStringLiteral(propertyName)}: ${union(values.map((value) => toStringLiteral(value)))} }`;
}

/** The tags of a schema that takes in a base with a discriminator: `kind` is the schema's own name. */
export function printInheritedTags(name: string, schema: Schema, scope: TypeScope): string[] {
  if (typeof schema === 'boolean') return [];
  return (schema.allOf ?? []).flatMap((part) => {
    const base =
      typeof part === 'object' && part.$ref !== undefined
        ? scope.api.schemas.get(refName(part.$ref))?.schema
        : undefined;
    const discriminator =
      typeof base === 'object' && base.oneOf === undefined && base.anyOf === undefined ? base.discriminator : undefined;
    if (discriminator === undefined) return [];
    const tag = printTagMember(
      discriminator.propertyName,
      valuesOf(discriminator.mapping, name),
      findProperty(scope.api, schema, discriminator.propertyName),
    );
    return tag === undefined ? [] : [tag];
  });
}

function valuesOf(mapping: Discriminator['mapping'], name: string): string[] {
  return Object.entries(mapping)
    .filter(([, target]) => target === name)
    .map(([value]) => value);
}

/** `A | B`, each once; `unknown` swallows the rest, `never` adds nothing. */
export function union(types: readonly string[]): string {
  const members = [...new Set(types)].filter((type) => type !== 'never');
  if (members.includes('unknown')) return 'unknown';
  return members.length === 0 ? 'never' : members.map(unionMember).join(' | ');
}

/** `A & B`, each once; `unknown` adds nothing. */
export function intersection(types: readonly string[]): string {
  const members = [...new Set(types)].filter((type) => type !== 'unknown');
  if (members.length <= 1) return members[0] ?? 'unknown';
  return members.map(parenthesised).join(' & ');
}

function unionMember(type: string): string {
  return type.includes(' & ') && !isWrapped(type) ? `(${type})` : type;
}

function parenthesised(type: string): string {
  return / [|&] /.test(type) && !isWrapped(type) ? `(${type})` : type;
}

/** Whether a type is one bracketed whole, such as `{ a: B | C }` or `(A | B)`. */
function isWrapped(type: string): boolean {
  const close = { '{': '}', '(': ')', '[': ']' }[type[0] ?? ''];
  if (close === undefined || type.at(-1) !== close) return false;
  let depth = 0;
  for (let at = 0; at < type.length; at += 1) {
    const char = type[at] ?? '';
    if (char === "'" || char === '"') at = skipQuoted(type, at);
    else if (char === '/' && type[at + 1] === '*') at = type.indexOf('*/', at + 2) + 1;
    else if ('{(['.includes(char)) depth += 1;
    else if ('})]'.includes(char)) depth -= 1;
    if (depth === 0 && at < type.length - 1) return false;
  }
  return true;
}

function skipQuoted(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== text[start]) at += text[at] === '\\' ? 2 : 1;
  return at;
}
