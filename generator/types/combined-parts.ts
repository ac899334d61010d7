import { findProperty } from '../../schema/facts/parts.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { type TypeScope, travels } from './type-scope.js';

/** A schema in parts that all apply, none of which repeats what another describes better. */
export interface CombinedParts {
  /** The schema without its combinators. */
  readonly own: SchemaObject;
  readonly allOf: readonly Schema[];
  /** Members that are required in one part and described, as optional, in another. */
  readonly demanded: readonly string[];
}

/** Splits a schema with combinators into parts. */
export function combineParts(schema: SchemaObject, scope: TypeScope): CombinedParts {
  const { allOf = [], $ref, ...own } = schema;
  const target: readonly Schema[] = $ref === undefined ? [] : [{ $ref }];
  const fittedOwn = fitPart(own, [...target, ...allOf], scope);
  const fitted = allOf.map((part, index) => {
    if (typeof part === 'boolean' || part.$ref !== undefined) return part;
    return fitPart(part, [...target, own, ...allOf.filter((_, at) => at !== index)], scope);
  });
  const inline = allOf.filter((part) => typeof part === 'object' && part.$ref === undefined) as SchemaObject[];
  const names = new Set([own, ...inline].flatMap((part) => part.required ?? []));
  const parts: Schema = { allOf: [...target, fittedOwn, ...fitted] };
  const isMissing = (name: string): boolean => {
    const property = findProperty(schema, name, scope.api);
    return !isRequired(parts, name, scope) && (property === undefined || travels(property, scope));
  };
  return { own: fittedOwn, allOf: fitted, demanded: [...names].filter(isMissing) };
}

/**
 * Removes members from a part that it does not describe, if another part does: in `A & B`, a `parts: unknown[]` in `B`
 * would hide the items of `A`. {@link CombinedParts.demanded} has those that it requires.
 */
export function fitPart(part: SchemaObject, others: readonly Schema[], { api }: TypeScope): SchemaObject {
  const { properties, required, ...rest } = part;
  const kept = Object.entries(properties ?? {}).filter(
    ([name, property]) =>
      !saysNothing(property) || !others.some((other) => findProperty(other, name, api) !== undefined),
  );
  const names = new Set(kept.map(([name]) => name));
  const demands = (required ?? []).filter((name) => names.has(name));
  return {
    ...rest,
    ...(kept.length > 0 ? { properties: Object.fromEntries(kept) } : {}),
    ...(demands.length > 0 ? { required: demands } : {}),
  };
}

/** Keywords that affect a type, besides `type` and `items`. */
const TYPE_KEYWORDS: readonly (keyof SchemaObject)[] = [
  '$ref',
  'const',
  'enum',
  'properties',
  'patternProperties',
  'additionalProperties',
  'prefixItems',
  'allOf',
  'anyOf',
  'oneOf',
];

/** Whether the type of a schema is `unknown`, a list of that, or an object with unknown members. */
export function saysNothing(schema: Schema): boolean {
  if (typeof schema === 'boolean') return schema;
  if (TYPE_KEYWORDS.some((keyword) => schema[keyword] !== undefined)) return false;
  if (schema.type === 'object') return schema.required === undefined;
  return (schema.type === undefined || schema.type === 'array') && saysNothing(schema.items ?? true);
}

/** Whether the part that describes a member, or each branch of a choice, requires it. */
function isRequired(schema: Schema, name: string, scope: TypeScope, known = new Map<string, boolean>()): boolean {
  if (typeof schema === 'boolean') return false;
  const inPart = (part: Schema): boolean => isRequired(part, name, scope, known);
  const { properties = {}, required = [], $ref, allOf = [], oneOf, anyOf } = schema;
  if (Object.hasOwn(properties, name) && required.includes(name)) return true;
  if ($ref !== undefined && isRequiredInTarget(refName($ref), known, scope, inPart)) return true;
  if (allOf.some(inPart)) return true;
  return [oneOf, anyOf].some((branches) => branches !== undefined && branches.every(inPart));
}

/** Checks each named schema once, which also ends cycles. */
function isRequiredInTarget(
  target: string,
  known: Map<string, boolean>,
  { api }: TypeScope,
  inPart: (part: Schema) => boolean,
): boolean {
  const response = known.get(target);
  if (response !== undefined) return response;
  known.set(target, false);
  const found = inPart(api.schemas.get(target)?.schema ?? true);
  known.set(target, found);
  return found;
}
