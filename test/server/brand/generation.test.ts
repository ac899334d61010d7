import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Mock, startMock } from '../../../entry/mock.js';
import type { ActionsOf } from '../../../server/start/mock.js';
import { openSocketClient, type SocketClient } from '../../support/socket-client.js';

let mock: Mock<ActionsOf<'generation'>>;
beforeAll(async () => {
  mock = await startMock('generation', { port: 0, vendor: 'acme,header=ac' });
});
afterAll(() => mock.close());

const MODEL = '/v1beta/models/sonata-2-flash';

interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly violations?: readonly { readonly pointer: string; readonly message: string }[];
  };
}

describe.each(['socket', 'process'] as const)(
  'generation with a vendor name, through the transport %s',
  (transport) => {
    const send = (path: string, init: RequestInit = {}): Promise<Response> =>
      (transport === 'socket' ? fetch : mock.fetch)(mock.url + path, init);
    const post = async (path: string, body: unknown): Promise<{ readonly status: number; readonly body: unknown }> => {
      const headers = { 'x-ac-api-key': 'k', 'content-type': 'application/json' };
      const response = await send(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, body: await response.json() };
    };
    const ask = (text: string, more: object): object => ({ contents: [{ role: 'user', parts: [{ text }] }], ...more });

    it.each([
      ['the real name', { acmeMaps: { enableWidget: true } }],
      ['the real name in snake_case', { acme_maps: { enable_widget: true } }],
    ])('the mock accepts a tool by %s, and responds with real names', async (_name, tool) => {
      const { status, body } = await post(`${MODEL}:generateContent`, ask('Where?', { tools: [tool] }));
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain('"acmeMapsWidgetContextToken":');
      expect(JSON.stringify(body)).not.toMatch(/vendor/i);
    });

    it('the mock streams a response with real names', async () => {
      const response = await send(`${MODEL}:streamGenerateContent?alt=sse&key=k`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(ask('Where?', { tools: [{ acmeMaps: { enableWidget: true } }] })),
      });
      const text = await response.text();
      expect(text).toContain('"acmeMapsWidgetContextToken":');
      expect(text).not.toMatch(/vendor/i);
    });

    it('the mock accepts and returns values by their real names', async () => {
      const call = (toolType: string): object => ({
        contents: [{ role: 'user', parts: [{ toolCall: { toolType } }] }],
      });
      expect((await post(`${MODEL}:countTokens`, call('ACME_SEARCH_WEB'))).status).toBe(200);
      for (const other of ['VENDOR_MAPS', 'OTHER_MAPS']) {
        const refused = await post(`${MODEL}:countTokens`, call(other));
        expect(refused.status).toBe(400);
        expect(JSON.stringify(refused.body)).not.toMatch(/vendor/i);
      }
    });

    it('a refusal names members by their real names', async () => {
      const { status, body } = await post(
        `${MODEL}:generateContent`,
        ask('Where?', { tools: [{ acmeMaps: { enableWidget: 'yes' } }] }),
      );
      expect(status).toBe(400);
      expect(body).toMatchObject({ error: { violations: [{ pointer: '/tools/0/acmeMaps/enableWidget' }] } });
    });

    it("the mock does not rename the user's data", async () => {
      const text = 'vendor VENDOR_MAPS vendorSearch X-Vendor-Upload-Url';
      const args = { vendorSearch: 'VENDOR_MAPS', toolType: 'VENDOR_MAPS', acmeSearch: 'ACME_MAPS' };
      await post(`${MODEL}:countTokens`, {
        contents: [{ role: 'user', parts: [{ text }, { text: 'VENDOR_MAPS' }, { functionCall: { name: 'f', args } }] }],
      });
      const [last] = (await mock.requests()).slice(-1);
      const said = JSON.stringify(last?.request.body);
      for (const part of [{ text }, { text: 'VENDOR_MAPS' }, args]) expect(said).toContain(JSON.stringify(part));
    });

    it('the mock accepts an upload with the real headers, and does not change the bytes', async () => {
      const bytes = '{"vendorSearch":"VENDOR_MAPS","acmeSearch":1}';
      const started = await send('/upload/v1beta/files', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-ac-api-key': 'k',
          'X-Ac-Upload-Protocol': 'resumable',
          'X-Ac-Upload-Command': 'start',
          'X-Ac-Upload-Header-Content-Length': String(bytes.length),
          'X-Ac-Upload-Header-Content-Type': 'application/json',
        },
        body: JSON.stringify({ file: { displayName: 'vendor' } }),
      });
      const address = started.headers.get('x-ac-upload-url') ?? '';
      expect([...started.headers.keys()].filter((name) => name.includes('vendor'))).toEqual([]);
      const sent = await (transport === 'socket' ? fetch : mock.fetch)(address, {
        method: 'POST',
        headers: {
          'x-ac-upload-command': 'upload, finalize',
          'x-ac-upload-offset': '0',
          'content-type': 'application/json',
        },
        body: bytes,
      });
      expect(sent.headers.get('x-ac-upload-status')).toBe('final');
      const { file } = (await sent.json()) as { file: { displayName: string; sha256Hash: string; name: string } };
      const { createHash } = await import('node:crypto');
      const hash = createHash('sha256').update(bytes).digest();
      expect([
        file.displayName,
        [hash.toString('base64'), Buffer.from(hash.toString('hex')).toString('base64')],
      ]).toEqual(['vendor', expect.arrayContaining([file.sha256Hash])]);
    });

    it('a refusal names a missing header by its real name', async () => {
      const response = await send('/upload/v1beta/files', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-ac-api-key': 'k', 'x-ac-upload-protocol': 'resumable' },
        body: '{}',
      });
      const { error } = (await response.json()) as ErrorBody;
      expect(error.violations?.map(({ pointer }) => pointer)).toContain('/x-ac-upload-command');
      expect(JSON.stringify(error)).not.toMatch(/vendor/i);
    });

    it('the mock accepts the key only by its real name, and redacts it in the journal', async () => {
      const headers = { 'x-ac-api-key': 'very-secret' };
      expect((await send('/v1beta/models', { headers })).status).toBe(200);
      expect((await send('/v1beta/models', { headers: { 'x-vendor-api-key': 'k' } })).status).toBe(401);
      const last = (await mock.requests()).slice(-2);
      expect(last[0]?.request.headers['x-ac-api-key']).toBe('REDACTED');
      expect(JSON.stringify(last)).not.toMatch(/very-secret/);
    });
  },
);

