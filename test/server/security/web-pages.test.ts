import { expect, it, describe, onTestFinished, vi } from 'vitest';

import { type Mock, type MockOptions, startMock } from '../../../entry/mock.js';
import { startEchoServer } from '../../support/echo-server.js';
import { rawGet } from '../../support/raw-get.js';

const PAGE = 'https://evil.example';
const KEY = { authorization: `Basic ${btoa('key-1:secret')}`, 'content-type': 'application/json' };

async function serve(options: MockOptions = {}): Promise<Mock> {
  const mock = await startMock('signing', { port: 0, ...options });
  onTestFinished(() => mock.close());
  return mock as unknown as Mock;
}

/** Creates a case whose events go to an address, as a page of an origin would ask for it. */
async function createCase(mock: Mock, callback: string, headers: Record<string, string>): Promise<number> {
  const party = { Name: 'Anna', EmailAddress: 'anna@example.com' };
  const body = { Name: 'A', Parties: [party], EventCallback: { Events: ['Created'], Url: callback } };
  const response = await fetch(`${mock.url}/api/v2/createcase`, {
    method: 'POST',
    headers: { ...KEY, ...headers },
    body: JSON.stringify(body),
  });
  return response.status;
}

async function lostCallbacks(mock: Mock): Promise<string[]> {
  const entries = await mock.requests();
  return entries.flatMap(({ method, path, violations }) =>
    method === 'MOCK' ? violations.map(({ message }) => `${path} ${message}`) : [],
  );
}

describe('callbacks', () => {
  it('callbacks have a header that marks them, and the control API of another mock refuses them', async () => {
    await using receiver = await startEchoServer((_request, response) => response.end());
    const mock = await serve();
    expect(await createCase(mock, `${receiver.url}/hook`, {})).toBe(200);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    expect(receiver.last().headers['x-specmill-callback']).toBe('1');

    const state = JSON.stringify(await mock.state.get());
    expect(await createCase(mock, `${mock.url}/__specmill/reset`, {})).toBe(200);
    await vi.waitFor(async () => expect(JSON.stringify(await mock.state.get())).toContain('#callbacks'));
    expect(state).toContain('anna@example.com');
    expect(JSON.stringify(await mock.state.get())).toContain('anna@example.com');
  });

  it('callbacks are not sent to a URL with a password', async () => {
    await using receiver = await startEchoServer((_request, response) => response.end());
    const mock = await serve();
    await createCase(mock, receiver.url.replace('://', '://admin:secret@'), {});
    await vi.waitFor(async () => expect(await lostCallbacks(mock)).toHaveLength(1));
    expect(receiver.received).toEqual([]);
    expect((await lostCallbacks(mock))[0]).not.toContain('secret');
  });

  it.each([PAGE, 'null', 'http://127.0.0.1.evil.example'])(
    'callbacks that a page of %s requests are not sent to this machine',
    async (origin) => {
      await using receiver = await startEchoServer((_request, response) => response.end());
      for (const callbacks of ['loopback', 'any'] as const) {
        const mock = await serve({ callbacks });
        await createCase(mock, `${receiver.url}/any?x=1`, { origin });
        await vi.waitFor(async () => expect((await lostCallbacks(mock))[0]).toMatch(/web page of another origin/));
      }
      expect(receiver.received).toEqual([]);
    },
  );

  it('callbacks that a page of this machine requests are sent', async () => {
    await using receiver = await startEchoServer((_request, response) => response.end());
    await createCase(await serve(), receiver.url, { origin: 'http://localhost:5173' });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
  });
});

