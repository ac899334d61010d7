import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { generate } from '../../../entry/specmill.js';
import { OutputFolder } from '../../support/output-folder.js';
import { tempFolder } from '../../support/temp-folder.js';

const SPEC = `
openapi: 3.1.0
info: { title: Depot, version: '1' }
servers: [{ url: 'https://depot.example.com/v1' }]
security: [{ token: [read] }]
paths:
  /parcels:
    get:
      operationId: listParcels
      parameters:
        - { name: filter, in: query, style: deepObject, schema: { type: object, properties: { size: { type: integer }, since: { type: string, format: date-time } } } }
        - { name: tags, in: query, explode: false, schema: { type: array, items: { type: string } } }
        - { name: after, in: query, schema: { type: integer, format: int64 } }
        - { name: X-Day, in: header, schema: { type: string, format: date } }
        - { name: theme, in: cookie, schema: { type: string, enum: [dark, light] } }
      responses:
        '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Parcel' } } } } }
    post:
      operationId: createParcel
      security: [{ token: [write] }, { basic: [] }]
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/Parcel' } }
          application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Parcel' } }
          multipart/form-data: { schema: { type: object, required: [label, photo], properties: { label: { type: string }, photo: { type: string, format: binary }, sizes: { type: array, items: { type: integer } } } } }
      responses:
        '201': { description: Made., headers: { Location: { required: true, schema: { type: string } } }, content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } } }
        '422': { description: Wrong., content: { application/json: { schema: { $ref: '#/components/schemas/Trouble' } } } }
  /parcels/{id}:
    get:
      operationId: getParcel
      security: []
      parameters: [{ name: id, in: path, required: true, schema: { type: integer, format: int64 } }]
      responses:
        '200': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } }, text/plain: { schema: { type: string } } } }
        '404': { description: Unknown., content: { application/json: { schema: { $ref: '#/components/schemas/Trouble' } } } }
    delete:
      operationId: deleteParcel
      security: []
      parameters: [{ name: id, in: path, required: true, schema: { type: integer, format: int64 } }]
      responses: { '204': { description: Gone. } }
  /parcels/latest: { get: { operationId: latest, security: [], responses: { '204': { description: Literal. } } } }
  /parcels/{id}:weigh: { post: { operationId: weigh, security: [], parameters: [{ name: id, in: path, required: true, schema: { type: string } }], responses: { '200': { description: Weight., content: { application/json: { schema: { type: string } } } } } } }
  /labels/{name}.{format}: { get: { operationId: label, security: [], parameters: [{ name: name, in: path, required: true, schema: { type: string } }, { name: format, in: path, required: true, schema: { type: string, enum: [pdf, png] } }], responses: { '200': { description: Label., content: { '*/*': {} } } } } }
  /files/{path}: { get: { operationId: file, security: [], parameters: [{ name: path, in: path, required: true, x-multi-segment: true, schema: { type: string } }], responses: { '200': { description: Name., content: { application/json: { schema: { type: string } } } } } } }
  /scans: { put: { operationId: putScan, security: [], requestBody: { content: { application/octet-stream: {} } }, responses: { '200': { description: Size., content: { application/json: { schema: { type: integer } } } } } } }
  /log:
    get: { operationId: readLog, security: [], responses: { '200': { description: Lines., content: { application/jsonl: { itemSchema: { $ref: '#/components/schemas/Parcel' } } } } } }
    post: { operationId: writeLog, security: [], requestBody: { required: true, content: { application/jsonl: { itemSchema: { $ref: '#/components/schemas/Parcel' } } } }, responses: { '200': { description: Count., content: { application/json: { schema: { type: integer } } } } } }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
    basic: { type: http, scheme: basic }
  schemas:
    Parcel:
      type: object
      required: [label]
      properties: { id: { type: integer, format: int64, readOnly: true }, label: { type: string, minLength: 1 }, sent: { type: string, format: date-time }, count: { type: integer } }
    Trouble: { type: object, required: [code, message], properties: { code: { type: string, enum: [not_found, invalid, broken] }, message: { type: string } } }
`;

