import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { runCaptured } from '../support/run-captured.js';

/** A library whose server does more than its spec says: see `respond`. */
const SPEC = `openapi: 3.1.0
info: { title: Library, version: 1.0.0 }
paths:
  /books:
    get:
      operationId: listBooks
      responses:
        '200':
          description: All books.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } }
    post:
      operationId: createBook
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/NewBook' } } }
      responses:
        '201':
          description: Created.
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
        '400': { description: Refused. }
  /books/{id}:
    get:
      operationId: getBook
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: One book.
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
        '404': { description: Unknown. }
  /books/{id}/cover:
    get:
      operationId: getCover
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: The cover., content: { image/png: {} } }
components:
  schemas:
    NewBook:
      type: object
      required: [title]
      properties: { title: { type: string, maxLength: 40 } }
    Person:
      type: object
      properties: { name: { type: string } }
    Book:
      type: object
      required: [id, title, state, author, pages, shelf, token]
      properties:
        id: { type: string }
        title: { type: string }
        state: { type: string, enum: [available, lent] }
        author: { $ref: '#/components/schemas/Person' }
        pages: { type: string }
        shelf: { type: string }
        token: { type: integer }
        subtitle: { type: [string, integer] }
`;

interface Book {
  readonly id: string;
  readonly title: string;
}

function respond(books: Map<string, Book>, request: IncomingMessage, response: ServerResponse, text: string): void {
  const send = (status: number, body?: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-shelf-count': '3' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  // An enum value, a null, a number for a text, and a missing member that the spec does not know.
  const show = ({ id, title }: Book): unknown => ({
    ...{ id, title, state: 'in repair', author: null, pages: 12, subtitle: null },
    token: `secret-${id}`,
  });
  const [, , id, part] = (request.url ?? '').split('?', 1)[0]?.split('/') ?? [];
  const book = books.get(id ?? '');
  if (part === 'cover') send(409, { error: { code: 'no_cover', token: 'tok-1234567890' } });
  else if (id !== undefined)
    send(book === undefined ? 404 : 200, book === undefined ? { error: 'unknown' } : show(book));
  else if (request.method === 'GET') send(200, [...books.values()].map(show));
  else {
    const sent = read(text);
    if (sent === undefined || [...sent.title].length > 40) send(400);
    else {
      const made = { id: `b${books.size + 1}`, title: sent.title };
      books.set(made.id, made);
      send(201, show(made));
    }
  }
}

function read(text: string): { title: string } | undefined {
  try {
    const value = JSON.parse(text) as { title?: unknown } | null;
    return typeof value?.title === 'string' ? { title: value.title } : undefined;
  } catch {
    return undefined;
  }
}

let folder: string;
let server: Server;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'specmill-overlay-'));
  const books = new Map<string, Book>();
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => respond(books, request, response, Buffer.concat(chunks).toString('utf8')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(path.join(folder, 'library.yaml'), SPEC);
  await writeFile(
    path.join(folder, 'specmill.config.json'),
    JSON.stringify({ apis: { library: { spec: 'library.yaml', overlays: ['fix.yaml'], output: 'out' } } }),
  );
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

interface Run {
  readonly findings: readonly { readonly check: string; readonly pointer: string }[];
  readonly overlay?: { readonly file: string; readonly actions: number; readonly uncertain: number };
}

interface Action {
  readonly target: string;
  readonly description: string;
  readonly update?: Readonly<Record<string, unknown>>;
  readonly remove?: boolean;
}

async function runContract(...args: readonly string[]): Promise<Run> {
  const options = ['--url', url, '--phase', 'examples,boundary', '--max-examples', '4', '--json'];
  const run = await runCaptured(folder, 'contract', ...args, ...options);
  return JSON.parse(run.out) as Run;
}

describe('contract --write-overlay', () => {
  it('writes an overlay with which a second run has none of the findings', async () => {
    const first = await runContract('library.yaml', '--write-overlay', 'fix.yaml');
    expect(first.findings.map(({ check, pointer }) => `${check} ${pointer}`).toSorted()).toEqual([
      'documented status ',
      'response schema ',
      'response schema /author',
      'response schema /pages',
      'response schema /state',
      'response schema /subtitle',
      'response schema /token',
    ]);
    const text = await readFile(path.join(folder, 'fix.yaml'), 'utf8');
    const { actions } = parse(text) as { actions: readonly Action[] };
    expect(first.overlay?.actions).toBe(actions.length);
    const book = '$.components.schemas.Book';
    expect(actions.map(({ target, update, remove }) => [target, update ?? remove])).toEqual([
      [
        "$.paths['/books/{id}'].get.responses['404']",
        { content: { 'application/json': { schema: expect.anything() } } },
      ],
      [
        "$.paths['/books/{id}/cover'].get",
        { responses: { 409: expect.objectContaining({ description: 'Conflict' }) } },
      ],
      [`${book}.required[?@ == 'shelf']`, true],
      [`${book}.properties.author`, { anyOf: [{ $ref: '#/components/schemas/Person' }, { type: 'null' }] }],
      [`${book}.properties.author['$ref']`, true],
      [`${book}.properties.pages`, { type: 'integer' }],
      [`${book}.properties.state`, { enum: ['in repair'] }],
      [`${book}.properties.subtitle`, { type: ['null'] }],
      [`${book}.properties.token`, { type: 'string' }],
    ]);
    const second = await runContract('library');
    expect(second.findings).toEqual([]);
  });

  it('says why, how often and with one example, in which no secret is', async () => {
    const text = await readFile(path.join(folder, 'fix.yaml'), 'utf8');
    const { actions } = parse(text) as { actions: readonly Action[] };
    const about = (target: string): string => actions.find((one) => one.target.endsWith(target))?.description ?? '';
    expect(about('properties.state')).toMatch(
      /^\/state of POST \/books \(201\) and 2 other operations has a value that the enum lacks: \d+ calls on \d{4}-\d\d-\d\d\. Example: "in repair"$/,
    );
    expect(about('properties.pages')).toMatch(/is integer, not string: all \d+ values in \d+ calls .* Example: 12$/);
    expect(about('properties.token')).toMatch(/Example: "REDACTED"$/);
    expect(text).not.toContain('secret-b');
  });

  it('keeps the actions of an overlay that the API was loaded with', async () => {
    const before = await readFile(path.join(folder, 'fix.yaml'), 'utf8');
    const again = await runContract('library', '--write-overlay', 'fix.yaml');
    expect(again.overlay).toMatchObject({ actions: 0, uncertain: 0 });
    expect(await readFile(path.join(folder, 'fix.yaml'), 'utf8')).toBe(before);
  });
});
