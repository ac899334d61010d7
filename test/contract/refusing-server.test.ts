import { describe, expect, test } from 'vitest';

import { type ContractReport, runContract } from '../../entry/contract.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const content = (schema: object): object => ({ 'application/json': { schema } });
const KEY = {
  type: 'object',
  properties: {
    type: { enum: ['short', 'long', 'none'] },
    size: { type: 'integer' },
    cipher: { type: 'string' },
  },
};
const TAG = { type: 'object', properties: { kind: { type: 'string' }, values: { type: 'array' } } };
const refusal = { description: 'Refused.', content: content({ type: 'object' }) };
const zone = { name: 'zone', in: 'path', required: true, schema: { type: 'string' } };
const kind = { name: 'kind', in: 'path', required: true, schema: { type: 'string' } };
const DOCUMENT = documentWith({
  '/zones': {
    get: {
      operationId: 'listZones',
      responses: {
        200: {
          description: 'All.',
          content: content({ type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } }),
        },
      },
    },
  },
  '/zones/{zone}': {
    get: { operationId: 'getZone', parameters: [zone], responses: { 200: { description: 'One.' }, 404: refusal } },
  },
  '/zones/{zone}/keys': {
    post: {
      operationId: 'createKey',
      parameters: [zone],
      requestBody: { required: true, content: content(KEY) },
      responses: { 201: { description: 'Made.' }, 422: refusal },
    },
  },
  '/zones/{zone}/tags': {
    get: {
      operationId: 'listTags',
      parameters: [zone],
      responses: { 200: { description: 'All.', content: content({ type: 'array', items: TAG }) } },
    },
    post: {
      operationId: 'createTag',
      parameters: [zone],
      requestBody: { required: true, content: content(TAG) },
      responses: { 204: { description: 'Made.' }, 422: refusal },
    },
  },
  '/zones/{zone}/tags/{kind}': {
    get: {
      operationId: 'getTag',
      parameters: [zone, kind],
      responses: { 200: { description: 'One.', content: content(TAG) }, 404: refusal },
    },
    delete: {
      operationId: 'deleteTag',
      parameters: [zone, kind],
      responses: { 204: { description: 'Gone.' }, 404: refusal },
    },
  },
});

/** A server of one zone: long keys need a cipher that it does not name, and a tag needs a kind with X. */
function serve(): { readonly send: typeof fetch; readonly kinds: Set<unknown> } {
  const kinds = new Set<unknown>();
  const tags = new Map<string, unknown>();
  const no = (status: number, error: string): Response => Response.json({ error }, { status });
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const [, , id, list, name] = new URL(request.url).pathname.split('/');
    const text = await request.text();
    let body: Record<string, unknown> | undefined;
    try {
      body = JSON.parse(text) as Record<string, unknown>;
    } catch {
      body = undefined;
    }
    if (id === undefined) return Response.json([{ id: 'main' }]);
    if (id !== 'main') return no(404, 'no such zone');
    if (list === undefined) return Response.json({ id });
    if (request.method === 'GET' || request.method === 'HEAD')
      return name === undefined
        ? Response.json([...tags.values()])
        : tags.has(name)
          ? Response.json(tags.get(name))
          : no(404, 'no such tag');
    if (request.method === 'DELETE')
      return tags.delete(name ?? '') ? new Response(null, { status: 204 }) : no(404, 'no such tag');
    if (list === 'keys') {
      const { type, size, cipher } = body ?? {};
      if (type === 'short') return Response.json({ id: 1 }, { status: 201 });
      if (size === undefined) return no(422, 'the size is missing');
      return no(422, `unknown cipher ${String(cipher)}`);
    }
    kinds.add(body?.['kind']);
    if (typeof body?.['kind'] !== 'string' || !body['kind'].startsWith('X-'))
      return no(422, 'this kind is not supported');
    tags.set(body['kind'], body);
    return new Response(null, { status: 204 });
  };
  return { send, kinds };
}

async function run(
  parameters: object = {},
): Promise<{ readonly report: ContractReport; readonly kinds: Set<unknown> }> {
  const { send, kinds } = serve();
  const options = { url: 'http://127.0.0.1:9', fetch: send, phases: ['examples', 'stateful'] as const };
  const report = await runContract({ ...options, api: await loadDocument(DOCUMENT), parameters: { ...parameters } });
  return { report, kinds };
}

describe('a server that refuses what a spec allows', () => {
  test('is reached with another choice of an enum, and lists what was refused with the smallest request', async () => {
    const { report } = await run();
    expect(report.reach.succeeded).toContain('createKey');
    const tag = report.unreached.find(({ operationId }) => operationId === 'createTag');
    expect(tag?.message).toBe('this kind is not supported');
    expect(tag?.suggestion).toContain('"createTag.body.kind"');
  });

  test('is reached with a given value of a body, which is sent unchanged', async () => {
    const { report, kinds } = await run({ 'createTag.body.kind': 'X-COLOR' });
    expect(report.reach.succeeded).toEqual(expect.arrayContaining(['createTag', 'getTag']));
    expect([...kinds]).toEqual(['X-COLOR']);
  });
});
