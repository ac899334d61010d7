import {
  GONE,
  NONE,
  TEXT,
  type Style,
  inPath,
  isRow,
  item,
  listOf,
  made,
  ok,
  reply,
  rowOf,
  sends,
  serveRows,
} from './existing-data-servers.js';

const LABEL = rowOf({ id: TEXT, name: TEXT }, ['name']);
const INTEGER: object = { type: 'integer' };
const TASK = rowOf({ id: { ...INTEGER, readOnly: true }, title: TEXT }, ['title']);
const DRAFT = rowOf({ id: INTEGER, text: TEXT }, ['text']);
const THING = rowOf({ name: TEXT, color: TEXT }, ['name']);
const DOCUMENT = rowOf({ title: TEXT }, ['title']);
const DOCUMENT_ID = { name: 'X-Document-Id', in: 'header', required: true, schema: TEXT };

/** More servers with data from before the run, in shapes that are less common. */
export const SHAPES: readonly Style[] = [
  {
    title: 'items whose ids count up for each parent, below parents that the run does not create',
    paths: {
      '/projects': { get: { operationId: 'listProjects', responses: ok(listOf(rowOf({ id: TEXT }, ['id']))) } },
      '/projects/{project}/labels': {
        parameters: [inPath('project', TEXT)],
        get: { operationId: 'listLabels', responses: { ...ok(listOf(LABEL)), ...NONE } },
        post: { operationId: 'addLabel', ...sends(LABEL), responses: made(LABEL) },
        delete: { operationId: 'clearLabels', responses: GONE },
      },
      '/projects/{project}/labels/{id}': {
        ...item(LABEL, inPath('project', TEXT)),
        parameters: [inPath('project', TEXT), inPath('id', TEXT)],
      },
      '/projects/{project}/archive': {
        post: { operationId: 'archiveProject', parameters: [inPath('project', TEXT)], responses: GONE },
      },
    },
    data: () => ({
      projects: [{ id: 'one' }, { id: 'two' }],
      one: [{ id: '1', name: 'bug' }],
      // Their ids are those of the labels that the run adds to the other project.
      two: ['1', '2', '3', '4', '5', '6'].map((id) => ({ id, name: `label ${id}` })),
    }),
    serve: ({ method, path, body }, tables) => {
      const [, , project, kind, id] = path.split('/');
      if (project === undefined) return method === 'GET' ? reply(200, tables['projects']) : reply(405);
      const rows = project === 'one' || project === 'two' ? tables[project] : undefined;
      if (rows === undefined) return reply(404);
      const at = rows.findIndex((row) => row['id'] === id);
      if (kind === 'archive') {
        tables['projects'] = [];
        return reply(204);
      }
      if (id === undefined && method === 'DELETE') {
        rows.length = 0;
        return reply(204);
      }
      if (id === undefined && method === 'GET') return reply(200, rows);
      if (id === undefined && method === 'POST' && isRow(body)) {
        const row = { ...body, id: String(Math.max(0, ...rows.map((one) => Number(one['id']))) + 1) };
        rows.push(row);
        return reply(201, row);
      }
      const row = rows[at];
      if (row === undefined) return reply(404);
      if (method === 'GET') return reply(200, row);
      if (method === 'DELETE') rows.splice(at, 1);
      else if (isRow(body)) Object.assign(row, body, { id });
      return method === 'DELETE' ? reply(204) : reply(200, row);
    },
  },
  {
    title: 'ids in headers',
    paths: {
      '/document': {
        parameters: [DOCUMENT_ID],
        get: { operationId: 'getDocument', responses: { ...ok(DOCUMENT), ...NONE } },
        put: { operationId: 'putDocument', ...sends(DOCUMENT), responses: ok(DOCUMENT) },
        delete: { operationId: 'deleteDocument', responses: GONE },
      },
      '/document/publish': {
        post: {
          operationId: 'publishDocument',
          parameters: [{ ...DOCUMENT_ID, example: 'd1' }],
          responses: { ...ok(DOCUMENT), ...NONE },
        },
      },
    },
    data: () => ({ d1: [{ title: 'Minutes' }], published: [{ count: 0 }] }),
    serve: ({ method, path, body }, tables) => {
      // As a careless server, it has only one document, whatever the header says.
      if (path.endsWith('publish')) tables['published'] = [{ count: 1 }];
      if (method === 'DELETE') tables['d1'] = [];
      if (method === 'PUT') tables['d1'] = [isRow(body) ? body : {}];
      return method === 'DELETE' ? reply(204) : reply(200, tables['d1']?.[0]);
    },
  },
  {
    title: 'a single endpoint for all commands',
    paths: {
      '/api': {
        post: {
          operationId: 'call',
          ...sends(
            rowOf({ action: { type: 'string', enum: ['list', 'deleteAll', 'update'] }, id: TEXT, name: TEXT }, [
              'action',
            ]),
          ),
          responses: ok({ type: 'object' }),
        },
      },
      '/graphql': {
        post: {
          operationId: 'graphql',
          ...sends(rowOf({ query: { ...TEXT, examples: ['{ all }', 'mutation { dropAll }'] } }, ['query'])),
          responses: ok({ type: 'object' }),
        },
      },
    },
    data: () => ({ things: [{ id: '1', name: 'first' }] }),
    serve: ({ body }, tables) => {
      const sent = isRow(body) ? body : {};
      const does = `${String(sent['action'])} ${String(sent['query'])}`;
      if (/deleteAll|dropAll/.test(does)) tables['things'] = [];
      if (does.includes('update')) tables['things'] = [{ id: '1', name: 'other' }];
      return reply(200, { things: tables['things'] });
    },
  },
  {
    title: 'ids that are numbers as text, and are read as numbers',
    paths: {
      '/users': {
        get: { operationId: 'listUsers', responses: ok(listOf(LABEL)) },
        post: { operationId: 'addUser', ...sends(LABEL), responses: made(LABEL) },
      },
      '/users/{id}': item(LABEL, inPath('id', TEXT)),
      '/users/{id}/disable': {
        post: { operationId: 'disableUser', parameters: [inPath('id', TEXT)], responses: { ...ok(LABEL), ...NONE } },
      },
    },
    data: () => ({ users: ['0', '1', '2', '12'].map((id) => ({ id, name: `User ${id}` })) }),
    serve: (call, tables) => {
      const read = (value: unknown): string => String(Number.parseInt(String(value), 10) || 0);
      const [, , id, verb] = call.path.split('/');
      if (verb === undefined) return serveRows(call, tables, { table: 'users', key: 'id', read }) ?? reply(405);
      const row = tables['users']?.find((one) => one['id'] === read(id));
      if (row === undefined || call.method !== 'POST') return reply(404);
      row['name'] = 'disabled';
      return reply(200, row);
    },
  },
  {
    title: 'a read-only id that a creation takes from its body nevertheless',
    paths: {
      '/tasks': {
        get: { operationId: 'listTasks', responses: ok(listOf(TASK)) },
        post: { operationId: 'addTask', ...sends(TASK), responses: made(TASK) },
      },
      '/tasks/{id}': item(TASK, inPath('id', INTEGER)),
    },
    data: () => ({ tasks: [0, 1, 2, 7].map((id) => ({ id, title: `Task ${id}` })) }),
    serve: (call, tables) =>
      serveRows(call, tables, { table: 'tasks', key: 'id', read: (id) => Number(id === null ? 0 : id) }) ?? reply(405),
  },
  {
    title: 'two kinds of item with the same ids, one of which no operation shows',
    paths: {
      '/drafts': {
        get: { operationId: 'listDrafts', responses: ok(listOf(DRAFT)) },
        post: { operationId: 'addDraft', ...sends(rowOf({ text: TEXT }, ['text'])), responses: made(DRAFT) },
      },
      '/drafts/{id}': item(DRAFT, inPath('id', INTEGER)),
      '/accounts/{id}': {
        delete: { operationId: 'deleteAccount', responses: GONE },
        parameters: [inPath('id', INTEGER)],
      },
      '/members/{id}/disable': {
        post: { operationId: 'disableMember', parameters: [inPath('id', INTEGER)], responses: GONE },
      },
      '/removeAccount': {
        post: {
          operationId: 'removeAccount',
          ...sends(rowOf({ account_id: INTEGER }, ['account_id'])),
          responses: GONE,
        },
      },
    },
    data: () => ({ accounts: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => ({ id })), drafts: [] }),
    serve: (call, tables) => {
      const [, kind, id] = call.path.split('/');
      if (kind === 'drafts') {
        const rows = (tables['drafts'] ??= []);
        if (id !== undefined || call.method !== 'POST')
          return serveRows(call, tables, { table: 'drafts', key: 'id', read: Number }) ?? reply(405);
        rows.push({ ...(isRow(call.body) ? call.body : {}), id: rows.length + 1 });
        return reply(201, rows.at(-1));
      }
      const named = kind === 'removeAccount' && isRow(call.body) ? call.body['account_id'] : id;
      const row = tables['accounts']?.find((one) => one['id'] === Number(named));
      if (call.method !== (kind === 'accounts' ? 'DELETE' : 'POST')) return reply(405);
      if (row === undefined) return reply(404);
      row['isGone'] = true;
      return reply(204);
    },
  },
  {
    title: 'names of items that start with the name of the item around them',
    paths: {
      '/things': {
        get: { operationId: 'listThings', responses: ok(listOf(THING)) },
        post: { operationId: 'addThing', ...sends(rowOf({ color: TEXT }, [])), responses: made(THING) },
        delete: { operationId: 'clearThings', responses: GONE },
      },
      '/things/{thing}': {
        get: { operationId: 'getThing', parameters: [inPath('thing', TEXT)], responses: { ...ok(THING), ...NONE } },
      },
      '/things/paint': { post: { operationId: 'updateThing', ...sends(THING), responses: { ...ok(THING), ...NONE } } },
      '/things/remove': {
        post: { operationId: 'removeThing', ...sends(rowOf({ thing_id: TEXT }, ['thing_id'])), responses: GONE },
      },
    },
    data: () => ({ things: [1, 2, 3, 4, 5].map((id) => ({ name: `shelves/old/things/${id}`, color: 'red' })) }),
    serve: ({ method, path, body }, tables) => {
      const rows = (tables['things'] ??= []);
      const sent = isRow(body) ? body : {};
      if (method === 'GET') {
        const shown = rows.find((one) => one['name'] === decodeURIComponent(path.slice('/things/'.length)));
        return path === '/things' ? reply(200, rows) : reply(shown === undefined ? 404 : 200, shown);
      }
      if (path === '/things' && method === 'DELETE') {
        rows.length = 0;
        return reply(204);
      }
      if (method !== 'POST') return reply(405);
      if (path === '/things') {
        const name = `shelves/new/things/${rows.filter((one) => String(one['name']).includes('new')).length + 1}`;
        rows.push({ color: 'red', ...sent, name });
        return reply(201, rows.at(-1));
      }
      const row = rows.find((one) => one['name'] === (sent['thing_id'] ?? sent['name']));
      if (row === undefined) return reply(404);
      if (path === '/things/paint') row['color'] = sent['color'];
      else row['isGone'] = true;
      return path === '/things/paint' ? reply(200, row) : reply(204);
    },
  },
];
