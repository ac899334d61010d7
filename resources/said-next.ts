import type { Api } from '../model/api.js';
import { toPointer } from '../model/document/pointer.js';
import type { Schema } from '../model/schema-types.js';
import { isObjectSchema, membersOf, typesOf } from '../schema/facts/members.js';
import { foldName } from './inflection.js';
import type { PageNode } from './page-members.js';
import type { SaidPaging } from './said-paging.js';

/** How deep a member is looked for below the body. */
const MAX_DEPTH = 4;

interface Page {
  readonly schema: Schema;
  readonly api: Api;
  /** Where the items are. */
  readonly itemsPath: readonly string[];
  /** The members that are known. */
  readonly nodes: readonly PageNode[];
}

/**
 * Adds the place of the next token to a correction that names only its parameter: the member with the name of the
 * parameter, if no other seems to lead on. One in an object such as `next` comes first.
 */
export function withNextPlace(said: SaidPaging | undefined, page: Page): SaidPaging | undefined {
  if (said?.cursor === undefined || said.next !== undefined) return said;
  if (page.nodes.some(({ member }) => member?.role === 'next')) return said;
  const places = findNamed(foldName(said.cursor), page.schema, { ...page, path: [] });
  const found = places.find((path) => path.some((name) => /next/i.test(name))) ?? places[0];
  return found === undefined ? said : { ...said, next: toPointer(found) };
}

function findNamed(
  wanted: string,
  schema: Schema,
  at: Pick<Page, 'api' | 'itemsPath'> & { readonly path: readonly string[] },
): (readonly string[])[] {
  const { api, itemsPath, path } = at;
  if (path.length >= MAX_DEPTH) return [];
  return [...membersOf(schema, api).values()].flatMap((member) => {
    const place = [...path, member.name];
    if (toPointer(place) === toPointer(itemsPath)) return [];
    if (isObjectSchema(member.schema, api)) return findNamed(wanted, member.schema, { ...at, path: place });
    const types = typesOf(member.schema, api);
    const isText = types.size === 0 || types.has('string') || types.has('integer');
    return isText && foldName(member.name) === wanted ? [place] : [];
  });
}
