import type { Api } from '../model/api.js';
import { splitPointer, toPointer } from '../model/document/pointer.js';
import type { Schema } from '../model/schema-types.js';
import { hasNumber, membersOf, typesOf } from '../schema/facts/members.js';
import type { ListParameter } from './list-inputs.js';
import type { PageMember, PageNode } from './page-members.js';
import type { PageParameters } from './page-parameters.js';
import type { SaidPaging } from './said-paging.js';

/** The parameters, with those that the spec or a correction names. */
export function withNamed(
  inferred: PageParameters,
  said: SaidPaging | undefined,
  inputs: readonly ListParameter[],
): PageParameters {
  const named = (name: string | undefined): ListParameter | undefined => inputs.find((one) => one.name === name);
  if (said === undefined) return inferred;
  const [size, offset, page, token] = [named(said.size), named(said.offset), named(said.page), named(said.cursor)];
  return {
    ...inferred,
    ...(size === undefined ? {} : { size }),
    ...(offset === undefined ? {} : { offset }),
    ...(page === undefined ? {} : { page }),
    ...(token === undefined ? {} : { token }),
  };
}

/** The members of pages, with those that the spec or a correction points to. */
export function withSaid(
  nodes: readonly PageNode[],
  said: SaidPaging | undefined,
  { schema, api }: { readonly schema: Schema; readonly api: Api },
): readonly PageNode[] {
  const pointers = [
    ['next', said?.next],
    ['more', said?.more],
    ['total', said?.total],
  ] as const;
  return pointers.reduce<readonly PageNode[]>((known, [role, pointer]) => {
    const path = pointer === undefined ? [] : splitPointer(pointer);
    if (path.length === 0) return known;
    return addMember(known, { role, path }, { schema, api });
  }, nodes);
}

function addMember(
  nodes: readonly PageNode[],
  { role, path }: Pick<PageMember, 'role' | 'path'>,
  { schema, api }: { readonly schema: Schema; readonly api: Api },
): readonly PageNode[] {
  const place = toPointer(path);
  let own: PageNode = { path, schema, isRequired: true, isGroup: false };
  for (const name of path) {
    const member = membersOf(own.schema, api).get(name);
    own = { path, schema: member?.schema ?? true, isRequired: member?.isRequired ?? false, isGroup: false };
  }
  const types = typesOf(own.schema, api);
  const known = nodes.find((node) => toPointer(node.path) === place)?.member;
  const form = role === 'more' ? 'boolean' : role === 'total' || hasNumber(types) ? 'number' : 'text';
  const member: PageMember = { words: '', form, ...known, role, path };
  const others = nodes.filter((node) => toPointer(node.path) !== place);
  return [...others, { ...own, member }];
}
