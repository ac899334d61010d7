import { describe, expect, it } from 'vitest';

import type { CallOptions, OperationData, Progress } from '../../runtime/context.js';
import { send } from '../../runtime/client.js';
import { clientMiddleware } from '../../runtime/middleware.js';
import { writeBinary, writeMultipart } from '../../runtime/serialize.js';
import { type EchoServer, startEchoServer } from '../support/echo-server.js';

const BYTES = new Uint8Array(300_000).fill(65);

interface Call {
  readonly operation?: Partial<OperationData>;
  readonly options?: CallOptions;
  readonly body?: unknown;
}

function call(server: EchoServer, { operation, options, body }: Call): Promise<{ data: unknown; response: Response }> {
  return send(
    { baseUrl: server.url, middleware: clientMiddleware({ retry: { delay: 1 } }) },
    { name: 'file', path: '/file', accept: 'application/pdf', ...operation },
    { request: { body }, options },
  );
}

const UPLOAD = { method: 'PUT', body: { 'application/pdf': writeBinary } };

describe('an upload', () => {
  it.each([
    ['bytes', BYTES, 300_000],
    ['a blob', new Blob([BYTES]), 300_000],
    ['text', 'a'.repeat(1000), 1000],
    ['a stream', new Blob([BYTES]).stream(), undefined],
  ])('an upload of %s reports its progress', async (_kind, body, total) => {
    await using server = await startEchoServer();
    const seen: Progress[] = [];
    await call(server, { operation: UPLOAD, body, options: { onUploadProgress: (one) => void seen.push(one) } });
    expect(seen.at(-1)).toEqual({ bytes: total ?? 300_000, total });
    expect(server.last().body.byteLength).toBe(total ?? 300_000);
    expect(seen.map(({ bytes }) => bytes)).toEqual(seen.map(({ bytes }) => bytes).toSorted((a, b) => a - b));
  });

  it('an upload of an async iterable sends its chunks as they arrive, and stops the iterable when the server disconnects', async () => {
    await using server = await startEchoServer();
    async function* parts(): AsyncGenerator<Uint8Array | string> {
      yield new Uint8Array([65, 66]);
      yield 'é';
    }
    await call(server, { operation: UPLOAD, body: parts() });
    expect(server.last().body.toString()).toBe('ABé');
  });

  it('the progress of an upload starts again when the upload is retried', async () => {
    let count = 0;
    await using server = await startEchoServer((_request, response) => {
      count += 1;
      response.writeHead(count === 1 ? 503 : 200).end();
    });
    const seen: number[] = [];
    const options = { onUploadProgress: ({ bytes }: Progress) => void seen.push(bytes) };
    await call(server, { operation: UPLOAD, body: 'abc', options });
    expect(seen).toEqual([3, 3]);
  });

  it('an upload of parts has the file name and type of each part', async () => {
    await using server = await startEchoServer();
    const operation: Partial<OperationData> = {
      method: 'POST',
      body: { 'multipart/form-data': (body, type) => writeMultipart(body, type, { meta: 'application/json' }) },
    };
    const file = new File(['x'], 'a"b.txt', { type: 'text/plain' });
    await call(server, { operation, body: { meta: { a: 1 }, file } });
    const text = server.last().body.toString();
    expect(text).toContain('name="meta"\r\nContent-Type: application/json\r\n\r\n{"a":1}');
    expect(text).toContain('name="file"; filename="a%22b.txt"\r\nContent-Type: text/plain\r\n\r\nx');
  });
});

describe('a download', () => {
  const startFiles = (): Promise<EchoServer> =>
    startEchoServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '300000' });
      response.write(BYTES.subarray(0, 100_000));
      setTimeout(() => response.end(BYTES.subarray(100_000)), 20);
    });

  it('a download is a blob, bytes or a stream, as the caller chooses', async () => {
    await using server = await startFiles();
    expect((await call(server, {})).data).toBeInstanceOf(Blob);
    const bytes = (await call(server, { options: { as: 'bytes' } })).data;
    expect(bytes).toBeInstanceOf(Uint8Array);
    expect(Buffer.compare(bytes as Uint8Array, BYTES)).toBe(0);
    const stream = (await call(server, { options: { as: 'stream' } })).data;
    expect(stream).toBeInstanceOf(ReadableStream);
    expect(await new Response(stream as ReadableStream).text()).toHaveLength(300_000);
  });

  it('a download reports its progress, and keeps the URL of the response', async () => {
    await using server = await startFiles();
    const seen: Progress[] = [];
    const { data, response } = await call(server, { options: { onDownloadProgress: (one) => void seen.push(one) } });
    expect((data as Blob).size).toBe(300_000);
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toEqual({ bytes: 300_000, total: 300_000 });
    expect(response.url).toBe(`${server.url}/file`);
  });

  it('a download that fails throws an ApiError', async () => {
    await using server = await startEchoServer((_request, response) => void response.writeHead(404).end('gone'));
    await expect(call(server, { options: { as: 'stream' } })).rejects.toMatchObject({ status: 404 });
  });
});
