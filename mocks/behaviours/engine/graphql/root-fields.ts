import type { BehaviourContext } from '../../../seams/behaviour.js';
import { type Entity, listEntities } from '../rows.js';

/** What a field at the root of a document does with an entity. */
export interface RootField {
  readonly action: 'list' | 'find' | 'create' | 'update' | 'delete';
  readonly entity: Entity;
  /** The arguments that it takes. */
  readonly args: readonly string[];
}

/** The fields of the root types: `books`, `book_by_pk`; `createBook`, `updateBook`, `deleteBook`. */
export async function findRootFields(
  context: Pick<BehaviourContext, 'collection'>,
  kind: 'query' | 'mutation',
): Promise<ReadonlyMap<string, RootField>> {
  const fields = new Map<string, RootField>();
  for (const entity of await listEntities(context)) {
    const { name, key } = entity;
    const single = name.slice(0, 1).toLowerCase() + name.slice(1);
    if (kind === 'query') {
      fields.set(toPlural(single), { action: 'list', entity, args: ['first', 'after', 'filter', 'orderBy'] });
      fields.set(`${single}_by_pk`, { action: 'find', entity, args: [key] });
    } else {
      fields.set(`create${name}`, { action: 'create', entity, args: ['item'] });
      fields.set(`update${name}`, { action: 'update', entity, args: [key, 'item'] });
      fields.set(`delete${name}`, { action: 'delete', entity, args: [key] });
    }
  }
  return fields;
}

function toPlural(name: string): string {
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`;
}
