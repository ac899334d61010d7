import type { ServerResponse } from 'node:http';

import { describe, expect, it } from 'vitest';

import type { RequestValues } from '../../runtime/context.js';
import { ApiError, NetworkError } from '../../runtime/errors.js';
import { upload, type UploadOptions, type UploadPlan, type UploadProgress } from '../../runtime/upload.js';
import { UploadError } from '../../runtime/upload-protocol.js';
import type { UploadData } from '../../runtime/upload.js';
import { writeJson } from '../../runtime/serialize.js';
import { type ReceivedRequest, startEchoServer } from '../support/echo-server.js';
import { operationOf, TestClock } from '../support/helper-call.js';

const PLAN: UploadPlan = {
  name: 'sendBytes',
  start: { 'X-Command': 'start' },
  size: 'X-Size',
  type: 'X-Type',
  displayName: '/file/displayName',
  address: 'x-url',
  command: 'X-Command',
  commands: { upload: 'upload', finalize: 'upload, finalize', query: 'query' },
  offset: 'X-Offset',
  status: 'x-status',
  final: 'final',
  received: 'x-received',
  file: '/file',
  poll: { from: '/name', to: '/path/name', prefix: 'files/', state: '/state', ready: ['ACTIVE'], failed: ['FAILED'] },
};

/** What a step of a server does instead of what it should; `undefined`: nothing else. */
type Trouble = (step: Step) => 'done' | undefined;

interface Step {
  readonly command: string;
  readonly request: ReceivedRequest;
  readonly response: ServerResponse;
  readonly store: Store;
  /** How many steps came before this one. */
  readonly count: number;
}

/** What a server has of a file. */
interface Store {
  bytes: Buffer;
  isFinal: boolean;
  states: string[];
  address: string;
  readonly commands: string[];
}

function responseStep(step: Step): void {
  const { request, response, store, command } = step;
  if (command.startsWith('upload')) store.bytes = Buffer.concat([store.bytes, request.body]);
  if (command.includes('finalize')) store.isFinal = true;
  response.setHeader('x-status', store.isFinal ? 'final' : 'active').setHeader('x-received', store.bytes.length);
  response.setHeader('content-type', 'application/json');
  response.end(command.includes('finalize') ? '{"file":{"name":"files/a b","state":"PROCESSING"}}' : '{}');
}

interface Uploaded {
  readonly result: unknown;
  readonly store: Store;
  readonly progress: UploadProgress[];
  readonly sleeps: number[];
  readonly requests: readonly ReceivedRequest[];
}

interface Given {
  readonly options?: UploadOptions;
  readonly trouble?: Trouble;
  readonly states?: string[];
  readonly address?: string;
  readonly plan?: Partial<UploadPlan>;
}

async function run(
  data: UploadData,
  { options, trouble, states = ['PROCESSING', 'ACTIVE'], address, plan }: Given = {},
): Promise<Uploaded> {
  const store: Store = { bytes: Buffer.alloc(0), isFinal: false, states, address: '', commands: [] };
  const clock = new TestClock();
  const progress: UploadProgress[] = [];
  let count = 0;
  await using server = await startEchoServer((request, response) => {
    if (request.url === '/list') {
      response.setHeader('x-url', store.address).end();
      return;
    }
    if (request.url.startsWith('/files/')) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name: 'files/a b', state: states.shift() ?? 'ACTIVE' }));
      return;
    }
    const command = String(request.headers['x-command']);
    store.commands.push(command);
    const step = { command, request, response, store, count };
    count += 1;
    if (trouble?.(step) === undefined) responseStep(step);
  });
  store.address = address ?? `${server.url}/upload?id=secret`;
  const context = { baseUrl: server.url, headers: { 'x-sandbox': 'mine' } };
  const start = operationOf(context, { method: 'POST', body: { 'application/json': writeJson } });
  const poll = operationOf(context, { path: '/files/{name}' });
  const result = await upload(
    context,
    { ...PLAN, ...plan },
    {
      data,
      options: {
        chunkSize: 4,
        now: clock.now,
        sleep: clock.sleep,
        onProgress: (now) => void progress.push(now),
        ...options,
      },
      calls: { start: (request: RequestValues) => start(request), poll: (request: RequestValues) => poll(request) },
    },
  ).catch((error: unknown) => error);
  return { result, store, progress, sleeps: clock.sleeps, requests: server.received };
}

const TEXT = '0123456789';
const ACTIVE = { name: 'files/a b', state: 'ACTIVE' };
const textStream = (...parts: string[]): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const left = [...parts];
  return new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(next));
    },
  });
};

