import type { Api } from '../../model/api.js';
import { documentWith, loadDocument } from '../support/load-document.js';

type Row = Record<string, unknown>;
export type Tables = Record<string, Row[]>;

/** A lenient server with data from before the run, which accepts nearly everything: a careless request does harm. */
export interface Style {
  readonly title: string;
  readonly paths: object;
  readonly data: () => Tables;
  readonly serve: (call: Received, tables: Tables) => Response;
}

interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export const TEXT: object = { type: 'string' };
const INTEGER = { type: 'integer', format: 'int64' };
const json = (schema: object): object => ({ 'application/json': { schema } });
export const ok = (schema: object): object => ({ 200: { description: 'ok', content: json(schema) } });
export const made = (schema: object): object => ({ 201: { description: 'made', content: json(schema) } });
export const NONE: object = { 404: { description: 'none' } };
export const GONE: object = { 204: { description: 'gone' }, ...NONE };
export const sends = (schema: object): object => ({ requestBody: { required: true, content: json(schema) } });
export const inPath = (name: string, schema: object): object => ({ name, in: 'path', required: true, schema });
const inQuery = (name: string, schema: object, required = false): object => ({ name, in: 'query', required, schema });
export const rowOf = (properties: object, required: readonly string[]): object => ({
  type: 'object',
  required,
  properties,
});
export const listOf = (items: object): object => ({ type: 'array', items });

const TODO = rowOf({ id: INTEGER, title: TEXT, isDone: { type: 'boolean' } }, ['title']);
const ROOM = rowOf({ slug: TEXT, title: TEXT }, ['slug', 'title']);
const MEMBER = rowOf({ ID: TEXT, name: TEXT, peers: listOf(TEXT) }, ['name']);
const CONTACT = rowOf({ id: TEXT, email: TEXT, status: { type: 'string', enum: ['active', 'disabled'] } }, ['email']);
const USER = rowOf({ id: INTEGER, name: TEXT }, ['name']);
const SETTINGS = rowOf({ color: { type: 'string', enum: ['red', 'blue'] }, size: { type: 'integer' } }, ['color']);
const THEME = rowOf({ color: TEXT, font: TEXT }, ['color']);

export const reply = (status: number, body?: unknown): Response =>
  body === undefined ? new Response(null, { status }) : Response.json(body, { status });
export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An id as databases read it: `true`, `"1"` and 1.0 are 1, `null`, `false` and an empty text are 0. */
const coerce = (value: unknown): number => Number(value === null ? 0 : value);

/** Creates, reads, lists, changes and deletes rows as REST servers do; a creation with a known id replaces its row. */
export function serveRows(call: Received, tables: Tables, { table, key, read }: RowRoutes): Response | undefined {
  const { method, body, path } = call;
  const rows = (tables[table] ??= []);
  const [, , last, more] = path.split('/').map((part) => decodeURIComponent(part));
  if (more !== undefined) return undefined;
  if (last === undefined) {
    if (method === 'GET') return reply(200, rows);
    if (method !== 'POST') return undefined;
    if (!isRow(body)) return reply(400);
    const id = body[key] === undefined ? read(String(rows.length + 100)) : read(body[key]);
    const row = { ...body, [key]: id };
    const at = rows.findIndex((one) => one[key] === id);
    if (at === -1) rows.push(row);
    else rows[at] = row;
    return reply(201, row);
  }
  const at = rows.findIndex((one) => one[key] === read(last));
  const row = rows[at];
  if (method === 'PUT' && row === undefined && isRow(body)) rows.push({ ...body, [key]: read(last) });
  if (row === undefined) return reply(method === 'PUT' ? 201 : 404, method === 'PUT' ? rows.at(-1) : undefined);
  if (method === 'GET') return reply(200, row);
  if (method === 'DELETE') rows.splice(at, 1);
  if (method === 'DELETE') return reply(204);
  if (!isRow(body)) return reply(400);
  rows[at] = { ...(method === 'PATCH' ? row : {}), ...body, [key]: row[key] };
  return reply(200, rows[at]);
}

