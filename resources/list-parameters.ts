import { getOrInsert } from '../model/maps.js';
import type { Api, Operation, Parameter } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { foldName } from './inflection.js';
import { bodySchemaOf } from './success-response.js';
import { type Member, keywordOf, membersOf, typesOf } from '../schema/facts/members.js';

/** A query parameter, or a member of the body if the list is requested by POST. */
export type ListParameter = Pick<Parameter, 'name' | 'schema'>;

/** A filter that a query parameter applies. */
export interface Filter {
  readonly parameter: ListParameter;
  readonly member: string;
  readonly test: 'equals' | 'from' | 'to';
}

/** The meanings of a list's query parameters, by name. */
export interface ListParameters {
  readonly size?: ListParameter;
  readonly offset?: ListParameter;
  readonly page?: ListParameter;
  readonly token?: ListParameter;
  /** The id of the item after which the page starts. */
  readonly after?: ListParameter;
  readonly sort?: ListParameter;
  readonly direction?: ListParameter;
  readonly text?: ListParameter;
  readonly filters: readonly Filter[];
}

type Control = Exclude<keyof ListParameters, 'filters'>;

/** Names without case and separators, and without `$` and `page[…]`. */
const CONTROLS: Readonly<Record<Control, readonly string[]>> = {
  size: [
    'limit',
    'perpage',
    'pagesize',
    'size',
    'take',
    'maxresults',
    'top',
    'first',
    'maxitems',
    'pagelimit',
    'pagelength',
    'rows',
    'count',
    'itemsperpage',
    'pgsize',
  ],
  offset: ['offset', 'skip', 'startindex', 'start', 'pageoffset', 'startat', 'firstresult'],
  page: ['page', 'pagenumber', 'pagenum', 'pageindex', 'pageno', 'currentpage'],
  token: [
    'pagetoken',
    'cursor',
    'after',
    'nexttoken',
    'continuationtoken',
    'continuation',
    'marker',
    'nextpagetoken',
    'pagecursor',
    'nextcursor',
    'pageafter',
    'skiptoken',
    'continue',
  ],
  after: ['startingafter', 'afterid', 'lastid', 'sinceid'],
  sort: ['sort', 'sortby', 'orderby', 'order', 'ordering', 'sortfield', 'sortkey', 'sortcolumn'],
  direction: ['direction', 'sortorder', 'sortdirection', 'orderdirection', 'sortdir', 'dir', 'order'],
  text: ['q', 'search', 'query', 'searchterm', 'keyword', 'keywords', 'searchtext', 'text', 'freetext'],
};

/** Affixes of a member's name that mean a bound. */
const BOUNDS: readonly (readonly [RegExp, Filter['test']])[] = [
  [/^(min|from|after|since)(.+)$/, 'from'],
  [/^(max|to|before|until)(.+)$/, 'to'],
  [/^(.+?)(from|min|gte|gt|after|since)$/, 'from'],
  [/^(.+?)(to|max|lte|lt|before|until)$/, 'to'],
];

const caches = new WeakMap<Operation, ListParameters>();

/** {@link readListParameters}, cached by operation. */
export function listParametersOf(operation: Operation, item: Schema, api: Api): ListParameters {
  return getOrInsert(caches, operation, () => readListParameters(operation, item, api));
}

/**
 * Reads the meanings of a list's query parameters. A parameter with the name of a member is a filter, whatever else it
 * could be.
 */
function readListParameters(operation: Operation, item: Schema, api: Api): ListParameters {
  const query = listInputs(operation, api);
  const members = new Map([...membersOf(item, api).values()].map((member) => [foldName(member.name), member]));
  const controls: { -readonly [Key in Control]?: ListParameter } = {};
  const filters: Filter[] = [];
  for (const parameter of query) {
    const filter = findFilter(parameter, members, api);
    const control =
      filter === undefined || !isExact(filter, parameter) ? findControl(parameter, controls, api) : undefined;
    if (control !== undefined) controls[control] = parameter;
    else if (filter !== undefined) filters.push(filter);
  }
  return { ...controls, filters };
}

function listInputs(operation: Operation, api: Api): readonly ListParameter[] {
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const body = operation.method === 'post' ? bodySchemaOf(operation) : undefined;
  return body === undefined ? query : [...query, ...membersOf(body, api).values()];
}

function isExact({ member }: Filter, parameter: ListParameter): boolean {
  return (
    foldName(member) === foldName(parameter.name) &&
    !['page', 'limit', 'offset', 'cursor', 'sort'].includes(foldName(member))
  );
}

/** Returns the control that a parameter is. `order` is the sort key, but the direction if there is also a `sort`. */
function findControl(
  parameter: ListParameter,
  taken: Partial<Record<Control, ListParameter>>,
  api: Api,
): Control | undefined {
  const name = foldName(parameter.name);
  const kinds = (Object.keys(CONTROLS) as Control[]).filter((kind) => CONTROLS[kind].includes(name));
  if (kinds.includes('direction') && isDirection(parameter, api)) return 'direction';
  return kinds.find((kind) => taken[kind] === undefined);
}

function isDirection(parameter: ListParameter, api: Api): boolean {
  const values = keywordOf(parameter.schema, 'enum', api)?.map((value) => String(value).toLowerCase());
  return values?.some((value) => value === 'asc' || value === 'ascending' || value === 'desc') ?? false;
}

function findFilter(parameter: ListParameter, members: ReadonlyMap<string, Member>, api: Api): Filter | undefined {
  const name = foldName(parameter.name);
  const exact =
    members.get(name) ?? members.get(`${name}s`) ?? (name.endsWith('s') ? members.get(name.slice(0, -1)) : undefined);
  if (exact !== undefined && typesOf(parameter.schema, api).has('object')) return undefined;
  if (exact !== undefined) return { parameter, member: exact.name, test: 'equals' };
  for (const [pattern, test] of BOUNDS) {
    const found = pattern.exec(name);
    const member = [found?.[2], found?.[1]]
      .map((part) => members.get(part ?? '') ?? members.get(`${part}at`))
      .find((one) => one !== undefined);
    if (member !== undefined) return { parameter, member: member.name, test };
  }
  return undefined;
}
