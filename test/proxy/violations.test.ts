import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import type { Violation } from '../../http/messages.js';
import { respondWithJson, callsOf, startShopProxy } from './proxied-server.js';

interface Row {
  readonly call: string;
  readonly init?: RequestInit;
  /** The body of the response and what else is special about it. */
  readonly body?: unknown;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** `in pointer message` of each violation. */
  readonly violations: readonly string[];
}

const TOTAL = { 'x-total': '1' };
const BIRD = JSON.stringify({ name: 'Pip' });
const JSON_TYPE = { 'content-type': 'application/json' };

const ROWS: Readonly<Record<string, Row>> = {
  'a call that keeps the spec': { call: '/pets', body: [{ name: 'Rex' }], headers: TOTAL, violations: [] },
  'a parameter': {
    call: '/pets?limit=1000',
    body: [],
    headers: TOTAL,
    violations: ['query /limit must be <= 100'],
  },
  'a body of a request': {
    call: '/pets',
    init: { method: 'POST', body: '{"name":7}', headers: JSON_TYPE },
    status: 422,
    headers: { 'content-length': '0' },
    violations: ['body /name must be string'],
  },
  'a body that is missing': {
    call: '/pets',
    init: { method: 'POST' },
    status: 422,
    headers: { 'content-length': '0' },
    violations: ['body  must be present'],
  },
  'a body of another type': {
    call: '/pets',
    init: { method: 'POST', body: 'Rex', headers: { 'content-type': 'text/plain' } },
    status: 422,
    violations: ['header /content-type must be application/json'],
  },
  'a credential that is demanded': {
    call: '/secret',
    status: 401,
    violations: [
      'security  The request needs a credential: query parameter key, or bearer token in the header Authorization.',
    ],
  },
  'a credential that the server is to judge': { call: '/secret?key=invalid', body: undefined, violations: [] },
  'a path that is not documented': { call: '/birds', status: 404, violations: ['path  must be a documented path'] },
  'a method that is not documented': {
    call: '/pets',
    init: { method: 'DELETE' },
    status: 405,
    violations: ['path  must be called by a documented method: GET, POST, HEAD, OPTIONS'],
  },
  'OPTIONS, which browsers ask of any path': { call: '/pets', init: { method: 'OPTIONS' }, violations: [] },
  'a status': {
    call: '/pets/1',
    status: 503,
    violations: ['response /status must be a documented status, and 503 is not'],
  },
  '304, which is part of HTTP': { call: '/pets/1', status: 304, violations: [] },
  'a header that is missing': {
    call: '/pets',
    body: [],
    violations: ["response /headers must have required header 'x-total'"],
  },
  'a header': {
    call: '/pets',
    body: [],
    headers: { 'x-total': 'many' },
    violations: ['response /headers/x-total must be integer'],
  },
  'a media type': {
    call: '/pets/1',
    body: { name: 'Rex' },
    headers: { 'content-type': 'text/html' },
    violations: ['response /headers/content-type must be a documented media type'],
  },
  'a media type that is missing': {
    call: '/pets/1',
    body: { name: 'Rex' },
    headers: { 'content-type': '' },
    violations: ['response /headers/content-type must be a media type'],
  },
  'a body of a response': {
    call: '/pets/1',
    body: { name: 1, age: 'x' },
    violations: ['response /body/name must be string', 'response /body/age must be integer'],
  },
  'a body that should not be there': {
    call: '/secret?key=1',
    body: {},
    violations: ['response /body must NOT be present'],
  },
  'HEAD with the response of GET': { call: '/pets/1', init: { method: 'HEAD' }, body: { name: 1 }, violations: [] },
};

const show = (violations: readonly Violation[]): string[] =>
  violations.map(({ in: place, pointer, message }) => `${place} ${pointer} ${message}`);

describe('violations of either direction', () => {
  test.each(Object.entries(ROWS))('%s', async (_name, { call, init, body, status = 200, headers, violations }) => {
    const proxy = await startShopProxy((_request, response) => {
      if (body === undefined) response.writeHead(status, headers).end();
      else respondWithJson(response, body, { status, ...(headers === undefined ? {} : { headers }) });
    });
    const received = await fetch(proxy.url + call, init);
    expect(received.status).toBe(status);
    await received.arrayBuffer();
    const [entry] = await callsOf(proxy);
    expect(show(entry?.violations ?? [])).toEqual(violations);
  });

  test('the header lists violations that are known before the body', async () => {
    const proxy = await startShopProxy((_request, response) =>
      respondWithJson(response, { name: 'é'.repeat(3), age: 'x' }),
    );
    const received = await fetch(`${proxy.url}/pets/1`);
    expect(received.headers.get('sl-violations')).toBe(
      '[{"location":["response","body","age"],"severity":"Error","message":"must be integer"}]',
    );
  });

  test('the header of a response without a length lists violations of the request only, and the journal lists all', async () => {
    const proxy = await startShopProxy((_request, response) => {
      response.writeHead(201, JSON_TYPE);
      response.write('{"name":');
      setTimeout(() => response.end('1}'), 20);
    });
    const received = await fetch(`${proxy.url}/pets`, { method: 'POST', body: '{"age":"x"}', headers: JSON_TYPE });
    expect(JSON.parse(received.headers.get('sl-violations') ?? '[]')).toMatchObject([
      { location: ['request', 'body'] },
      { location: ['request', 'body', 'age'] },
    ]);
    expect(await received.text()).toBe('{"name":1}');
    const [entry] = await callsOf(proxy);
    expect(show(entry?.violations ?? [])).toEqual([
      "body  must have required property 'name'",
      'body /age must be integer',
      'response /body/name must be string',
    ]);
  });

  test('the header is bounded, and is valid JSON in ASCII', async () => {
    const pets = Array.from({ length: 200 }, () => ({ name: 7 }));
    const proxy = await startShopProxy((_request, response) => respondWithJson(response, pets, { headers: TOTAL }));
    const header = (await fetch(`${proxy.url}/pets`)).headers.get('sl-violations') ?? '';
    expect(header.length).toBeLessThan(4_200);
    expect((JSON.parse(header) as { message: string }[]).at(-1)?.message).toMatch(/^\d+ more: GET \/__specmill/);
  });

  test('the violations header of the server is replaced by that of the proxy', async () => {
    const proxy = await startShopProxy((_request, response) =>
      respondWithJson(response, { name: 'Rex' }, { headers: { 'sl-violations': '[1]' } }),
    );
    expect((await fetch(`${proxy.url}/pets/1`)).headers.get('sl-violations')).toBeNull();
  });
});