describe('an upload', () => {
  it('an upload starts, sends chunks, reports its progress, and waits until the file can be used', async () => {
    const { result, store, progress, sleeps, requests } = await run(new Blob([TEXT], { type: 'text/plain' }), {
      options: { displayName: 'digits' },
    });
    expect(result).toEqual(ACTIVE);
    expect([String(store.bytes), store.commands]).toEqual([TEXT, ['upload', 'upload', 'upload, finalize']]);
    expect(progress.map(({ sent, size }) => `${sent}/${size}`)).toEqual(['4/10', '8/10', '10/10']);
    expect(sleeps).toEqual([1000, 1500]);
    const [start, piece] = requests;
    expect(start?.headers).toMatchObject({ 'x-command': 'start', 'x-size': '10', 'x-type': 'text/plain' });
    expect(String(start?.body)).toBe('{"file":{"displayName":"digits"}}');
    expect(piece).toMatchObject({
      url: '/upload?id=secret',
      headers: { 'x-offset': '0', 'content-length': '4', 'x-sandbox': 'mine' },
    });
    expect(requests.at(-1)?.url).toBe('/files/a%20b');
  });

  it.each<[string, UploadData, UploadOptions, { text?: string; type?: string }]>([
    ['bytes', new TextEncoder().encode(TEXT), {}, {}],
    [
      'a buffer, with the type that the caller says',
      new TextEncoder().encode(TEXT).buffer,
      { mimeType: 'video/mp4' },
      { type: 'video/mp4' },
    ],
    ['nothing', new Blob(), {}, { text: '' }],
    ['a stream', textStream('01', '', '23456', '789'), { size: 10 }, {}],
    ['an empty stream', textStream(), { size: 0 }, { text: '' }],
    ['one large piece', new Blob([TEXT]), { chunkSize: 100 }, {}],
  ])('an upload accepts %s', async (_what, data, options, { text = TEXT, type = 'application/octet-stream' }) => {
    const { result, store, requests } = await run(data, { options });
    expect([result, String(store.bytes), requests[0]?.headers['x-type']]).toEqual([ACTIVE, text, type]);
  });

  it.each<[string, ReadableStream<Uint8Array<ArrayBuffer>>, UploadOptions, string]>([
    ['without its length', textStream('0'), {}, 'needs its size'],
    ['that is shorter than announced', textStream('0123'), { size: 10 }, 'fewer'],
    ['that is longer than announced', textStream('0123456789', 'A'), { size: 10 }, 'more'],
  ])('refuses a stream %s', async (_what, data, options, message) => {
    const { result, store } = await run(data, { options });
    expect(result).toBeInstanceOf(TypeError);
    expect([(result as Error).message.includes(message), store.isFinal]).toEqual([true, false]);
  });
});

