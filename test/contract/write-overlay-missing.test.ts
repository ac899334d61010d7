import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { runContract } from '../../entry/contract.js';
import { tempFolder } from '../support/temp-folder.js';

const promote = (operationId: string): object => ({
  post: {
    operationId,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object', properties: { id: { type: 'integer' } } } } },
    },
    responses: { 200: { description: 'Promoted.' }, 400: { description: 'Not readable.' } },
  },
});

const SPEC = {
  openapi: '3.1.0',
  info: { title: 'members', version: '1' },
  paths: {
    '/members': { get: { operationId: 'listMembers', responses: { 200: { description: 'All.' } } } },
    '/members/promote': promote('promoteMember'),
    '/spares/promote': promote('promoteSpare'),
  },
};

/** A server without a member to promote. It has no spares at all, so their path is not there. */
const serve: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname } = new URL(request.url);
  if (pathname === '/members') return new Response(null, { status: request.method === 'GET' ? 200 : 405 });
  if (pathname !== '/members/promote') return Response.json({ message: 'not found' }, { status: 404 });
  if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
  const { id } = (await request.json().catch(() => ({ id: '' }))) as { id?: unknown };
  return id === undefined || typeof id === 'number'
    ? Response.json({ message: 'member not found' }, { status: 404 })
    : new Response(null, { status: 400 });
};

test('an overlay has the 404 of an operation that refuses invalid requests otherwise, and of no other one', async () => {
  const folder = tempFolder({ 'members.json': JSON.stringify(SPEC) });
  const writeOverlay = path.join(folder, 'fix.yaml');
  const { findings } = await runContract({
    spec: path.join(folder, 'members.json'),
    url: 'http://members.test',
    fetch: serve,
    touchExisting: true,
    writeOverlay,
  });
  const missing = findings.filter(({ status, check }) => status === 404 && check === 'documented status');
  expect(missing.flatMap(({ operationId, alsoAt = [] }) => [operationId, ...alsoAt])).not.toEqual([]);
  const { actions } = parse(readFileSync(writeOverlay, 'utf8')) as { actions: readonly { target: string }[] };
  expect(actions.map(({ target }) => target)).toEqual(["$.paths['/members/promote'].post"]);
});
