import { splitPointer, stepInto } from '../document/pointer.js';
import { type RawRecord, isRecord } from '../document/records.js';
import { findClosing } from './close-circles.js';

/**
 * Whether each named schema of a document can be read without the others: none includes itself at the same value, and no
 * discriminator of a base needs the schemas that extend it.
 */
export function areSeparate(schemas: RawRecord): boolean {
  return !Object.values(schemas).some(isDiscriminatedBase) && !hasCircle(schemas);
}

function isDiscriminatedBase(schema: unknown): boolean {
  if (!isRecord(schema) || schema['discriminator'] === undefined) return false;
  return schema['oneOf'] === undefined && schema['anyOf'] === undefined;
}

/** Keywords with a schema, or a list of schemas, for the value itself, conditions too. */
const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']);
/** Keywords with a map of such schemas. */
const MAPS_IN_PLACE: ReadonlySet<string> = new Set(['dependentSchemas', 'dependencies']);

/** The names of the schemas that a schema references at the same value. */
function namesInPlace(schema: unknown): readonly string[] {
  const names: string[] = [];
  const open = [schema];
  while (open.length > 0) {
    const next = open.pop();
    if (!isRecord(next)) continue;
    for (const key in next) {
      const value = next[key];
      if (key === '$ref' && typeof value === 'string') names.push(splitPointer(value).at(-1) ?? '');
      else if (IN_PLACE.has(key)) open.push(...(Array.isArray(value) ? (value as readonly unknown[]) : [value]));
      else if (MAPS_IN_PLACE.has(key) && isRecord(value)) open.push(...Object.values(value));
    }
  }
  return names;
}

function hasCircle(schemas: RawRecord): boolean {
  return findClosing(Object.keys(schemas), (name) => namesInPlace(stepInto(schemas, name))).size > 0;
}
