import { beforeAll, expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import type { Api } from '../../entry/specmill.js';
import { loadDocument } from '../support/load-document.js';

const TEXT = { type: 'string' };
const shows = (schema: unknown): object => ({ description: 'x', content: { 'application/json': { schema } } });
const takes = (schema: unknown): object => ({ required: true, content: { 'application/json': { schema } } });
const NOTE = { type: 'object', required: ['text'], properties: { text: { ...TEXT, minLength: 1 }, color: TEXT } };
const SHOWN = {
  type: 'object',
  required: ['id', 'text', 'pinned', 'revision'],
  properties: { ...NOTE.properties, id: TEXT, pinned: { type: 'boolean' }, revision: { type: 'integer' } },
};
const MARK = { type: 'object', required: ['word'], properties: { word: { ...TEXT, minLength: 1 } } };
const MARK_SHOWN = { ...MARK, properties: { ...MARK.properties, mark: { type: 'integer' } } };
const CHANGE = { type: 'object', properties: { ...NOTE.properties, revision: { type: 'integer' } } };
const FIELDS = {
  name: 'fields',
  in: 'query',
  description: 'Only these members are written.',
  schema: { type: 'array', items: { enum: ['text', 'color'] } },
  explode: false,
};
const LOG = { type: 'array', items: { type: 'object', required: ['what'], properties: { what: TEXT } } };
const MISSING = { 404: shows({ type: 'object' }) };
const REFUSED = { 400: shows({ type: 'object' }) };
const inPath = (...names: readonly string[]): object[] =>
  names.map((name) => ({ name, in: 'path', required: true, schema: TEXT }));

const document = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  paths: {
    '/notes': {
      get: { operationId: 'listNotes', responses: { 200: shows({ type: 'array', items: SHOWN }) } },
      post: { operationId: 'addNote', requestBody: takes(NOTE), responses: { 201: shows(SHOWN), ...REFUSED } },
    },
    '/notes/{id}': {
      parameters: inPath('id'),
      get: { operationId: 'getNote', responses: { 200: shows(SHOWN), ...MISSING } },
      patch: {
        operationId: 'editNote',
        parameters: [FIELDS],
        requestBody: takes(CHANGE),
        responses: { 200: shows(SHOWN), 409: shows({ type: 'object' }), ...REFUSED, ...MISSING },
      },
      delete: { operationId: 'dropNote', responses: { 204: { description: 'x' }, ...MISSING } },
    },
    '/notes/{id}/pin': {
      parameters: inPath('id'),
      put: { operationId: 'pinNote', responses: { 204: { description: 'x' }, ...MISSING } },
      delete: { operationId: 'unpinNote', responses: { 204: { description: 'x' }, ...MISSING } },
    },
    '/notes/{id}/log': {
      parameters: inPath('id'),
      get: { operationId: 'listLog', responses: { 200: shows(LOG), ...MISSING } },
    },
    '/notes/{id}/marks': {
      parameters: inPath('id'),
      get: { operationId: 'listMarks', responses: { 200: shows({ type: 'array', items: MARK_SHOWN }), ...MISSING } },
      post: {
        operationId: 'addMark',
        requestBody: takes(MARK),
        responses: { 201: shows(MARK_SHOWN), ...REFUSED, ...MISSING },
      },
    },
    '/notes/{id}/marks/{mark}': {
      parameters: inPath('id', 'mark'),
      delete: { operationId: 'dropMark', responses: { 204: { description: 'x' }, ...MISSING } },
    },
  },
};

interface Note {
  readonly shown: { id: string; text: string; color?: string; pinned: boolean; revision: number };
  readonly log: object[];
  readonly marks: Map<string, object>;
}

