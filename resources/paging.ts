import type { Api, Operation } from '../model/api.js';
import { toPointer } from '../model/document/pointer.js';
import { getOrInsert } from '../model/maps.js';
import type { Schema } from '../model/schema-types.js';
import { isValidValue } from '../schema/compile-validator.js';
import { keywordOf, membersOf, typesOf } from '../schema/facts/members.js';
import { listItemOf, listPathOf } from './envelope.js';
import type { ListParameter } from './list-inputs.js';
import { listInputs } from './list-inputs.js';
import { withNextPlace } from './said-next.js';
import { saidPaging } from './said-paging.js';
import { withNamed, withSaid } from './said-pages.js';
import { type PageFacts, type Paging, findPaging } from './page-ways.js';
import { type PageMember, type PageNode, readPageNodes } from './page-members.js';
import { type PageParameters, findPageParameters } from './page-parameters.js';
import { nounsOf } from './page-words.js';
import { findSuccess, successSchema } from './success-response.js';

/** How a parameter names a place in the list. */
export type PlaceForm =
  /** A text that only the server can read. */
  | 'token'
  /** The id of an item. */
  | 'id'
  /** The number of items before. */
  | 'position';

/** What a member contains that leads to another page: a URL, or what a parameter takes. */
export type Lead = 'link' | 'place' | 'page' | 'offset';

/** All that an operation says about pages, made once. */
export interface ListPages {
  readonly parameters: PageParameters;
  /** The names of these parameters. */
  readonly pageNames: ReadonlySet<string>;
  /** Absent if nothing leads from one page to the next: then the list is a single page. */
  readonly paging?: Paging;
  readonly nodes: readonly PageNode[];
  /** How members lead to other pages. */
  readonly leads: ReadonlyMap<PageNode, Lead>;
  readonly placeForm: PlaceForm;
  /** Whether pages say that there are more. */
  readonly announcesMore: boolean;
  /** Whether responses have a `Link` header. */
  readonly hasLinkHeader: boolean;
  /** What lacks for a list whose pages seem to go on, as a sentence. */
  readonly gap?: string;
}

const caches = new WeakMap<Operation, ListPages>();

/** The paging of a list, cached by operation. */
export function listPagesOf(operation: Operation, api: Api): ListPages {
  return getOrInsert(caches, operation, () => readListPages(operation, api));
}

/** How a list goes on; `undefined` if nothing leads from one page to the next. */
export function pagingOf(operation: Operation, api: Api): Paging | undefined {
  return listPagesOf(operation, api).paging;
}

/** The number of the first page of a list by page number: 0 or 1. */
export function firstPageOf({ schema }: Pick<ListParameter, 'schema'>, api: Api): number {
  return keywordOf(schema, 'minimum', api) === 0 || keywordOf(schema, 'default', api) === 0 ? 0 : 1;
}

function readListPages(operation: Operation, api: Api): ListPages {
  const success = findSuccess(operation, 'list');
  const schema = success?.schema ?? successSchema(operation);
  const item = listItemOf(operation, api) ?? true;
  const itemsPath = listPathOf(operation, api) ?? [];
  const found = readPageNodes(schema, { api, nouns: nounsOf(operation.path), itemsPath });
  const said = withNextPlace(saidPaging(operation, api), { schema, api, itemsPath, nodes: found });
  const nodes = withSaid(found, said, { schema, api });
  const members = nodes.flatMap(({ member }) => member ?? []);
  const texts = members.filter(({ role, form }) => role === 'next' && form !== 'link');
  const inferred = findPageParameters(operation, item, { api, givesToken: texts.length > 0 });
  const parameters = withNamed(inferred, said, listInputs(operation, api));
  const hasLinkHeader = success?.headers.some(({ name }) => name.toLowerCase() === 'link') === true;
  const facts = { operation, api, item, parameters, members, hasLinkHeader, said };
  const paging = findPaging(facts);
  const announcesMore = members.some(({ role }) => role === 'next' || role === 'more' || role === 'is last');
  const gap = paging === undefined ? gapOf(facts) : undefined;
  let placeForm: PlaceForm | undefined;
  const { size, offset, page, token, back } = parameters;
  const pageNames = new Set([size, offset, page, token, back].flatMap((one) => one?.name ?? []));
  return {
    ...{ parameters, pageNames, nodes, hasLinkHeader, announcesMore },
    // Compiles validators, which only servers need.
    get placeForm() {
      return (placeForm ??= findPlaceForm(facts, nodes));
    },
    leads: paging === undefined ? new Map() : findLeads(nodes, facts),
    ...(paging === undefined ? {} : { paging }),
    ...(gap === undefined ? {} : { gap }),
  };
}

