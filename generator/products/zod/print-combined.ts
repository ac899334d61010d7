import type { Schema, SchemaObject } from '../../emitter-kit/contract.js';
import { type Merged, mergeAll, partsOf } from './merge-objects.js';
import { printObject } from './print-object.js';
import { type Printed, type ZodScope, assertionsOf, both, isEmpty } from './scope.js';

/** Prints schemas that apply together: a reference, `allOf`, and the keywords beside them. */
export function printCombined(schema: SchemaObject, given: ZodScope): Printed {
  const scope = { ...given, isNamed: false };
  const parts = partsOf(schema, scope.api);
  // What includes itself has no end in Zod.
  if (parts === undefined) return { code: 'z.unknown()', infers: false, rest: assertionsOf(schema) };
  const merged = mergeAll(parts);
  if (merged === undefined) return printIntersection(schema, scope);
  const { code, infers, rest = {}, ...printed } = printMerged(schema, merged, scope);
  // A type with a tag is narrower than its members.
  const isTagged = parts.some(({ discriminator }) => discriminator !== undefined);
  return {
    ...printed,
    code,
    infers: infers && given.isNamed && !merged.overlaps && !isTagged,
    rest: both(rest, merged.rest),
  };
}

/** An object takes the shapes of those that it extends by reference. */
function printMerged(schema: SchemaObject, { schema: merged }: Merged, scope: ZodScope): Printed {
  if (merged.type !== 'object') return scope.structure(merged, scope);
  const { properties = {}, required = [], ...others } = merged;
  const bases = basesOf(schema, scope);
  const own = Object.fromEntries(
    Object.entries(properties).filter(([name, member]) => {
      const owners = bases.filter(({ members }) => Object.hasOwn(members.properties ?? {}, name));
      const isTaken = owners.some(
        ({ members }) =>
          members.properties?.[name] === member && (members.required ?? []).includes(name) === required.includes(name),
      );
      return !isTaken || owners.length > 1;
    }),
  );
  const known = new Set(
    bases.flatMap(({ members }) => [...Object.keys(members.properties ?? {}), ...(members.required ?? [])]),
  );
  const demanded = required.filter((name) => Object.hasOwn(own, name) || !known.has(name));
  return printObject(
    { ...others, properties: own, required: demanded },
    scope,
    bases.map(({ code }) => code),
  );
}

interface Base {
  readonly code: string;
  readonly members: SchemaObject;
}

/** The objects that a schema extends by name, as far as their constants have a shape. */
function basesOf({ $ref, allOf = [] }: SchemaObject, scope: ZodScope): readonly Base[] {
  const { api, direction } = scope;
  const named = [...($ref === undefined ? [] : [{ $ref }]), ...allOf];
  return named.flatMap((part: Schema): Base[] => {
    if (typeof part === 'boolean' || part.$ref === undefined || Object.keys(part).length !== 1) return [];
    const name = api.refName(part.$ref);
    const target = api.schemas.get(name)?.schema;
    const declared = scope.refer(name, direction);
    const isCyclic = api.cycles.some((cycle) => cycle.includes(name));
    if (!declared.isReady || !declared.isObject || isCyclic || typeof target !== 'object') return [];
    const members = mergeAll(partsOf(target, api) ?? [])?.schema;
    return members === undefined ? [] : [{ code: declared.name, members }];
  });
}

/** Prints an intersection. What says nothing that Zod knows is left to the compiled check. */
function printIntersection(schema: SchemaObject, scope: ZodScope): Printed {
  const { $ref, allOf = [], ...own } = schema;
  const inner = { ...scope, isTyped: true, isLoose: true };
  const { unevaluatedProperties: _properties, unevaluatedItems: _items, ...said } = own;
  const parts: Schema[] = [
    ...($ref === undefined ? [] : [{ $ref }]),
    ...allOf,
    ...(isEmpty(assertionsOf(said)) ? [] : [said]),
  ];
  const codes = parts.map((part) => scope.print(part, inner).code);
  const known = [...new Set(codes)].filter((code) => code !== 'z.unknown()');
  const isAll = schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined;
  const joined = known.reduceRight((all, code) => (all === '' ? code : `z.intersection(${code}, ${all})`), '');
  return {
    code: joined === '' ? 'z.unknown()' : joined,
    infers: false,
    ...(isAll ? { rest: assertionsOf(schema) } : {}),
  };
}