type Send = (request: Request) => Promise<Response>;
type Values = Readonly<Record<string, unknown>>;
type Handler = (request: Values, context: Values) => unknown;

interface Depot {
  readonly depotFetch: (handlers: Record<string, unknown>, options?: object) => Send;
  readonly reply: Readonly<Record<string, (...given: readonly unknown[]) => never>>;
  readonly ServerError: new (status: number, message: string) => Error;
}

const output = new OutputFolder();
let depot: Depot;
afterAll(() => output[Symbol.dispose]());

beforeAll(async () => {
  output.write('spec.yaml', SPEC);
  const shared = { spec: 'spec.yaml', only: ['types', 'validators'], dates: 'Date', int64: 'bigint' } as const;
  const { apis } = await generate({
    cwd: output.folder,
    config: { apis: { depot: { ...shared, output: 'depot', emitters: ['server'] } } },
  });
  if (apis[0]?.status !== 'written') throw apis[0]?.error ?? new Error(JSON.stringify(apis[0]));
  depot = await output.run<Depot>('depot/server.ts');
}, 60_000);

const authenticate = {
  token: (token: string) => (token === 'x' ? { name: 'me', scopes: ['read'] } : undefined),
  basic: ({ username, password }: { username: string; password: string }) =>
    password === 'ö' ? { name: username } : undefined,
};

/** A server of some handlers, called in the process. */
function serve(handlers: Record<string, Handler>, options: object = {}) {
  const send = depot.depotFetch(handlers, { authenticate, onError: () => undefined, ...options });
  return (target: string, init: RequestInit = {}): Promise<Response> => {
    const [method = 'GET', path = ''] = target.split(' ');
    return send(new Request(`https://depot.example.com${path}`, { method, duplex: 'half', ...init } as RequestInit));
  };
}

const BEARER = { authorization: 'Bearer x' };
const json = (body: unknown, headers: object = {}): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
});

