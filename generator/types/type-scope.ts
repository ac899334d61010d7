import type { Api } from '../../model/api.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';

/** Which way the data travels: `output` is what a server sends, `input` what it is sent. */
export type Direction = 'output' | 'input';

/** What the printers of one API share. */
export interface TypeScope {
  readonly api: Api;
  readonly direction: Direction;
  /** How deep the type stands in the text. */
  readonly indent: string;
}

/** The scope of what stands one step deeper. */
export function indented(scope: TypeScope): TypeScope {
  return { ...scope, indent: `${scope.indent}  ` };
}

/** The type name of a normalised `$ref`. */
export function typeNameOf(ref: string, { api, direction }: TypeScope): string {
  const name = refName(ref);
  const inputName = direction === 'input' ? api.schemas.get(name)?.inputName : undefined;
  return inputName ?? name;
}

/** Longer chains of references are circles. */
const MAX_STEPS = 20;

/** The schema object that a schema stands for: references are followed. */
export function resolveSchema(api: Api, schema: Schema): SchemaObject | undefined {
  let here: Schema | undefined = schema;
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    if (typeof here !== 'object') return undefined;
    if (here.$ref === undefined) return here;
    here = api.schemas.get(refName(here.$ref))?.schema;
  }
  return undefined;
}

/** Whether a member is marked, by itself or by the schema that it refers to. */
export function isMarked(api: Api, schema: Schema, mark: 'readOnly' | 'writeOnly'): boolean {
  if (typeof schema === 'boolean') return false;
  return schema[mark] === true || (schema.$ref !== undefined && resolveSchema(api, schema)?.[mark] === true);
}

/** Whether a member exists in the direction of the scope. */
export function travels(schema: Schema, { api, direction }: TypeScope): boolean {
  return !isMarked(api, schema, direction === 'input' ? 'readOnly' : 'writeOnly');
}

/** The member of an object schema, looked for behind references and in `allOf` too. Each named schema is seen once. */
export function findProperty(
  api: Api,
  schema: Schema,
  name: string,
  seen: Set<string> = new Set<string>(),
): Schema | undefined {
  if (typeof schema === 'boolean') return undefined;
  const { properties, $ref, allOf = [] } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  const target = $ref === undefined || seen.has($ref) ? undefined : api.schemas.get(refName($ref))?.schema;
  if ($ref !== undefined) seen.add($ref);
  for (const part of target === undefined ? allOf : [target, ...allOf]) {
    const found = findProperty(api, part, name, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}
