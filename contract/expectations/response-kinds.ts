import { toLiteral } from '../../model/identifiers.js';
import { isSuccess } from '../../http/messages.js';
import { isSameJson } from '../../model/exact-json.js';
import { mediaTypeEssence } from '../../runtime/media-type.js';
import { findDifferences } from '../checks/check-documented-response.js';
import { memberPath } from '../reproduction/member-path.js';
import { bodyCode } from '../reproduction/variable-names.js';
import { isShownAs } from '../shown-as.js';
import type { AssertionOf, StatusName } from './assertion.js';
import type { Kind } from './kind.js';
import { readValue, valueCode, valueExchanges, valueText } from './values.js';

interface StatusRule {
  readonly holds: (status: number) => boolean;
  readonly matchers: readonly string[];
  readonly expected: string;
}

/** The status 0 stands for no response: that of a printed test fails before its assertions. */
const STATUS: Readonly<Record<StatusName, StatusRule>> = {
  good: {
    holds: (status) => status < 300,
    matchers: ['.toBeLessThan(300)'],
    expected: 'a status from 200 to 299',
  },
  refused: {
    holds: (status) => status >= 400,
    matchers: ['.toBeGreaterThanOrEqual(400)'],
    expected: 'a status from 400 to 499',
  },
  'client error': {
    holds: (status) => status < 200 || status >= 400,
    matchers: ['.toBeGreaterThanOrEqual(400)', '.toBeLessThan(500)'],
    expected: 'a status from 400 to 499',
  },
  'no success': {
    holds: (status) => !isSuccess({ status }),
    matchers: ['.toBeGreaterThanOrEqual(300)'],
    expected: 'a status from 400 to 499',
  },
  accepted: {
    holds: (status) => status < 400 || status >= 500,
    matchers: ['.toBeLessThan(400)'],
    expected: 'a status below 400',
  },
  'no failure': {
    holds: (status) => status > 0 && status < 500,
    matchers: ['.toBeLessThan(500)'],
    expected: 'a status below 500',
  },
};

function statusRule(status: StatusName | number): StatusRule {
  if (typeof status !== 'number') return STATUS[status];
  return { holds: (one) => one === status, matchers: [`.toBe(${status})`], expected: String(status) };
}

/** A text that only an attack would contain: a page that shows it unescaped would run a stranger's script. */
export const MARKUP = '<script>specmill(1)</script>';

type ResponseKind = 'status' | 'one refused' | 'gone' | 'documented' | 'escaped' | 'same id';

/** The kinds of expectations of a single response, besides those of its values. */
export const RESPONSE_KINDS: { readonly [K in ResponseKind]: Kind<AssertionOf<K>> } = {
  status: {
    exchanges: ({ exchange }) => [exchange],
    holds: ({ exchange, status }, { responseTo }) => statusRule(status).holds(responseTo(exchange).status),
    print: ({ exchange, status }, { names }) =>
      statusRule(status).matchers.map((matcher) => `expect(${names.response(exchange)}.status)${matcher};`),
    texts: ({ exchange, status }, { responseTo }) => ({
      expected: statusRule(status).expected,
      actual: String(responseTo(exchange).status),
    }),
  },
  'one refused': {
    exchanges: ({ exchanges }) => exchanges,
    holds: ({ exchanges }, { responseTo }) => exchanges.some((one) => STATUS.refused.holds(responseTo(one).status)),
    print: ({ exchanges }, { names }) => {
      const statuses = exchanges.map((one) => `${names.response(one)}.status`);
      return [`expect(Math.max(${statuses.join(', ')}))${STATUS.refused.matchers.join('')};`];
    },
    texts: ({ exchanges }, { responseTo }) => ({
      expected: `${STATUS.refused.expected} for one of them`,
      actual: exchanges.map((one) => String(responseTo(one).status)).join(' and '),
    }),
  },
  gone: {
    exchanges: ({ exchange, removal }) => [exchange, removal],
    holds: ({ exchange, removal }, { responseTo }) => {
      const { status, json } = responseTo(exchange);
      return statusRule('refused').holds(status) || isSameJson(json, responseTo(removal).json);
    },
    print: ({ exchange, removal }, printer) => {
      const received = printer.names.response(exchange);
      const deleted = printer.body(removal);
      return [
        `const found = ${received}.status >= 400 ? ${deleted} : JSON.parse(await ${received}.text());`,
        `expect(found).toEqual(${deleted});`,
      ];
    },
    texts: ({ exchange }, { responseTo }) => ({
      expected: 'a status from 400 to 499, or the item as DELETE showed it',
      actual: String(responseTo(exchange).status),
    }),
  },
  documented: {
    exchanges: ({ exchange }) => [exchange],
    holds: ({ exchange, tried, api }, { responseTo }) => findDifferences(tried, responseTo(exchange), api).length === 0,
    print: ({ exchange, tried }, { names, source }) => {
      const place = Object.entries(source).map(([name, value]) => `${name}: ${toLiteral(value)}, `);
      const received = names.response(exchange);
      const response = received === 'response' ? received : `response: ${received}`;
      const options = `{ ${place.join('')}operation: ${toLiteral(tried.call.operation.id)}, ${response} }`;
      return [`expect(await checkResponse(${options})).toEqual([]);`];
    },
    texts: ({ exchange }, { responseTo }) => ({
      expected: 'a documented response',
      actual: String(responseTo(exchange).status),
    }),
  },
  escaped: {
    exchanges: ({ exchange }) => [exchange],
    holds: ({ exchange }, { responseTo }) => {
      const { headers, text } = responseTo(exchange);
      return mediaTypeEssence(headers.get('content-type') ?? 'text/html') !== 'text/html' || !text.includes(MARKUP);
    },
    print: ({ exchange }, { names }) => [
      `const isPage = /html/i.test(${names.response(exchange)}.headers.get('content-type') ?? 'text/html');`,
      `expect(isPage && (await ${names.response(exchange)}.text()).includes(${toLiteral(MARKUP)})).toBe(false);`,
    ],
    texts: ({ exchange }, { responseTo }) => ({ expected: 'escaped text', actual: responseTo(exchange).text }),
  },
  'same id': {
    exchanges: ({ left, right }) => [left.exchange, ...valueExchanges(right)],
    // Some servers put the collection before the id: `vehicles/7`.
    holds: ({ left, right }, evidence) => {
      const [named, sent] = [readValue(left, evidence), readValue(right, evidence)];
      return isShownAs(sent, named) || String(named).endsWith(`/${String(sent)}`);
    },
    print: ({ left: { exchange, pointer }, right }, printer) => {
      const received = printer.names.response(exchange);
      return [
        `const parent = String(${valueCode(right, printer)}).split('/').at(-1);`,
        // A refusal is correct as well.
        `const shown = ${received}.ok ? ${bodyCode(received)}${memberPath(pointer, '?')} : parent;`,
        `expect(String(shown).split('/').at(-1)).toBe(parent);`,
      ];
    },
    texts: ({ left, right }, evidence) => ({
      expected: valueText(right, evidence),
      actual: valueText(left, evidence),
    }),
  },
};
