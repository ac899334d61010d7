import type { NamedSchema } from '../api.js';
import { referencesIn, surveySchema, withReferrers } from '../schema-survey.js';

/**
 * Sets `inputName` on each schema whose request and response variants differ because of `readOnly` or `writeOnly` in it
 * or in a schema it reaches.
 */
export function nameInputVariants(schemas: Map<string, NamedSchema>, takeName: (name: string) => string): void {
  const marked = [...schemas.values()].filter(({ schema }) => surveySchema(schema).marked);
  const differing = withReferrers(
    marked.map(({ name }) => name),
    referencesIn(schemas.values()),
  );
  for (const entry of schemas.values()) {
    if (differing.has(entry.name)) schemas.set(entry.name, { ...entry, inputName: takeName(`${entry.name}Input`) });
  }
}
