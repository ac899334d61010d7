import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { loadDocument } from '../support/load-document.js';

type Json = Readonly<Record<string, unknown>>;

const TEXT: Json = { type: 'string', minLength: 1, maxLength: 40 };
const NUMBER: Json = { type: 'integer' };
const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });
const ok = (schema: Json): Json => ({ description: 'ok', ...json(schema) });
const refused = { 400: { description: 'invalid' }, 404: { description: 'none' } };

function toDocument(at: string, parameter: string, members: Json): Json {
  const item = { type: 'object', required: Object.keys(members), properties: members };
  const sent = { type: 'object', required: ['title'], additionalProperties: false, properties: { title: TEXT } };
  return {
    openapi: '3.1.0',
    info: { title: 'Items', version: '1' },
    paths: {
      [at]: {
        get: { operationId: 'list', responses: { 200: ok({ type: 'array', items: item }) } },
        post: {
          operationId: 'create',
          requestBody: { required: true, ...json(sent) },
          responses: { 201: ok(item), ...refused },
        },
      },
      [`${at}/{${parameter}}`]: {
        parameters: [{ name: parameter, in: 'path', required: true, schema: TEXT }],
        get: { operationId: 'read', responses: { 200: ok(item), 404: { description: 'none' } } },
        delete: { operationId: 'delete', responses: { 204: { description: 'gone' }, 404: { description: 'none' } } },
      },
    },
  };
}

type Stored = Readonly<Record<string, unknown>>;

/** A correct server; `show` adds the ids to the item with a number. */
function serve(
  key: string,
  show: (count: number) => Stored,
): { readonly send: typeof fetch; readonly reads: () => number } {
  const items = new Map<string, Stored>();
  let [count, reads] = [0, 0];
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const id = decodeURIComponent(new URL(request.url).pathname.split('/')[2] ?? '');
    const known = items.get(id);
    if (id !== '' && known === undefined) return new Response(null, { status: 404 });
    if (request.method === 'GET' && id !== '') reads += 1;
    if (request.method === 'GET') return Response.json(id === '' ? [...items.values()] : known);
    if (request.method === 'DELETE')
      return items.delete(id) ? new Response(null, { status: 204 }) : new Response(null, { status: 404 });
    if (request.method !== 'POST' || id !== '')
      return new Response(null, { status: 405, headers: { allow: id === '' ? 'GET, POST' : 'GET, DELETE' } });
    if (!/json/.test(request.headers.get('content-type') ?? '')) return new Response(null, { status: 415 });
    const title = titleOf(await request.text());
    if (title === undefined) return new Response(null, { status: 400 });
    const item = { ...show((count += 1)), title };
    items.set(String((item as Stored)[key]), item);
    return Response.json(item, { status: 201 });
  };
  return { send, reads: () => reads };
}

function titleOf(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || Object.keys(body).join() !== 'title') return undefined;
    const { title } = body as { readonly title: unknown };
    return typeof title === 'string' && title !== '' && [...title].length <= 40 ? title : undefined;
  } catch {
    return undefined;
  }
}

const SHAPES: readonly (readonly [
  path: string,
  parameter: string,
  key: string,
  members: Json,
  show: (count: number) => Stored,
])[] = [
  [
    '/pets',
    'petId',
    'id',
    { id: NUMBER, name: TEXT, title: TEXT },
    (count) => ({ id: 1000 + count, name: 'Electronic cotton cheese' }),
  ],
  [
    '/issues',
    'issue_number',
    'number',
    {
      id: NUMBER,
      number: NUMBER,
      title: TEXT,
      labels: { type: 'array', items: { type: 'object', required: ['id'], properties: { id: NUMBER } } },
    },
    (count) => ({ id: 500_000 + count, number: count, labels: [{ id: 700_000 + count }] }),
  ],
  [
    '/customers',
    'external_customer_id',
    'external_id',
    { id: TEXT, external_id: TEXT, title: TEXT, owner: { type: 'object', required: ['id'], properties: { id: TEXT } } },
    (count) => ({ id: `c${count}`, external_id: `ext-${count}`, owner: { id: 'o1' } }),
  ],
];

test.each(SHAPES)(
  'a contract run takes the id of %s from the member that the spec shows',
  async (at, parameter, key, members, show) => {
    const { send, reads } = serve(key, show);
    const api = await loadDocument(toDocument(at, parameter, members));
    const report = await runContract({ api, url: 'http://shop.test', fetch: send, phases: ['stateful'], seed: 1 });
    expect(report.findings).toEqual([]);
    expect(reads()).toBeGreaterThan(0);
  },
);
