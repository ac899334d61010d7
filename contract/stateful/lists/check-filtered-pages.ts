import { takeAt } from '../../../schema/value-path.js';
import { escapeRegExp } from '../../../model/patterns.js';
import type { Parameter } from '../../../model/api.js';
import { problem } from '../../checks/problem.js';
import { scalarText } from '../../../http/request/write-request.js';
import { memberPath } from '../../reproduction/member-path.js';
import { type Assertion, type ResponsesAssertion, headerOf, matches } from '../../expectations/assertion.js';
import type { Exchange } from '../../types.js';
import { followLink, memberLink, nextLink } from '../pagination/links.js';
import { findPaging } from '../pagination/walk.js';
import { type FilterCheck, fits } from './filter-meaning.js';
import { creationsOf, itemsOf, readList } from './read-list.js';

/** Checks that the link to the next page of a filtered list leads to items that fit the filter. */
export async function checkFilteredPages(check: FilterCheck, value: unknown): Promise<void> {
  const { run, operation, parameter, path } = check;
  const size = findPaging(operation, run.options.api)?.size;
  if (size === undefined || size.in !== 'query') return;
  const first = await readList(run, operation, new Map([[parameter, value] as const, [size, 1] as const]));
  const link = first === undefined ? undefined : (nextLink(first.exchange) ?? memberLink(first.exchange)?.url);
  if (first === undefined || link === undefined || link.searchParams.get(parameter.name) === scalarText(value)) return;
  const call = followLink(run, first.call, { exchange: first.exchange, link });
  const next = call === undefined ? undefined : await run.tryValid(call);
  const wrong = itemsOf(run, operation, next).find((item) => !fits(check, takeAt(item, path), value));
  if (next === undefined || wrong === undefined) return;
  const query = `${parameter.name}=${scalarText(value)}`;
  const found = problem('filter', {
    cause: `${parameter.name} next`,
    pointer: `query ${parameter.name}`,
    message: `The link to the next page of the list with ${query} leads to an item with another value.`,
    expected: `a link with ${query}`,
    actual: link.search,
  });
  // Creates two fitting items, so that any server has a next page.
  const fitting = check.all.items.filter((item) => fits(check, takeAt(item, path), value));
  const others = creationsOf(run, operation, [...fitting.slice(0, 2), wrong]);
  const assertion = assertLink(first.exchange, parameter, scalarText(value));
  run.report(found, { call: first.call, phase: 'stateful', assertion, others }, first.exchange);
}

/** The assertion that the link repeats the filter. */
function assertLink(exchange: Exchange, parameter: Parameter, value: string): Assertion {
  const { name } = parameter;
  const inBody = memberLink(exchange);
  if (nextLink(exchange) !== undefined || inBody === undefined) {
    const text = new URLSearchParams([[name, value]]).toString();
    return matches(headerOf(exchange, 'link'), escapeRegExp(text));
  }
  const assertion: ResponsesAssertion = {
    expects: 'that',
    exchanges: [exchange],
    // When repeated, the request has the ids of other items.
    holds: ([page]) => {
      const link = page === undefined ? undefined : memberLink(page)?.url;
      const sent = page === undefined ? undefined : new URL(page.request.url).searchParams.get(name);
      return link === undefined || link.searchParams.get(name) === sent;
    },
    code: ([body = ''], variableOf) => {
      const link = `${body}${memberPath(inBody.pointer, '?')}`;
      const sent = variableOf(exchange, parameter) ?? JSON.stringify(value);
      return `${link} == null || new URL(${link}, 'http://localhost').searchParams.get(${JSON.stringify(name)}) === ${sent}`;
    },
  };
  return assertion;
}
