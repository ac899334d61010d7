import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { type Mock, startMock } from '../../entry/mock.js';
import { startKillableMock } from '../support/killable-mock.js';
import { isBuilt, runSpecmill } from '../support/specmill-process.js';
import { type RedisServer, hasRedis, startRedis } from '../support/start-redis.js';

const HEADERS = {
  authorization: `Basic ${Buffer.from('key:secret').toString('base64')}`,
  'content-type': 'application/json',
};

let redis: RedisServer;
let count = 0;

beforeAll(async () => {
  if (hasRedis) redis = await startRedis();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

/** Mocks of one API on the same state: each has its own copy, as processes would. */
async function startMocks(api: string, size: number): Promise<Mock[]> {
  count += 1;
  const store = `${redis.url}/1?prefix=shared-${count}`;
  const mocks = await Promise.all(Array.from({ length: size }, () => startMock(api, { port: 0, store })));
  onTestFinished(async () => void (await Promise.all(mocks.map((mock) => mock.close()))));
  return mocks;
}

async function call(url: string, operation: string, body?: object): Promise<Response> {
  const method = body === undefined ? 'GET' : 'POST';
  return fetch(`${url}/api/v2/${operation}`, {
    method,
    headers: HEADERS,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function createCase(url: string, changes: object = {}): Promise<string> {
  const body = {
    Name: 'A case',
    Parties: [{ Name: 'Ann', EmailAddress: 'ann@example.com' }],
    AllowedSignatureTypes: ['touch'],
    Documents: [{ Filename: 'a.pdf', ContentType: 'application/pdf', Data: 'JVBERi0xLjQKJUVPRgo=' }],
    ...changes,
  };
  const response = await call(url, 'createcase', body);
  expect(response.status).toBe(200);
  return ((await response.json()) as { readonly Id: string }).Id;
}

interface ShownEvent {
  readonly type: string;
  readonly entry?: { readonly id: string; readonly operationId: string };
  readonly faults?: readonly object[];
  readonly frozen?: boolean;
}

/** The events of a sandbox, collected until they are what a test waits for. */
async function openEvents(
  url: string,
): Promise<AsyncDisposable & { until: (isDone: (all: readonly ShownEvent[]) => boolean) => Promise<ShownEvent[]> }> {
  const response = await fetch(`${url}/__specmill/events`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  let text = '';
  const readAll = (): ShownEvent[] =>
    text
      .split('\n')
      .slice(0, -1)
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as ShownEvent] : []));
  return {
    until: async (isDone) => {
      while (!isDone(readAll())) text += (await reader.read()).value ?? '';
      return readAll();
    },
    [Symbol.asyncDispose]: () => reader.cancel(),
  };
}

describe.skipIf(!hasRedis)('mocks that share their state in Redis', () => {
  it("mocks that share their state in Redis see each other's writes at once", async () => {
    const [one, other] = await startMocks('signing', 2);
    const id = await createCase(one?.url ?? '');
    expect((await call(other?.url ?? '', `getcase?id=${id}`)).status).toBe(200);
    await other?.clock.set('2030-01-01T00:00:00Z');
    await other?.clock.freeze();
    expect((await one?.clock.get())?.frozen).toBe(true);
    const entries = await other?.requests();
    expect(entries?.map(({ id: number, operationId }) => [number, operationId])).toEqual([
      ['1', 'createcase'],
      ['2', 'getcase'],
    ]);
    await one?.reset();
    expect((await call(other?.url ?? '', `getcase?id=${id}`)).status).toBe(404);
    expect((await other?.clock.get())?.frozen).toBe(false);
  });

  it('mocks that share their state in Redis finish an upload that another one has begun', async () => {
    const [one, other] = await startMocks('generation', 2);
    const bytes = randomBytes(30_000);
    const sent = (command: string, more: Record<string, string>): Record<string, string> => ({
      'x-vendor-api-key': 'key',
      'x-vendor-upload-protocol': 'resumable',
      'x-vendor-upload-command': command,
      ...more,
    });
    const begun = await fetch(`${one?.url ?? ''}/upload/v1beta/files`, {
      method: 'POST',
      headers: sent('start', {
        'x-vendor-upload-header-content-length': '30000',
        'x-vendor-upload-header-content-type': 'application/octet-stream',
        'content-type': 'application/json',
      }),
      body: '{}',
    });
    const { pathname } = new URL(begun.headers.get('x-vendor-upload-url') ?? '');
    const put = async (mock: Mock | undefined, command: string, from: number, to: number): Promise<Response> =>
      fetch(`${mock?.url ?? ''}${pathname}`, {
        method: 'POST',
        headers: sent(command, { 'x-vendor-upload-offset': String(from) }),
        body: new Uint8Array(bytes.subarray(from, to)),
      });
    expect((await put(one, 'upload', 0, 10_000)).status).toBe(200);
    expect((await put(other, 'upload', 10_000, 20_000)).status).toBe(200);
    const finished = await put(one, 'upload, finalize', 20_000, 30_000);
    const { file } = (await finished.json()) as { readonly file: { readonly sha256Hash: string } };
    expect(file.sha256Hash).toBe(createHash('sha256').update(bytes).digest('base64'));
  });

  it('mocks that share their state in Redis publish the events of all processes', async () => {
    const [one, other] = await startMocks('signing', 2);
    await using events = await openEvents(one?.url ?? '');
    await createCase(one?.url ?? '');
    await createCase(other?.url ?? '');
    await other?.clock.freeze();
    await other?.faults.put([{ status: 503, times: 1 }]);
    const found = await events.until((all) => all.filter(({ type }) => type === 'journal').length === 2);
    const calls = found.flatMap(({ entry }) => (entry === undefined ? [] : [[entry.id, entry.operationId]]));
    expect(calls).toEqual([
      ['1', 'createcase'],
      ['2', 'createcase'],
    ]);
    const last = await events.until((all) => all.some(({ faults }) => faults?.length === 1));
    expect(last.filter(({ type, frozen }) => type === 'clock' && frozen === true)).not.toEqual([]);
    await one?.reset();
    await createCase(other?.url ?? '');
    await events.until((all) => all.filter(({ entry }) => entry?.id === '1').length === 2);
  });

  it('mocks that share their state in Redis accept exactly one of two concurrent changes, and assign no id twice', async () => {
    const mocks = await startMocks('signing', 3);
    const urls = mocks.map(({ url }) => url);
    const ids = await Promise.all(Array.from({ length: 30 }, (_, index) => createCase(urls[index % 3] ?? '')));
    expect(new Set(ids).size).toBe(30);
    for (const id of ids.slice(0, 5)) {
      const sent = await Promise.all(urls.map((url) => call(url, 'sendcase', { id })));
      expect(sent.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  it('mocks that share their state in Redis apply a fault with times: 3 exactly three times', async () => {
    const mocks = await startMocks('signing', 3);
    await mocks[0]?.faults.put([{ status: 503, times: 3 }]);
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => call(mocks[index % 3]?.url ?? '', 'getcase?id=x')),
    );
    expect(responses.filter(({ status }) => status === 503)).toHaveLength(3);
    expect(await mocks[1]?.faults.get()).toEqual([]);
  });

  it('each callback is delivered once and in order, whichever process advances the clock', async () => {
    const events: string[] = [];
    const receiver = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        const { Event, CaseId } = JSON.parse(text) as Readonly<Record<string, string>>;
        events.push(`${CaseId} ${Event}`);
        response.end();
      });
    });
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void receiver.close());
    const { port } = receiver.address() as AddressInfo;
    const mocks = await startMocks('signing', 3);
    const Events = ['Sent', 'Expired'];
    const EventCallback = { Url: `http://127.0.0.1:${port}/`, Events };
    const ids = await Promise.all(mocks.map(({ url }) => createCase(url, { EventCallback, ExpireAfterDays: 1 })));
    await Promise.all(ids.map((id, index) => call(mocks[(index + 1) % 3]?.url ?? '', 'sendcase', { id })));
    await mocks[0]?.clock.advance('P2D');
    await expect.poll(() => events.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(2 * ids.length);
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (const id of ids)
      expect(events.filter((event) => event.startsWith(id))).toEqual([`${id} Sent`, `${id} Expired`]);
  });

  it('mocks that share their state in Redis respond 503 in the error format of the API while Redis is down, and continue when it is back', async () => {
    await using own = await startRedis();
    await using mock = await startMock('signing', { port: 0, store: own.url });
    await createCase(mock.url);
    const refusedWithin = async (): Promise<void> => {
      const response = await call(mock.url, 'createcase', { Name: 'x' });
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } });
    };
    own.hang(true);
    await refusedWithin();
    own.hang(false);
    await expect.poll(async () => (await call(mock.url, 'findcases')).status, { timeout: 5_000 }).toBe(200);
    await own.stop();
    await refusedWithin();
    expect((await fetch(`${mock.url}/__specmill/faults`)).status).toBe(503);
    await own.start();
    await expect
      .poll(async () => (await call(mock.url, 'createcase', { Name: 'y' })).status, { timeout: 5_000 })
      .toBe(200);
  });

  it.skipIf(!isBuilt)(
    'mocks that share their state in Redis take over the jobs of a process that was killed',
    async () => {
      count += 1;
      const store = `${redis.url}?prefix=killed-${count}`;
      const dying = await startKillableMock('signing', '--store', store);
      const id = await createCase(dying.url, { ExpireAfterDays: 1 });
      expect((await call(dying.url, 'sendcase', { id })).status).toBe(200);
      await using survivor = await startKillableMock('signing', '--store', store);
      // The case expires in three seconds of real time.
      await fetch(`${dying.url}/__specmill/clock`, { method: 'PUT', body: JSON.stringify({ advance: 'PT23H59M57S' }) });
      await dying.kill();
      const status = async (): Promise<unknown> =>
        (
          (await (await call(survivor.url, `getcase?id=${id}&IncludeAllStatuses=true`)).json()) as {
            readonly Status: string;
          }
        ).Status;
      await expect.poll(status, { timeout: 15_000, interval: 500 }).toMatch(/expired/i);
    },
  );

  it.skipIf(!isBuilt)('a mock fails at the start with one sentence if Redis is unreachable', async () => {
    const { status, err } = await runSpecmill('mock', 'signing', '--port', '0', '--store', 'redis://127.0.0.1:1');
    expect(status).toBe(2);
    expect(err).toMatch(/^specmill: There is no Redis at 127\.0\.0\.1:1: [^\n]*\n$/i);
    const wrong = await runSpecmill('mock', 'signing', '--port', '0', '--store', 'http://127.0.0.1:1');
    expect([wrong.status, wrong.err.trim().split('\n')]).toEqual([2, [expect.stringContaining('redis://HOST:PORT')]]);
  });
});
