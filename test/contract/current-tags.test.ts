import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { loadDocument } from '../support/load-document.js';

const TEXT = { type: 'string' };
const NOTE = { content: { 'application/json': { schema: { type: 'object', properties: { text: TEXT } } } } };
const gone = { description: 'x' };

const notes = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  paths: {
    '/notes': {
      post: { operationId: 'addNote', requestBody: NOTE, responses: { 201: { description: 'x' }, 400: gone } },
    },
    '/notes/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: TEXT }],
      get: { operationId: 'getNote', responses: { 200: { description: 'x', ...NOTE }, 404: gone } },
      delete: {
        operationId: 'deleteNote',
        parameters: [{ name: 'If-Match', in: 'header', required: true, schema: TEXT }],
        responses: { 204: gone, 404: gone, 412: gone },
      },
    },
  },
};

/** Shows the tag of a note when it is made, and never again. */
function serveNotes(deletions: string[]): typeof fetch {
  const tags = new Map<string, string>();
  return async (input, init) => {
    const request = new Request(input, init);
    const id = new URL(request.url).pathname.split('/')[2] ?? '';
    if (request.method === 'POST' && id === '') {
      const key = `n${tags.size}`;
      tags.set(key, `"${key}-1"`);
      return new Response(null, { status: 201, headers: { location: `/notes/${key}`, etag: `"${key}-1"` } });
    }
    if (!tags.has(id)) return new Response(null, { status: 404 });
    if (request.method === 'GET') return Response.json({ text: 'x' });
    deletions.push(id);
    return new Response(null, { status: request.headers.get('if-match') === tags.get(id) ? 204 : 412 });
  };
}

test('a change is sent with the tag that the creation of its item showed', async () => {
  const options = { api: await loadDocument(notes), url: 'http://127.0.0.1:9', phases: ['examples'] as const };
  const { reach } = await runContract({ ...options, fetch: serveNotes([]) });
  expect(reach.succeeded).toContain('deleteNote');
});

test('random calls that differ in the tag of an item alone are sent three times at most', async () => {
  const deletions: string[] = [];
  const options = { api: await loadDocument(notes), url: 'http://127.0.0.1:9', phases: ['fuzz'] as const, keep: true };
  await runContract({ ...options, fetch: serveNotes(deletions) });
  expect(deletions.length).toBeGreaterThan(0);
  expect(deletions.length).toBeLessThan(15);
});
