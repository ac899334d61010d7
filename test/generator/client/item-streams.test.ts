import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { clientEmitter } from '../../../generator/client/emit-client.js';
import type { EmitOptions } from '../../../generator/emitter.js';
import { typesEmitter } from '../../../generator/types/emit-types.js';
import { validatorsEmitter } from '../../../generator/validators/emit-validators.js';
import { loadDocument } from '../../support/load-document.js';
import { OutputFolder } from '../../support/output-folder.js';
import { STREAM_DOCUMENT } from '../../support/stream-document.js';

const OPTIONS: EmitOptions = {
  apiName: 'test',
  emitters: new Set(['types', 'client', 'validators']),
  report: () => undefined,
};

/** What the compiler must know of the items. */
const USE = `
import { createTestClient } from './client.js';
const client = createTestClient({ baseUrl: 'http://127.0.0.1' });
export async function names(): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of (await client.getLines()).data) found.push(name);
  for await (const { name } of (await client.getRecords()).data) found.push(name);
  for await (const { name } of (await client.getParts()).data) found.push(name);
  for await (const { name } of (await client.getData()).data) found.push(name);
  for await (const { name } of client.getDataEvents({}, { reconnect: true, end: '[DONE]' })) found.push(name);
  for await (const { data, event } of (await client.getEvents()).data) found.push(data.name, event ?? '');
  await client.sendLines({ body: [{ name: 'a' }] });
  await client.sendRecords({ body: (async function* () { yield { name: 'a' }; })() });
  await client.sendEvents({ body: [{ data: { name: 'a' }, event: 'b' }] });
  // @ts-expect-error an item has a name
  await client.sendLines({ body: [{ size: 1 }] });
  return found;
}
`;

type Call = (request?: object, options?: object) => Promise<{ readonly data: AsyncIterable<unknown> }>;
interface Output {
  readonly createTestClient: (options: object) => Readonly<Record<string, Call>>;
}

const output = new OutputFolder();
let client: Readonly<Record<string, Call>>;
let respond: (request: Request) => Response | Promise<Response>;

beforeAll(async () => {
  const api = await loadDocument(STREAM_DOCUMENT);
  for (const emitter of [clientEmitter, typesEmitter, validatorsEmitter])
    await output.writeFiles(await emitter.emit(api, OPTIONS));
  output.write('use.ts', USE);
  const { createTestClient } = await output.run<Output>('client.ts');
  client = createTestClient({ baseUrl: 'http://test', fetch: async (request: Request) => respond(request) });
});
afterAll(() => output[Symbol.dispose]());

/** Responds with a stream that is cut into pieces of this many bytes. */
function respondWith(type: string, text: string, size: number): void {
  const bytes = new TextEncoder().encode(text);
  respond = () => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    return new Response(stream, { headers: { 'content-type': type } });
  };
}

async function itemsOf(name: string, options: object = {}): Promise<unknown[]> {
  const found: unknown[] = [];
  const response = await client[`get${name}`]?.({}, options);
  for await (const item of response?.data ?? []) found.push(item);
  return found;
}

const STREAMS: readonly (readonly [string, string, string, readonly unknown[]])[] = [
  [
    'Lines',
    'application/jsonl',
    '{"name":"ä"}\n\n{"name":"b"}\r\n{"name":"c"}',
    [{ name: 'ä' }, { name: 'b' }, { name: 'c' }],
  ],
  ['Ndjson', 'application/x-ndjson; charset=utf-8', '{"name":"a"}\n', [{ name: 'a' }]],
  [
    'Records',
    'application/json-seq',
    '\u001e{"name":"ä"}\n\u001e{\n"name":\n"b"}\n\u001e{"name":"c"}\n',
    [{ name: 'ä' }, { name: 'b' }, { name: 'c' }],
  ],
  [
    'Data',
    'text/event-stream',
    ': hello\n\ndata: {"name":\ndata: "ä"}\n\nevent: ping\n\ndata: {"name":"b"}\r\n\r\n',
    [{ name: 'ä' }, { name: 'b' }],
  ],
  [
    'Events',
    'text/event-stream',
    'id: 1\nevent: new\nretry: 5\ndata: {"name":"a"}\n\ndata: {"name":"b"}\r\r',
    [{ id: '1', event: 'new', retry: 5, data: { name: 'a' } }, { data: { name: 'b' } }],
  ],
  [
    'Named',
    'text/event-stream',
    'event: progress\ndata: {"name":"a"}\n\nevent: done\ndata: 1\n\n',
    [
      { event: 'progress', data: { name: 'a' } },
      { event: 'done', data: '1' },
    ],
  ],
  [
    'Parts',
    'multipart/mixed; boundary="x y"',
    'hello\r\n--x y\r\nContent-Type: application/json\r\n\r\n{"name":"ä"}\r\n--x y\r\n\r\ntext\r\n--x y--\r\nbye',
    [{ name: 'ä' }, 'text'],
  ],
];

