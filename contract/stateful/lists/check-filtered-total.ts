import { toPointer } from '../../../model/document/pointer.js';
import { isRecord } from '../../../model/document/records.js';
import { foldName } from '../../../resources/inflection.js';
import { bodyAt, countOf, same } from '../../expectations/assertion.js';
import { findMember, memberLink, saysMore } from '../pagination/links.js';
import { nextLink } from '../../expectations/next-link.js';
import { findPaging } from '../pagination/walk.js';
import { findUncounted } from './find-uncounted.js';
import { type ListResponse, creationsOf } from './read-list.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';

/**
 * Matches counts of filtered items: next to one, the total may count the items before filtering. The map has one total
 * for each list; such a second count is seen in responses only.
 */
const FILTERED = /filtered|match|found|hits/;
/** The most items that a reproduction creates. */
const MAX_ITEMS = 3;

/** Checks that the total of a list that is filtered by a parameter counts the items that fit the filter. */
export function checkFilteredTotal(all: ListResponse, filtered: ListResponse, parameter: string): void {
  const { exchange, items } = filtered;
  const total = findMember(exchange.json, ({ role }) => role === 'total' || role === 'count');
  if (total === undefined || !isOnlyPage(filtered)) return;
  if (hasFiltered(exchange.json)) return;
  const name = total.path.join('.');
  all.run.findings.expect('total', same(bodyAt(exchange, toPointer(total.path)), countOf(filtered.place)), {
    cause: name,
    message: `${name} of the list filtered by ${parameter} is not the number of its items.`,
    findOthers: () => {
      const ids = new Set(items.map((item) => stringifyExactJson(item)));
      const unlisted = all.items.filter((item) => !ids.has(stringifyExactJson(item)));
      // Only some items have a creation of their own: others were there before, or were created together.
      const leftOut = creationsOf(all, unlisted).slice(-MAX_ITEMS);
      return [...creationsOf(all, items.slice(-1)), ...leftOut, ...findUncounted(filtered)];
    },
  });
}

function hasFiltered(json: unknown): boolean {
  const groups = isRecord(json) ? [json, ...Object.values(json).filter(isRecord)] : [];
  return groups.some((group) =>
    Object.entries(group).some(([name, value]) => typeof value === 'number' && FILTERED.test(foldName(name))),
  );
}

/** Whether a list shows all of its items: the page is not full, and nothing leads to another. */
function isOnlyPage({ run, call, items, exchange }: ListResponse): boolean {
  const paging = findPaging(call.operation, run.options.api);
  const size = paging?.size;
  const usual = typeof size?.schema === 'object' ? size.schema.default : undefined;
  const most = size === undefined ? undefined : (call.parameters.get(size) ?? usual);
  const leadsOn = nextLink(exchange) !== undefined || memberLink(exchange) !== undefined || saysMore(exchange);
  if (leadsOn) return false;
  return typeof most === 'number' ? items.length < most : paging === undefined;
}
