import { getOrInsert } from '../model/maps.js';
import type { Api, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { foldName } from './inflection.js';
import { findBound, saidOfBound } from './list-bounds.js';
import {
  type ItemMember,
  type ListParameter,
  isNamedFilter,
  listInputs,
  memberNamed,
  membersByFoldedName,
  subjectOf,
} from './list-inputs.js';
import { listPagesOf } from './paging.js';
import { nounOf } from './path-template.js';
import { hasNumber, keywordOf, typesOf } from '../schema/facts/members.js';

/** A filter that a query parameter applies. */
export interface Filter {
  readonly parameter: ListParameter;
  readonly member: ItemMember;
  readonly test: 'equals' | 'from' | 'to';
  /** For a bound: whether an item at it is listed, by its name. */
  readonly isInclusive?: boolean;
  /** For a bound: whether its description excludes an item at it, as `created before this time` does. */
  readonly isExclusive?: boolean;
}

/** The meanings of a list's query parameters, by name. */
export interface ListParameters {
  readonly sort?: ListParameter;
  readonly direction?: ListParameter;
  readonly text?: ListParameter;
  readonly filters: readonly Filter[];
}

type Control = Exclude<keyof ListParameters, 'filters'>;

/** Names without case and separators. */
const CONTROLS: Readonly<Record<Control, readonly string[]>> = {
  sort: ['sort', 'sortby', 'orderby', 'order', 'ordering', 'sortfield', 'sortkey', 'sortcolumn'],
  direction: ['direction', 'sortorder', 'sortdirection', 'orderdirection', 'sortdir', 'dir', 'order'],
  text: ['q', 'search', 'query', 'searchterm', 'keyword', 'keywords', 'searchtext', 'text', 'freetext'],
};

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
  const members = membersByFoldedName(item, api);
  const { pageNames } = listPagesOf(operation, api);
  const controls: { -readonly [Key in Control]?: ListParameter } = {};
  const filters: Filter[] = [];
  const inputs = listInputs(operation, api).filter(({ name }) => !pageNames.has(name));
  const hasSort = inputs.some(({ name }) => foldName(name) !== 'order' && CONTROLS.sort.includes(foldName(name)));
  for (const parameter of inputs) {
    const filter = findFilter(parameter, members, { operation, api });
    const isFilter = isNamedFilter(parameter, members, api);
    const control = isFilter ? undefined : findControl(parameter, { taken: controls, hasSort, api });
    if (control !== undefined) controls[control] = parameter;
    else if (filter !== undefined) filters.push(filter);
  }
  return { ...controls, filters };
}

interface Controls {
  readonly taken: Partial<Record<Control, ListParameter>>;
  /** Whether another parameter is the sort key, whatever `order` could be. */
  readonly hasSort: boolean;
  readonly api: Api;
}

/** Returns the control that a parameter is. `order` is the sort key, but the direction if there is also a `sort`. */
function findControl(parameter: ListParameter, { taken, hasSort, api }: Controls): Control | undefined {
  const name = foldName(parameter.name);
  const kinds = (Object.keys(CONTROLS) as Control[]).filter((kind) => CONTROLS[kind].includes(name));
  if (kinds.includes('direction') && (hasSort || isDirection(parameter, api))) return 'direction';
  return kinds.find((kind) => taken[kind] === undefined);
}

function isDirection(parameter: ListParameter, api: Api): boolean {
  const values = keywordOf(parameter.schema, 'enum', api)?.map((value) => String(value).toLowerCase());
  return values?.some((value) => value === 'asc' || value === 'ascending' || value === 'desc') ?? false;
}

function findFilter(
  parameter: ListParameter,
  members: ReadonlyMap<string, ItemMember>,
  { operation, api }: { readonly operation: Operation; readonly api: Api },
): Filter | undefined {
  const exact = memberNamed(parameter, members, api);
  if (exact !== undefined) return { parameter, member: exact, test: 'equals' };
  const isNumeric = ({ schema }: Pick<ItemMember, 'schema'>): boolean => hasNumber(typesOf(schema, api));
  const noun = nounOf({ collectionPath: operation.path });
  const bound = findBound(subjectOf(parameter), { members, noun, isNumber: isNumeric(parameter), isNumeric });
  const described = operation.parameters.find(({ in: place, name }) => place === 'query' && name === parameter.path[0]);
  const isExclusive = saidOfBound(described?.description ?? '') === 'excluded';
  return bound && { parameter, ...bound, ...(isExclusive ? { isExclusive } : {}) };
}