/** Serves the document in this process, with one fault. */
function serve(fault: string): typeof fetch {
  const notes = new Map<string, Note>();
  const logs: object[] = [];
  let count = 10;
  const reply = (status: number, body?: unknown): Response => {
    if (body === undefined) return new Response(null, { status });
    const text = JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': String(text.length) };
    return new Response(text, { status, headers });
  };
  const change = ({ shown }: Note, fields: string | null, input: Partial<Note['shown']>): Response => {
    const isOutdated = input.revision !== undefined && input.revision !== shown.revision;
    if (isOutdated && fault !== 'takes an outdated revision') return reply(409, {});
    const listed = fields?.split(',') ?? ['text', 'color'];
    for (const name of ['text', 'color'] as const)
      if (input[name] !== undefined && (listed.includes(name) || fault === 'writes what the mask leaves out'))
        shown[name] = input[name];
    if (fault !== 'keeps the revision') shown.revision += 1;
    return reply(200, shown);
  };
  const below = (note: Note, [part = '', mark = '']: readonly string[], method: string, input: object): Response => {
    if (part === 'pin') note.shown.pinned = method === 'PUT' && fault !== 'forgets the pin';
    if (part === 'pin') return reply(204);
    if (part === 'log') return reply(200, fault === 'shows the log of all' ? logs : note.log);
    if (mark !== '') {
      const around = fault === 'deletes marks of others' ? [...notes.values()] : [note];
      return around.some(({ marks }) => marks.delete(mark)) ? reply(204) : reply(404, {});
    }
    if (method === 'GET') return reply(200, [...note.marks.values()]);
    if (typeof (input as { word?: unknown }).word !== 'string') return reply(400, {});
    const made = { ...input, mark: (count += 1) };
    note.marks.set(String(made.mark), made);
    for (const log of [note.log, logs]) log.push({ what: `mark ${made.mark}` });
    return reply(201, made);
  };
  const handle = async (request: Request): Promise<Response> => {
    const [, , id, ...rest] = new URL(request.url).pathname.split('/');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const input = ['POST', 'PATCH'].includes(method) ? ((await request.json().catch(() => ({}))) as object) : {};
    if (id === undefined && method === 'GET')
      return reply(
        200,
        [...notes.values()].map(({ shown }) => shown),
      );
    if (id === undefined) {
      const { text, color } = input as Note['shown'];
      if (typeof text !== 'string' || text === '') return reply(400, {});
      const shown = {
        id: `n${(count += 1)}`,
        text,
        ...(color === undefined ? {} : { color }),
        pinned: false,
        revision: 1,
      };
      notes.set(shown.id, { shown, log: [], marks: new Map() });
      return reply(201, shown);
    }
    const note = notes.get(id);
    if (note === undefined) return reply(404, {});
    if (rest.length > 0) return below(note, rest, method, input);
    if (method === 'PATCH') return change(note, new URL(request.url).searchParams.get('fields'), input);
    if (method === 'DELETE') notes.delete(id);
    return method === 'DELETE' ? reply(204) : reply(200, note.shown);
  };
  return async (url, init) => {
    const request = new Request(url, init);
    const isItem = new URL(request.url).pathname.split('/').length === 3;
    if (request.method === 'HEAD' && isItem && fault === 'lacks HEAD of a note') return reply(404);
    const response = await handle(request);
    const isOther = request.method === 'HEAD' && isItem && fault === 'has another length for HEAD';
    if (isOther) response.headers.set('content-length', '1');
    return request.method === 'HEAD'
      ? new Response(null, { status: response.status, headers: response.headers })
      : response;
  };
}

let api: Api;
beforeAll(async () => {
  api = await loadDocument(document);
});

test.each([
  ['has no fault', []],
  ['forgets the pin', ['update is visible: getNote']],
  ['writes what the mask leaves out', ['update is visible: getNote']],
  ['keeps the revision', ['conditional requests: getNote']],
  ['takes an outdated revision', ['conditional requests: editNote']],
  ['lacks HEAD of a note', ['same status for HEAD: getNote']],
  ['has another length for HEAD', ['same status for HEAD: getNote']],
  ['deletes marks of others', ['belongs to parent: dropMark']],
  ['shows the log of all', ['belongs to parent: listLog']],
])('a run finds that a server %s', async (fault, expected) => {
  const options = { api, url: 'http://127.0.0.1:9', phases: ['stateful'] as const };
  const { findings } = await runContract({ ...options, fetch: serve(fault) });
  expect(findings.map(({ check, operationId }) => `${check}: ${operationId}`)).toEqual(expected);
});
