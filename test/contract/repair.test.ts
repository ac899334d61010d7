import { expect, test } from 'vitest';

import { type ContractReport, runContract, toText } from '../../entry/contract.js';
import { toHtml } from '../../reports/contract/html.js';
import { toJunit } from '../../reports/contract/junit.js';
import { toMarkdown } from '../../reports/contract/markdown.js';
import { loadDocument } from '../support/load-document.js';

const TEXT = { type: 'string' };
const done = { description: 'x' };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const code = { name: 'berthCode', in: 'path', required: true, schema: TEXT };

/** A harbour whose rules are not in its spec, and whose berths are made and read at different paths. */
const HARBOUR = {
  openapi: '3.1.0',
  info: { title: 'Harbour', version: '1' },
  paths: {
    '/berths': {
      post: {
        operationId: 'addBerth',
        requestBody: json({
          type: 'object',
          properties: {
            id: TEXT,
            pier: TEXT,
            kind: { type: 'string', description: 'Either "inner" or "outer".' },
            closesAt: { type: 'string', format: 'date-time' },
            notes: TEXT,
          },
        }),
        responses: { 200: { ...done, ...json({ type: 'object', properties: { berthCode: TEXT } }) }, 422: done },
      },
    },
    '/berth/{berthCode}': {
      parameters: [code],
      get: { operationId: 'getBerth', responses: { 200: done, 404: done } },
      delete: { operationId: 'dropBerth', responses: { 200: done, 404: done } },
    },
    '/signals': {
      get: {
        operationId: 'listSignals',
        responses: {
          200: { ...done, ...json({ type: 'array', items: { type: 'object', properties: { name: TEXT } } }) },
        },
      },
    },
    '/lights/{signal_name}': {
      get: {
        operationId: 'getLight',
        parameters: [{ ...code, name: 'signal_name' }],
        responses: { 200: done, 404: done },
      },
    },
  },
};

/** What the harbour says about a berth; nothing if it takes it. */
function refusal({ id, pier, kind, closesAt }: Readonly<Record<string, string | undefined>>): string | undefined {
  if (id !== undefined) return 'no such berth';
  if (pier === undefined) return 'pier is not provided';
  if (!/^\/[a-z0-9-]+$/.test(pier)) return `'${pier}' is no path of a pier`;
  if (!['inner', 'outer'].includes(kind ?? '')) return `the kind "${kind ?? ''}" is unknown`;
  if (Date.parse(closesAt ?? '') < Date.now()) return 'it is over before it starts';
  return undefined;
}

function serveHarbour(isClosed = false): typeof fetch {
  const berths = new Set<string>();
  return async (input, init) => {
    const request = new Request(input, init);
    const [, first, id = ''] = new URL(request.url).pathname.split('/');
    if (first === 'signals') return Response.json([{ name: 'north-red' }]);
    if (first === 'lights') return new Response(null, { status: decodeURI(id) === 'north-red' ? 200 : 404 });
    if (first === 'berth') {
      const isThere = berths.has(id);
      if (request.method === 'DELETE') berths.delete(id);
      return new Response(null, { status: isThere ? 200 : 404 });
    }
    const body: unknown = await request.json().catch(() => undefined);
    const message = isClosed ? 'the harbour is closed' : refusal((body ?? {}) as Record<string, string | undefined>);
    if (message !== undefined || typeof body !== 'object') return Response.json({ message }, { status: 422 });
    const berthCode = `b-${berths.size}-${String(berths.size * 7_919 + 1_000_003)}`;
    berths.add(berthCode);
    return Response.json({ berthCode });
  };
}

async function run(change: object = {}): Promise<ContractReport> {
  const options = { api: await loadDocument(HARBOUR), url: 'http://127.0.0.1:9', phases: ['examples'] as const };
  return runContract({ ...options, fetch: serveHarbour(), ...change });
}

test('a run gets past rules that only the sentences of the server tell', async () => {
  const { reach, unreached } = await run();
  expect(unreached).toEqual([]);
  expect(reach.succeeded).toEqual(['addBerth', 'getBerth', 'dropBerth', 'listSignals', 'getLight']);
});

