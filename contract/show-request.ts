import type { Finding, WireRequest } from './types.js';

/** Names of headers whose values a report must not give away. */
const SECRETS = /authorization|cookie|key|token|secret|password|signature/i;

/** What a report needs to know of the headers that the user gave. */
export type GivenHeaders = Readonly<Record<string, string>>;

/**
 * A request as a line for a shell. Secrets that the user gave stay out of it: `"$AUTHORIZATION"` stands in their place.
 *
 * @example toCurl({ method: 'GET', url: 'http://127.0.0.1/a', headers: {} }, {}) // curl -sS -i 'http://127.0.0.1/a'
 */
export function toCurl({ method, url, headers, body }: WireRequest, given: GivenHeaders): string {
  const parts = ['curl', '-sS', '-i', '-g'];
  if (method !== 'GET' || body !== undefined) parts.push('-X', quote(method));
  parts.push(quote(url));
  for (const [name, value] of Object.entries(headers)) {
    if (isSecret(name, given)) parts.push('-H', `${quote(`${name}: `)}"$${variableOf(name)}"`);
    // Without a value curl would leave the header out.
    else parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`));
  }
  if (body !== undefined) parts.push('--data-raw', quote(body));
  return parts.join(' ');
}

/** A test for vitest (or any runner with `test` and `expect`) that repeats the request. */
export function toTest(
  request: WireRequest,
  finding: Pick<Finding, 'check' | 'operationId' | 'expected' | 'actual'>,
  given: GivenHeaders,
): string {
  const headers = Object.entries(request.headers).map(([name, value]) =>
    isSecret(name, given)
      ? `    ${JSON.stringify(name)}: process.env[${JSON.stringify(variableOf(name))}] ?? '',`
      : `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  return [
    `test(${JSON.stringify(`${finding.operationId}: ${finding.check}`)}, async () => {`,
    `  const response = await fetch(${JSON.stringify(request.url)}, {`,
    `    method: ${JSON.stringify(request.method)},`,
    `    redirect: 'manual',`,
    `    headers: {`,
    ...headers.map((line) => `  ${line}`),
    '    },',
    ...(request.body === undefined ? [] : [`    body: ${JSON.stringify(request.body)},`]),
    '  });',
    `  // Expected ${comment(finding.expected)}; was ${comment(finding.actual)}.`,
    `  ${assertion(finding)}`,
    '});',
  ].join('\n');
}

function assertion({ check, expected, actual }: Pick<Finding, 'check' | 'expected' | 'actual'>): string {
  if (check === 'no server error' || check === 'server answers') return 'expect(response.status).toBeLessThan(500);';
  if (check === 'invalid input refused' || check === 'authentication required' || check === 'unsupported method')
    return 'expect(response.status).toBeGreaterThanOrEqual(400);';
  if (check === 'documented status')
    return `expect([${expected.replaceAll(/[^\d, ]/g, '0')}]).toContain(response.status);`;
  if (check === 'valid input accepted') return 'expect(response.status).toBeLessThan(400);';
  return `expect(await response.text()).not.toContain(${JSON.stringify(actual.slice(0, 80))});`;
}

/** Text from a server in a comment of one line. */
function comment(text: string): string {
  return text.slice(0, 120).replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');
}

function isSecret(name: string, given: GivenHeaders): boolean {
  return Object.hasOwn(given, name) && SECRETS.test(name);
}

function variableOf(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
}

/** Single quotes keep a shell from reading anything; control characters are written as escapes, so that one line stays one. */
function quote(text: string): string {
  if (!/[\p{Cc}]/u.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll(/\p{Cc}/gu, (letter) => `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
  return `$'${escaped}'`;
}
