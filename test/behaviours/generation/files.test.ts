import { createHash } from 'node:crypto';
import { connect } from 'node:net';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createGenerationClient } from '../../../generated/generation/client.js';
import type {
  CachedContent,
  CountTokensResponse,
  FileModel,
  ListFilesResponse,
  ListModelsResponse,
  Model,
} from '../../../generated/generation/types.js';
import {
  ask,
  call,
  generate,
  sendBytes,
  start,
  startUpload,
  type ErrorResponse,
  type GenerationMock,
  upload,
} from './calls.js';

let mock: GenerationMock;
beforeEach(async () => {
  mock = await start();
});
afterEach(() => mock.close());

const file = async (name: string): Promise<FileModel> => (await call<FileModel>(mock, 'GET', `/v1beta/${name}`)).body;

describe('uploads', () => {
  test('uploads may be sent in pieces', async () => {
    const address = await startUpload(mock, 10, 'text/plain', { display_name: 'tide.txt' });
    expect(new URL(address).origin).toBe(mock.url);
    const first = await sendBytes({ url: '', fetch }, address, { command: 'upload', offset: 0, bytes: 'hello' });
    expect([
      first.status,
      first.headers.get('x-vendor-upload-status'),
      first.headers.get('x-vendor-upload-size-received'),
      await first.json(),
    ]).toEqual([200, 'active', '5', {}]);
    const gap = await sendBytes(mock, address, { command: 'upload', offset: 6, bytes: 'x' });
    expect([gap.status, ((await gap.json()) as ErrorResponse).error.status]).toEqual([400, 'OUT_OF_RANGE']);
    const early = await sendBytes(mock, address, { command: 'finalize' });
    expect(early.status).toBe(400);
    const tooMany = await sendBytes(mock, address, { command: 'upload, finalize', offset: 5, bytes: 'too many bytes' });
    expect(tooMany.status).toBe(400);
    expect((await sendBytes(mock, address, { command: 'query' })).headers.get('x-vendor-upload-size-received')).toBe(
      '5',
    );
    await sendBytes(mock, address, { command: 'upload', offset: 5, bytes: 'world' });
    const last = await sendBytes(mock, address, { command: 'finalize' });
    expect(last.headers.get('x-vendor-upload-status')).toBe('final');
    const made = ((await last.json()) as { file: FileModel }).file;
    expect(made).toMatchObject({
      displayName: 'tide.txt',
      mimeType: 'text/plain',
      sizeBytes: '10',
      state: 'ACTIVE',
      source: 'UPLOADED',
    });
    expect(made.sha256Hash).toBe(createHash('sha256').update('helloworld').digest('base64'));
    expect(await file(made.name ?? '')).toEqual(made);
    const again = await sendBytes(mock, address, { command: 'upload', offset: 10, bytes: 'x' });
    expect([again.status, ((await again.json()) as ErrorResponse).error.status]).toEqual([400, 'FAILED_PRECONDITION']);
    const queried = await sendBytes(mock, address, { command: 'query' });
    expect([
      queried.headers.get('x-vendor-upload-status'),
      queried.headers.get('x-vendor-upload-size-received'),
    ]).toEqual(['final', '10']);
    expect(await queried.json()).toEqual({ file: made });
    await call(mock, 'DELETE', `/v1beta/${made.name}`);
    expect(await (await sendBytes(mock, address, { command: 'query' })).json()).toEqual({});
  });

  test('an interrupted upload can be resumed', async () => {
    const bytes = Buffer.alloc(200_000, 'a');
    const address = new URL(await startUpload(mock, bytes.length, 'text/plain'));
    await new Promise<void>((resolve) => {
      const socket = connect(Number(address.port), address.hostname, () => {
        socket.write(
          `POST ${address.pathname} HTTP/1.1\r\nhost: ${address.host}\r\ncontent-length: ${bytes.length}\r\nx-vendor-upload-command: upload, finalize\r\nx-vendor-upload-offset: 0\r\n\r\n`,
        );
        socket.write(bytes.subarray(0, 100_000), () => setTimeout(() => socket.destroy(), 100));
      });
      socket.once('close', () => resolve());
    });
    const received = async (): Promise<number> =>
      Number((await sendBytes(mock, address.href, { command: 'query' })).headers.get('x-vendor-upload-size-received'));
    await expect.poll(received).toBe(100_000);
    const offset = await received();
    const last = await sendBytes({ url: '', fetch }, address.href, {
      command: 'upload, finalize',
      offset,
      bytes: bytes.subarray(offset),
    });
    expect(((await last.json()) as { file: FileModel }).file.sha256Hash).toBe(
      createHash('sha256').update(bytes).digest('base64'),
    );
  });

  test('an upload whose last response is lost still creates its file', async () => {
    let isLost = false;
    const client = createGenerationClient({
      baseUrl: mock.url,
      credentials: { apiKeyQuery: 'k' },
      fetch: async (sent) => {
        const response = await mock.fetch(sent);
        if (isLost || sent.headers.get('x-vendor-upload-command') !== 'upload, finalize') return response;
        isLost = true;
        throw new TypeError('fetch failed');
      },
    });
    const made = await client.uploadFile(new Blob(['hello'], { type: 'text/plain' }), { sleep: async () => {} });
    expect(isLost).toBe(true);
    expect(made).toMatchObject({ sizeBytes: '5', state: 'ACTIVE' });
  });

  test('an upload can be cancelled, and one that breaks the protocol is refused', async () => {
    const address = await startUpload(mock, 3, 'text/plain');
    expect((await sendBytes(mock, address, { command: 'cancel' })).headers.get('x-vendor-upload-status')).toBe(
      'cancelled',
    );
    expect((await sendBytes(mock, address, { command: 'upload', offset: 0, bytes: 'abc' })).status).toBe(400);
    expect((await sendBytes(mock, `${address}x`, { command: 'query' })).status).toBe(404);
    const other = await startUpload(mock, 3, 'text/plain');
    expect((await sendBytes(mock, other, { command: 'upload', bytes: 'abc' })).status).toBe(400);
    expect((await sendBytes(mock, other, { command: 'start', offset: 0, bytes: 'abc' })).status).toBe(400);
  });

  test('uploads may have any size; of large ones only size and hash are kept', async () => {
    const [piece, count] = [Buffer.alloc(1024 * 1024, 'x'), 128];
    const hash = createHash('sha256');
    for (let index = 0; index < count; index += 1) hash.update(piece);
    const address = await startUpload(mock, piece.length * count, 'application/pdf');
    let left = count;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => (left-- > 0 ? controller.enqueue(new Uint8Array(piece)) : controller.close()),
    });
    const headers = { 'x-vendor-upload-command': 'upload, finalize', 'x-vendor-upload-offset': '0' };
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
    const { file: made } = (await (await fetch(address, init)).json()) as { file: FileModel };
    expect(made).toMatchObject({ sizeBytes: String(piece.length * count), sha256Hash: hash.digest('base64') });
    await upload(mock, 'small', 'text/plain');
    const state = JSON.stringify(await mock.state.get());
    expect(state.match(/"\$bytes"/g)).toHaveLength(1);
  });

  test('an upload may choose a name that is not taken', async () => {
    const address = await startUpload(mock, 1, 'text/plain', { name: 'files/tide-1' });
    await sendBytes(mock, address, { command: 'upload, finalize', offset: 0, bytes: 'a' });
    expect((await file('files/tide-1')).state).toBe('ACTIVE');
    expect(await startUpload(mock, 1, 'text/plain', { name: 'files/tide-1' })).toMatch(/^409/);
  });
});