test('a creation that never succeeds is the root of those that wait for it', async () => {
  const report = await run({ fetch: serveHarbour(true) });
  const [root, ...waiting] = report.unreached;
  expect(root).toMatchObject({ operationId: 'addBerth', message: 'the harbour is closed' });
  expect(root?.curl).toContain(`curl -sS -i -g -X 'POST' 'http://127.0.0.1:9/berths'`);
  expect(waiting.map(({ operationId, waitsFor }) => [operationId, waitsFor])).toEqual([
    ['getBerth', 'addBerth'],
    ['dropBerth', 'addBerth'],
  ]);
  const lines = toText(report);
  expect(lines).toContain('    the server said: the harbour is closed');
  expect(lines).toContain('    2 wait for it: getBerth, dropBerth');
});

/** Runs against a server with one operation, which says why it refuses a body. */
async function runOne(schema: object, refuse: (body: Record<string, unknown>) => string | undefined) {
  const paths = {
    '/gate': { post: { operationId: 'open', requestBody: json(schema), responses: { 200: done, 400: done } } },
  };
  const api = await loadDocument({ openapi: '3.1.0', info: { title: 'Gate', version: '1' }, paths });
  return run({
    api,
    fetch: async (...call: Parameters<typeof fetch>) => {
      const body = (await new Request(...call).json().catch(() => ({}))) as Record<string, unknown>;
      const message = refuse(body);
      return Response.json({ message }, { status: message === undefined ? 200 : 400 });
    },
  });
}

test('a request that was only a change of a smaller one is changed itself', async () => {
  const { reach } = await runOne({ type: 'object', properties: { role: TEXT } }, ({ role }) =>
    /^\w+_\w+$/.test(String(role)) ? undefined : 'the role is not found',
  );
  expect(reach.succeeded).toEqual(['open']);
});

test('of optional messages with alike names, one is sent at a time', async () => {
  const message = (...names: string[]): object => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'object', properties: { a: TEXT, b: TEXT } }])),
  });
  const body = {
    type: 'object',
    properties: { cancel_request: message('a'), create_request: message('a', 'b', 'c'), progress_request: message() },
  };
  const { reach } = await runOne(body, (given) =>
    Object.keys(given).join() === 'create_request' ? undefined : 'what do you want',
  );
  expect(reach.succeeded).toEqual(['open']);
});

test('with include, the operations that set up items are sent, and only the included ones are judged', async () => {
  const sent = new Set<string>();
  const serve = serveHarbour();
  const { reach, findings, notDeleted } = await run({
    includeOperations: ['operation:getBerth'],
    fetch: async (...call: Parameters<typeof fetch>) => {
      const request = new Request(...call);
      sent.add(`${request.method} ${new URL(request.url).pathname.split('/')[1] ?? ''}`);
      const response = await serve(request);
      // Undocumented: a finding, if the creation were judged.
      return request.method === 'POST' && response.ok
        ? new Response(await response.text(), { status: 202, headers: { 'content-type': 'application/json' } })
        : response;
    },
  });
  expect(reach.succeeded).toEqual(['getBerth']);
  expect([...sent].toSorted()).toEqual(expect.arrayContaining(['DELETE berth', 'GET berth', 'POST berths']));
  expect(findings).toEqual([]);
  expect(notDeleted).toEqual([]);
});

