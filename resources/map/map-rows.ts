import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import type {
  MappedFilter,
  MappedId,
  MappedList,
  MappedOperation,
  MappedPaging,
  MappedParent,
  MappedReason,
  MappedResource,
} from './resource-map.js';

// The words of the map: `explain` and the page show the same.

/** A fact about a resource. */
export interface MapRow {
  /** Such as `id`, `create` or `pages`. */
  readonly name: string;
  readonly text: string;
  /** The reason, where a reader cannot see it in the text. */
  readonly reason?: string;
  readonly place?: SourceLocation;
}

/** What a resource is: `a collection of Order`. */
export function describeKind({ kind, schema }: MappedResource): string {
  if (kind === 'singleton') return `one ${schema ?? 'thing'}`;
  return `a collection${schema === undefined ? '' : ` of ${schema}`}`;
}

/** The facts about a resource, in the order in which a reader needs them. */
export function rowsOf({ id, parent, references, unique, operations, lists }: MappedResource): MapRow[] {
  return [
    ...(id === undefined ? [] : [{ name: 'id', text: describeId(id), ...basisOf(id), reason: showReason(id) }]),
    ...(parent === undefined ? [] : [{ name: 'parent', text: describeParent(parent) }]),
    ...operations.map((one) => ({ name: one.role, text: describeCall(one), ...basisOf(one) })),
    ...lists.flatMap((list) => describeList(list, lists.length > 1)),
    ...references.map((one) => ({ name: 'refers', text: `${one.member} to ${one.path}`, ...doubtOf(one) })),
    ...(unique.length === 0 ? [] : [{ name: 'unique', text: unique.map(({ member }) => member).join(', ') }]),
  ];
}

function showReason({ reason, isSure }: MappedReason): string {
  return isSure ? reason : `not sure: ${reason}`;
}

/** The reason of what is not sure. */
function doubtOf(entry: MappedReason): Pick<MapRow, 'reason'> {
  return entry.isSure ? {} : { reason: showReason(entry) };
}

function basisOf(entry: MappedReason): Pick<MapRow, 'reason' | 'place'> {
  return { ...doubtOf(entry), ...(entry.place === undefined ? {} : { place: entry.place }) };
}

function describeId({ member, parameter, prefix, isLink, outer = {}, inResponse }: MappedId): string {
  return joinKnown([
    member,
    prefix === undefined ? undefined : `starts with ${prefix}`,
    isLink === undefined ? undefined : 'its last segment',
    parameter === undefined ? undefined : `in requests ${parameter}`,
    ...Object.entries(outer).map(([name, pointer]) => `with ${pointer} as ${name}`),
    inResponse === undefined ? undefined : `in the response to a creation ${inResponse}`,
  ]);
}

function describeParent({ path, parameters, member }: MappedParent): string {
  const shown = member === undefined ? [] : [`named by ${member}`];
  return [path, ...shown, ...Object.entries(parameters).map(([name, member]) => `${name} is ${member}`)].join(', ');
}

function describeCall({ operationId, method, path, status }: MappedOperation): string {
  return `${operationId}: ${method} ${path} → ${status}`;
}

function describeList(
  { operationId, paging, gap, filters, sort, direction, search }: MappedList,
  isNamed: boolean,
): MapRow[] {
  const owner = isNamed ? `${operationId}: ` : '';
  const orders = [sort, direction].filter((name) => name !== undefined);
  const pages = paging === undefined ? gap && `none: ${gap.split(':', 1)[0]}` : describePaging(paging);
  const rows: (MapRow | undefined)[] = [
    pages === undefined ? undefined : { name: 'pages', text: owner + pages, ...(paging && doubtOf(paging)) },
    filters.length === 0 ? undefined : { name: 'filters', text: owner + filters.map(describeFilter).join(', ') },
    orders.length === 0 ? undefined : { name: 'sorts by', text: owner + orders.join(', ') },
    search === undefined ? undefined : { name: 'search', text: owner + search },
  ];
  return rows.filter((row) => row !== undefined);
}

function describePaging({ style, step, size, next, more, total }: MappedPaging): string {
  return joinKnown([
    step === undefined ? `by ${style}` : `by ${step} (${style})`,
    size === undefined ? undefined : `size ${size}`,
    next === undefined ? undefined : `next ${next}`,
    more === undefined ? undefined : `more ${more}`,
    total === undefined ? undefined : `total ${total}`,
  ]);
}

function describeFilter({ parameter, member, test }: MappedFilter): string {
  const isSame = member === `/${parameter}`;
  return `${parameter}${isSame && test === 'equals' ? '' : ` (${test} ${member})`}`;
}

function joinKnown(words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined).join(', ');
}
