import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { startProxy } from '../../entry/mock.js';
import { ObservationLog } from '../../http/observations/observation-log.js';
import { writeOverlay } from '../../http/observations/overlay-document.js';
import type { ObservedCall } from '../../http/observations/observed-call.js';
import type { Api } from '../../model/api.js';
import { loadApi } from '../../model/load-api.js';
import { runCaptured } from '../support/run-captured.js';

const SPEC = `openapi: 3.0.3
info: { title: Orders, version: '2' }
paths:
  /orders/{id}:
    get:
      operationId: readOrder
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: An order.
          headers: { x-version: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
  /notes:
    post:
      operationId: writeNote
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses:
        '201':
          description: A note.
          content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }
components:
  schemas:
    Note:
      type: object
      properties: { text: { type: string }, author: { type: string }, mark: { type: string }, kind: { type: string } }
    Address: { type: object, properties: { city: { type: string } } }
    Order:
      type: object
      additionalProperties: false
      required: [id, total]
      properties:
        id: { type: string }
        total: { type: integer }
        placed: { type: string, format: date-time }
        note: { type: string }
        address: { $ref: '#/components/schemas/Address' }
`;

/** Order 13 has a wrong type once; others show what the server does. */
function orderOf(id: string): unknown {
  const number = Number(id);
  return {
    id: number === 13 ? 13 : id,
    total: number % 2 === 0 ? 9.5 : 10,
    placed: 'yesterday',
    note: number % 3 === 0 ? null : 'fine',
    address: number % 5 === 0 ? null : { city: 'Oslo' },
    gift: true,
  };
}

/** The server sets the author itself, takes the text, and shows a mark in upper case. */
async function writeNote(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { text, mark } = (await json(request)) as { text: string; mark: string };
  response.writeHead(201, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ note: { text, mark: mark.toUpperCase(), author: 'system', kind: 'x' } }));
}

