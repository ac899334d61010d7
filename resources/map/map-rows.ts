import { getOrInsert } from '../../model/maps.js';
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
    ...operations.map((one) => ({ name: nameOfRole(one), text: describeCall(one), ...basisOf(one) })),
    ...describeLists(lists),
    ...references.map((one) => ({ name: 'refers', text: `${one.member} to ${one.path}`, ...doubtOf(one) })),
    ...(unique.length === 0 ? [] : [{ name: 'unique', text: unique.map(({ member }) => member).join(', ') }]),
  ];
}

function nameOfRole({ role }: MappedOperation): string {
  return role === 'createMany' ? 'create many' : role;
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

/** What lists promise: lists that promise the same share a row, which has their names only if other lists differ. */
function describeLists(lists: readonly MappedList[]): MapRow[] {
  return ['pages', 'filters', 'sorts by', 'search'].flatMap((name) => {
    const byText = new Map<string, { readonly row: MapRow; readonly owners: string[] }>();
    for (const list of lists) {
      const row = describeList(list).find((one) => one.name === name);
      if (row === undefined) continue;
      const key = `${row.text} ${row.reason ?? ''}`;
      getOrInsert(byText, key, () => ({ row, owners: [] })).owners.push(list.operationId);
    }
    return [...byText.values()].map(({ row, owners }) => {
      const isCommon = owners.length === lists.length;
      return isCommon ? row : { ...row, text: `${row.text}, in ${owners.join(', ')}` };
    });
  });
}

function describeList({ paging, gap, filters, sort, direction, search }: MappedList): MapRow[] {
  const orders = [sort, direction].filter((name) => name !== undefined);
  const pages = paging === undefined ? gap && `none: ${gap.split(':', 1)[0]}` : describePaging(paging);
  const rows: (MapRow | undefined)[] = [
    pages === undefined ? undefined : { name: 'pages', text: pages, ...(paging && doubtOf(paging)) },
    filters.length === 0 ? undefined : { name: 'filters', text: filters.map(describeFilter).join(', ') },
    orders.length === 0 ? undefined : { name: 'sorts by', text: orders.join(', ') },
    search === undefined ? undefined : { name: 'search', text: search },
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
