import type { Api } from '../api.js';
import type { Cursor } from '../document/cursor.js';
import { definedMembers } from './reader.js';

type Tag = Api['tags'][number];

/** The tags that a document declares. A parent that does not exist, or a tag below itself, is a warning (OpenAPI 3.2). */
export function readTags(root: Cursor, version: string): readonly Tag[] {
  const cursors = root.itemsAt('tags');
  const tags = cursors.map((tag) => ({
    name: tag.string('name') ?? '',
    ...definedMembers({
      summary: tag.string('summary'),
      description: tag.string('description'),
      parent: tag.string('parent'),
      kind: tag.string('kind'),
    }),
  }));
  if (version !== '3.2') return tags;
  const parents = new Map(tags.map(({ name, parent }: Tag) => [name, parent]));
  for (const [index, { name, parent }] of (tags as readonly Tag[]).entries()) {
    if (parent === undefined) continue;
    const [own, above] = [JSON.stringify(name), JSON.stringify(parent)];
    const place = cursors[index]?.at('parent');
    if (!parents.has(parent))
      place?.report('document-invalid', `The parent ${above} of the tag ${own} is not declared in "tags".`);
    else if (isBelowItself(name, parents)) place?.report('document-invalid', `The tag ${own} is below itself.`);
  }
  return tags;
}

function isBelowItself(name: string, parents: ReadonlyMap<string, string | undefined>): boolean {
  const seen = new Set<string>();
  for (let next = parents.get(name); next !== undefined && !seen.has(next); next = parents.get(next)) {
    if (next === name) return true;
    seen.add(next);
  }
  return false;
}
