import { escapeRegExp } from '../../../model/glob.js';
import { scalarText } from '../../../http/request/write-request.js';
import { listedItems } from '../../../resources/envelope.js';
import { type Assertion, parameterOf, headerOf, matches, same } from '../../expectations/assertion.js';
import { mayBeListed, mustBeListed } from '../../expectations/filters.js';
import { followLink, memberLink } from '../pagination/links.js';
import { nextLink } from '../../expectations/next-link.js';
import { findPaging } from '../pagination/walk.js';
import type { FilterCheck } from './filter-meaning.js';
import { type ListResponse, creationsOf, readWith } from './read-list.js';

/** Checks that the link to the next page of a filtered list leads to items that fit the filter. */
export async function checkFilteredPages(all: ListResponse, check: FilterCheck, value: unknown): Promise<void> {
  const { run, call } = all;
  const { api } = run.options;
  const { parameter } = check;
  const size = findPaging(call.operation, api)?.size;
  if (size === undefined || size.in !== 'query') return;
  const first = await readWith(all, [parameter, value], [size, 1]);
  const link = first === undefined ? undefined : (nextLink(first.exchange) ?? memberLink(first.exchange)?.url);
  if (first === undefined || link === undefined || link.searchParams.get(parameter.name) === scalarText(value)) return;
  const following = followLink(run, first.call, { exchange: first.exchange, link });
  const next = following === undefined ? undefined : await run.client.sendValid(following);
  const items = listedItems(call.operation, next?.json, api) ?? [];
  const wrong = items.find((item) => !mayBeListed(check, item, value));
  if (wrong === undefined) return;
  const query = `${parameter.name}=${scalarText(value)}`;
  run.findings.expect('filter', repeatsFilter(first, check, value), {
    cause: `${parameter.name} next`,
    pointer: `query ${parameter.name}`,
    message: `The link to the next page of the list filtered by ${query} leads to an item with another value.`,
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

/** The assertion that the link to the next page repeats the filter. */
function repeatsFilter({ exchange }: ListResponse, { parameter }: FilterCheck, value: unknown): Assertion {
  const { name } = parameter;
  const inBody = nextLink(exchange) === undefined ? memberLink(exchange) : undefined;
  if (inBody !== undefined)
    return same(
      { from: 'link query', exchange, pointer: inBody.pointer, name },
      parameterOf(exchange, parameter, value),
    );
  return matches(headerOf(exchange, 'link'), escapeRegExp(new URLSearchParams([[name, scalarText(value)]]).toString()));
}
