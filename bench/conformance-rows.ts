import type { ConformanceCase } from '../test/server/conformance/conformance-case.js';

/** A topic in which Prism breaks, and the cases of the suite that are about it. */
export interface ConformanceRow {
  readonly what: string;
  /** Groups of cases; with a pattern only those whose names fit. The first row that fits has the case. */
  readonly cases: readonly (string | readonly [group: string, names: RegExp])[];
}

/** What is known to break in Prism, and what works there and is kept: the rows of the table in docs/mocks.md. */
export const CONFORMANCE_ROWS: readonly ConformanceRow[] = [
  {
    what: 'Schemas that Prism cannot compile and so lets everything pass: untyped `nullable`, patterns invalid under the `u` flag, the dialect of 3.1',
    cases: [['schemas', /nullable|pattern|dialect/]],
  },
  {
    what: '3.1 schemas, which Prism compiles as draft-07: `prefixItems`, `unevaluatedProperties`',
    cases: [['schemas', /prefixItems|unevaluated/]],
  },
  { what: 'Discriminators, and enums in any case', cases: [['schemas', /discriminator|enum/]] },
  {
    what: '`readOnly` members of the wrong type, `writeOnly` members in responses',
    cases: [['schemas', /readOnly|writeOnly/]],
  },
  {
    what: 'A handler that throws, a response that breaks the spec',
    cases: [['responses', /throw|bug|JSON cannot say/]],
  },
  {
    what: 'JSON bodies: broken ones, charsets, `null`, none at all',
    cases: ['json'],
  },
  { what: 'Encoded bodies: gzip, deflate, br, broken ones, bombs', cases: ['encodings'] },
  {
    what: 'Paths with a colon: order, anchored matches, `%3A`',
    cases: [['routing', /colon|anchored|another method/]],
  },
  {
    what: 'The base path of `servers`, slashes at the end and doubled ones',
    cases: [['routing', /server|variable|slash/]],
  },
  { what: 'HEAD, OPTIONS and the methods that are allowed', cases: [['routing', /HEAD|OPTIONS|wrong method/]] },
  {
    what: 'Other paths: encoded letters, several parameters in a segment, several segments in a parameter',
    cases: ['routing'],
  },
  { what: 'Query arrays: `explode`, joined values, every value checked', cases: ['query arrays'] },
  { what: 'Query objects: `deepObject`, exploded and joined', cases: ['query objects'] },
  { what: 'Cookies, and parameters with a `content`', cases: ['cookies', ['query', /document/]] },
  {
    what: 'Other parameters: headers, `label`, `matrix`, hostile names and encodings',
    cases: ['query', 'headers', 'path'],
  },
  { what: 'Forms: repeated names, encodings, recursive schemas', cases: ['forms'] },
  { what: 'Multipart: JSON parts, malformed ones', cases: ['multipart'] },
  {
    what: 'Bytes, texts, streams, events, bodies beyond the limit',
    cases: ['bytes', 'text', ['responses', /stream|bytes|events/]],
  },
  { what: 'Media types: malformed ones, ranges, chunked bodies', cases: ['media types'] },
  {
    what: 'Security: Basic passwords with `:`, `bearer`, the empty alternative `{}`, mutual TLS',
    cases: ['security'],
  },
  {
    what: 'One call that must not decide for the next: seeds, `Accept`',
    cases: ['mocker', ['negotiation', /one caller/]],
  },
  { what: '`Prefer` and negotiation, which work in Prism and are kept', cases: ['prefer', 'negotiation'] },
  { what: 'Hostile bodies: `__proto__`, deep nesting, a hundred thousand members', cases: ['hostile'] },
];

/**
 * The row that a case belongs to: the first that fits.
 *
 * @throws Error if the case fits no row.
 */
export function rowOf({ group, name }: ConformanceCase): ConformanceRow {
  const row = CONFORMANCE_ROWS.find(({ cases }) =>
    cases.some((wanted) =>
      typeof wanted === 'string' ? wanted === group : wanted[0] === group && wanted[1].test(name),
    ),
  );
  if (row === undefined) throw new Error(`The case "${group}: ${name}" belongs to no row of the table.`);
  return row;
}