describe('files', () => {
  test('a video is PROCESSING, and refused in prompts, until the clock has advanced', async () => {
    const name = await upload(mock, 'film', 'video/mp4');
    const { uri, state } = await file(name);
    expect(state).toBe('PROCESSING');
    const request = { contents: [{ parts: [{ fileData: { fileUri: uri } }, { text: 'what?' }] }] };
    const refused = await generate(mock, request);
    expect([refused.status, refused.body.error?.status]).toEqual([400, 'FAILED_PRECONDITION']);
    await mock.clock.advance('PT10S');
    expect(await file(name)).toMatchObject({ state: 'ACTIVE', videoMetadata: {} });
    expect((await generate(mock, request)).status).toBe(200);
  });

  test('the action settle-file decides the state of a file', async () => {
    const name = await upload(mock, 'film', 'video/mp4');
    const settle = mock.actions['settle-file'];
    expect(await settle({ name, state: 'FAILED' })).toMatchObject({ name, state: 'FAILED' });
    expect((await file(name)).error?.message).toBeDefined();
    await expect(settle({ name, state: 'ACTIVE' })).rejects.toThrow('PROCESSING');
    await expect(settle({ name: 'files/none', state: 'ACTIVE' })).rejects.toThrow('files/none');
    const { uri } = await file(name);
    expect((await generate(mock, { contents: [{ parts: [{ fileData: { fileUri: uri } }] }] })).status).toBe(400);
  });

  test('files are listed newest first in pages, can be deleted, and expire', async () => {
    const names: string[] = [];
    for (const text of ['a', 'b', 'c']) names.unshift(await upload(mock, text, 'text/plain'));
    const first = (await call<ListFilesResponse>(mock, 'GET', '/v1beta/files?pageSize=2')).body;
    expect(first.files?.map(({ name }) => name)).toEqual(names.slice(0, 2));
    const second = (
      await call<ListFilesResponse>(mock, 'GET', `/v1beta/files?pageSize=2&pageToken=${first.nextPageToken}`)
    ).body;
    expect(second).toEqual({ files: [expect.objectContaining({ name: names[2] })] });
    expect((await call(mock, 'GET', '/v1beta/files?pageToken=none')).status).toBe(400);
    expect((await call(mock, 'GET', '/v1beta/files?pageSize=1000')).status).toBe(200);
    expect((await call(mock, 'DELETE', `/v1beta/${names[0]}`)).body).toEqual({});
    expect((await call(mock, 'GET', `/v1beta/${names[0]}`)).status).toBe(404);
    const gone = await generate(mock, {
      contents: [{ parts: [{ fileData: { fileUri: `${mock.url}/v1beta/${names[0]}` } }] }],
    });
    expect(gone.status).toBe(404);
    await mock.clock.advance('PT48H');
    expect((await call(mock, 'GET', '/v1beta/files')).body).toEqual({});
  });
});

