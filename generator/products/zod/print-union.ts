import type { EmitterApi, Schema, SchemaObject } from '../../emitter-kit/contract.js';
import { reportLoss } from './conversions.js';
import { mergeAll, partsOf } from './merge-objects.js';
import { type Printed, type ZodScope, assertionsOf, isEmpty, pick, unsayable } from './scope.js';

/** Prints `oneOf` and `anyOf`. */
export function printUnion(schema: SchemaObject, scope: ZodScope): Printed {
  const { oneOf, anyOf, discriminator: _discriminator, ...beside } = schema;
  const own = assertionsOf(beside);
  const isBare = Object.keys(own).every((key) => key in unsayable(schema));
  if (!isBare) return printBeside(schema, scope);
  const branches = oneOf ?? anyOf ?? [];
  const hasBoth = oneOf !== undefined && anyOf !== undefined;
  const tags = readTags(schema, branches, scope.api);
  const isMapped = schema.discriminator !== undefined && !(tags !== undefined && agree(schema, branches, tags));
  const isExclusive = !isMapped && (oneOf === undefined || tags !== undefined || haveOtherTypes(branches, scope.api));
  // A discriminator gives branches a tag that only their types have, unless their members say the same.
  const infers = !hasBoth && !isMapped;
  const inner = infers ? scope : { ...scope, isTyped: true };
  const parts = branches.map((branch) => scope.print(branch, inner));
  const rest = isExclusive && !hasBoth ? {} : pick(schema, ['oneOf', 'anyOf', 'discriminator']);
  return {
    code: printBranches(branches, parts, tags?.name, scope),
    infers,
    ...(isEmpty(rest) ? {} : { rest }),
    ...(oneOf === undefined ? {} : { meta: { oneOf, anyOf } }),
  };
}

/** With other keywords beside the branches, these say what the value is, and a compiled check says which branch it is. */
function printBeside(schema: SchemaObject, scope: ZodScope): Printed {
  const { oneOf, anyOf, ...own } = schema;
  reportLoss({ anyOf: [...(oneOf ?? []), ...(anyOf ?? [])] }, scope);
  const printed = scope.structure(own, { ...scope, isTyped: true, isLoose: true });
  return { ...printed, infers: false, isObject: false, rest: assertionsOf(schema), meta: { oneOf, anyOf } };
}

function printBranches(
  branches: readonly Schema[],
  parts: readonly Printed[],
  tag: string | undefined,
  { kit }: ZodScope,
): string {
  const codes = parts.map(({ code }) => code);
  const isNull = branches.map((branch) => typeof branch === 'object' && branch.type === 'null');
  if (codes.length === 1) return codes[0] ?? 'z.never()';
  if (codes.length === 2 && isNull.filter(Boolean).length === 1) return `z.nullable(${codes[isNull[0] ? 1 : 0] ?? ''})`;
  const list = `[\n${codes.map((code) => `  ${code.replaceAll('\n', '\n  ')},\n`).join('')}]`;
  return tag !== undefined && parts.every(({ isObject = false }) => isObject)
    ? `z.discriminatedUnion(${kit.print.literal(tag)}, ${list})`
    : `z.union(${list})`;
}

/** The member by which branches differ, and its values in each. */
interface Tags {
  readonly name: string;
  readonly values: readonly (readonly unknown[])[];
}

/** Finds a member that every branch requires and gives other values. */
function readTags({ discriminator }: SchemaObject, branches: readonly Schema[], api: EmitterApi): Tags | undefined {
  const objects = branches.map((branch) => describe(branch, api));
  const names = discriminator === undefined ? (objects[0]?.required ?? []) : [discriminator.propertyName];
  for (const name of names) {
    const values = objects.map((object) => literalsOf(object, name, api));
    const all = values.flat();
    if (values.every((own) => own.length > 0) && new Set(all).size === all.length) return { name, values };
  }
  return undefined;
}

function describe(branch: Schema, api: EmitterApi): SchemaObject | undefined {
  if (typeof branch === 'boolean') return undefined;
  const parts = partsOf(branch, api);
  const found =
    parts === undefined ? undefined : (mergeAll(parts)?.schema ?? (parts.length === 1 ? parts[0] : undefined));
  return found?.type === 'object' ? found : undefined;
}

function literalsOf(object: SchemaObject | undefined, name: string, api: EmitterApi): readonly unknown[] {
  const member = object?.required?.includes(name) === true ? object.properties?.[name] : undefined;
  const own = member === undefined ? undefined : api.resolve(member);
  if (typeof own !== 'object') return [];
  const values = own.const === undefined ? (own.enum ?? []) : [own.const];
  return values.every((value) => typeof value === 'string' || typeof value === 'number') ? values : [];
}

/** Whether a mapping gives each branch the values that its own member has. */
function agree({ discriminator }: SchemaObject, branches: readonly Schema[], { values }: Tags): boolean {
  return branches.every((branch, index) => {
    const ref = typeof branch === 'object' ? branch.$ref : undefined;
    const mapped = Object.entries(discriminator?.mapping ?? {}).filter(
      ([, name]) => ref?.endsWith(`/${name}`) === true,
    );
    const names = new Set(mapped.map(([value]) => value));
    return (values[index] ?? []).every((value) => names.has(String(value)));
  });
}

/** Whether no value has the types of two branches. */
function haveOtherTypes(branches: readonly Schema[], api: EmitterApi): boolean {
  const seen = new Set<string>();
  return branches.every((branch) => {
    const types = typesOf(branch, api);
    const isNew = types !== undefined && types.every((type) => !seen.has(type));
    for (const type of types ?? []) seen.add(type);
    return isNew;
  });
}

function typesOf(branch: Schema, api: EmitterApi): readonly string[] | undefined {
  const own = api.resolve(branch);
  if (typeof own === 'boolean') return undefined;
  const { type, const: value, enum: values = value === undefined ? undefined : [value] } = own;
  if (type !== undefined) return [type].flat().map((one) => (one === 'integer' ? 'number' : one));
  return values?.map((one) => (one === null ? 'null' : Array.isArray(one) ? 'array' : typeof one));
}
