import { splitPointer } from '../document/pointer.js';

/** Words of a pointer that hold named things: the next segment is a name, and the word itself says nothing. */
const MAPS: ReadonlySet<string> = new Set([
  ...['schemas', 'definitions', '$defs', 'properties', 'patternProperties', 'dependentSchemas', 'paths'],
  ...['responses', 'content', 'parameters', 'requestBodies', 'headers', 'callbacks', 'pathItems', 'webhooks'],
]);
/** Words of a pointer that do not describe the value. */
const STRUCTURE: ReadonlySet<string> = new Set(['components', 'schema']);
const MAX_WORDS = 4;

/** A name for what is referred to by its place: `/components/schemas/Case/properties/Name` -> `Case Name`; a whole file -> its name. */
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
