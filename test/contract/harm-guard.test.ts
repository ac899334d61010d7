import { describe, expect, it } from 'vitest';

import { HarmGuard } from '../../contract/execute/harm/harm-guard.js';
import { IdPool } from '../../contract/execute/ids/id-pool.js';
import { isFarAway } from '../../contract/execute/ids/unlikely-id.js';
import type { Call } from '../../contract/types.js';
import type { Api, Operation } from '../../model/api.js';
import { STYLES, type Style, loadStyle } from './existing-data-servers.js';
import { SHAPES } from './existing-data-shapes.js';

interface Request {
  readonly values?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly method?: string;
}

function callOf(operation: Operation, { values = {}, body, method }: Request): Call {
  const parameters = operation.parameters.flatMap((one) =>
    Object.hasOwn(values, one.name) ? [[one, values[one.name]] as const] : [],
  );
  const [media] = operation.body?.content ?? [];
  return {
    operation,
    parameters: new Map(parameters),
    ...(media === undefined || body === undefined ? {} : { body: { media, value: body } }),
    ...(method === undefined ? {} : { method }),
  };
}

function operationOf(api: Api, method: string, path: string): Operation {
  const found = api.operations.find((one) => one.method === method && one.path === path);
  if (found === undefined) throw new Error(`There is no ${method} ${path}.`);
  return found;
}

/** What requests to a style may do. The run has made the item `made` with a creation at a path. */
async function judge(
  index: number,
  made?: Request & { readonly path: string; readonly json: object },
  styles: readonly Style[] = STYLES,
): Promise<Judge> {
  const [style] = styles.slice(index);
  if (style === undefined) throw new Error(`There is no style ${index}.`);
  const api = await loadStyle(style);
  const pool = new IdPool(api, { operations: api.operations, given: {}, touchExisting: false });
  const learn = (method: string, path: string, status: number, json: unknown, request: Request = {}): void =>
    pool.learn(
      callOf(operationOf(api, method, path), request),
      {
        request: { method, url: 'http://localhost/', headers: {} },
        status,
        headers: new Headers(),
        text: '',
        json,
        durationMs: 1,
      },
      true,
    );
  if (made !== undefined) learn('post', made.path, 201, made.json, made);
  const guard = new HarmGuard(api, pool);
  return {
    learn,
    harmOf: (method, path, request = {}) => guard.harmOf(callOf(operationOf(api, method, path), request)),
  };
}

interface Judge {
  readonly learn: (method: string, path: string, status: number, json: unknown) => void;
  readonly harmOf: (method: string, path: string, request?: Request) => string;
}

describe('an id that no item is likely to have', () => {
  it.each([987_654_321, '987654321', 'specmill-987654321', '5f0f4a1e-7a3b-4a4e-9a3f-1b1f0a9d2c11'])('is %s', (id) => {
    expect(isFarAway(id)).toBe(true);
  });

  it.each([
    ...[true, false, null, undefined, 0, 1, -1, -987_654_321, 1.5, 4_294_967_296, [], {}, '', ' ', '1', '01', '1abc'],
    ...['true', 'null', '0x1', '1e0', '.', '..', 'lobby', 'a/../../x', 'lobby-room%', 'room\u0000room', '2026-01-01'],
  ])('is not %j', (id) => {
    expect(isFarAway(id)).toBe(false);
  });
});

