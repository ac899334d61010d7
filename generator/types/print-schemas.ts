import type { Api, NamedSchema } from '../../model/api.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { printSchemaComment } from './doc-comment.js';
import { hasObjectShape, printObjectType } from './print-object-type.js';
import { printInheritedTags, printType } from './print-type.js';
import type { Direction, TypeScope } from './type-scope.js';
import { intersection, layOut } from './type-text.js';

/** The exported type of a named schema, and its request variant where that differs. */
export function printNamedSchema(named: NamedSchema, scope: Omit<TypeScope, 'direction' | 'indent'>): string {
  const output = printDeclaration(named, named.name, { ...scope, direction: 'output', indent: '' });
  if (named.inputName === undefined) return output;
  return `${output}\n${printDeclaration(named, named.inputName, { ...scope, direction: 'input', indent: '' })}`;
}

const VARIANT_NOTES: Readonly<Record<Direction, string | undefined>> = {
  output: undefined,
  input: 'As it is sent: without the members that only the server sets.',
};

function printDeclaration({ name, schema, inputName }: NamedSchema, exportName: string, scope: TypeScope): string {
  const note = inputName === undefined ? undefined : VARIANT_NOTES[scope.direction];
  const comment = printSchemaComment(schema, '', [note]);
  if (isPlainObject(schema)) {
    const body = printObjectType(schema, scope, printType);
    if (body.startsWith('{\n')) return `${comment}export interface ${exportName} ${body}\n`;
  }
  if (leadsToItself(name, scope.api)) return `${comment}export type ${exportName} = unknown;\n`;
  const type = intersection([printType(schema, scope), ...printInheritedTags(name, schema, scope)]);
  return `${comment}${printAlias(exportName, type)}`;
}

/** `export type Name = …;`, a long union on several lines. */
export function printAlias(name: string, type: string): string {
  const text = layOut(type, '', name.length + 15);
  return `export type ${name} =${text.startsWith('\n') ? '' : ' '}${text};\n`;
}

/** An object schema without combinators becomes an interface: its name shows in messages and editors. */
function isPlainObject(schema: Schema): schema is SchemaObject {
  if (
    typeof schema === 'boolean' ||
    !(schema.type === 'object' || (schema.type === undefined && hasObjectShape(schema)))
  )
    return false;
  return [schema.$ref, schema.allOf, schema.anyOf, schema.oneOf, schema.enum, schema.const].every(
    (keyword) => keyword === undefined,
  );
}

/** Whether a type alias would be defined by itself with nothing in between, which TypeScript refuses. */
export function leadsToItself(name: string, api: Api): boolean {
  const seen = new Set<string>();
  const open: Schema[] = [api.schemas.get(name)?.schema ?? true];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    open.push(...(next.allOf ?? []), ...(next.anyOf ?? []), ...(next.oneOf ?? []));
    if (next.$ref === undefined) continue;
    const target = refName(next.$ref);
    if (target === name) return true;
    const targetSchema = seen.has(target) ? undefined : api.schemas.get(target)?.schema;
    seen.add(target);
    if (targetSchema !== undefined && !isPlainObject(targetSchema)) open.push(targetSchema);
  }
  return false;
}
