import type { Example } from '../api.js';
import type { Cursor } from '../document/cursor.js';
import { definedMembers } from './reader.js';

/** Reads `examples` (a map of Example Objects) and `example` (one value) of a media type, parameter or header. */
export function readExamples(owner: Cursor): Example[] {
  const single = owner.at('example');
  const examples = owner
    .at('examples')
    .members()
    .map(([name, cursor]) => readExample(name, cursor.deref()));
  if (single.value === undefined) return examples;
  return [{ name: 'default', value: single.value, extensions: {}, source: single.source }, ...examples];
}

function readExample(name: string, cursor: Cursor): Example {
  return {
    name,
    ...definedMembers({
      summary: cursor.string('summary'),
      description: cursor.string('description'),
      externalValue: cursor.string('externalValue'),
    }),
    ...('value' in cursor.record ? { value: cursor.record['value'] } : {}),
    extensions: cursor.extensions,
    source: cursor.source,
  };
}
