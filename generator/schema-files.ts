import type { Api } from '../model/api.js';
import { NameAllocator, toFileName } from '../model/identifiers.js';

/** The file name (without folder and ending) of each named schema, unique on file systems that fold letter case. */
export function nameSchemaFiles(api: Api): ReadonlyMap<string, string> {
  const names = new NameAllocator({ fold: true, taken: ['index', 'operations', 'examples'] });
  return new Map([...api.schemas.keys()].map((name) => [name, names.take(toFileName(name))]));
}