describe('live sessions', () => {
  const PATH = '/ws/acme.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
  const open = async (path: string): Promise<SocketClient | number> => openSocketClient(mock.url + path);

  it('live sessions are not opened at the path with the placeholder name', async () => {
    expect(await open(`${PATH.replace('acme', 'vendor')}?key=k`)).toBe(404);
  });

  it.each([PATH, `/${PATH}`])('live sessions open at %s', async (path) => {
    const client = await open(`${path}?key=k`);
    if (typeof client === 'number') throw new Error(`The session was refused with ${client}.`);
    client.send(JSON.stringify({ setup: { model: 'models/sonata-2-live', tools: [{ acmeSearch: {} }] } }));
    const first = await client.next();
    expect(JSON.parse(Buffer.from(first as string).toString())).toEqual({ setupComplete: expect.anything() });
    client.close();
  });

  it('the reason of a closed live session names members by their real names', async () => {
    const client = await open(`${PATH}?key=k`);
    if (typeof client === 'number') throw new Error(`The session was refused with ${client}.`);
    client.send(JSON.stringify({ setup: { model: 'models/sonata-2-live', tools: [{ acmeSearch: 'yes' }] } }));
    expect(await client.next()).toMatchObject({ reason: expect.stringMatching(/^(?!.*vendor).*acmeSearch/) });
  });

  it('live sessions are refused without a key', async () => {
    expect(await open(PATH)).toBe(401);
  });
});

it('mock.api has the spec with the real names', () => {
  expect(mock.api.schemas.has('AcmeSearch')).toBe(true);
  expect(mock.api.operations.some(({ path }) => path.includes('vendor'))).toBe(false);
});