describe('compressed bodies', () => {
  const ENCODINGS: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['gzip, br', (bytes) => brotliCompressSync(gzipSync(bytes))],
  ];

  test.each(ENCODINGS)('the content encoding %s is decoded in both directions', async (encoding, compress) => {
    const proxy = await startShopProxy((_request, response) => {
      const bytes = compress(Buffer.from('{"name":1}'));
      response
        .writeHead(201, { ...JSON_TYPE, 'content-encoding': encoding, 'content-length': bytes.length })
        .end(bytes);
    });
    const received = await fetch(`${proxy.url}/pets`, {
      method: 'POST',
      body: new Uint8Array(compress(Buffer.from('{"name":2}'))),
      headers: { ...JSON_TYPE, 'content-encoding': encoding },
    });
    await received.arrayBuffer();
    const [entry] = await callsOf(proxy);
    expect(show(entry?.violations ?? [])).toEqual(['body /name must be string', 'response /body/name must be string']);
    expect([entry?.request.body, entry?.response.body]).toEqual([{ name: 2 }, { name: 1 }]);
  });

  test('a broken compressed body is a violation, and an unknown encoding is a note', async () => {
    const proxy = await startShopProxy((request, response) =>
      response
        .writeHead(200, { ...JSON_TYPE, 'content-encoding': request.url === '/pets/1' ? 'gzip' : 'zstd' })
        .end('no such thing'),
    );
    for (const id of ['1', '2'])
      await fetch(`${proxy.url}/pets/${id}`, { headers: { 'accept-encoding': 'x' } })
        .then((received) => received.text())
        .catch(() => undefined);
    const [broken, unknown] = await callsOf(proxy, 2);
    expect(show(broken?.violations ?? [])).toEqual([
      'response /headers/content-encoding must describe the body, which cannot be decompressed',
    ]);
    expect(unknown?.violations).toEqual([]);
    expect(unknown?.notes).toEqual([
      'The body of the response was not checked: it has the content encoding "zstd", which is not supported.',
    ]);
  });

  test('a body that expands past the limit is not checked, and the proxy keeps running', async () => {
    const proxy = await startShopProxy((_request, response) =>
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000, 32))),
    );
    await fetch(`${proxy.url}/pets/1`).then((received) => received.text());
    const [entry] = await callsOf(proxy);
    expect(entry?.notes).toEqual(['The body of the response was not checked: it is larger than 10 MB.']);
  });
});

test('a body beyond the limit passes unchecked, and the journal notes that', async () => {
  const proxy = await startShopProxy(
    (request, response) => {
      request.resume();
      request.on('end', () => respondWithJson(response, { name: 'x'.repeat(2_000) }, { status: 201 }));
    },
    { maxBodyBytes: 1_000 },
  );
  const received = await fetch(`${proxy.url}/pets`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ name: 'y'.repeat(2_000) }),
  });
  expect(((await received.json()) as { name: string }).name).toHaveLength(2_000);
  const [entry] = await callsOf(proxy);
  expect(entry?.violations).toEqual([]);
  expect(entry?.notes).toEqual([
    'The body of the request was not checked: it is larger than 1000 bytes.',
    'The body of the response was not checked: it is larger than 1000 bytes.',
  ]);
});

test('violations with the same cause are reported once, with their number', async () => {
  const proxy = await startShopProxy((_request, response) =>
    respondWithJson(response, [{ name: 1 }, { name: 2 }], { headers: TOTAL }),
  );
  for (let count = 0; count < 3; count += 1) await fetch(`${proxy.url}/pets`).then((received) => received.text());
  await fetch(`${proxy.url}/pets`, { method: 'POST', body: BIRD, headers: JSON_TYPE }).then((received) =>
    received.text(),
  );
  await callsOf(proxy, 4);
  const report = proxy.report();
  expect(report).toMatchObject({ calls: 4, callsWithViolations: 4, notes: [] });
  expect(report.violations).toMatchObject([
    {
      direction: 'response',
      operationId: 'listPets',
      method: 'GET',
      status: 200,
      in: 'response',
      pointer: '/body/*/name',
      message: 'must be string',
      count: 6,
    },
    {
      direction: 'response',
      operationId: 'addPet',
      method: 'POST',
      status: 200,
      in: 'response',
      pointer: '/status',
      message: 'must be a documented status, and 200 is not',
      count: 1,
    },
  ]);
  expect(report.operations).toContainEqual({ operationId: 'listPets', calls: 3, statuses: { 200: 3 } });
});
