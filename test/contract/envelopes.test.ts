import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import { type ContractReport, runContract } from '../../entry/contract.js';
import { documentWith } from '../support/load-document.js';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const ok = (schema: object): object => ({ description: 'ok', ...json(schema) });
const BOOK = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: { type: 'string', readOnly: true }, title: { type: 'string', minLength: 1 } },
};
const SETTINGS = {
  type: 'object',
  required: ['theme'],
  properties: { theme: { type: 'string', minLength: 1 }, size: { type: 'integer', minimum: 1 } },
};
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

const DOCUMENT = documentWith({
  '/books': {
    get: {
      operationId: 'listBooks',
      responses: {
        200: ok({
          type: 'object',
          required: ['warnings', 'books'],
          properties: { warnings: { type: 'array', items: BOOK }, books: { type: 'array', items: BOOK } },
        }),
      },
    },
    post: {
      operationId: 'addBook',
      requestBody: { required: true, ...json(BOOK) },
      responses: { 201: ok(BOOK), 400: ok({}) },
    },
  },
  '/books/{id}': {
    parameters: [ID],
    get: { operationId: 'getBook', responses: { 200: ok(BOOK), 404: { description: 'none' } } },
  },
  '/settings': {
    get: { operationId: 'getSettings', responses: { 200: ok(SETTINGS) } },
    put: {
      operationId: 'putSettings',
      requestBody: { required: true, ...json(SETTINGS) },
      responses: { 200: ok(SETTINGS), 400: ok({}) },
    },
  },
});

interface Faults {
  readonly listIsEmpty?: boolean;
  readonly settingsAreLost?: boolean;
}

/** Books in an envelope with two lists, and settings. */
function serveBooks({ listIsEmpty, settingsAreLost }: Faults): typeof fetch {
  const books = new Map<string, object>();
  let settings: object = { theme: 'dark' };
  return async (input, init) => {
    const request = new Request(input, init);
    const [, name = '', id] = new URL(request.url).pathname.split('/');
    const body: unknown = request.method === 'GET' ? undefined : await request.json().catch(() => undefined);
    if (name === 'settings' && request.method === 'PUT') {
      const { theme, size = 1 } = (body ?? {}) as Record<string, unknown>;
      const isValid = typeof theme === 'string' && theme !== '' && Number.isInteger(size) && Number(size) >= 1;
      if (!isValid) return Response.json({}, { status: 400 });
      if (settingsAreLost !== true) settings = body as object;
      return Response.json(body);
    }
    if (request.method === 'GET') {
      if (name === 'settings') return Response.json(settings);
      if (id === undefined) return Response.json({ warnings: [], books: listIsEmpty ? [] : [...books.values()] });
      const book = books.get(decodeURIComponent(id));
      return book === undefined ? new Response(null, { status: 404 }) : Response.json(book);
    }
    if (name !== 'books' || request.method !== 'POST') return new Response(null, { status: 405 });
    const { title } = (body ?? {}) as Record<string, unknown>;
    if (typeof title !== 'string' || title === '') return Response.json({}, { status: 400 });
    const book = { id: `b${books.size + 1}`, title };
    books.set(book.id, book);
    return Response.json(book, { status: 201 });
  };
}

async function findingsOf(faults: Faults): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-envelopes-'));
  try {
    const spec = path.join(folder, 'openapi.json');
    writeFileSync(spec, JSON.stringify(DOCUMENT));
    const report: ContractReport = await runContract({
      spec,
      url: 'http://books.test',
      fetch: serveBooks(faults),
      seed: 1,
      phases: ['stateful'],
    });
    return report.findings.map(({ check, operationId }) => `${check}: ${operationId}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a server that follows its spec has no findings', async () => expect(await findingsOf({})).toEqual([]));

test('a created item that is missing from the list of the envelope is found, despite another list', async () =>
  expect(await findingsOf({ listIsEmpty: true })).toEqual(['list contains: listBooks']));

test('finds a write to a singleton that is not read back', async () =>
  expect(new Set(await findingsOf({ settingsAreLost: true }))).toEqual(new Set(['update is visible: getSettings'])));
