import type { Example } from '../api.js';
import type { Cursor } from '../document/cursor.js';
import { type OpenApiReader, definedMembers } from './reader.js';

/** Reads `examples` (a map of Example Objects) and `example` (one value) of a media type, parameter or header. */
export function readExamples(reader: OpenApiReader, owner: Cursor): Example[] {
  const examples = owner.entriesAt('examples').flatMap(([name, raw]) => {
    const example = reader.shared.read('example', raw, readExample);
    return example === undefined ? [] : [{ name, ...example }];
  });
  const single = owner.at('example');
  if (single.value === undefined) return examples;
  return [{ name: 'default', value: single.value, extensions: {}, source: single.source }, ...examples];
}

/** An Example Object without its name, which is set where it is referenced. */
function readExample(cursor: Cursor): Omit<Example, 'name'> | undefined {
  if (!cursor.exists) return undefined;
  return {
    ...definedMembers({
      summary: cursor.string('summary'),
      description: cursor.string('description'),
      externalValue: cursor.string('externalValue'),
      serializedValue: cursor.string('serializedValue'),
    }),
    ...exampleValue(cursor.record),
    extensions: cursor.extensions,
    source: cursor.source,
  };
}

/** Reads `dataValue` of OpenAPI 3.2, or else `value`. */
function exampleValue(record: Cursor['record']): Pick<Example, 'value'> {
  const key = ['value', 'dataValue'].find((name) => Object.hasOwn(record, name));
  return key === undefined ? {} : { value: record[key] };
}