describe('CORS', () => {
  const own = 'http://localhost:5173';
  it.each<[MockOptions['cors'], Record<string, boolean>]>([
    [undefined, { [own]: true, 'http://[::1]:1': true, 'http://127.9.9.9': true, [PAGE]: false, null: false }],
    ['any', { [own]: true, [PAGE]: true, null: true }],
    ['none', { [own]: false, [PAGE]: false }],
    [['loopback', PAGE], { [own]: true, [PAGE]: true, 'https://other.example': false }],
    [PAGE, { [own]: false, [PAGE]: true, [`${PAGE}.org`]: false }],
  ])('CORS with %j allows only the origins that it names', async (cors, origins) => {
    const mock = await serve(cors === undefined ? {} : { cors });
    for (const [origin, isAllowed] of Object.entries(origins)) {
      const preflight = { origin, 'access-control-request-method': 'POST' };
      const asked = await mock.fetch(`${mock.url}/x`, { method: 'OPTIONS', headers: preflight });
      const called = await mock.fetch(`${mock.url}/x`, { headers: { origin } });
      for (const { headers } of [asked, called]) {
        expect(headers.get('access-control-allow-origin')).toBe(isAllowed ? origin : null);
        expect(headers.get('vary')).toContain('Origin');
      }
    }
  });

  it.each(['evil.example', 'https://a.example/path', ['none', 'any'], '*'])('refuses the option %j', async (cors) => {
    await expect(startMock('signing', { cors })).rejects.toThrow(/option cors/);
  });
});

it('the control API accepts an allowed host name, and no other', async () => {
  const mock = await serve({ allowedHost: ['mocks', 'ci.internal'] });
  const statusOf = async (host: string): Promise<number> =>
    (await rawGet(`${mock.url}/__specmill/health`, { host })).status;
  expect([await statusOf('mocks:4010'), await statusOf('CI.internal'), await statusOf('evil')]).toEqual([
    200, 200, 403,
  ]);
});

describe('a name that a web page has made point here', () => {
  const statusOf = async ({ url }: Mock, headers: Record<string, string>, path = '/api/v2/getcase'): Promise<number> =>
    (await rawGet(url + path, headers)).status;

  it('reaches neither the API nor its page nor its control API', async () => {
    const mock = await serve();
    const foreign = { host: 'evil.example:4010' };
    for (const path of ['/', '/api/v2/getcase?caseid=a', '/nowhere', '/__specmill/', '/__specmill/health'])
      expect(await statusOf(mock, foreign, path)).toBe(403);
    expect(await statusOf(mock, { ...foreign, origin: 'http://evil.example:4010' })).toBe(403);
    for (const host of ['127.0.0.1.evil.example', 'localhost.evil.example', '192.0.2.7', 'a@localhost'])
      expect([400, 403], host).toContain(await statusOf(mock, { host }));
  });

  it('reaches the API if the option allowedHost names it', async () => {
    const mock = await serve({ allowedHost: ['mock', 'ci.internal'] });
    for (const host of ['mock:80', 'CI.internal', 'localhost:1', '[::1]', new URL(mock.url).host])
      expect(await statusOf(mock, { host }), host).toBe(401);
    expect(await statusOf(mock, { host: 'ci.internal.example' })).toBe(403);
  });

  it('opens no WebSocket', async () => {
    const mock = await startMock('generation', { port: 0 });
    onTestFinished(() => mock.close());
    const path = '/ws/vendor.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=k';
    const upgrade = {
      ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
      'sec-websocket-key': btoa('0123456789abcdef'),
    };
    expect((await rawGet(mock.url + path, { ...upgrade, host: 'evil.example' })).status).toBe(403);
  });
});

it.each(['/__specmill/', '/__specmill/page/app.js', '/__specmill/page/app.css'])(
  'the page of a mock runs no foreign script and is shown in no frame: %s',
  async (path) => {
    const mock = await serve();
    const { status, headers } = await rawGet(mock.url + path, {});
    expect(status).toBe(200);
    const policy = Object.fromEntries(
      String(headers['content-security-policy'])
        .split('; ')
        .map((rule) => [rule.split(' ')[0], rule.replace(/^\S+ /, '')]),
    );
    expect(policy).toMatchObject({
      ...{ 'default-src': "'none'", 'script-src': "'self'", 'connect-src': "'self'", 'frame-ancestors': "'none'" },
      ...{ 'base-uri': "'none'", 'form-action': "'none'" },
    });
    expect(headers).toMatchObject({
      ...{ 'x-content-type-options': 'nosniff', 'cross-origin-opener-policy': 'same-origin' },
      'referrer-policy': 'no-referrer',
    });
  },
);

it('a mock refuses an unknown option', async () => {
  const misspelt = { noRateLimits: true } as MockOptions;
  await expect(startMock('signing', misspelt)).rejects.toThrow('Did you mean noRateLimit?');
});