test('explain shows the tries of an operation, and of the creation that it waits for', async () => {
  const { tries = [], reach } = await run({ phases: undefined, explain: 'getBerth' });
  expect(reach.succeeded).toEqual(['getBerth']);
  expect(tries.map(({ operationId }) => operationId)).toEqual(tries.map(() => 'getBerth'));
  expect(tries.at(-1)).toMatchObject({ request: expect.stringMatching(/^GET \/berth\/b-/), status: 200 });

  const closed = await run({ phases: undefined, explain: 'getBerth', fetch: serveHarbour(true) });
  expect(closed.unreached.map(({ operationId, waitsFor }) => [operationId, waitsFor])).toEqual([
    ['getBerth', 'addBerth'],
    ['addBerth', undefined],
  ]);
  const refused = closed.tries?.filter(({ operationId }) => operationId === 'addBerth') ?? [];
  expect(refused.length).toBeGreaterThan(3);
  expect(refused[0]).toMatchObject({ request: 'POST /berths', status: 422, message: 'the harbour is closed' });
  expect(refused[0]?.body).toMatch(/^\{/);
  const text = toText(closed).join('\n');
  expect(text).toContain('addBerth: POST /berths');
  expect(text).toContain('1 waits for it: getBerth');
  await expect(run({ explain: 'getBirth' })).rejects.toThrow(
    'There is no operation "getBirth" to explain. Did you mean',
  );
  await expect(run({ explain: 'getBerth', includeOperations: ['operation:getBerth'] })).rejects.toThrow('exclude each');
});

test('each report has the tree of unreached operations, with lines that the configuration takes', async () => {
  const report = await run({ fetch: serveHarbour(true) });
  const [line = ''] = (report.unreached[0]?.suggestion ?? '').split('\n');
  expect(line).toMatch(/^contract: \{ parameters: \{ "addBerth\.body\./);
  const { parameters } = JSON.parse(line.slice('contract: '.length).replace('parameters', '"parameters"')) as {
    parameters: Record<string, unknown>;
  };
  const known = Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== 'addBerth.body.id'));
  const edited = { ...known, 'addBerth.body.pier': '/north', 'addBerth.body.closesAt': '2999-01-01T00:00:00Z' };
  expect(Object.keys(parameters)).toEqual(expect.arrayContaining(Object.keys(edited)));
  expect((await run({ parameters: edited })).unreached).toEqual([]);
  for (const text of [toText(report).join('\n'), toJunit(report), toHtml(report), toMarkdown(report)]) {
    expect(text).toContain('the server said: the harbour is closed');
    expect(text).toContain('2 wait for it: getBerth, dropBerth');
    expect(text).toContain('contract: { parameters: {');
  }
});

test('a change whose body alone names the item gets the id of an item of the run, and JSON is asked for', async () => {
  const item = { type: 'object', required: ['name'], properties: { id: { type: 'integer' }, name: TEXT } };
  const both = { 'application/xml': { schema: item }, 'application/json': { schema: item } };
  const shown = { 200: { ...done, content: both } };
  const api = await loadDocument({
    openapi: '3.1.0',
    info: { title: 'Boats', version: '1' },
    paths: {
      '/boat': {
        post: { operationId: 'addBoat', requestBody: { required: true, ...json(item) }, responses: shown },
        put: {
          operationId: 'putBoat',
          requestBody: { required: true, ...json(item) },
          responses: { ...shown, 404: done },
        },
      },
      '/boat/{boatId}': {
        get: {
          operationId: 'getBoat',
          parameters: [{ ...code, name: 'boatId', schema: { type: 'integer' } }],
          responses: { ...shown, 404: done },
        },
      },
    },
  });
  const boats = new Map<number, unknown>([[1, { id: 1, name: 'Kytice' }]]);
  const serve: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const [, , path = ''] = new URL(request.url).pathname.split('/');
    const body = (await request.json().catch(() => ({}))) as { readonly id?: number };
    const id = request.method === 'POST' ? 700_000_001 + boats.size : Number(path === '' ? body.id : path);
    if (request.method !== 'POST' && !boats.has(id)) return new Response(null, { status: 404 });
    const boat = request.method === 'GET' ? boats.get(id) : { ...body, id };
    boats.set(id, boat);
    const isJson = request.headers.get('accept')?.startsWith('application/json') === true;
    return isJson ? Response.json(boat) : new Response('<boat/>', { headers: { 'content-type': 'application/xml' } });
  };
  const { reach } = await runContract({ api, url: 'http://127.0.0.1:9', phases: ['examples'], fetch: serve });
  expect(reach.succeeded.toSorted()).toEqual(['addBoat', 'getBoat', 'putBoat']);
  expect(boats.get(1)).toEqual({ id: 1, name: 'Kytice' });
});