describe('a request to a collection', () => {
  it.each([
    ['get', '/todos', {}, 'none'],
    ['put', '/todos', { body: [] }, 'harmful'],
    ['patch', '/todos', { values: { where: 'id=900000001' }, body: { title: 'x' } }, 'harmful'],
    ['delete', '/todos', { values: { isDone: true } }, 'harmful'],
    ['post', '/todos', { body: { title: 'x' } }, 'none'],
    ['post', '/todos', { body: { title: 'x', id: 900_000_001 } }, 'none'],
    ['post', '/todos', { body: { title: 'x', id: 1 } }, 'harmful'],
    ['post', '/todos', { body: { title: 'x', id: true } }, 'harmful'],
    ['post', '/todos', { body: { title: 'x', id: '1' } }, 'harmful'],
    ['post', '/todos', { body: { title: 'x', id: null } }, 'harmful'],
    ['post', '/todos', { body: { title: 5 } }, 'none'],
    ['get', '/todos', { method: 'post' }, 'none'],
    ['get', '/todos', { method: 'delete' }, 'harmful'],
    ['get', '/todos/{id}', { values: { id: 42 }, method: 'post' }, 'none'],
    ['get', '/todos/{id}', { values: { id: 7 }, method: 'post' }, 'harmful'],
    ['patch', '/todos/{id}', { values: { id: 42 }, body: { title: 'x' } }, 'none'],
    ['patch', '/todos/{id}', { values: { id: 42 }, body: { title: 'x', id: 7 } }, 'harmful'],
    ['patch', '/todos/{id}', { values: { id: 7 }, body: { title: 'x' } }, 'harmful'],
    ['put', '/todos/{id}', { values: { id: 900_000_002 }, body: { title: 'x' } }, 'none'],
    ['delete', '/todos/{id}', { values: { id: 42 } }, 'none'],
    ['delete', '/todos/{id}', { values: { id: 7 } }, 'harmful'],
    ['delete', '/todos/{id}', { values: { id: '' } }, 'harmful'],
    ['delete', '/todos/{id}', { values: { id: '..' } }, 'harmful'],
  ] as const)('%s %s %j: %s', async (method, path, request, harm) => {
    const { learn, harmOf } = await judge(0, { path: '/todos', json: { id: 42 } });
    learn('get', '/todos', 200, [{ id: 7 }, { id: 42 }]);
    expect(harmOf(method, path, request)).toBe(harm);
  });
});

describe('a remote procedure', () => {
  it.each([
    ['/v3/cluster/member/list', {}, 'none'],
    ['/v3/cluster/member/add', { name: 'x' }, 'none'],
    ['/v3/cluster/member/update', { ID: 'ours' }, 'none'],
    ['/v3/cluster/member/update', { ID: '8e9e05c52164694d' }, 'harmful'],
    ['/v3/cluster/member/update', { peers: [] }, 'harmful'],
    ['/v3/cluster/member/remove', { ID: 'ours' }, 'none'],
    ['/v3/cluster/member/remove', { ID: true }, 'harmful'],
    ['/v3/maintenance/compact', {}, 'harmful'],
    ['/v3/auth/disable', {}, 'harmful'],
    ['/v3/kv/deleterange', { key: 'x', range_end: 'y' }, 'harmful'],
  ])('%s %j: %s', async (path, body, harm) => {
    const { learn, harmOf } = await judge(2, { path: '/v3/cluster/member/add', json: { member: { ID: 'ours' } } });
    learn('post', '/v3/cluster/member/list', 200, { members: [{ ID: '8e9e05c52164694d' }, { ID: 'ours' }] });
    expect(harmOf('post', path, { body })).toBe(harm);
  });
});

describe('a POST with a verb', () => {
  it.each([
    ['/contacts/{id}/disable', { values: { id: 'ours' } }, 'none'],
    ['/contacts/{id}/disable', { values: { id: 'c1' } }, 'harmful'],
    ['/contacts:batchDelete', { body: { ids: [] } }, 'harmful'],
    ['/contacts/revoke', { body: { contact_id: 'ours' } }, 'none'],
    ['/contacts/revoke', { body: { contact_id: 'c1' } }, 'harmful'],
    ['/contacts/revoke', { body: {} }, 'harmful'],
    ['/contacts/merge', { body: { from: 'ours', into: 'ours' } }, 'harmful'],
  ])('%s %j: %s', async (path, request, harm) => {
    const { harmOf } = await judge(3, { path: '/contacts', json: { id: 'ours' } });
    expect(harmOf('post', path, request)).toBe(harm);
  });
});

