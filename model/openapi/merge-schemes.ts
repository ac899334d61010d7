import { isDeepStrictEqual } from 'node:util';

import type { SecurityScheme } from '../api.js';
import type { OpenApiPart } from './read-openapi.js';

/**
 * Merges the security schemes of several documents. If two documents use one name for different schemes, the later one
 * gets a number, and its operations require it by that name.
 */
export function mergeSchemes(parts: readonly OpenApiPart[]): Pick<OpenApiPart, 'securitySchemes' | 'operations'> {
  const securitySchemes = new Map<string, SecurityScheme>();
  const operations = parts.flatMap((part) => {
    const renamed = new Map<string, string>();
    for (const [name, scheme] of part.securitySchemes) {
      const id = findId(name, scheme, securitySchemes);
      securitySchemes.set(id, securitySchemes.get(id) ?? { ...scheme, id });
      if (id !== name) renamed.set(name, id);
    }
    if (renamed.size === 0) return part.operations;
    return part.operations.map((operation) => ({
      ...operation,
      security: operation.security.map((requirement) =>
        Object.fromEntries(Object.entries(requirement).map(([name, scopes]) => [renamed.get(name) ?? name, scopes])),
      ),
    }));
  });
  return { securitySchemes, operations };
}

function findId(name: string, scheme: SecurityScheme, known: ReadonlyMap<string, SecurityScheme>): string {
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? name : `${name}${count}`;
    const other = known.get(id);
    if (other === undefined || isDeepStrictEqual(essenceOf(other), essenceOf(scheme))) return id;
  }
}

/** The properties of a scheme without its name and description, for comparison. */
function essenceOf({ id: _id, description: _description, source: _source, ...essence }: SecurityScheme): object {
  return essence;
}
