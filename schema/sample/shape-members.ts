import type { Schema } from '../../model/schema-types.js';
import { compilePattern } from '../compile-pattern.js';
import type { ArrayPart, ObjectPart, Shape } from './shape.js';

/** The member names that a shape declares, in the order of the document. */
export function declaredNames(shape: Shape): readonly string[] {
  shape.declaredNames ??= [...declaredMembers(shape).keys()];
  return shape.declaredNames;
}

/** All schemas that a member must fit, from each part of the shape. */
export function schemasOfShape(shape: Shape, name: string): readonly Schema[] {
  return declaredMembers(shape).get(name) ?? collectSchemas(shape, name);
}

/** The members that a shape declares; cached, because they are needed often. */
function declaredMembers(shape: Shape): ReadonlyMap<string, readonly Schema[]> {
  if (shape.declared !== undefined) return shape.declared;
  const declared = new Map<string, readonly Schema[]>();
  for (const { properties } of shape.objectParts)
    for (const name of Object.keys(properties ?? {}))
      if (!declared.has(name)) declared.set(name, collectSchemas(shape, name));
  shape.declared = declared;
  return declared;
}

function collectSchemas(shape: Shape, name: string): readonly Schema[] {
  const schemas: Schema[] = [];
  let isEvaluated = false;
  for (const part of shape.objectParts) {
    const own = schemasInPart(part, name);
    const found = own.length === 0 && part.additionalProperties !== undefined ? [part.additionalProperties] : own;
    if (found.length > 0) isEvaluated = true;
    schemas.push(...found);
  }
  if (!isEvaluated)
    for (const { unevaluatedProperties } of shape.objectParts)
      if (unevaluatedProperties !== undefined) schemas.push(unevaluatedProperties);
  return schemas;
}

function schemasInPart({ properties, patternProperties }: ObjectPart, name: string): Schema[] {
  const schemas: Schema[] = [];
  const own = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (own !== undefined) schemas.push(own);
  if (patternProperties === undefined) return schemas;
  for (const [pattern, schema] of Object.entries(patternProperties))
    if (compilePattern(pattern)?.regexp.test(name) === true) schemas.push(schema);
  return schemas;
}

/** All schemas that an item must fit. */
export function itemSchemas(shape: Shape, index: number): readonly Schema[] {
  const schemas = shape.arrayParts.map((part) => itemInPart(part, index)).filter((schema) => schema !== undefined);
  if (schemas.length > 0) return schemas;
  return shape.arrayParts.map(({ unevaluatedItems }) => unevaluatedItems).filter((schema) => schema !== undefined);
}

function itemInPart({ prefixItems, items }: ArrayPart, index: number): Schema | undefined {
  return prefixItems?.[index] ?? items;
}

/** How many items an array may have before one that is not allowed. */
export function openLength(shape: Shape): number {
  const longest = Math.max(0, ...shape.arrayParts.map(({ prefixItems }) => prefixItems?.length ?? 0));
  for (let index = 0; index <= longest; index += 1) if (itemSchemas(shape, index).includes(false)) return index;
  return Infinity;
}

export function tupleLength(shape: Shape): number {
  return Math.max(0, ...shape.arrayParts.map(({ prefixItems }) => prefixItems?.length ?? 0));
}