interface RowRoutes {
  readonly table: string;
  readonly key: string;
  readonly read: (value: unknown) => unknown;
}

export const item = (schema: object, id: object): object => ({
  parameters: [id],
  get: { responses: { ...ok(schema), ...NONE } },
  patch: { ...sends(schema), responses: { ...ok(schema), ...NONE } },
  put: { ...sends(schema), responses: { ...ok(schema), ...made(schema), ...NONE } },
  delete: { responses: GONE },
});

const COUNT = ok(rowOf({ count: { type: 'integer' } }, ['count']));

export const STYLES: readonly Style[] = [
  {
    title: 'changes and deletes of a whole collection by filters, and numeric ids that callers may send',
    paths: {
      '/todos': {
        get: { operationId: 'listTodos', responses: ok(listOf(TODO)) },
        post: { operationId: 'addTodo', ...sends(TODO), responses: made(TODO) },
        put: { operationId: 'replaceTodos', ...sends(listOf(TODO)), responses: COUNT },
        patch: {
          operationId: 'updateTodos',
          parameters: [inQuery('where', TEXT)],
          ...sends(rowOf({ title: TEXT, isDone: { type: 'boolean' } }, [])),
          responses: COUNT,
        },
        delete: { operationId: 'clearTodos', parameters: [inQuery('isDone', { type: 'boolean' })], responses: COUNT },
      },
      '/todos/{id}': item(TODO, inPath('id', INTEGER)),
    },
    data: () => ({
      todos: [0, 1, 2, 7].map((id) => ({ id, title: `Take over galaxy ${id}`, isDone: false })),
    }),
    serve: (call, tables) => {
      const rows = tables['todos'] ?? [];
      if (call.path === '/todos' && call.method === 'PATCH') {
        for (const row of rows) Object.assign(row, isRow(call.body) ? call.body : {});
        return reply(200, { count: rows.length });
      }
      if (call.path === '/todos' && (call.method === 'DELETE' || call.method === 'PUT')) {
        rows.length = 0;
        return reply(200, { count: 0 });
      }
      return serveRows(call, tables, { table: 'todos', key: 'id', read: coerce }) ?? reply(405);
    },
  },
  {
    title: 'names that callers choose as ids, PUT that creates, and a purge',
    paths: {
      '/rooms': {
        get: { operationId: 'listRooms', responses: ok(listOf(ROOM)) },
        post: { operationId: 'addRoom', ...sends(ROOM), responses: made(ROOM) },
      },
      '/rooms/{slug}': item(ROOM, inPath('slug', TEXT)),
      '/rooms/purge': { post: { operationId: 'purgeRooms', responses: COUNT } },
      '/rooms/{slug}/move': {
        post: {
          operationId: 'moveRoom',
          parameters: [inPath('slug', TEXT)],
          ...sends(rowOf({ slug: TEXT }, ['slug'])),
          responses: { ...ok(ROOM), ...NONE },
        },
      },
    },
    data: () => ({ rooms: ['lobby', 'true', '1', '0', 'null', 'a'].map((slug) => ({ slug, title: `Room ${slug}` })) }),
    serve: (call, tables) => {
      const rows = tables['rooms'] ?? [];
      if (call.path === '/rooms/purge') {
        if (call.method !== 'POST') return reply(405);
        rows.length = 0;
        return reply(200, { count: 0 });
      }
      const moved = /^\/rooms\/([^/]+)\/move$/.exec(call.path)?.[1];
      if (moved === undefined) {
        const read = (value: unknown): string => String(value);
        return serveRows(call, tables, { table: 'rooms', key: 'slug', read }) ?? reply(405);
      }
      const row = rows.find(({ slug }) => slug === decodeURIComponent(moved));
      if (row === undefined || call.method !== 'POST') return reply(404);
      row['slug'] = isRow(call.body) ? String(call.body['slug']) : row['slug'];
      return reply(200, row);
    },
  },
  {
    title: 'remote procedures with ids in bodies',
    paths: {
      '/v3/cluster/member/list': {
        post: {
          operationId: 'memberList',
          ...sends({ type: 'object' }),
          responses: ok(rowOf({ members: listOf(MEMBER) }, ['members'])),
        },
      },
      '/v3/cluster/member/add': {
        post: {
          operationId: 'memberAdd',
          ...sends(rowOf({ name: TEXT, peers: listOf(TEXT) }, ['name'])),
          responses: ok(rowOf({ member: MEMBER }, ['member'])),
        },
      },
      '/v3/cluster/member/update': {
        post: {
          operationId: 'memberUpdate',
          ...sends(rowOf({ ID: TEXT, peers: listOf(TEXT) }, ['ID'])),
          responses: { ...ok(rowOf({ member: MEMBER }, ['member'])), ...NONE },
        },
      },
      '/v3/cluster/member/remove': {
        post: {
          operationId: 'memberRemove',
          ...sends(rowOf({ ID: TEXT }, ['ID'])),
          responses: { ...ok({ type: 'object' }), ...NONE },
        },
      },
      '/v3/maintenance/compact': {
        post: { operationId: 'compact', ...sends({ type: 'object' }), responses: ok({ type: 'object' }) },
      },
      '/v3/auth/disable': {
        post: { operationId: 'authDisable', ...sends({ type: 'object' }), responses: ok({ type: 'object' }) },
      },
      '/v3/kv/deleterange': {
        post: {
          operationId: 'deleteRange',
          ...sends(rowOf({ key: TEXT, range_end: TEXT }, [])),
          responses: ok({ type: 'object' }),
        },
      },
    },
    data: () => ({
      members: ['8e9e05c52164694d', '1'].map((ID) => ({ ID, name: `node-${ID}`, peers: ['http://localhost:2380'] })),
      events: [],
      keys: [{ key: 'a' }, { key: 'b' }],
    }),
    serve: ({ method, path, body }, tables) => {
      if (method !== 'POST') return reply(405);
      const rows = tables['members'] ?? [];
      const sent = isRow(body) ? body : {};
      const id = String(sent['ID']);
      const row = rows.find(({ ID }) => ID === id);
      switch (path.split('/').at(-1)) {
        case 'list':
          return reply(200, { members: rows });
        case 'add': {
          const member = {
            ID: `${rows.length}f${rows.length}`,
            name: String(sent['name']),
            peers: sent['peers'] ?? [],
          };
          rows.push(member);
          return reply(200, { member });
        }
        case 'update':
          if (row === undefined) return reply(404);
          row['peers'] = sent['peers'] ?? [];
          return reply(200, { member: row });
        case 'remove':
          if (row === undefined) return reply(404);
          rows.splice(rows.indexOf(row), 1);
          return reply(200, {});
        case 'deleterange':
          tables['keys'] = [];
          return reply(200, {});
        default:
          (tables['events'] ??= []).push({ path });
          return reply(200, {});
      }
    },
  },
  {
    title: 'batch and state verbs for items, and deletion by a filter',
    paths: {
      '/contacts': {
        get: { operationId: 'listContacts', responses: ok(rowOf({ data: listOf(CONTACT) }, ['data'])) },
        post: { operationId: 'createContact', ...sends(rowOf({ email: TEXT }, ['email'])), responses: made(CONTACT) },
        delete: { operationId: 'deleteContacts', parameters: [inQuery('status', TEXT)], responses: COUNT },
      },
      '/contacts/{id}': {
        parameters: [inPath('id', TEXT)],
        get: { operationId: 'getContact', responses: { ...ok(CONTACT), ...NONE } },
        delete: { operationId: 'deleteContact', responses: GONE },
      },
      '/contacts/{id}/disable': {
        post: {
          operationId: 'disableContact',
          parameters: [inPath('id', TEXT)],
          responses: { ...ok(CONTACT), ...NONE },
        },
      },
      '/contacts:batchDelete': {
        post: { operationId: 'batchDeleteContacts', ...sends(rowOf({ ids: listOf(TEXT) }, ['ids'])), responses: COUNT },
      },
      '/contacts/revoke': {
        post: { operationId: 'revokeContact', ...sends(rowOf({ contact_id: TEXT }, ['contact_id'])), responses: COUNT },
      },
      '/contacts/merge': {
        post: {
          operationId: 'mergeContacts',
          ...sends(rowOf({ from: TEXT, into: TEXT }, ['from', 'into'])),
          responses: COUNT,
        },
      },
    },
    data: () => ({
      contacts: ['c1', 'c2', 'c3'].map((id) => ({ id, email: `${id}@example.org`, status: 'active' })),
    }),
    serve: ({ method, path, body }, tables) => {
      const rows = (tables['contacts'] ??= []);
      const sent = isRow(body) ? body : {};
      const drop = (ids: readonly unknown[]): Response => {
        const kept = ids.length === 0 ? [] : rows.filter(({ id }) => !ids.includes(id));
        const count = rows.length - kept.length;
        tables['contacts'] = kept;
        return reply(200, { count });
      };
      if (path === '/contacts:batchDelete')
        return method === 'POST' ? drop(Array.isArray(sent['ids']) ? sent['ids'] : []) : reply(405);
      if (path === '/contacts/revoke') return method === 'POST' ? drop([sent['contact_id']]) : reply(405);
      if (path === '/contacts/merge') return method === 'POST' ? drop([sent['from']]) : reply(405);
      if (path === '/contacts') {
        if (method === 'GET') return reply(200, { data: rows });
        if (method === 'DELETE') return drop([]);
        if (method !== 'POST') return reply(405);
        const contact = { id: `c${rows.length + 100}`, email: String(sent['email']), status: 'active' };
        rows.push(contact);
        return reply(201, contact);
      }
      const [, , id, verb] = path.split('/');
      const row = rows.find((one) => one['id'] === id);
      if (row === undefined) return reply(404);
      if (verb === 'disable' && method === 'POST') row['status'] = 'disabled';
      if (method === 'DELETE' && verb === undefined) return drop([id]).ok ? reply(204) : reply(500);
      return method === 'GET' || verb === 'disable' ? reply(200, row) : reply(405);
    },
  },
  {
    title: 'settings, with and without a read, also below items that no operation creates',
    paths: {
      '/settings': {
        get: { operationId: 'getSettings', responses: ok(SETTINGS) },
        put: { operationId: 'putSettings', ...sends(SETTINGS), responses: ok(SETTINGS) },
      },
      '/settings/reset': { post: { operationId: 'resetSettings', responses: ok(SETTINGS) } },
      '/banner': {
        put: {
          operationId: 'putBanner',
          ...sends(rowOf({ text: TEXT }, ['text'])),
          responses: ok(rowOf({ text: TEXT }, ['text'])),
        },
      },
      '/orgs': { get: { operationId: 'listOrgs', responses: ok(listOf(rowOf({ id: TEXT, name: TEXT }, ['id']))) } },
      '/orgs/{org}/settings': {
        parameters: [inPath('org', TEXT)],
        get: { operationId: 'getOrgSettings', responses: { ...ok(SETTINGS), ...NONE } },
        patch: {
          operationId: 'patchOrgSettings',
          ...sends(rowOf({ size: { type: 'integer' } }, [])),
          responses: { ...ok(SETTINGS), ...NONE },
        },
      },
      // A partial write may add what only a replacement can remove.
      '/theme': {
        get: { operationId: 'getTheme', responses: ok(THEME) },
        put: { operationId: 'putTheme', ...sends(THEME), responses: ok(THEME) },
        patch: { operationId: 'patchTheme', ...sends({ ...THEME, required: [] }), responses: ok(THEME) },
      },
      '/server/restart': { post: { operationId: 'restartServer', responses: { 202: { description: 'restarts' } } } },
    },
    data: () => ({
      settings: [{ color: 'red', size: 3 }],
      banner: [{ text: 'Welcome' }],
      theme: [{ color: 'green' }],
      orgs: [{ id: 'o1', name: 'One' }],
      orgSettings: [{ color: 'blue', size: 5 }],
      restarts: [],
    }),
    serve: ({ method, path, body }, tables) => {
      const sent = isRow(body) ? body : {};
      const write = (table: string, row: Row): Response => reply(200, (tables[table] = [row])[0]);
      if (path === '/orgs') return method === 'GET' ? reply(200, tables['orgs']) : reply(405);
      if (path === '/server/restart') {
        (tables['restarts'] ??= []).push({});
        return reply(method === 'POST' ? 202 : 405);
      }
      if (path === '/settings/reset')
        return method === 'POST' ? write('settings', { color: 'blue', size: 0 }) : reply(405);
      if (path === '/banner') return method === 'PUT' ? write('banner', sent) : reply(405);
      if (path === '/theme') {
        if (method === 'GET') return reply(200, tables['theme']?.[0]);
        if (method === 'PATCH') return write('theme', { ...tables['theme']?.[0], ...sent });
        return method === 'PUT' ? write('theme', sent) : reply(405);
      }
      const table = path === '/settings' ? 'settings' : path === '/orgs/o1/settings' ? 'orgSettings' : undefined;
      if (table === undefined) return reply(404);
      if (method === 'GET') return reply(200, tables[table]?.[0]);
      const isWrite = method === (table === 'settings' ? 'PUT' : 'PATCH');
      return isWrite ? write(table, { ...(method === 'PATCH' ? tables[table]?.[0] : {}), ...sent }) : reply(405);
    },
  },
  {
    title: 'verbs in paths with ids in the query or the body',
    paths: {
      '/listUsers': { get: { operationId: 'listUsers', responses: ok(listOf(USER)) } },
      '/getUser': {
        get: {
          operationId: 'getUser',
          parameters: [inQuery('id', INTEGER, true)],
          responses: { ...ok(USER), ...NONE },
        },
      },
      '/addUser': { post: { operationId: 'addUser', ...sends(USER), responses: ok(USER) } },
      '/updateUser': {
        post: {
          operationId: 'updateUser',
          ...sends({ ...USER, required: ['id', 'name'] }),
          responses: { ...ok(USER), ...NONE },
        },
      },
      '/deleteUser': {
        post: {
          operationId: 'deleteUser',
          parameters: [inQuery('id', INTEGER, true)],
          responses: { ...ok({ type: 'object' }), ...NONE },
        },
      },
      '/deleteAllUsers': { post: { operationId: 'deleteAllUsers', responses: ok({ type: 'object' }) } },
    },
    data: () => ({ users: [0, 1, 2].map((id) => ({ id, name: `User ${id}` })) }),
    serve: ({ method, path, query, body }, tables) => {
      const rows = (tables['users'] ??= []);
      const sent = isRow(body) ? body : {};
      const isRead = path === '/listUsers' || path === '/getUser';
      if (method !== (isRead ? 'GET' : 'POST')) return reply(405);
      if (path === '/listUsers') return reply(200, rows);
      if (path === '/deleteAllUsers') return reply(200, (tables['users'] = []));
      if (path === '/addUser') {
        const row = { ...sent, id: sent['id'] === undefined ? rows.length + 100 : coerce(sent['id']) };
        tables['users'] = [...rows.filter(({ id }) => id !== row.id), row];
        return reply(200, row);
      }
      const id = coerce(path === '/updateUser' ? sent['id'] : query.get('id'));
      const row = rows.find((one) => one['id'] === id);
      if (row === undefined) return reply(404);
      if (path === '/updateUser') Object.assign(row, sent, { id });
      if (path === '/deleteUser') rows.splice(rows.indexOf(row), 1);
      return reply(200, row);
    },
  },
];

/** The API of a style. */
export async function loadStyle({ paths }: Style): Promise<Api> {
  return loadDocument(documentWith(paths));
}

/** Serves a style in this process. */
export function serveStyle({ serve }: Style, tables: Tables): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    return serve(
      { method: request.method, path: pathname, query: searchParams, body: readBody(await request.text()) },
      tables,
    );
  };
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
