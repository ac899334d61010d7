import type { Direction, OrderedSchema } from '../../emitter-kit/contract.js';
import { printMetadata } from './print-metadata.js';
import { finish, printSchema, printStructure } from './print-schema.js';
import { type Printed, type ZodScope, assertionsOf, typeText } from './scope.js';

/** The statement of a named schema in one direction. */
export interface NamedConstant {
  readonly text: string;
  readonly isObject: boolean;
  /** A statement that the compiler refuses if the inferred type is not the type of the output. */
  readonly proof: string;
}

/** Prints the constant of a named schema. */
export function printNamed({ name, schema }: OrderedSchema, constant: string, scope: ZodScope): NamedConstant {
  const { api, kit, direction } = scope;
  const $ref = api.refTo(name);
  const type = typeText({ $ref }, scope, false);
  // An import that nothing uses is an error for some compilers.
  const imported = (): string => typeText({ $ref }, scope);
  const printed = printRoot(name, scope, imported);
  const comment = kit.print.comment(`Checks \`${type}\`.`, typeof schema === 'object' ? schema.description : undefined);
  // Zod registers one schema by an id.
  const code = direction === 'response' ? printMetadata(printed.code, {}, { id: name }, scope) : printed.code;
  const { isObject = false } = printed;
  return {
    text: `${comment}export const ${constant} = ${lazily(code)};\n`,
    isObject,
    proof: printed.infers ? proofOf(constant, imported, scope) : '',
  };
}

/** The compiler compares inferred types with those of the output. */
export function proofOf(constant: string, type: () => string, { kit, helpers }: ZodScope): string {
  const { defaults, brands, coerce } = kit.options;
  if (defaults === 'apply' || !brands || coerce) return '';
  helpers.add('rt');
  return `true satisfies rt.Same<z.infer<typeof ${constant}>, ${type()}>;\n`;
}

/** A bundler drops a call that it knows to be pure, with all that is inside. */
export function lazily(code: string): string {
  return /^\w+$/.test(code) ? code : `/* @__PURE__ */ (() =>\n  ${code.replaceAll('\n', '\n  ')})()`;
}

function printRoot(name: string, scope: ZodScope, type: () => string): Printed {
  const { api, kit } = scope;
  const schema = api.schemas.get(name)?.schema ?? true;
  if (typeof schema === 'boolean') return printSchema(schema, scope);
  const isBare = api.rootSchema !== undefined;
  if (leadsToItself(name, scope)) {
    const { code } = finish(schema, { code: 'z.unknown()', infers: false, rest: assertionsOf(schema) }, scope, type);
    return { code, infers: false };
  }
  const isReference = schema.$ref !== undefined && Object.keys(assertionsOf(schema)).length === 1;
  const isBranded = kit.types.ids === 'branded' && kit.options.brands;
  if (isReference && !isBranded) return printSchema(schema, scope);
  const structure = printStructure(schema, { ...scope, isTyped: isBare, isNamed: true });
  const infers = structure.infers && !isBare && !(isBranded && structure.isObject !== true);
  return { ...finish(schema, { ...structure, infers }, scope, type), infers };
}

/** Whether a schema includes itself at the same value, which has no end in Zod. */
function leadsToItself(name: string, { api }: ZodScope): boolean {
  const seen = new Set<string>();
  const open = [api.schemas.get(name)?.schema ?? true];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    open.push(...(next.allOf ?? []), ...(next.anyOf ?? []), ...(next.oneOf ?? []));
    if (next.$ref === undefined) continue;
    const target = api.refName(next.$ref);
    if (target === name) return true;
    if (!seen.has(target)) open.push(api.schemas.get(target)?.schema ?? true);
    seen.add(target);
  }
  return false;
}

/** The key of a constant: schemas that do not differ by direction have one. */
export function keyOf(name: string, direction: Direction, inputs: ReadonlySet<string>): string {
  return direction === 'request' && inputs.has(name) ? `${name} input` : name;
}