describe('the client', () => {
  it('reconnects a plain stream of described events, and continues after the last event', async () => {
    const sent: (string | null)[] = [];
    respond = (request) => {
      sent.push(request.headers.get('last-event-id'));
      const text =
        sent.length === 1 ? 'id: 7\ndata: {"name":"a"}\n\ndata: {"na' : 'data: {"name":"b"}\n\ndata: [DONE]\n\n';
      return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
    };
    const found: unknown[] = [];
    const read = client['getDataEvents'] as unknown as (request: object, options: object) => AsyncIterable<unknown>;
    for await (const item of read({}, { reconnect: { delay: 1 }, end: '[DONE]' })) found.push(item);
    expect(found).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(sent).toEqual([null, '7']);
  });

  it('the client types its items, and type-checks', () => {
    expect(output.typeCheck()).toBe('');
  });

  it.each(STREAMS)(
    'the client reads the items of %s (%s), however the stream is cut',
    async (name, type, text, items) => {
      for (const size of [1, 2, 7, 1000]) {
        respondWith(type, text, size);
        expect(await itemsOf(name), `in pieces of ${size} bytes`).toEqual(items);
      }
    },
  );

  it('the client yields an item as soon as it is complete, and cancels the stream when the loop is left', async () => {
    let cancelled = false;
    respond = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('\u001e{"name":"a"}\n')),
          cancel: () => {
            cancelled = true;
          },
        }),
        { headers: { 'content-type': 'application/json-seq' } },
      );
    for await (const item of (await client['getRecords']?.())?.data ?? []) {
      expect(item).toEqual({ name: 'a' });
      break;
    }
    expect(cancelled).toBe(true);
  });

  it.each([
    ['Lines', 'application/jsonl', '{"name":"a"}\n{"name":1}\n'],
    ['Data', 'text/event-stream', 'data: {"name":"a"}\n\ndata: {"name":1}\n\n'],
    ['Events', 'text/event-stream', 'data: {"name":"a"}\n\ndata: {"name":1}\n\n'],
    ['Named', 'text/event-stream', 'event: progress\ndata: {"name":"a"}\n\nevent: progress\ndata: {"name":1}\n\n'],
  ])('the client with validate: true refuses the item of %s that breaks its schema', async (name, type, text) => {
    respondWith(type, text, 5);
    const found: unknown[] = [];
    const read = async (): Promise<void> => {
      const response = await client[`get${name}`]?.({}, { validate: true });
      for await (const item of response?.data ?? []) found.push(item);
    };
    await expect(read()).rejects.toMatchObject({ name: 'ValidationFailure' });
    expect(found).toHaveLength(1);
    respondWith(type, text, 5);
    expect(await itemsOf(name)).toHaveLength(2);
  });

  it('throws a BrokenStreamError with the text of an item that is not JSON', async () => {
    respondWith('application/jsonl', '{"name":\n', 100);
    await expect(itemsOf('Lines')).rejects.toMatchObject({ name: 'BrokenStreamError', partial: '{"name":' });
  });

  it('throws the reason of its signal if that aborts the stream', async () => {
    const controller = new AbortController();
    respond = (request) =>
      new Response(
        new ReadableStream({
          start: (stream) => request.signal.addEventListener('abort', () => stream.error(new Error('gone'))),
        }),
        { headers: { 'content-type': 'application/jsonl' } },
      );
    const reading = itemsOf('Lines', { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 20);
    await expect(reading).rejects.toThrow('enough');
  });

  it.each(STREAMS.filter(([name]) => name !== 'Parts'))(
    'sends the items of a body of %s one after another',
    async (name, type, _text, items) => {
      let sent: Request | undefined;
      respond = async (request) => {
        sent = request;
        const text = await request.text();
        respondWith(type, text, 3);
        return new Response(null, { status: 204 });
      };
      const later = async function* (): AsyncGenerator {
        for (const item of items) yield await Promise.resolve(item);
      };
      for (const body of [items, later()]) {
        await client[`send${name}`]?.({ body });
        expect(sent?.headers.get('content-type')).toBe(type.split(';')[0]);
        expect(await itemsOf(name)).toEqual(items);
      }
    },
  );

  it('the client sends the parts of a multipart body in order', async () => {
    let text = '';
    respond = async (request) => {
      text = `${request.headers.get('content-type')}\n${await request.text()}`;
      return new Response(null, { status: 204 });
    };
    await client['sendParts']?.({ body: [{ name: 'a' }, { name: 'b' }] });
    expect(text).toMatch(
      /^multipart\/mixed; boundary=(----part\d+)\n(--\1\r\nContent-Type: application\/json\r\n\r\n{"name":"[ab]"}\r\n){2}--\1--\r\n$/,
    );
  });
});