/** How members lead to other pages: each contains what some parameter takes, or nothing. */
function findLeads(nodes: readonly PageNode[], facts: PageFacts): ReadonlyMap<PageNode, Lead> {
  return new Map(
    nodes.flatMap((node): (readonly [PageNode, Lead])[] => {
      const lead = node.member === undefined ? undefined : leadOf(node.member, facts);
      return lead === undefined ? [] : [[node, lead]];
    }),
  );
}

function leadOf({ role, form, words }: PageMember, { parameters, operation }: PageFacts): Lead | undefined {
  if (role !== 'next' && role !== 'previous') return undefined;
  const link = operation.method === 'get' ? 'link' : undefined;
  if (form === 'link') return link;
  const { offset, page, token, back } = parameters;
  if (page !== undefined && /\bpage$/.test(words) && (form === 'number' || token === undefined)) return 'page';
  if (offset !== undefined && form === 'number' && /\b(?:offset|skip|start|index)\b/.test(words)) return 'offset';
  if (token !== undefined || (role === 'previous' && back !== undefined)) return 'place';
  if (form === 'text' && /^(?:next|previous)$/.test(words.split(' ').at(-1) ?? '')) return link;
  return page !== undefined ? 'page' : offset === undefined ? undefined : 'offset';
}

function gapOf({ operation, parameters, members }: PageFacts): string | undefined {
  const { token } = parameters;
  const [next, more] = (['next', 'more'] as const).map((wanted) => members.find(({ role }) => role === wanted));
  const subject = `The list ${operation.method.toUpperCase()} ${operation.path}`;
  const [lack, lines] =
    next !== undefined
      ? [`has ${toPointer(next.path)}, but no parameter takes it`, `cursor: <parameter>, next: ${toPointer(next.path)}`]
      : token !== undefined
        ? [`takes ${token.name}, but no page has a value for it`, `cursor: ${token.name}, next: <pointer>`]
        : more !== undefined
          ? [`has ${toPointer(more.path)}, but no parameter leads to the next page`, `cursor: <parameter>`]
          : [];
  if (lack === undefined) return undefined;
  return `${subject} ${lack}: all its items are on one page. This line of "resources" would decide it: ${operation.path}: { page: { ${lines} } }`;
}

const SAMPLE_TOKEN = 'a1B2'.repeat(40);

/** What the token of a page is: a text of its own, if its parameter and its members allow it. */
function findPlaceForm({ api, parameters, members, item }: PageFacts, nodes: readonly PageNode[]): PlaceForm {
  const { token, back, takesId } = parameters;
  const inputs = [token, back].flatMap((parameter) => parameter?.schema ?? []);
  const outputs = nodes.flatMap(({ member, schema }) =>
    member?.form === 'text' && (member.role === 'next' || member.role === 'previous') ? [schema] : [],
  );
  const allows = (value: unknown): boolean =>
    [...inputs, ...outputs].every((schema) => isValidValue(value, schema, api));
  const isNamedId = members.some(({ role, words }) => role === 'next' && / ?\bid$/.test(words));
  const id = [...membersOf(item, api).values()].find(({ name }) => /^_?id$/i.test(name));
  const fitsId = id !== undefined && inputs.every((schema) => sharesType(schema, id.schema, api));
  if (fitsId && takesId && (isNamedId || outputs.length === 0)) return 'id';
  if (allows(SAMPLE_TOKEN)) return 'token';
  return fitsId && takesId ? 'id' : 'position';
}

function sharesType(one: Schema, other: Schema, api: Api): boolean {
  const [own, others] = [typesOf(one, api), typesOf(other, api)];
  return own.size === 0 || others.size === 0 || [...own].some((type) => others.has(type));
}
