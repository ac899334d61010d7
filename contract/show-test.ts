import { MARKUP } from './checks/check-expectation.js';
import { type Secrets, variableOf } from './secrets.js';
import { splitUrl } from './show-request.js';
import type { Finding, WireRequest } from './types.js';

/** Where a pasted test finds the spec: the name of an API, or files. */
export interface SpecSource {
  readonly api?: string;
  readonly spec?: readonly string[];
}

/** What a test is written about. */
export type TestedFinding = Pick<Finding, 'check' | 'operationId' | 'expected' | 'actual'>;

/** A test for vitest (or any runner with `test` and `expect`) that repeats the request and says what is owed to it. */
export function toTest(
  request: WireRequest,
  finding: TestedFinding,
  { secrets, source }: { readonly secrets: Secrets; readonly source: SpecSource },
): string {
  const headers = Object.entries(request.headers).map(
    ([name, value]) =>
      `      ${JSON.stringify(name)}: ${secrets.hasHeader(name, value) ? variable(variableOf(name)) : literal(value)},`,
  );
  const assertions = assertionsOf(finding, source);
  const isSpecNeeded = assertions.some((line) => line.includes('checkResponse('));
  return [
    ...(isSpecNeeded ? ["import { checkResponse } from 'specmill/contract';", ''] : []),
    `test(${literal(`${finding.operationId}: ${finding.check}`)}, async () => {`,
    `  const response = await fetch(${urlOf(request.url, secrets)}, {`,
    `    method: ${literal(request.method)},`,
    `    redirect: 'manual',`,
    '    headers: {',
    ...headers,
    '    },',
    ...(request.body === undefined ? [] : [`    body: ${literal(request.body)},`]),
    '  });',
    `  // Expected ${comment(finding.expected)}; was ${comment(finding.actual)}.`,
    ...assertions.map((line) => `  ${line}`),
    '});',
  ].join('\n');
}

function assertionsOf({ check, operationId, expected, actual }: TestedFinding, source: SpecSource): string[] {
  switch (check) {
    case 'no server error':
    case 'server answers':
    case 'time limit':
      return ['expect(response.status).toBeLessThan(500);'];
    case 'unsupported method':
      if (expected === 'the header Allow') return ["expect(response.headers.has('allow')).toBe(true);"];
      return ['expect(response.status).toBeGreaterThanOrEqual(400);'];
    case 'invalid input refused':
    case 'authentication required':
      return ['expect(response.status).toBeGreaterThanOrEqual(400);', 'expect(response.status).toBeLessThan(500);'];
    case 'valid input accepted':
      return ['expect(response.status).toBeLessThan(400);'];
    case 'conditional requests':
      return ['expect(response.status).toBe(304);'];
    case 'no echo in HTML':
      return [`expect(await response.text()).not.toContain(${literal(MARKUP)});`];
    case 'documented status':
    case 'content type':
    case 'response schema':
    case 'response headers': {
      const place = Object.entries(source).map(([name, value]) => `${name}: ${JSON.stringify(value)}, `);
      const options = `{ ${place.join('')}operation: ${literal(operationId)}, response }`;
      return [`expect(await checkResponse(${options})).toEqual([]);`];
    }
    default:
      return [`expect(await response.text()).not.toContain(${literal(actual.slice(0, 80))});`];
  }
}

function urlOf(url: string, secrets: Secrets): string {
  const parts = splitUrl(url, secrets).map(({ text, isSecret }) => (isSecret ? variable(text) : literal(text)));
  return parts.join(' + ');
}

function variable(name: string): string {
  return `(process.env[${JSON.stringify(name)}] ?? '')`;
}

/** A literal of a program, in one line, with characters that cannot be shown as escapes. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (letter) =>
    letter
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Text from a server in a comment of one line. */
function comment(text: string): string {
  return text.slice(0, 120).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
}
