import { splitPointer } from '../document/pointer.js';

/** Pointer segments of maps: the next segment is a name, and the segment itself is left out. */
const MAPS: ReadonlySet<string> = new Set([
  ...['schemas', 'definitions', '$defs', 'properties', 'patternProperties', 'dependentSchemas', 'paths'],
  ...['responses', 'content', 'parameters', 'requestBodies', 'headers', 'callbacks', 'pathItems', 'webhooks'],
]);
/** Pointer segments that do not describe the value. */
const STRUCTURE: ReadonlySet<string> = new Set(['components', 'schema']);
const MAX_WORDS = 4;

/**
 * Derives a name from a pointer: `/components/schemas/Case/properties/Name` -> `Case Name`; a whole file -> its name.
 */
export function nameFromPointer(file: string, pointer: string): string {
  const kept: string[] = [];
  let isName = false;
  for (const segment of splitPointer(pointer)) {
    const isMap: boolean = !isName && MAPS.has(segment);
    if (isName || !(isMap || STRUCTURE.has(segment))) kept.push(segment);
    isName = isMap;
  }
  return kept.length > 0 ? kept.slice(-MAX_WORDS).join(' ') : nameFromFile(file);
}

/** `specs/case.schema.json` -> `case`. */
export function nameFromFile(file: string): string {
  const base = file.split(/[\\/]/).at(-1) ?? '';
  return base.replace(/(\.schema)?\.(json|ya?ml)$/i, '');
}
