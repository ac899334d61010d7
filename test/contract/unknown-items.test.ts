import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const text = { type: 'string', minLength: 1 };
const schema = { type: 'object', required: ['slug'], properties: { slug: text } };
const content = { 'application/json': { schema } };
const parameters = [{ name: 'slug', in: 'path', required: true, schema: { type: 'string' } }];
const refusals = { 400: { description: 'Invalid.' }, 404: { description: 'Unknown.' } };
const DOCUMENT = documentWith({
  '/teams': {
    post: {
      operationId: 'addTeam',
      requestBody: { required: true, content },
      responses: { 201: { description: 'Created.', content }, ...refusals },
    },
  },
  '/teams/{slug}': {
    parameters,
    get: { operationId: 'team', responses: { 200: { description: 'One.', content }, ...refusals } },
    put: {
      operationId: 'putTeam',
      requestBody: { required: true, content },
      responses: { 200: { description: 'Changed.', content }, 201: { description: 'Created.', content }, ...refusals },
    },
    delete: { operationId: 'deleteTeam', responses: { 204: { description: 'Deleted.' }, ...refusals } },
  },
});

/** A server whose PUT creates what is missing. */
function serveTeams(): typeof fetch {
  const teams = new Set<string>();
  return async (input, init) => {
    const request = new Request(input, init);
    const [, , slug] = new URL(request.url).pathname.split('/');
    const body = (await request.json().catch(() => undefined)) as { slug?: unknown } | undefined;
    const isKnown = teams.has(slug ?? '');
    if (request.method === 'POST' || request.method === 'PUT') {
      if (typeof body?.slug !== 'string' || body.slug === '') return new Response(null, { status: 400 });
      teams.add(slug ?? body.slug);
      return Response.json({ slug: slug ?? body.slug }, { status: isKnown ? 200 : 201 });
    }
    if (!isKnown) return new Response(null, { status: 404 });
    if (request.method === 'GET') return Response.json({ slug });
    teams.delete(slug ?? '');
    return new Response(null, { status: 204 });
  };
}

test('an unknown id that a PUT has turned into an item is not expected to be unknown any more', async () => {
  const api = await loadDocument(DOCUMENT);
  const report = await runContract({ api, url: 'http://127.0.0.1:9', fetch: serveTeams(), phases: ['negative'] });
  expect(report.findings.filter(({ check }) => check === 'unknown item refused')).toEqual([]);
  expect(report.reach.succeeded).toEqual(['addTeam', 'team', 'putTeam', 'deleteTeam']);
});
