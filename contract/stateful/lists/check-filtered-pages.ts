import { escapeRegExp } from '../../../model/glob.js';
import { isValidValue } from '../../../schema/compile-validator.js';
import { scalarText } from '../../../http/request/write-request.js';
import { isSameJson } from '../../../model/exact-json.js';
import { listedItems } from '../../../resources/envelope.js';
import { idOf } from '../../../resources/extract-id.js';
import { type Assertion, parameterOf, headerOf, matches, same } from '../../expectations/assertion.js';
import { mayBeListed, mustBeListed } from '../../expectations/filters.js';
import { followLink, memberLink } from '../pagination/links.js';
import { nextLink } from '../../expectations/next-link.js';
import { findPaging } from '../pagination/walk.js';
import type { FilterCheck } from './filter-meaning.js';
import { type ListResponse, creationsOf, readWith } from './read-list.js';

/** A filter, its value, and the list that it gives. */
interface Filtered {
  readonly check: FilterCheck;
  readonly value: unknown;
  readonly list: ListResponse;
}

/** Checks that the link to the next page of a filtered list leads to the next item that fits the filter. */
export async function checkFilteredPages(all: ListResponse, { check, value, list }: Filtered): Promise<void> {
  const { run, call } = all;
  const { api } = run.options;
  const { parameter } = check;
  const size = findPaging(call.operation, api)?.size;
  const count = firstDifference(all, list);
  if (size === undefined || size.in !== 'query' || count === undefined) return;
  if (!isValidValue(count, size.schema, api)) return;
  const first = await readWith(all, [parameter, value], [size, count]);
  const link = first === undefined ? undefined : (nextLink(first.exchange) ?? memberLink(first.exchange)?.url);
  if (first === undefined || link === undefined || link.searchParams.get(parameter.name) === scalarText(value)) return;
  const following = followLink(run, first.call, { exchange: first.exchange, link });
  const next = following === undefined ? undefined : await run.client.sendValid(following);
  const items = listedItems(call.operation, next?.json, api) ?? [];
  const expected = list.items[count];
  const isOther = (item: unknown): boolean => expected !== undefined && !isSameJson(keyOf(item), keyOf(expected));
  const wrong = items.find((item) => !mayBeListed(check, item, value)) ?? items.slice(0, 1).find(isOther);
  if (wrong === undefined) return;
  const query = `${parameter.name}=${scalarText(value)}`;
  run.findings.expect('filter', repeatsFilter(first, check, value), {
    cause: `${parameter.name} next`,
    pointer: `query ${parameter.name}`,
    message: `The link to the next page of the list filtered by ${query} leads to other items.`,
    expected: `a link with ${query}`,
    actual: link.search,
    findOthers: () => {
      // Creates two fitting items, so that any server has a next page. Some items fit only since a later change.
      const fitting = creationsOf(
        all,
        all.items.filter((item) => mayBeListed(check, item, value)),
      ).filter(({ json }) => mustBeListed(check, json, value));
      return [...fitting.slice(0, 2), ...creationsOf(all, [wrong])];
    },
  });
}

/**
 * The size of a first page behind which the filtered list goes on with another item than the list without the filter, so
 * that a link which loses the filter is noticed.
 */
function firstDifference(all: ListResponse, filtered: ListResponse): number | undefined {
  const index = filtered.items.findIndex((item, at) => at > 0 && !isSameJson(keyOf(item), keyOf(all.items[at])));
  return index === -1 ? undefined : index;
}

/** What tells items apart. */
function keyOf(item: unknown): unknown {
  return idOf(item, 'id') ?? item;
}

/** The assertion that the link to the next page repeats the filter. */
function repeatsFilter({ exchange }: ListResponse, { parameter }: FilterCheck, value: unknown): Assertion {
  const { name } = parameter;
  const inBody = nextLink(exchange) === undefined ? memberLink(exchange) : undefined;
  if (inBody !== undefined)
    return same(
      { from: 'link query', exchange, pointer: inBody.pointer, name },
      parameterOf(exchange, parameter, value),
    );
  // Links to other pages, such as the last one, may have the filter.
  const query = escapeRegExp(new URLSearchParams([[name, scalarText(value)]]).toString());
  return matches(headerOf(exchange, 'link'), `${query}[^<>]*>[^,<]*${String.raw`rel="?next\b`}`);
}