describe('requests', () => {
  it('a handler receives parameters of every place and style, with dates and long integers as values', async () => {
    let seen: unknown;
    const call = serve({ listParcels: (request) => ((seen = request), depot.reply['listParcels']?.(200, [])) });
    const query = 'filter[size]=3&filter[since]=2026-01-02T03:04:05Z&tags=a,b%2Cc&after=9007199254740993';
    const headers = { ...BEARER, 'x-day': '2026-05-06', cookie: 'a=b; theme=dark' };
    expect((await call(`GET /v1/parcels?${query}`, { headers })).status).toBe(200);
    expect(seen).toEqual({
      query: {
        filter: { size: 3, since: new Date('2026-01-02T03:04:05Z') },
        tags: ['a', 'b,c'],
        after: 2n ** 53n + 1n,
      },
      headers: { 'X-Day': new Date('2026-05-06') },
      cookies: { theme: 'dark' },
    });
    await call('GET /parcels', { headers: BEARER });
    expect(seen).toEqual({ query: {}, headers: {}, cookies: {} });
  });

  it('an invalid request does not reach its handler, and its violations are in problem details', async () => {
    let calls = 0;
    const call = serve({ listParcels: () => (calls += 1) });
    const response = await call('GET /parcels?after=x&filter[size]=big', {
      headers: { ...BEARER, cookie: 'theme=red' },
    });
    expect([response.status, response.headers.get('content-type'), calls]).toEqual([
      400,
      'application/problem+json',
      0,
    ]);
    const { violations, ...problem } = (await response.json()) as { violations: object[] };
    expect(problem).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 });
    expect(violations).toEqual([
      { in: 'query', pointer: '/filter/size', message: 'must be integer' },
      { in: 'query', pointer: '/after', message: 'must be integer' },
      { in: 'cookie', pointer: '/theme', message: expect.stringContaining('must be') as string },
    ]);
  });

  it('an invalid body has the documented error and status, or what onInvalid returns', async () => {
    const handlers = { createParcel: () => ({ status: 201 }) };
    const basic = { authorization: `Basic ${Buffer.from('me:ö').toString('base64')}` };
    const refused = await serve(handlers)('POST /parcels', json({ label: '' }, basic));
    expect([refused.status, await refused.json()]).toEqual([
      422,
      { code: 'invalid', message: 'label must NOT have fewer than 1 characters' },
    ]);
    const onInvalid = ({ violations, status }: { violations: object[]; status: number }): object => ({
      status: status + 1,
      body: { own: violations },
    });
    const own = await serve(handlers, { onInvalid })('POST /parcels', json({}, basic));
    expect([own.status, await own.json()]).toEqual([
      423,
      { own: [{ in: 'body', pointer: '', message: "must have required property 'label'" }] },
    ]);
    const broken = await serve(handlers)('POST /parcels', { ...json({}, basic), body: '{' });
    expect([broken.status, await broken.json()]).toMatchObject([422, { message: 'The body must be JSON' }]);
    const missing = await serve(handlers)('POST /parcels', { headers: basic });
    expect([missing.status, await missing.json()]).toMatchObject([422, { message: 'The body must be present' }]);
  });

  it('content types are read the same each time, however many there are', async () => {
    const call = serve({
      createParcel: ({ body, contentType }) => ({
        status: 201,
        body: { label: `${String(contentType)} ${(body as Values)['label'] as string}` },
        headers: { Location: '/' },
      }),
    });
    const basic = { authorization: `Basic ${Buffer.from('me:ö').toString('base64')}` };
    const post = async (type: string, body: string | Uint8Array): Promise<unknown> => {
      const response = await call('POST /parcels', {
        body: body as BodyInit,
        headers: { ...basic, 'content-type': type },
      });
      return [response.status, ((await response.json()) as Values)['label']];
    };
    const latin = Uint8Array.from('{"label":"é"}', (one) => one.charCodeAt(0));
    for (let round = 0; round < 30; round += 1) {
      expect(await post(`application/json; round=${round}`, '{"label":"a"}')).toEqual([201, 'application/json a']);
      expect(await post('application/json; charset=iso-8859-1', latin)).toEqual([201, 'application/json é']);
      expect(await post('application/x-www-form-urlencoded', 'label=b')).toEqual([
        201,
        'application/x-www-form-urlencoded b',
      ]);
      expect(await post('text/csv', 'a')).toEqual([415, undefined]);
    }
  });

  it('forms and multipart bodies are values with files', async () => {
    const seen: Record<string, unknown>[] = [];
    const call = serve({
      createParcel: ({ body, contentType }) => {
        seen.push({ ...(body as object), contentType });
        return { status: 201, headers: { location: '/1' }, body: { label: 'x' } };
      },
    });
    const headers = { authorization: `Basic ${Buffer.from('me:ö').toString('base64')}` };
    const form = new FormData();
    form.set('label', 'é');
    form.set('photo', new File(['bytes'], 'a.png', { type: 'image/png' }));
    form.append('sizes', '1');
    form.append('sizes', '2');
    expect((await call('POST /parcels', { body: form, headers })).status).toBe(201);
    expect(
      (await call('POST /parcels', { body: new URLSearchParams({ label: 'y', count: '2' }), headers })).status,
    ).toBe(201);
    const [{ photo, ...first } = {}, second] = seen;
    expect([first, second]).toEqual([
      { label: 'é', sizes: [1, 2], contentType: 'multipart/form-data' },
      { label: 'y', count: 2, contentType: 'application/x-www-form-urlencoded' },
    ]);
    expect([(photo as File).name, (photo as File).type, await (photo as File).text()]).toEqual([
      'a.png',
      'image/png',
      'bytes',
    ]);
  });

  it('bytes and items arrive as streams, and an item that does not match its schema is refused', async () => {
    const call = serve({
      putScan: async ({ body }) => {
        let size = 0;
        for await (const piece of body as AsyncIterable<Uint8Array>) size += piece.length;
        return { status: 200, body: size };
      },
      writeLog: async ({ body }) => {
        const labels: unknown[] = [];
        for await (const { sent } of body as AsyncIterable<{ sent: unknown }>) labels.push(sent instanceof Date);
        return { status: 200, body: labels.length };
      },
    });
    const headers = { 'content-type': 'application/octet-stream' };
    expect(await (await call('PUT /scans', { body: new Uint8Array(3 << 20), headers })).json()).toBe(3 << 20);
    const lines = {
      headers: { 'content-type': 'application/jsonl' },
      body: '{"label":"a","sent":"2026-01-01T00:00:00Z"}\n{"label":"b"}\n',
    };
    expect(await (await call('POST /log', lines)).json()).toBe(2);
    expect((await call('POST /log', { ...lines, body: '{"label":"a"}\n{"label":1}\n' })).status).toBe(400);
  });
});

