import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { documentWith, loadDocument } from '../support/load-document.js';

type Json = Readonly<Record<string, unknown>>;

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf'];
/** An own member of each name. */
const named = (value: unknown): Json => Object.fromEntries(NAMES.map((name) => [name, value]));

const TEXT = { type: 'string', minLength: 1, maxLength: 40 };
const SENT = { type: 'object', required: NAMES, additionalProperties: false, properties: named(TEXT) };
const ITEM = { ...SENT, required: ['id', ...NAMES], properties: { id: TEXT, ...named(TEXT) } };
const content = (schema: Json): Json => ({ 'application/json': { schema } });
const headers = { Location: { schema: TEXT }, ...named({ required: true, schema: TEXT }) };
const item = { description: 'ok', headers, content: content(ITEM) };
const none = { description: 'none' };
const requestBody = { required: true, content: content(SENT) };
const PATHS = {
  '/things': {
    get: {
      operationId: 'list',
      responses: {
        200: {
          description: 'ok',
          headers,
          content: content({
            type: 'object',
            required: ['items', 'byId'],
            properties: { items: { type: 'array', items: ITEM }, byId: { type: 'object', additionalProperties: ITEM } },
          }),
        },
      },
    },
    post: { operationId: 'create', requestBody, responses: { 201: item, 400: none } },
  },
  '/things/{thingId}': {
    parameters: [{ name: 'thingId', in: 'path', required: true, schema: TEXT }],
    get: { operationId: 'read', responses: { 200: item, 404: none } },
    put: { operationId: 'replace', requestBody, responses: { 200: item, 400: none, 404: none } },
    delete: { operationId: 'remove', responses: { 204: none, 404: none } },
  },
};

/** A correct server whose ids are the names, and then names with numbers. */
function createServer(store: (body: Json) => Json): { readonly send: typeof fetch; readonly used: Set<string> } {
  const items = new Map<string, Json>();
  const used = new Set<string>();
  const respond = (status: number, body?: unknown, location = '/things'): Response => {
    const response = new Response(body === undefined ? null : JSON.stringify(body), { status });
    if (body === undefined) return response;
    for (const [name, text] of [
      ['content-type', 'application/json'],
      ['location', location],
      ...NAMES.map((one) => [one, 'x']),
    ])
      response.headers.set(name ?? '', text ?? '');
    return response;
  };
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const [, , raw] = new URL(request.url).pathname.split('/');
    const id = raw === undefined ? undefined : decodeURIComponent(raw);
    const allow = id === undefined ? 'GET, POST' : 'GET, PUT, DELETE';
    if (!allow.split(', ').includes(request.method)) return new Response(null, { status: 405, headers: { allow } });
    if (id !== undefined && !items.has(id)) return respond(404);
    if (id !== undefined) used.add(id);
    if (request.method === 'DELETE') return items.delete(id ?? '') ? respond(204) : respond(404);
    if (request.method === 'GET' && id !== undefined) return respond(200, items.get(id));
    if (request.method === 'GET') return respond(200, { items: [...items.values()], byId: Object.fromEntries(items) });
    if (!/json/.test(request.headers.get('content-type') ?? '')) return new Response(null, { status: 415 });
    const body = readBody(await request.text());
    if (body === undefined) return respond(400);
    const count = items.size;
    const key = id ?? NAMES.find((name) => !items.has(name)) ?? `${NAMES[count % NAMES.length]}${count}`;
    items.set(key, { id: key, ...store(body) });
    return respond(id === undefined ? 201 : 200, items.get(key), `/things/${key}`);
  };
  return { send, used };
}

function readBody(text: string): Json | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return undefined;
    const isRight = ([, value]: [string, unknown]): boolean =>
      typeof value === 'string' && value !== '' && [...value].length <= 40;
    const entries = Object.entries(body);
    const keys = entries.map(([key]) => key).toSorted();
    return keys.join() === NAMES.toSorted().join() && entries.every(isRight) ? (body as Json) : undefined;
  } catch {
    return undefined;
  }
}

async function run(
  store: (body: Json) => Json,
): Promise<{ readonly messages: readonly string[]; readonly used: Set<string> }> {
  const { send, used } = createServer(store);
  const api = await loadDocument(documentWith(PATHS));
  const phases = ['examples', 'stateful'] as const;
  const report = await runContract({ api, url: 'http://things.test', fetch: send, seed: 1, phases, maxExamples: 1 });
  expect(report.stopped).toBeUndefined();
  return { messages: report.findings.map(({ message }) => message), used };
}

test('a contract run takes ids, members and headers with names of prototypes as text', async () => {
  const prototypes = [Object.prototype, Array.prototype, Function.prototype, Map.prototype];
  const read = (): readonly unknown[] =>
    prototypes.flatMap((prototype) =>
      Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, described]) => [
        name,
        ...Object.values(described as object),
      ]),
    );
  const before = read();
  const { messages, used } = await run((body) => body);
  expect(messages).toEqual([]);
  expect([...used]).toEqual(expect.arrayContaining(NAMES));
  const after = read();
  expect(after.length).toBe(before.length);
  expect(after.every((one, index) => Object.is(one, before[index]))).toBe(true);
});

test('a contract run notices that a server does not keep a member with the name __proto__', async () => {
  const { messages } = await run((body) => ({ ...body, ...Object.fromEntries([['__proto__', 'other']]) }));
  expect(messages).toContain('/__proto__ differs from what was written.');
});
