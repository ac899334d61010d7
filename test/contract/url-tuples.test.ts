import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const text = { type: 'string' };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const inPath = (...names: string[]): object[] =>
  names.map((name) => ({ name, in: 'path', required: true, schema: text }));
const missing = { description: 'There is none.' };
const location = { Location: { required: true, schema: text } };
const entity = (...names: string[]): object => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, text])),
});

/** Only `Location` says under which house a tape is: the path of its creation names a shelf. */
const DOCUMENT = documentWith({
  '/shelves': {
    post: {
      operationId: 'putUp',
      requestBody: { required: true, ...json(entity('label')) },
      responses: { 201: { description: 'Put up.', ...json(entity('id', 'label')) }, 400: missing },
    },
  },
  '/shelves/{id}': {
    get: {
      operationId: 'getShelf',
      parameters: inPath('id'),
      responses: { 200: { description: 'It.', ...json(entity('id', 'label')) }, 404: missing },
    },
  },
  '/shelves/{shelf}/tapes': {
    post: {
      operationId: 'file',
      parameters: inPath('shelf'),
      requestBody: { required: true, ...json(entity('title')) },
      responses: { 201: { description: 'Filed.', headers: location }, 400: missing, 404: missing },
    },
  },
  '/tapes/{house}/{tape}': {
    get: {
      operationId: 'getTape',
      parameters: inPath('house', 'tape'),
      responses: { 200: { description: 'It.', ...json(entity('title')) }, 404: missing },
    },
  },
  '/tapes/{house}/{tape}/cover': {
    get: {
      operationId: 'getCover',
      parameters: inPath('house', 'tape'),
      responses: { 200: { description: 'It.', ...json(entity('color')) }, 404: missing },
    },
  },
});

test('a URL in a response gives all parameters of a path together', async () => {
  const shelves = new Map<string, string>();
  const tapes = new Map<string, string>();
  const serve: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const [, collection, first = '', second = ''] = pathname.split('/');
    const body = request.method === 'POST' ? await request.json().catch(() => undefined) : undefined;
    const shelf = shelves.get(first);
    const tape = tapes.get(pathname.replace('/cover', ''));
    if (request.method === 'GET' && tape !== undefined)
      return Response.json(pathname.endsWith('/cover') ? { color: 'red' } : { title: tape });
    if (request.method === 'GET') {
      const isShelf = collection === 'shelves' && second === '' && shelf !== undefined;
      return isShelf ? Response.json({ id: first, label: shelf }) : new Response(null, { status: 404 });
    }
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'GET, POST' } });
    if (second === 'tapes') {
      if (shelf === undefined) return new Response(null, { status: 404 });
      if (typeof body?.title !== 'string') return new Response(null, { status: 400 });
      const path = `/tapes/west-${first}/t${tapes.size + 1}`;
      tapes.set(path, body.title);
      return new Response(null, { status: 201, headers: { location: path } });
    }
    if (typeof body?.label !== 'string') return new Response(null, { status: 400 });
    const id = `s${shelves.size + 1}`;
    shelves.set(id, body.label);
    return Response.json({ id, label: body.label }, { status: 201 });
  };
  const api = await loadDocument(DOCUMENT);
  const { findings, reach } = await runContract({ api, url: 'http://127.0.0.1:9', fetch: serve, phases: ['examples'] });
  expect(findings.map(({ check, message }) => `${check}: ${message}`)).toEqual([]);
  expect(reach.succeeded).toEqual(['putUp', 'getShelf', 'file', 'getTape', 'getCover']);
});