describe('cached contents', () => {
  const body = {
    model: 'models/sonata-2-flash',
    contents: [{ role: 'user', parts: [{ text: 'the tides of the year' }] }],
    ttl: '60s',
  };

  test('cached contents count as part of the prompt and of its tokens', async () => {
    const cache = (await call<CachedContent>(mock, 'POST', '/v1beta/cachedContents', body)).body;
    const cached = cache.usageMetadata?.totalTokenCount ?? 0;
    const { usageMetadata = {} } = (await generate(mock, ask('and now?', { cachedContent: cache.name ?? '' }))).body;
    expect(usageMetadata.cachedContentTokenCount).toBe(cached);
    expect(usageMetadata.promptTokenCount).toBe(cached + 3);
    const counted = (
      await call<CountTokensResponse>(mock, 'POST', '/v1beta/models/sonata-2-flash:countTokens', {
        generateContentRequest: ask('and now?', { cachedContent: cache.name ?? '' }),
      })
    ).body;
    expect(counted).toMatchObject({ totalTokens: cached + 3, cachedContentTokenCount: cached });
    expect((await generate(mock, ask('x', { cachedContent: cache.name ?? '' }), 'sonata-2-pro')).status).toBe(400);
    expect((await generate(mock, ask('x', { cachedContent: cache.name ?? '' }), 'sonata-2-flash-001')).status).toBe(
      200,
    );
    expect((await generate(mock, ask('x', { cachedContent: 'cachedContents/none' }))).status).toBe(404);
  });

  test('cached contents expire by the clock, and their expiry can be changed', async () => {
    const { name, expireTime = '' } = (await call<CachedContent>(mock, 'POST', '/v1beta/cachedContents', body)).body;
    const longer = (await call<CachedContent>(mock, 'PATCH', `/v1beta/${name}?updateMask=ttl`, { ttl: '7200s' })).body;
    expect(Date.parse(longer.expireTime ?? '')).toBeGreaterThan(Date.parse(expireTime));
    await mock.clock.advance('PT1H');
    expect((await call(mock, 'GET', `/v1beta/${name}`)).status).toBe(200);
    expect(
      (await call<{ cachedContents: object[] }>(mock, 'GET', '/v1beta/cachedContents')).body.cachedContents,
    ).toHaveLength(1);
    await mock.clock.advance('PT2H');
    expect((await call(mock, 'GET', `/v1beta/${name}`)).status).toBe(404);
    expect((await call(mock, 'GET', '/v1beta/cachedContents')).body).toEqual({});
  });

  test.each([
    [{ expireTime: '2020-01-01T00:00:00Z', ttl: undefined }, 400],
    [{ expireTime: '2099-01-01T00:00:00+01:00', ttl: undefined }, 200],
    [{ expireTime: '2099-01-01T00:00:00Z' }, 400],
    [{ ttl: '0s' }, 400],
    [{ model: 'models/sonata-1-pro' }, 400],
    [{ model: 'models/sonata-1-flash' }, 400],
    [{ model: 'models/none' }, 404],
  ])('refuses cached contents that are made with %j', async (change, status) => {
    expect((await call(mock, 'POST', '/v1beta/cachedContents', { ...body, ...change })).status).toBe(status);
  });
});