describe('routes', () => {
  const named =
    (name: string): Handler =>
    ({ path: values }) => ({ status: 200, body: `${name} ${Object.values(values as Values).join(' ')}` });

  it.each([
    ['GET /v1/parcels/latest', 204, ''],
    ['POST /parcels/a:b:weigh', 200, '"weigh a:b"'],
    ['GET /labels/a.pdf', 200, 'label a pdf'],
    ['GET /files/a/b%2Fc', 200, '"file a/b/c"'],
    ['GET /files/a/', 200, '"file a/"'],
    ['HEAD /labels/a.pdf', 200, ''],
    ['DELETE /parcels/7', 204, ''],
    ['GET /labels/a.gif', 400, undefined],
    ['GET /nothing', 404, undefined],
    ['GET /parcels/%ff', 400, undefined],
    ['PUT /parcels/1', 405, undefined],
    ['GET /log', 501, undefined],
  ])('%s is %i', async (target, status, text) => {
    const call = serve({
      latest: () => ({ status: 204 }),
      deleteParcel: () => ({ status: 204 }),
      weigh: named('weigh'),
      label: named('label'),
      file: named('file'),
    });
    const response = await call(target);
    expect(response.status).toBe(status);
    if (text !== undefined) expect(await response.text()).toBe(text);
    else expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  it('a path lists its methods for 405 and OPTIONS', async () => {
    const call = serve({});
    expect((await call('PUT /parcels/1')).headers.get('allow')).toBe('GET, DELETE, HEAD, OPTIONS');
    const options = await call('OPTIONS /v1/log');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, POST, HEAD, OPTIONS']);
  });

  it('another content type is 415, another Accept 406 before the handler, and a long body 413', async () => {
    let calls = 0;
    const call = serve(
      {
        putScan: () => (calls += 1),
        latest: () => (calls += 1),
        getParcel: () => (calls += 1),
        writeLog: () => 1,
        createParcel: () => (calls += 1),
      },
      { bodyLimit: 10 },
    );
    expect((await call('PUT /scans', { body: 'x', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await call('GET /parcels/1', { headers: { accept: 'image/png' } })).status).toBe(406);
    const utf8 = { authorization: `Basic ${Buffer.from('me:ö').toString('base64')}` };
    expect((await call('POST /parcels', json({ label: 'long text' }, utf8))).status).toBe(413);
    expect(calls).toBe(0);
  });
});

describe('credentials', () => {
  it('a missing or wrong credential is 401 with a challenge, a missing scope 403, and the owner is in the context', async () => {
    let owner: unknown;
    const call = serve({
      listParcels: (_request, { identity }) => ((owner = identity), { status: 200, body: [] }),
      createParcel: (_request, { identity }) => (
        (owner = identity),
        { status: 201, headers: { location: '/' }, body: { label: 'x' } }
      ),
    });
    const none = await call('GET /parcels');
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="Depot"']);
    const wrong = await call('GET /parcels', { headers: { authorization: 'Bearer y' } });
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="Depot", error="invalid_token"',
    ]);
    expect((await call('POST /parcels', json({ label: 'x' }, BEARER))).status).toBe(403);
    await call('GET /parcels', { headers: { authorization: 'bearer x' } });
    expect(owner).toMatchObject({ name: 'me' });
    const basic = { authorization: `Basic ${Buffer.from('you:ö').toString('base64')}` };
    expect((await call('POST /parcels', json({ label: 'x' }, basic))).status).toBe(201);
    expect(owner).toEqual({ name: 'you' });
  });

  it('a server without the function of a scheme that it requires is not made', () => {
    expect(() => depot.depotFetch({ listParcels: () => 1 }, { authenticate: {} })).toThrow(
      'listParcels requires the security scheme token; authenticate has no function for it.',
    );
  });
});

describe('responses', () => {
  it('a handler that throws is 500 without its message, and ServerError has its own', async () => {
    const errors: unknown[] = [];
    const call = serve(
      {
        latest: () => {
          throw new Error('secret');
        },
        getParcel: () => {
          throw new depot.ServerError(404, 'There is no such parcel.');
        },
      },
      { onError: (error: Error, operation: string) => errors.push([error.message, operation]) },
    );
    const failed = await call('GET /parcels/latest');
    expect([failed.status, (await failed.text()).includes('secret'), errors]).toEqual([
      500,
      false,
      [['secret', 'latest']],
    ]);
    const refused = await call('GET /parcels/9');
    expect([refused.status, await refused.json()]).toEqual([
      404,
      { code: 'not_found', message: 'There is no such parcel.' },
    ]);
  });

  it('a response that does not match the spec is 500, and is sent with responses off', async () => {
    const errors: string[] = [];
    const onError = (error: Error): unknown => errors.push(error.message);
    const handlers = { getParcel: () => ({ status: 200, body: { label: 5 } }), latest: () => ({ status: 299 }) };
    expect((await serve(handlers, { onError })('GET /parcels/1')).status).toBe(500);
    expect((await serve(handlers, { onError })('GET /parcels/latest')).status).toBe(500);
    expect(errors).toEqual([
      'The response of getParcel does not match the spec: /data/label must be string',
      'The response of latest does not match the spec: /status status 299 is not documented',
    ]);
    expect((await serve(handlers, { responses: 'off' })('GET /parcels/1')).status).toBe(200);
  });

  it('dates and long integers are written as JSON, and the media type follows Accept', async () => {
    const call = serve({
      getParcel: ({ path: values }) => {
        const { id } = values as Values;
        return id === 2n ? { status: 200, body: 'two' } : { status: 200, body: { label: 'x', id, sent: new Date(0) } };
      },
    });
    expect(await (await call('GET /parcels/9007199254740993')).text()).toBe(
      '{"label":"x","id":9007199254740993,"sent":"1970-01-01T00:00:00.000Z"}',
    );
    const text = await call('GET /parcels/2', { headers: { accept: 'text/plain' } });
    expect([text.headers.get('content-type'), await text.text()]).toEqual(['text/plain', 'two']);
  });

  it('a generator sends its items as they come, and is ended when the client leaves', async () => {
    let ended = false;
    const call = serve({
      readLog: (_request, { signal }) => ({
        status: 200,
        body: (async function* () {
          try {
            for (let id = 1n; ; id += 1n) {
              if ((signal as AbortSignal).aborted) return;
              yield { label: 'x', id };
              await new Promise((resolve) => setTimeout(resolve, 1));
            }
          } finally {
            ended = true;
          }
        })(),
      }),
    });
    const { body, headers } = await call('GET /log');
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect([headers.get('content-type'), new TextDecoder().decode(value)]).toEqual([
      'application/jsonl',
      '{"label":"x","id":1}\n',
    ]);
    await reader.cancel();
    expect(ended).toBe(true);
  });
});

it('the program of docs/server.md serves the shop', async () => {
  const shown = /^```ts\n(import [^]*?)^```$/m.exec(readFileSync('docs/server.md', 'utf8'))?.[1] ?? '';
  output.write('shown.ts', shown.replaceAll('./generated/shop/', './shop/'));
  const shop = {
    ...{ spec: path.resolve('test/docs/shop.yaml'), output: 'shop', only: ['types', 'validators'] },
    emitters: ['server'],
  };
  await generate({ cwd: output.folder, config: { apis: { shop } } });
  const { fetch } = await output.run<{ fetch: Send }>('shown.ts');
  const headers = { authorization: 'Bearer secret', 'idempotency-key': 'k', 'content-type': 'application/json' };
  const send = (target: string, init: RequestInit = {}): Promise<Response> =>
    fetch(new Request(`https://shop.example.com${target}`, { headers, ...init }));
  const body = '{"item":"tea"}';
  expect((await send('/orders', { method: 'POST', body })).status).toBe(201);
  expect((await send('/orders', { method: 'POST', body })).status).toBe(409);
  expect(await (await send('/orders/k')).json()).toEqual({ id: 'k', item: 'tea' });
  expect(await (await send('/orders/events')).text()).toBe('data: {"id":"k","item":"tea"}\n\n');
  expect((await send('/orders/x')).status).toBe(404);
  expect((await send('/orders', { headers: {} })).status).toBe(401);
});

/** A program on an output of the depot: `latest` has the only handler. */
const PARTIAL = `
import { depotFetch, type DepotHandlers, reply } from './NAME/server.js';
const handlers = { latest: () => reply.latest(204) };
export const own: keyof DepotHandlers = 'latest';
export const send: (request: Request) => Promise<Response> = depotFetch(handlers, OPTIONS);
`;
const OPEN = '{}';
const GUARDED = '{ authenticate: { token: () => undefined, basic: () => undefined } }';

it('operations that are not implemented answer 501, and strict makes it a type error to leave out a handler', async () => {
  using folder = new OutputFolder();
  folder.write('spec.yaml', SPEC);
  const shared = { spec: 'spec.yaml', only: ['types', 'validators'], dates: 'Date' } as const;
  const variants = {
    some: [{ implement: { operations: ['latest'] } }, OPEN],
    loose: [{}, GUARDED],
    strict: [{ strict: true }, GUARDED],
  } as const;
  for (const [name, [options, own]] of Object.entries(variants)) {
    const emitters = [['server', options] as const];
    const { apis } = await generate({
      cwd: folder.folder,
      config: { apis: { depot: { ...shared, output: name, emitters } } },
    });
    expect(apis[0]?.status).toBe('written');
    folder.write(`${name}.ts`, PARTIAL.replace('NAME', name).replace('OPTIONS', own));
  }
  const errors = folder
    .typeCheck()
    .split('\n')
    .filter((line) => line.includes('error TS'));
  expect(errors.map((line) => path.basename(line.slice(0, line.indexOf('('))))).toEqual(['strict.ts']);
  const { send } = await folder.run<{ readonly send: Send }>('some.ts');
  const statuses = ['/parcels/latest', '/parcels/1', '/log'].map(
    async (at) => (await send(new Request(`http://a${at}`))).status,
  );
  expect(await Promise.all(statuses)).toEqual([204, 501, 501]);
});

it('a bundle has only the parts of the server that its operations use', async () => {
  using folder = new OutputFolder();
  const emitters = [['server', {}] as const];
  const items = {
    spec: path.resolve('bench/emitters/items.yaml'),
    output: 'items',
    only: ['types', 'validators'],
    emitters,
  };
  const { apis } = await generate({ cwd: folder.folder, config: { apis: { items } } });
  expect(apis[0]?.status).toBe('written');
  folder.write('edge.ts', "import { itemsFetch } from './items/server.js';\nexport default itemsFetch({});\n");
  const code = await folder.bundle('edge.ts');
  const whole = await output.bundle('depot/server.ts');
  // Forms, styles, credentials, streams of responses, exact integers and paths of several parts.
  for (const word of ['multipart', 'spaceDelimited', 'www-authenticate', 'highWaterMark', 'BigInt(', 'mixed.push'])
    expect([word, whole.includes(word), code.includes(word)]).toEqual([word, true, false]);
  expect(gzipSync(code).length).toBeLessThan(9_500);
});

it('unknown names of operations are an error', async () => {
  const folder = tempFolder();
  writeFileSync(path.join(folder, 'spec.yaml'), SPEC);
  const emitters = [['server', { implement: { operations: ['listParcel'] } }] as const];
  const [api] = (
    await generate({ cwd: folder, config: { apis: { depot: { spec: 'spec.yaml', output: 'out', emitters } } } })
  ).apis;
  expect(api?.diagnostics.map(({ message, severity }) => [severity, message])).toContainEqual([
    'error',
    'The emitter "server" implements "listParcel", which is no operation of the API.',
  ]);
});