let folder: string;
let server: Server;
let upstream: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'specmill-proxy-overlay-'));
  await writeFile(path.join(folder, 'orders.yaml'), SPEC);
  server = createServer((request, response) => {
    const id = request.url?.split('/')[2] ?? '';
    if (request.url === '/notes') {
      void writeNote(request, response);
      return;
    }
    const isGone = Number(id) > 90;
    response.writeHead(isGone ? 410 : 200, { 'content-type': isGone ? 'text/plain' : 'application/json' });
    response.end(isGone ? 'gone' : JSON.stringify(orderOf(id)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

interface Action {
  readonly target: string;
  readonly update?: unknown;
  readonly remove?: boolean;
}

async function actionsOf(file: string): Promise<unknown[]> {
  const { actions } = parse(await readFile(path.join(folder, file), 'utf8')) as { actions: readonly Action[] };
  return actions.map(({ target, update, remove }) => [target, update ?? remove]);
}

const ORDER = '$.components.schemas.Order';

/** What the spec must say; the one order with a number as id is a fault of the server. */
const ACTIONS = [
  ["$.paths['/orders/{id}'].get.responses['200'].headers['x-version']", { required: false }],
  [
    "$.paths['/orders/{id}'].get",
    { responses: { 410: { description: 'Gone', content: { 'text/plain': { schema: { type: 'string' } } } } } },
  ],
  [ORDER, { properties: { gift: { type: 'boolean' } } }],
  [`${ORDER}.properties.address`, { nullable: true, allOf: [{ $ref: '#/components/schemas/Address' }] }],
  [`${ORDER}.properties.address['$ref']`, true],
  [`${ORDER}.properties.note`, { nullable: true }],
  [`${ORDER}.properties.placed.format`, true],
  [`${ORDER}.properties.total`, { type: 'number' }],
];

async function write(name: string, text: string): Promise<string> {
  await writeFile(path.join(folder, name), text);
  return path.join(folder, name);
}

/** A response of JSON to a valid request, without its body and time. */
function callOf(api: Api, id: string, status: number): Omit<ObservedCall, 'body' | 'at'> {
  const operation = api.operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`The spec has an operation ${id}.`);
  return { operation, status, isValid: true, isHead: false, headers: { 'content-type': 'application/json' } };
}

describe('proxy --write-overlay', () => {
  it('writes a short overlay after much traffic, now and at its end, and applied it leaves one fault', async () => {
    const proxy = await startProxy('orders.yaml', { upstream, cwd: folder, writeOverlay: 'fix.yaml' });
    for (let id = 1; id <= 100; id += 1) await fetch(`${proxy.url}/orders/${id}`);
    const now = await proxy.writeOverlay();
    expect(now).toMatchObject({ actions: ACTIONS.length, uncertain: 1, omitted: 0 });
    expect(await actionsOf('fix.yaml')).toEqual(ACTIONS);
    const journal = await proxy.requests();
    await rm(path.join(folder, 'fix.yaml'));
    await proxy.close();
    expect(await actionsOf('fix.yaml')).toEqual(ACTIONS);
    await writeFile(path.join(folder, 'journal.json'), JSON.stringify(journal));

    const applied = await runCaptured(folder, 'apply-overlay', 'orders.yaml', 'fix.yaml', '--out', 'true.yaml');
    expect(applied).toMatchObject({ status: 0, err: '' });
    const again = await startProxy('true.yaml', { upstream, cwd: folder });
    for (let id = 1; id <= 100; id += 1) await fetch(`${again.url}/orders/${id}`);
    const { violations } = again.report();
    await again.close();
    expect(violations.map(({ pointer, count }) => [pointer, count])).toEqual([['/body/id', 1]]);
  });

  it('writes the same from the journal of the proxy by coverage', async () => {
    const run = await runCaptured(
      folder,
      'coverage',
      'orders.yaml',
      '--journal',
      'journal.json',
      '--write-overlay',
      'c.yaml',
    );
    expect(run).toMatchObject({ status: 0, err: '' });
    expect(run.out).toContain('c.yaml: 8 actions to make the spec true to the server.');
    expect(run.out).toContain('1 observation is not certain enough for the overlay: the server may be wrong.');
    expect(await actionsOf('c.yaml')).toEqual(ACTIONS);
  });

  it('marks a member as readOnly if the server sets it, whatever several requests send', async () => {
    const proxy = await startProxy('orders.yaml', { upstream, cwd: folder, writeOverlay: 'notes.yaml' });
    const send = (note: object): Promise<Response> =>
      fetch(`${proxy.url}/notes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(note),
      });
    // One kind only: it may be a default that happens to differ.
    for (const name of ['anna', 'ben', 'carl']) await send({ text: name, author: name, mark: name, kind: 'y' });
    await proxy.close();
    expect(await actionsOf('notes.yaml')).toEqual([
      ['$.components.schemas.Note.properties.author', { readOnly: true }],
    ]);
    expect(await readFile(path.join(folder, 'notes.yaml'), 'utf8')).toMatch(
      /The server sets \/author of POST \/notes \(201\) itself, whatever is sent: all 3\s+calls on [\d-]+\.\s+Example:\s+sent "anna", shown "system"/,
    );
  });

  it('marks a required member as writeOnly if requests send it and no response has it', async () => {
    const spec = SPEC.replace(
      '    Note:\n      type: object\n',
      '    Note:\n      type: object\n      required: [text, kind]\n',
    );
    const api = await loadApi(await write('required.yaml', spec));
    const log = new ObservationLog(api);
    for (const at of [1, 2])
      log.add({ ...callOf(api, 'writeNote', 201), body: { kind: 'json', value: { text: 'a' } }, at });
    await writeOverlay(path.join(folder, 'hidden.yaml'), log);
    expect(await actionsOf('hidden.yaml')).toEqual([
      ['$.components.schemas.Note.properties.kind', { writeOnly: true }],
    ]);
  });

  it('shows no credential of a body or header, and applies to a spec with hostile names', async () => {
    const name = `it's "a" \\ b.c-d[*]\u{1f600}`;
    const password = { type: 'integer' };
    const item = { type: 'object', additionalProperties: false, properties: { [name]: { type: 'string' }, password } };
    const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
    const responses = {
      200: { description: '', headers: { 'x-api-key': { schema: { type: 'integer' } } }, ...json(item) },
    };
    const paths = { [`/${name}`]: { get: { operationId: 'hostile', responses } } };
    const info = { title: name, version: '1' };
    const file = await write('hostile.json', JSON.stringify({ openapi: '3.1.0', info, paths }));
    const api = await loadApi(file);
    const log = new ObservationLog(api);
    const value = {
      [name]: null,
      password: 'hunter2',
      link: 'https://u:hunter2@h/?access_token=hunter2',
      [`${name}2`]: 1,
    };
    for (const at of [1, 2]) {
      const call = callOf(api, 'hostile', 200);
      const headers = { ...call.headers, 'x-api-key': 'hunter2' };
      log.add({ ...call, headers, body: { kind: 'json', value }, at });
      log.add({ ...call, status: 409, headers, body: { kind: 'json', value }, at });
    }
    await writeOverlay(path.join(folder, 'hostile.yaml'), log);
    const overlay = await readFile(path.join(folder, 'hostile.yaml'), 'utf8');
    expect(overlay).not.toContain('hunter2');
    expect(overlay).toContain('REDACTED');
    const { diagnostics, operations } = await loadApi(file, { overlays: [path.join(folder, 'hostile.yaml')] });
    expect(diagnostics.filter(({ code }) => code.startsWith('overlay'))).toEqual([]);
    expect(operations[0]?.responses.map(({ status }) => status)).toEqual(['200', '409']);
    const again = new ObservationLog(await loadApi(file, { overlays: [path.join(folder, 'hostile.yaml')] }));
    const call = callOf(again.api, 'hostile', 200);
    again.add({ ...call, headers: { ...call.headers, 'x-api-key': 'a' }, body: { kind: 'json', value }, at: 1 });
    expect(again.folded.size).toBe(0);
  });

  it('adds media types of OpenAPI 2.0 to the list of an operation, which replaces that of the document', async () => {
    const text = `swagger: '2.0'
info: { title: Notes, version: '1' }
produces: [application/json]
paths:
  /a:
    get:
      operationId: a
      responses: { '200': { description: A., schema: { type: string } } }
  /b:
    get:
      operationId: b
      produces: [text/csv]
      responses: { '200': { description: B., schema: { type: string } } }
`;
    const file = await write('swagger.yaml', text);
    const logOf = async (overlays: readonly string[]): Promise<ObservationLog> => {
      const log = new ObservationLog(await loadApi(file, { overlays }));
      for (const at of [1, 2])
        for (const id of ['a', 'b'])
          for (const status of [200, 409])
            log.add({
              ...callOf(log.api, id, status),
              headers: { 'content-type': 'text/plain' },
              body: { kind: 'text', text: 'x' },
              at,
            });
      return log;
    };
    await writeOverlay(path.join(folder, 'swagger-fix.yaml'), await logOf([]));
    const conflict = { responses: { 409: { description: 'Conflict', schema: { type: 'string' } } } };
    expect(await actionsOf('swagger-fix.yaml')).toEqual([
      ["$.paths['/a'].get", { produces: ['application/json', 'text/plain'] }],
      ["$.paths['/a'].get", conflict],
      ["$.paths['/b'].get", { produces: ['text/plain'] }],
      ["$.paths['/b'].get", conflict],
    ]);
    const fixed = path.join(folder, 'swagger-fix.yaml');
    expect(await writeOverlay(path.join(folder, 'none.yaml'), await logOf([fixed]))).toMatchObject({
      actions: 0,
      uncertain: 0,
    });
  });

  it('adds an alternative for values of a type that none has, and removes a constant that most calls break', async () => {
    const properties = {
      size: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/Count' }] },
      kind: { const: 'note' },
    };
    const schema = { type: 'object', properties };
    const content = { 'application/json': { schema } };
    const paths = { '/a': { get: { operationId: 'a', responses: { 200: { description: 'A.', content } } } } };
    const components = { schemas: { Count: { type: 'integer' } } };
    const info = { title: 'A', version: '1' };
    const file = await write('choices.json', JSON.stringify({ openapi: '3.1.0', info, paths, components }));
    const logOf = async (overlays: readonly string[]): Promise<ObservationLog> => {
      const log = new ObservationLog(await loadApi(file, { overlays }));
      for (const [at, size] of ['big', 3, [1, 2], [3], []].entries())
        log.add({
          ...callOf(log.api, 'a', 200),
          body: { kind: 'json', value: { size, kind: at === 0 ? 'note' : 'memo' } },
          at,
        });
      return log;
    };
    await writeOverlay(path.join(folder, 'choices-fix.yaml'), await logOf([]));
    const target = "$.paths['/a'].get.responses['200'].content['application/json'].schema.properties";
    expect(await actionsOf('choices-fix.yaml')).toEqual([
      [`${target}.kind.const`, true],
      [`${target}.size`, { oneOf: [{ type: 'array', items: { type: 'integer' } }] }],
    ]);
    const again = await logOf([path.join(folder, 'choices-fix.yaml')]);
    expect(again.folded.size).toBe(0);
  });

  it('adds the format that many different texts have, unless requests send them or another rule describes them', async () => {
    const text = { type: 'string' };
    const names = ['made', 'key', 'api', 'code', 'mixed', 'choice'];
    const properties = Object.fromEntries(names.map((name) => [name, text]));
    const shown = {
      type: 'object',
      properties: { ...properties, code: { ...text, pattern: '^.*$' }, choice: { oneOf: [text, { type: 'integer' }] } },
      allOf: [{ $ref: '#/components/schemas/Sent' }],
    };
    const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
    const read = { operationId: 'read', responses: { 200: { description: 'x', ...json(shown) } } };
    const sent = { $ref: '#/components/schemas/Sent' };
    const create = { operationId: 'create', requestBody: json(sent), responses: { 204: { description: 'x' } } };
    const components = { schemas: { Sent: { type: 'object', properties: { sent: text } } } };
    const info = { title: 'A', version: '1' };
    const document = { openapi: '3.1.0', info, paths: { '/a': { get: read, post: create } }, components };
    const file = await write('formats.json', JSON.stringify(document));
    const logOf = async (calls: number, overlays: readonly string[] = []): Promise<ObservationLog> => {
      const log = new ObservationLog(await loadApi(file, { overlays }));
      for (let at = 0; at < calls; at += 1) {
        const made = new Date(at * 86_400_000).toISOString();
        const [day = ''] = made.split('T');
        const key = `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`;
        const value = {
          made,
          key,
          api: '2026-01-01',
          code: day,
          mixed: at === 7 ? 'soon' : day,
          choice: day,
          sent: day,
        };
        log.add({ ...callOf(log.api, 'read', 200), body: { kind: 'json', value }, at });
      }
      return log;
    };
    const overlay = path.join(folder, 'formats.yaml');
    expect(await writeOverlay(overlay, await logOf(19))).toMatchObject({ actions: 0 });
    await writeOverlay(overlay, await logOf(20));
    const target = "$.paths['/a'].get.responses['200'].content['application/json'].schema.properties";
    expect(await actionsOf('formats.yaml')).toEqual([
      [`${target}.made`, { format: 'date-time' }],
      [`${target}.key`, { format: 'uuid' }],
    ]);
    const written = (await readFile(overlay, 'utf8')).replaceAll(/\s+/g, ' ');
    expect(written).toContain(
      '/made of GET /a (200) always has the format date-time: all 20 texts in 20 calls on 1970',
    );
    expect(written).toContain('Example: "00000000-…"');
    expect(await writeOverlay(path.join(folder, 'none.yaml'), await logOf(20, [overlay]))).toMatchObject({
      actions: 0,
    });
  });

  it('counts within a fixed memory, whatever bodies come, and says what it left out', async () => {
    const api = await loadApi(path.join(folder, 'orders.yaml'));
    const log = new ObservationLog(api);
    const seen = callOf(api, 'readOrder', 200);
    for (let call = 0; call < 1_200; call += 1) {
      const members = Array.from({ length: 20 }, (_, index) => [`m${call}-${index}`, { deep: { [`n${call}`]: call } }]);
      const value = { id: 'a', total: 1, ...Object.fromEntries(members) };
      log.add({ ...seen, body: { kind: 'json', value }, at: call });
    }
    expect(log.calls).toBe(1_200);
    expect(log.folded.size).toBeLessThanOrEqual(2_000);
    expect(log.room.left).toBeGreaterThanOrEqual(0);
    expect(log.room.omitted).toBeGreaterThan(20_000);
  });
});