test('models are listed in pages, and retire by the clock', async () => {
  const first = (await call<ListModelsResponse>(mock, 'GET', '/v1beta/models?pageSize=2')).body;
  const second = (await call<ListModelsResponse>(mock, 'GET', `/v1beta/models?pageToken=${first.nextPageToken}`)).body;
  const names = [...(first.models ?? []), ...(second.models ?? [])].map(({ name }) => name);
  expect(names).toEqual([...names].sort());
  const legacy = async (): Promise<string | undefined> =>
    (await call<Model>(mock, 'GET', '/v1beta/models/sonata-1-pro')).body.modelStatus?.modelStage;
  expect(await legacy()).toBe('LEGACY');
  await mock.clock.set('2027-07-01T00:00:00Z');
  expect(await legacy()).toBe('RETIRED');
  expect((await call(mock, 'GET', '/v1beta/models/none')).status).toBe(404);
});

test('responds 401 without a key in the query or in a header', async () => {
  for (const [path, headers] of [
    ['/v1beta/files', {}],
    ['/v1beta/files?key=invalid', {}],
  ] as const) {
    expect((await mock.fetch(mock.url + path, { headers })).status).toBe(401);
  }
  expect((await mock.fetch(`${mock.url}/v1beta/files?key=k`)).status).toBe(200);
  expect((await mock.fetch(`${mock.url}/v1beta/files`, { headers: { 'x-vendor-api-key': 'k' } })).status).toBe(200);
});

describe('an upload in one multipart request', () => {
  const BOUNDARY = 'b0undary';
  const related = (parts: readonly (readonly [string, string | Uint8Array])[], end = '--'): Buffer =>
    Buffer.concat([
      ...parts.flatMap(([type, content]) => [
        Buffer.from(`--${BOUNDARY}\r\nContent-Type: ${type}\r\n\r\n`),
        Buffer.from(content),
        Buffer.from('\r\n'),
      ]),
      Buffer.from(`--${BOUNDARY}${end}\r\n`),
    ]);
  const send = (body: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    mock.fetch(`${mock.url}/upload/v1beta/files`, {
      method: 'POST',
      headers: {
        'content-type': `multipart/related; boundary=${BOUNDARY}`,
        'x-vendor-upload-protocol': 'multipart',
        'x-vendor-api-key': 'key-1',
        ...headers,
      },
      body: new Uint8Array(body),
    });
  const METADATA = JSON.stringify({ file: { name: 'files/tide', display_name: 'tide.bin', mimeType: 'a/b' } });
  const BYTES = new Uint8Array([0, 13, 10, 255]);

  test('an upload in one multipart request makes the file', async () => {
    const response = await send(
      related([
        ['application/json; charset=utf-8', METADATA],
        ['image/png', BYTES],
      ]),
    );
    const { file: made } = (await response.json()) as { file: FileModel };
    expect([response.status, made]).toMatchObject([
      200,
      {
        name: 'files/tide',
        displayName: 'tide.bin',
        mimeType: 'image/png',
        sizeBytes: '4',
        sha256Hash: createHash('sha256').update(BYTES).digest('base64'),
        state: 'ACTIVE',
      },
    ]);
    expect(await file('files/tide')).toEqual(made);
    const again = await send(
      related([
        ['application/json', METADATA],
        ['image/png', BYTES],
      ]),
    );
    expect(again.status).toBe(409);
  });

  test.each<[string, Buffer]>([
    ['without bytes', related([['application/json', METADATA]])],
    [
      'with three parts',
      related([
        ['application/json', '{}'],
        ['a/b', ''],
        ['a/b', ''],
      ]),
    ],
    [
      'with metadata that is no JSON',
      related([
        ['application/json', 'x'],
        ['a/b', ''],
      ]),
    ],
    [
      'with metadata that breaks its schema',
      related([
        ['application/json', '{"file":{"name":5}}'],
        ['a/b', ''],
      ]),
    ],
    [
      'without an end',
      related(
        [
          ['application/json', '{}'],
          ['a/b', ''],
        ],
        '',
      ),
    ],
  ])('an upload in one multipart request is refused %s', async (_name, body) => {
    expect((await send(body)).status).toBe(400);
  });

  test('an upload in one multipart request needs a credential', async () => {
    const body = related([
      ['application/json', '{}'],
      ['a/b', ''],
    ]);
    expect((await send(body, { 'x-vendor-api-key': 'invalid' })).status).toBe(401);
  });
});
