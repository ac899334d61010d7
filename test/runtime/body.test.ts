import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { writeBinary } from '../../runtime/serialize.js';
import { writeFormBody } from '../../runtime/serialize.js';
import { writeMultipart } from '../../runtime/serialize.js';
import { writeText } from '../../runtime/serialize.js';
import type { BodyWriter } from '../../runtime/serialize.js';
import { send } from '../../runtime/client.js';
import { writeDeepObject } from '../../runtime/serialize.js';
import { writeJsonPair } from '../../runtime/serialize.js';
import { type EchoServer, type ReceivedRequest, startEchoServer } from '../support/echo-server.js';

let server: EchoServer;
beforeAll(async () => {
  server = await startEchoServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function sent(mediaType: string, write: BodyWriter, body: unknown): Promise<ReceivedRequest> {
  await send(
    { baseUrl: server.url },
    { name: 'test', method: 'POST', path: '/x', body: { [mediaType]: write } },
    { request: { body }, options: undefined },
  );
  return server.last();
}

describe('application/x-www-form-urlencoded', () => {
  const TYPE = 'application/x-www-form-urlencoded';

  it('writes members as a form, each in its style', async () => {
    const body = { Id: 'a b', none: undefined, tags: ['x', 'y'], Metadata: { 'k&': 'v=' }, data: { a: 1 } };
    const request = await sent(
      TYPE,
      (value, type) => writeFormBody(value, type, { Metadata: writeDeepObject, data: writeJsonPair }),
      body,
    );
    expect(request.headers['content-type']).toBe(TYPE);
    expect([...new URLSearchParams(String(request.body))]).toEqual([
      ['Id', 'a b'],
      ['tags', 'x'],
      ['tags', 'y'],
      ['Metadata[k&]', 'v='],
      ['data', '{"a":1}'],
    ]);
  });
});

describe('multipart/form-data', () => {
  const bytes = new Uint8Array([0, 13, 10, 255]);

  /** The platform's own parser says what came. */
  async function parsed(request: ReceivedRequest): Promise<FormData> {
    return new Response(new Uint8Array(request.body), {
      headers: { 'content-type': String(request.headers['content-type']) },
    }).formData();
  }

  it('sends files, bytes, objects and texts as parts', async () => {
    const body = {
      title: 'å"\r\n',
      count: 3,
      file: new File([bytes], 'a "b".bin', { type: 'image/png' }),
      raw: bytes,
      list: ['x', 'y'],
      meta: { a: 1 },
      none: undefined,
    };
    const request = await sent('multipart/form-data', writeMultipart, body);
    const form = await parsed(request);
    expect([form.get('title'), form.get('count'), form.getAll('list'), form.get('meta')]).toEqual([
      'å"\r\n',
      '3',
      ['x', 'y'],
      '{"a":1}',
    ]);
    const file = form.get('file') as File;
    expect([file.type, new Uint8Array(await file.arrayBuffer())]).toEqual(['image/png', bytes]);
    expect(new Uint8Array(await (form.get('raw') as File).arrayBuffer())).toEqual(bytes);
    expect(form.has('none')).toBe(false);
    const text = request.body.toString('latin1');
    expect(text).toContain('name="meta"\r\nContent-Type: application/json\r\n');
    expect(text).toContain('filename="a %22b%22.bin"\r\nContent-Type: image/png\r\n');
    expect(text).toContain('name="raw"; filename="blob"\r\nContent-Type: application/octet-stream\r\n');
  });

  it('gives parts the content types of the spec', async () => {
    const types = { xml: 'application/xml', note: 'application/json', blob: 'image/gif' };
    const request = await sent('multipart/form-data', (body, type) => writeMultipart(body, type, types), {
      xml: '<a/>',
      note: 'hi',
      blob: new Blob(['x']),
    });
    const text = String(request.body);
    expect(text).toContain('name="xml"\r\nContent-Type: application/xml\r\n\r\n<a/>');
    expect(text).toContain('name="note"\r\nContent-Type: application/json\r\n\r\n"hi"');
    expect(text).toContain('Content-Type: image/gif\r\n\r\nx');
  });

  it('escapes names, so that none adds a header', async () => {
    const request = await sent('multipart/form-data', writeMultipart, { 'a"\r\nX-Evil: 1': 'x' });
    expect(String(request.body)).not.toContain('\r\nX-Evil');
  });

  it('sends FormData unchanged', async () => {
    const form = new FormData();
    form.append('a', 'b');
    expect((await parsed(await sent('multipart/form-data', writeMultipart, form))).get('a')).toBe('b');
  });
});

describe('text and bytes', () => {
  it('sends text, and refuses another value', async () => {
    const request = await sent('text/plain; charset=utf-8', writeText, 'åäö');
    expect([request.headers['content-type'], String(request.body)]).toEqual(['text/plain; charset=utf-8', 'åäö']);
    await expect(sent('text/plain', writeText, { a: 1 })).rejects.toThrow('must be a string');
  });

  it('sends an empty text', async () => {
    const request = await sent('text/plain', writeText, '');
    expect([request.headers['content-type'], String(request.body)]).toEqual(['text/plain', '']);
  });

  const stream = (): ReadableStream => new Blob(['bytes']).stream();
  it.each([
    ['Blob', () => new Blob(['bytes']), 'application/pdf', 'application/pdf'],
    ['Blob with a type, for a range', () => new Blob(['bytes'], { type: 'image/png' }), 'image/*', 'image/png'],
    ['Blob without a type, for a range', () => new Blob(['bytes']), '*/*', 'application/octet-stream'],
    ['Uint8Array', () => new TextEncoder().encode('bytes'), 'application/octet-stream', 'application/octet-stream'],
    [
      'ArrayBuffer',
      () => new TextEncoder().encode('bytes').buffer,
      'application/octet-stream',
      'application/octet-stream',
    ],
    ['stream', stream, 'application/octet-stream', 'application/octet-stream'],
  ])('sends a %s', async (_kind, make, mediaType, wanted) => {
    const request = await sent(mediaType, writeBinary, make());
    expect([request.headers['content-type'], String(request.body)]).toEqual([wanted, 'bytes']);
  });
});
