import { findProperty, resolveRef } from '../../schema/facts/parts.js';
import { toPropertyKey } from '../../model/identifiers.js';
import { ANNOTATIONS } from '../../model/schema-keywords.js';
import type { Schema, SchemaObject, SchemaType } from '../../model/schema-types.js';
import { printBrandedId } from './branded-ids.js';
import { findBranchTag, printTagMember } from './discriminator-tags.js';
import { printLiteralType } from './print-literal-type.js';
import { combineParts, fitPart } from './combined-parts.js';
import { mergeParts } from './merge-parts.js';
import { hasObjectShape, isDeep, printObjectType } from './print-object-type.js';
import { type TypeScope, indented, travels, typeNameOf } from './type-scope.js';
import { convertedValue, dropJsonTypes } from './value-types.js';
import { intersection, layOutBranches, listOf, parenthesised, union } from './type-text.js';

/**
 * Prints a schema as a TypeScript type. Leaves conditions that a type cannot express (`not`, `if`, bounds) to the
 * validators.
 */
export function printType(schema: Schema, scope: TypeScope): string {
  if (schema === false) return 'never';
  if (schema === true) return 'unknown';
  const id = scope.types?.ids === 'branded' ? printBrandedId(schema, scope.api, scope.used) : undefined;
  if (id !== undefined) return id;
  if (schema.$ref !== undefined && saysNothingElse(schema)) return printReference(schema.$ref, scope);
  if (!hasParts(schema)) return printOwn(schema, scope);
  const merged = mergeParts(schema, scope.api);
  if (merged !== undefined) return printOwn(merged, scope);
  const parts = printParts(schema, scope);
  return intersection(scope.types === undefined ? parts : dropJsonTypes(parts, scope.types));
}

/** The name of a schema, or its type if it is part of a form and has files. */
function printReference(ref: string, scope: TypeScope): string {
  const { api, form } = scope;
  const target = resolveRef(api, ref);
  if (form === undefined || target === undefined || !form.hasFiles(target)) return typeNameOf(ref, scope);
  const hasFiles = (schema: Schema): boolean => schema !== target && form.hasFiles(schema);
  return printType(target, { ...scope, form: { ...form, hasFiles } });
}

/** Whether a reference has no siblings except descriptions, like nearly all references. */
function saysNothingElse(schema: SchemaObject): boolean {
  for (const keyword in schema) if (keyword !== '$ref' && !ANNOTATIONS.has(keyword)) return false;
  return true;
}

function hasParts({ $ref, allOf, oneOf, anyOf }: SchemaObject): boolean {
  return $ref !== undefined || allOf !== undefined || oneOf !== undefined || anyOf !== undefined;
}

/** Prints the types that apply together: a reference, the schema itself, and each of its combinators. */
function printParts(schema: SchemaObject, scope: TypeScope): string[] {
  const { own, allOf, demanded } = combineParts(schema, scope);
  const parts: string[] = [];
  if (schema.$ref !== undefined) parts.push(printReference(schema.$ref, scope));
  for (const part of allOf) parts.push(printType(part, scope));
  parts.push(printOwn(own, scope), printRequiredMembers(schema, demanded, scope));
  const isAlone = intersection(parts) === 'unknown';
  for (const branches of [schema.oneOf, schema.anyOf]) {
    if (branches === undefined) continue;
    const choice = printBranches(schema, branches, scope);
    parts.push(isAlone ? choice : layOutBranches(choice, scope.indent));
  }
  return parts;
}

/** The type of a schema without its references and combinators; `unknown` if nothing is left. */
function printOwn(schema: SchemaObject, scope: TypeScope): string {
  if (schema.const !== undefined) return printLiteralType(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(printLiteralType));
  if (schema.type === undefined) return printUntyped(schema, scope);
  if (typeof schema.type === 'string') return printOfType(schema.type, schema, scope);
  return union(schema.type.map((type) => printOfType(type, schema, scope)));
}

function printUntyped(schema: SchemaObject, scope: TypeScope): string {
  if (hasObjectShape(schema)) return printObjectType(schema, scope, scope.form?.printMember ?? printType);
  if (schema.items !== undefined || schema.prefixItems !== undefined) return printArrayType(schema, scope);
  return 'unknown';
}

function printOfType(type: SchemaType, schema: SchemaObject, scope: TypeScope): string {
  const converted = scope.types === undefined ? undefined : convertedValue(type, schema, scope.types);
  if (converted !== undefined) return converted.type;
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return printArrayType(schema, scope);
    case 'object':
      return printObjectType(schema, scope, scope.form?.printMember ?? printType);
    default:
      return type;
  }
}

function printArrayType(schema: SchemaObject, scope: TypeScope): string {
  const rest = schema.items === undefined ? 'unknown' : printType(schema.items, scope);
  if (schema.prefixItems === undefined) return listOf(rest);
  const required = schema.minItems ?? 0;
  const items = schema.prefixItems.map((item, index) => {
    const type = printType(item, scope);
    return index < required ? type : `${parenthesised(type)}?`;
  });
  return `[${[...items, ...(schema.items === false ? [] : [`...${listOf(rest)}`])].join(', ')}]`;
}

/** Prints a union of branches. One branch of type `unknown` makes the whole union `unknown`. */
function printBranches(owner: SchemaObject, branches: readonly Schema[], scope: TypeScope): string {
  return union(branches.map((branch) => printBranch(owner, branch, scope)));
}

function printBranch(owner: SchemaObject, branch: Schema, scope: TypeScope): string {
  if (typeof branch === 'boolean') return printType(branch, scope);
  const tag = owner.discriminator === undefined ? undefined : findBranchTag(owner.discriminator, branch, scope.api);
  const { properties: _all, ...rest } = branch;
  const { properties } = fitPart(branch, [owner], scope);
  const fitted = properties === undefined ? rest : { ...rest, properties };
  const own = printRequiredOnly(owner, fitted, scope) ?? printType(branch, scope);
  return tag === undefined ? own : intersection([own, printTagMember(tag)]);
}

/**
 * Prints a branch that only requires members: `anyOf: [{ required: ['a'] }, { required: ['b'] }]` means that one of the
 * owner's members must be present, which a union of `{ a: A }` and `{ b: B }` expresses. `undefined` for other
 * branches.
 */
function printRequiredOnly(owner: SchemaObject, branch: SchemaObject, scope: TypeScope): string | undefined {
  if (
    branch.required === undefined ||
    branch.properties !== undefined ||
    branch.type !== undefined ||
    branch.$ref !== undefined
  )
    return undefined;
  if (branch.allOf !== undefined || branch.anyOf !== undefined || branch.oneOf !== undefined) return undefined;
  return printRequiredMembers(owner, branch.required, scope);
}

/** `{ a: A; b: B }` for required members, with the types that the owner gives them; `unknown` without members. */
function printRequiredMembers(owner: SchemaObject, names: readonly string[], scope: TypeScope): string {
  const printMember = scope.form?.printMember ?? printType;
  const members = names.flatMap((name) => {
    const property = findProperty(owner, name, scope.api) ?? true;
    if (!travels(property, scope)) return [];
    // `{} | null` only means that the member is present; the owner has its type.
    return [`${toPropertyKey(name)}: ${isDeep(scope) ? '{} | null' : printMember(property, indented(scope))}`];
  });
  return members.length === 0 ? 'unknown' : `{ ${members.join('; ')} }`;
}