describe('after trouble', () => {
  const cutAt =
    (at: number, keep: number): Trouble =>
    ({ count, request, response, store }) => {
      if (count !== at) return undefined;
      store.bytes = Buffer.concat([store.bytes, request.body.subarray(0, keep)]);
      response.destroy();
      return 'done';
    };
  const failAt =
    (status: number, ...at: number[]): Trouble =>
    ({ count, response }) => {
      if (!at.includes(count)) return undefined;
      response.writeHead(status).end();
      return 'done';
    };

  it.each<[string, Trouble, string[]]>([
    ['a cut connection, nothing arrived', cutAt(1, 0), ['upload', 'upload', 'query', 'upload', 'upload, finalize']],
    ['a cut connection, a part arrived', cutAt(1, 3), ['upload', 'upload', 'query', 'upload, finalize']],
    ['a cut connection, all of the piece arrived', cutAt(1, 4), ['upload', 'upload', 'query', 'upload, finalize']],
    ['a failure of the server', failAt(503, 1), ['upload', 'upload', 'query', 'upload', 'upload, finalize']],
    [
      'a failure of the question too',
      failAt(503, 1, 2),
      ['upload', 'upload', 'query', 'query', 'upload', 'upload, finalize'],
    ],
    ['too many requests', failAt(429, 0), ['upload', 'query', 'upload', 'upload', 'upload, finalize']],
  ])('after %s the upload continues at the offset of the service', async (_what, trouble, commands) => {
    const { result, store, sleeps } = await run(new Blob([TEXT]), { trouble });
    expect([result, String(store.bytes), store.commands]).toEqual([ACTIVE, TEXT, commands]);
    expect(sleeps[0]).toBe(1000);
  });

  it('the upload of a stream continues from its buffer', async () => {
    const { result, store } = await run(textStream('01234', '56789'), { trouble: cutAt(1, 2), options: { size: 10 } });
    expect([result, String(store.bytes)]).toEqual([ACTIVE, TEXT]);
  });

  it('if the service lost bytes, an upload of a Blob sends them again, and one of a stream fails', async () => {
    const trouble: Trouble = ({ count, response, store }) => {
      if (count !== 2) return undefined;
      store.bytes = store.bytes.subarray(0, 2);
      response.destroy();
      return 'done';
    };
    expect((await run(textStream(TEXT), { trouble, options: { size: 10 } })).result).toBeInstanceOf(TypeError);
    const { result, store } = await run(new Blob([TEXT]), { trouble });
    expect([result, String(store.bytes)]).toEqual([ACTIVE, TEXT]);
  });

  it('a lost last response is requested again, and is an error if the service does not repeat it', async () => {
    const cutLast =
      (repeats: boolean): Trouble =>
      ({ command, request, response, store }) => {
        if (command.includes('finalize')) {
          store.bytes = Buffer.concat([store.bytes, request.body]);
          store.isFinal = true;
          response.destroy();
          return 'done';
        }
        if (command !== 'query' || !repeats) return undefined;
        response.setHeader('x-status', 'final').setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ file: ACTIVE }));
        return 'done';
      };
    expect((await run(new Blob([TEXT]), { trouble: cutLast(true) })).result).toEqual(ACTIVE);
    expect((await run(new Blob([TEXT]), { trouble: cutLast(false) })).result).toBeInstanceOf(UploadError);
  });

  it('an upload fails after the set number of attempts without progress', async () => {
    const trouble: Trouble = ({ command, response }) => {
      if (command === 'query') return undefined;
      response.destroy();
      return 'done';
    };
    const { result, store, sleeps } = await run(new Blob([TEXT]), { trouble, options: { retries: 2 } });
    expect(result).toBeInstanceOf(NetworkError);
    expect([store.commands, sleeps]).toEqual([
      ['upload', 'query', 'upload', 'query', 'upload'],
      [1000, 2000],
    ]);
  });

  it('a refusal of an upload is thrown at once', async () => {
    const { result, store } = await run(new Blob([TEXT]), { trouble: failAt(400, 1) });
    expect(result).toBeInstanceOf(ApiError);
    expect([(result as ApiError).status, store.commands.length]).toEqual([400, 2]);
  });

  it.each([
    ['more than were sent', '9'],
    ['none', '0'],
    ['nonsense', 'x'],
  ])('an upload fails if the service reports %s', async (_what, received) => {
    const trouble: Trouble = ({ response }) => {
      response.setHeader('x-received', received).setHeader('x-status', 'active').end();
      return 'done';
    };
    expect((await run(new Blob([TEXT]), { trouble })).result).toBeInstanceOf(UploadError);
  });

  it('a signal ends an upload with its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const trouble: Trouble = ({ count }) => {
      if (count !== 1) return undefined;
      controller.abort(reason);
      return 'done';
    };
    expect((await run(new Blob([TEXT]), { trouble, options: { signal: controller.signal } })).result).toBe(reason);
  });
});

describe('the address', () => {
  it.each(['', 'ftp://x/y', 'http://'])('the upload address %j is refused', async (address) => {
    expect((await run(new Blob(['x']), { address })).result).toBeInstanceOf(UploadError);
  });

  it('an upload URL on another server gets neither headers nor credentials of the client', async () => {
    await using other = await startEchoServer((_request, response) => {
      response
        .setHeader('x-status', 'final')
        .setHeader('content-type', 'application/json')
        .end('{"file":{"state":"ACTIVE"}}');
    });
    await run(new Blob(['x']), { address: `${other.url}/up` });
    expect(other.received).toHaveLength(1);
    expect(other.last().headers['x-sandbox']).toBeUndefined();
  });
});

describe('the file', () => {
  it('the error for failed processing has the record of the file', async () => {
    const { result } = await run(new Blob(['x']), { states: ['PROCESSING', 'FAILED'] });
    expect(result).toMatchObject({ name: 'UploadError', file: { state: 'FAILED' } });
  });

  it('waiting for the file ends after readyTimeout', async () => {
    const { result, sleeps } = await run(new Blob(['x']), {
      states: Array.from({ length: 99 }, () => 'PROCESSING'),
      options: { readyTimeout: 10_000 },
    });
    expect(result).toMatchObject({ name: 'UploadError', file: { state: 'PROCESSING' } });
    expect(sleeps.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(10_000);
  });
});
