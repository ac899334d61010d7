import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { type ContractConfig, type ContractOptions, type ContractReport, runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { loadApi } from '../../model/load-api.js';
import { runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';

const SPEC = path.join(import.meta.dirname, 'specs/library.yaml');

interface Watched {
  readonly report: ContractReport;
  readonly requests: readonly Request[];
}

type ReceivedResponse = (request: Request, pass: () => Promise<Response>) => Promise<Response>;

/** Runs against the mock of the library, whose address is not of this machine: no credential is made up. */
async function watchRun(
  setUp: ContractConfig & Pick<ContractOptions, 'phases'>,
  received: ReceivedResponse = async (_, pass) => pass(),
): Promise<Watched> {
  const api = await loadApi(SPEC);
  await using mock = await startMock(api, { noRateLimit: true });
  const requests: Request[] = [];
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    requests.push(request.clone());
    const inside = request.url.replace('https://library.example.com', mock.url);
    return received(request, async () => mock.fetch(inside, init));
  };
  const options: ContractOptions = { api, url: 'https://library.example.com/v1', fetch: send, maxExamples: 3 };
  const report = await runContract({ ...options, ...setUp });
  return { report, requests: requests.filter(({ url }) => !url.endsWith('/v1')) };
}

const TOKEN = { authorization: 'Bearer top-secret-token' };

describe('the configuration of a run', () => {
  test('headers of the configuration and of the hook before are sent with each request, except with those that test without a credential', async () => {
    const { report, requests } = await watchRun({
      headers: { 'X-Own': 'mine' },
      before: async () => ({ headers: TOKEN }),
    });
    expect(report.findings).toEqual([]);
    expect(new Set(requests.map(({ headers }) => headers.get('x-own')))).toEqual(new Set(['mine']));
    // Beside none, only what no scheme knows.
    const sent = new Set(requests.map(({ headers }) => headers.get('authorization')));
    expect([...sent].filter((one) => one?.startsWith('Specmill-Unknown') !== true)).toEqual([
      TOKEN.authorization,
      null,
    ]);
    expect(
      report.coverage.operations.every(
        ({ statuses }) =>
          statuses['200'] !== undefined || statuses['201'] !== undefined || statuses['204'] !== undefined,
      ),
    ).toBe(true);
  });

  test('the hook beforeEach sees each request and may change it', async () => {
    const seen: string[] = [];
    const { report, requests } = await watchRun({
      beforeEach: ({ operationId, phase, method, url, headers }) => {
        seen.push(`${phase} ${operationId} ${method} ${Object.isFrozen(headers)}`);
        return { url: `${url}${url.includes('?') ? '&' : '?'}signature=abcdefgh`, headers: TOKEN };
      },
    });
    expect(report.findings).toEqual([]);
    expect(seen).toHaveLength(requests.length);
    expect(seen[0]).toMatch(/^examples listBooks GET /);
    expect(requests.every(({ url }) => url.includes('signature=abcdefgh'))).toBe(true);
    const anonymous = requests.filter(({ headers }) => headers.get('authorization') === null);
    expect(anonymous).toHaveLength(6);
  });

  test('hooks get the run, and its fetch reaches the server', async () => {
    const seen: unknown[] = [];
    await watchRun({
      phases: ['examples'],
      before: async ({ api, url, seed, fetch: send }) => {
        seen.push(api, url, seed, (await send(`${url}/books`, { headers: TOKEN })).status);
        return { headers: TOKEN };
      },
      after: ({ api }) => void seen.push(`after ${api}`),
    });
    expect(seen).toEqual(['Library', 'https://library.example.com/v1', 1, 200, 'after Library']);
  });

  test('a hook that cannot reach a server gets the reason', async () => {
    const cause = new Error('connect ECONNREFUSED 127.0.0.1:1');
    const run = watchRun({
      before: () => {
        throw new TypeError('fetch failed', { cause });
      },
    });
    await expect(run).rejects.toThrow('fetch failed (connect ECONNREFUSED 127.0.0.1:1).');
  });

  test('the hook after runs even if the run fails', async () => {
    let isOver = false;
    const run = watchRun({
      beforeEach: () => {
        throw new Error('no signature');
      },
      after: () => void (isOver = true),
    });
    await expect(run).rejects.toThrow('The hook beforeEach of the contract tests failed: no signature.');
    expect(isOver).toBe(true);
  });

  test('skipped operations are never called, not even with undocumented methods', async () => {
    const { report, requests } = await watchRun({
      headers: TOKEN,
      skip: [{ operation: 'delete*' }, { operation: 'replaceBook' }],
    });
    const onItems = requests.filter(({ url }) => new URL(url).pathname.startsWith('/v1/books/'));
    expect(new Set(onItems.map(({ method }) => method))).toEqual(new Set(['GET', 'HEAD', 'PATCH', 'POST']));
    expect(report.operations).toBe(4);
    expect(report.findings).toEqual([]);
  });

  test('skipped checks report nothing, for all operations or for one', async () => {
    const crash: ReceivedResponse = async ({ url, method }, pass) =>
      method === 'GET' && url.includes('/books') ? new Response('crash', { status: 500 }) : pass();
    const found = async (skip: ContractConfig['skip'] = []): Promise<string[]> => {
      const { report } = await watchRun({ headers: TOKEN, skip, phases: ['examples'] }, crash);
      return [...new Set(report.findings.map(({ check, operationId }) => `${operationId}: ${check}`))].sort();
    };
    expect(await found()).toEqual(['getBook: no server error', 'listBooks: no server error']);
    expect(await found([{ check: 'no server error' }])).toEqual([]);
    expect(await found([{ operation: 'get*', check: 'no server error' }])).toEqual(['listBooks: no server error']);
  });

  test('given values of parameters reach items that the run has not created', async () => {
    const given = async (parameters: Record<string, unknown>): Promise<string[]> => {
      const { requests } = await watchRun({
        headers: TOKEN,
        phases: ['examples'],
        parameters,
        skip: [{ operation: 'createBook' }, { operation: 'listBooks' }],
      });
      const paths = requests.filter(({ method }) => method === 'GET').map(({ url }) => new URL(url).pathname);
      return [...new Set(paths)].filter((one) => !one.includes('script'));
    };
    expect(await given({ bookId: 'kytice' })).toEqual(['/v1/books/kytice']);
    expect(await given({ bookId: 'kytice', 'getBook.bookId': 'maj' })).toEqual(['/v1/books/maj']);
  });
});

describe('secrets of the user', () => {
  test('secrets of the user are in no finding, even if the server shows them', async () => {
    const { report } = await watchRun(
      {
        before: () => ({ headers: TOKEN }),
        beforeEach: ({ url }) => ({
          url: `${url}${url.includes('?') ? '&' : '?'}api_key=query-secret`,
          headers: { 'x-signature': 'header-secret' },
        }),
      },
      async (request) => new Response(JSON.stringify([...request.headers, request.url]), { status: 500 }),
    );
    expect(report.findings.length).toBeGreaterThan(0);
    const text = JSON.stringify(report);
    expect(text).not.toMatch(/top-secret-token|query-secret|header-secret/);
    expect(report.findings[0]?.curl).toContain(`api_key='"$API_KEY"`);
    expect(report.findings[0]?.test).toContain('(process.env["API_KEY"] ?? \'\')');
    expect(report.findings[0]?.actual).toContain('$X_SIGNATURE');
  });

  test.each([
    ['X-Pass', 'SECRETSECRET1'],
    ['X-Credential', 'SECRETSECRET1'],
    ['X-Jwt', 'SECRETSECRET1'],
    ['X-Pin', '4711'],
    ['Cookie', 'theme=dark; sid=SECRETSECRET1'],
    ['Authorization', `Basic ${btoa('ann:SECRETSECRET1')}`],
  ])('secrets of the user are in no finding under the name %s, as they were sent or decoded', async (name, value) => {
    const { report } = await watchRun({ headers: { [name]: value }, phases: ['examples'] }, async (request) => {
      const sent = request.headers.get(name.toLowerCase()) ?? '';
      return new Response(JSON.stringify({ sent, decoded: atobOrNothing(sent) }), { status: 500 });
    });
    expect(report.findings.length).toBeGreaterThan(0);
    expect(JSON.stringify(report)).not.toMatch(/SECRETSECRET1|\b4711\b/);
    expect(JSON.stringify(report)).not.toContain(btoa('ann:SECRETSECRET1'));
  });

  test('headers that are known to carry no secret are not redacted', async () => {
    const { report } = await watchRun(
      { headers: { 'Accept-Language': 'de', 'X-Api-Version': '2026-01' }, phases: ['examples'] },
      async () => new Response('{}', { status: 500 }),
    );
    expect(report.findings[0]?.curl).toContain("'accept-language: de'");
    expect(report.findings[0]?.curl).toContain("'x-api-version: 2026-01'");
  });
});

function atobOrNothing(authorization: string): string {
  return authorization.startsWith('Basic ') ? atob(authorization.slice(6)) : '';
}

describe('an invalid configuration of a run is refused', () => {
  const cases: readonly (readonly [string, ContractConfig, RegExp])[] = [
    [
      'an operation that does not exist',
      { skip: [{ operation: 'deletBook' }] },
      /no operation "deletBook" to skip\. Did you mean deleteBook\?/,
    ],
    [
      'a check that does not exist',
      { skip: [{ check: 'no server eror' }] },
      /no check "no server eror" to skip\. Did you mean/,
    ],
    ['a parameter that does not exist', { parameters: { bokId: '1' } }, /parameter "bokId"\. Did you mean bookId\?/],
    [
      'a value that the spec forbids',
      { parameters: { bookId: 7 } },
      /"bookId" does not fit the spec: it must be string/,
    ],
    [
      'a header that HTTP cannot carry',
      { headers: { 'x-a': 'a\r\nb: c' } },
      /The option headers\/x-a must be a header/,
    ],
    [
      'a hook that throws',
      { before: () => Promise.reject(new Error('no such user')) },
      /hook before .* failed: no such user\./,
    ],
    [
      'a hook that returns an unknown member',
      { before: () => ({ token: 1 }) as never },
      /hook before .* unknown member token/,
    ],
    ['a hook that returns a text', { beforeEach: () => 'x' as never }, /hook beforeEach .* gave no object/],
    [
      'a hook that returns an invalid header',
      { beforeEach: () => ({ headers: { a: 1 as never } }) },
      /header "a" that HTTP cannot carry/,
    ],
    [
      'a hook that changes the host',
      { beforeEach: () => ({ url: 'https://evil.example.net/' }) },
      /another host than https:\/\/library/,
    ],
    ['a configuration that skips everything', { skip: [{ operation: '*' }] }, /no operation is left/i],
  ];
  test.each(cases)('an invalid configuration of a run is refused: %s', async (_, setUp, message) => {
    await expect(watchRun(setUp)).rejects.toThrow(message);
  });
});

describe('the configuration', () => {
  const CONFIG = `
import { defineConfig } from 'specmill';
export default defineConfig({
  apis: {
    library: {
      spec: ${JSON.stringify(SPEC)},
      output: 'out',
      exclude: ['replaceBook'],
      contract: {
        headers: { 'x-own': 'mine' },
        skip: [{ operation: 'deleteBook' }],
        before: async ({ url, fetch }) => {
          await fetch(url + '/before');
          return { headers: { authorization: 'Bearer from-the-hook' } };
        },
        beforeEach: ({ operationId }) => ({ headers: { 'x-operation': operationId } }),
        after: async ({ url, fetch }) => void (await fetch(url + '/after')),
      },
    },
  },
});
`;

  test('the configuration sets up the run of the command', async () => {
    const seen: string[] = [];
    const { createServer } = await import('node:http');
    const server = createServer((request, response) => {
      const { authorization, 'x-own': own, 'x-operation': operation } = request.headers;
      seen.push([request.method, request.url, authorization, own, operation].join(' '));
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"none"}');
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const folder = tempFolder({ 'specmill.config.ts': CONFIG });
    const run = await runCaptured(folder, 'contract', 'library', '--url', url, '--phase', 'examples');
    server.close();
    expect(run.err).toMatch(/^Nothing was tested: no operation succeeded/);
    const [first, before, ...rest] = seen;
    expect([first, before, rest.at(-1)]).toEqual(['GET /  mine ', 'GET /before   ', 'GET /after   ']);
    expect(rest[0]).toMatch(/^GET \/v1\/books\S* Bearer from-the-hook mine listBooks$/);
    expect(seen.join('\n')).not.toMatch(/^(?:PUT|DELETE) /m);
  });

  const bad: readonly (readonly [string, string, RegExp])[] = [
    ['an unknown member', 'contract: { befor: 1 }', /has no member befor\. Did you mean before\?/],
    ['an invalid hook', 'contract: { before: soon }', /\/contract\/before .* must be a function/],
    ['an invalid header', 'contract: { headers: { a: 1 } }', /\/contract\/headers\/a .* must be a header/],
    ['skip that is not a list', 'contract: { skip: deleteBook }', /\/contract\/skip .* must be a list/],
    ['an empty skip', 'contract: { skip: [{}] }', /\/contract\/skip\/0 .* must be an operation, a check, or both/],
    ['parameters that are no object', 'contract: { parameters: [1] }', /\/contract\/parameters .* must be an object/],
  ];
  test.each(bad)('the configuration with %s is refused', async (_, member, message) => {
    const text = `apis: { library: { spec: ${SPEC}, output: out, ${member} } }\n`;
    const folder = tempFolder({ 'specmill.config.yaml': text });
    const run = await runCaptured(folder, 'contract', 'library', '--url', 'http://127.0.0.1:1');
    expect(run).toMatchObject({ status: 2, out: '', err: expect.stringMatching(message) });
    expect(run.err).toContain('specmill.config.yaml:1:');
  });
});