describe('a request that names an item like one of the run', () => {
  it.each([
    ['post', '/tasks', { body: { title: 'x', id: 42 } }, 'none'],
    ['post', '/tasks', { body: { title: 'x', id: 900_000_001 } }, 'none'],
    ['post', '/tasks', { body: { title: 'x', id: true } }, 'harmful'],
    ['post', '/tasks', { body: { title: 'x', id: '1' } }, 'harmful'],
    ['post', '/tasks', { body: { title: 'x', id: null } }, 'harmful'],
    ['post', '/tasks', { body: { title: 'x', id: 7 } }, 'harmful'],
  ] as const)('with a read-only id, %s %s %j: %s', async (method, path, request, harm) => {
    const { harmOf } = await judge(4, { path: '/tasks', json: { id: 42 } }, SHAPES);
    expect(harmOf(method, path, request)).toBe(harm);
  });

  it.each([
    ['delete', '/drafts/{id}', { values: { id: 1 } }, 'none'],
    ['delete', '/accounts/{id}', { values: { id: 1 } }, 'harmful'],
    ['post', '/members/{id}/disable', { values: { id: 1 } }, 'harmful'],
    ['post', '/removeAccount', { body: { account_id: 1 } }, 'harmful'],
  ] as const)('of another kind, %s %s %j: %s', async (method, path, request, harm) => {
    const { harmOf } = await judge(5, { path: '/drafts', json: { id: 1 } }, SHAPES);
    expect(harmOf(method, path, request)).toBe(harm);
  });

  it.each([
    ['shelves/new/things/1', 'none'],
    ['things/1', 'none'],
    ['1', 'none'],
    ['shelves/old/things/1', 'harmful'],
    ['old/things/1', 'harmful'],
  ])('below another item, %j: %s', async (name, harm) => {
    const { harmOf } = await judge(6, { path: '/things', json: { name: 'shelves/new/things/1' } }, SHAPES);
    expect(harmOf('post', '/things/remove', { body: { thing_id: name } })).toBe(harm);
  });
});

describe('a creation below another item', () => {
  it.each([
    ['one', 'none'],
    ['two', 'harmful'],
  ])('with an id that the run has made below "one", below %j: %s', async (project, harm) => {
    const path = '/projects/{project}/labels';
    const { harmOf } = await judge(0, { path, json: { id: '5' }, values: { project: 'one' } }, SHAPES);
    expect(harmOf('post', path, { values: { project }, body: { id: '5', name: 'x' } })).toBe(harm);
  });
});

describe('a creation with a text as its id, after one whose id was a number', () => {
  it.each([
    ['that the run had chosen', { slug: '900000001', title: 'x' }, 'none'],
    ['that the server had chosen', { title: 'x' }, 'harmful'],
  ])('%s', async (_who, body, harm) => {
    const { harmOf } = await judge(1, { path: '/rooms', json: { slug: '900000001' }, body });
    expect(harmOf('post', '/rooms', { body: { slug: 'lobby-of-the-west', title: 'x' } })).toBe(harm);
  });
});

const ANY = { type: 'object' };
const call = (operationId: string): object => ({
  operationId,
  requestBody: { required: true, content: { 'application/json': { schema: ANY } } },
  responses: { 200: { description: 'ok', content: { 'application/json': { schema: ANY } } } },
});

const TRANSACTIONS: Style = {
  title: 'transactions',
  paths: { '/kv/range': { post: call('Range') }, '/kv/txn': { post: call('Txn') } },
  data: () => ({}),
  serve: () => new Response(null, { status: 204 }),
};

describe('a POST without an id', () => {
  it.each([
    [{ success: [{ request_delete_range: { key: 'a', range_end: 'z' } }] }, 'harmful'],
    [{ steps: { first: { remove: { key: 'a' } } } }, 'harmful'],
    [{ success: [{ request_range: { key: 'a' } }] }, 'none'],
    [{ success: [{ note: 'delete it later' }] }, 'none'],
  ] as const)('with the body %j: %s', async (body, harm) => {
    const { harmOf } = await judge(0, undefined, [TRANSACTIONS]);
    expect(harmOf('post', '/kv/txn', { body })).toBe(harm);
  });
});

describe('a request to a single thing', () => {
  it.each([
    ['put', '/settings', { body: { color: 'red' } }, 'restorable'],
    ['put', '/settings', { method: 'delete' }, 'harmful'],
    ['patch', '/orgs/{org}/settings', { values: { org: 'o1' }, body: { size: 1 } }, 'restorable'],
    ['put', '/banner', { body: { text: 'x' } }, 'harmful'],
    ['post', '/settings/reset', {}, 'harmful'],
    ['post', '/server/restart', {}, 'harmful'],
  ] as const)('%s %s %j: %s', async (method, path, request, harm) => {
    const { harmOf } = await judge(4);
    expect(harmOf(method, path, request)).toBe(harm);
  });
});
