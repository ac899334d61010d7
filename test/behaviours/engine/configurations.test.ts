import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { type EngineMock, openEngine } from './engine-mock.js';

const permissions = [{ role: 'anonymous', actions: ['*'] }];
const folder = mkdtempSync(path.join(tmpdir(), 'specmill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const sql = path.join(folder, 'tasks.sql');
writeFileSync(sql, 'CREATE TABLE dbo.tasks (id int IDENTITY PRIMARY KEY, title varchar(50) NOT NULL, points int)');
const tasks = {
  required: ['id', 'title'],
  properties: { id: { type: 'integer' }, title: { type: 'string' }, points: { type: ['integer', 'null'] } },
};
const fields = [{ name: 'id', 'primary-key': true }, { name: 'title' }, { name: 'points' }];

interface Declaration {
  readonly entity: object;
  readonly engineSchema?: string | object;
  /** Whether rows have only declared columns. */
  readonly isClosed: boolean;
}

const DECLARATIONS: Readonly<Record<string, Declaration>> = {
  nothing: { entity: { source: 'tasks' }, isClosed: false },
  'key-fields': { entity: { source: { object: 'tasks', type: 'table', 'key-fields': ['id'] } }, isClosed: false },
  fields: { entity: { source: 'tasks', fields }, isClosed: true },
  'CREATE TABLE': { entity: { source: 'dbo.tasks' }, engineSchema: sql, isClosed: true },
  'a JSON Schema': { entity: { source: 'tasks' }, engineSchema: { tasks }, isClosed: true },
  'autoentities over CREATE TABLE': { entity: {}, engineSchema: sql, isClosed: true },
};

interface Setting {
  readonly runtime: object;
  readonly rest?: string;
  readonly graphql?: string;
  readonly isStrict?: boolean;
  readonly offered?: { readonly rest?: false; readonly graphql?: false; readonly mcp?: false };
}

const SETTINGS: Readonly<Record<string, Setting>> = {
  defaults: { runtime: {} },
  'strict bodies': { runtime: { rest: { 'request-body-strict': true } }, isStrict: true },
  'no REST': { runtime: { rest: { enabled: false } }, offered: { rest: false } },
  'no GraphQL': { runtime: { graphql: { enabled: 'false' } }, offered: { graphql: false } },
  'no MCP': { runtime: { mcp: { enabled: '0' } }, offered: { mcp: false } },
  'other paths': {
    runtime: { rest: { path: '/data' }, graphql: { path: '/query' } },
    rest: '/data',
    graphql: '/query',
  },
  'no introspection': { runtime: { graphql: { 'allow-introspection': false } } },
  'pages of one row': { runtime: { pagination: { 'default-page-size': 1, 'next-link-relative': true } } },
  'nested creation': { runtime: { graphql: { 'multiple-mutations': { create: { enabled: true } } } } },
  cache: { runtime: { cache: { enabled: true, 'ttl-seconds': 1 } } },
};

function open({ entity, engineSchema }: Declaration, { runtime }: Setting): Promise<EngineMock> {
  const autoentities = { all: { patterns: { include: ['dbo.%'] }, permissions } };
  const config =
    Object.keys(entity).length === 0
      ? { autoentities, entities: {} }
      : { entities: { tasks: { ...entity, permissions } } };
  const schema = engineSchema === undefined ? {} : { engineSchema };
  return openEngine('process', { ...schema, engineConfig: { runtime, ...config } });
}

const CASES = Object.entries(DECLARATIONS).flatMap(([declared, declaration]) =>
  Object.entries(SETTINGS).map(([name, setting]) => [declared, name, declaration, setting] as const),
);

test('the table has 60 configurations', () => expect(CASES).toHaveLength(60));

test.each(CASES)(
  'REST, GraphQL and MCP follow columns by %s with %s',
  async (_declared, _name, declaration, setting) => {
    await using engine = await open(declaration, setting);
    const { rest = '/api', graphql = '/graphql', offered = {}, isStrict = false } = setting;
    const { isClosed } = declaration;
    const ask = (query: string) => engine.call('POST', graphql, { query });
    const use = async (name: string, given: object) => {
      const params = { name, arguments: { entity: 'tasks', ...given } };
      return engine.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    };

    const created = await ask('mutation { createtasks(item: { title: "a", points: 1 }) { id title points } }');
    if (offered.graphql === false) expect(created.status).toBe(404);
    else expect(created.json).toEqual({ data: { createtasks: { id: 1, title: 'a', points: 1 } } });

    const posted = await engine.call('POST', `${rest}/tasks`, { title: 'b', extra: 1 });
    const isRefused = isStrict && isClosed;
    expect(posted.status).toBe(offered.rest === false ? 404 : isRefused ? 400 : 201);
    if (posted.status === 201)
      expect(posted.json['value']).toEqual([
        expect.objectContaining(isClosed ? { title: 'b', points: null } : { extra: 1 }),
      ]);

    const filtered = await engine.call('GET', `${rest}/tasks?$filter=titel eq 1`);
    expect(filtered.status).toBe(offered.rest === false ? 404 : isClosed ? 400 : 200);

    const wrong = await ask('{ tasks(filter: { titel: { contains: "x" } }) { items { id } } }');
    if (offered.graphql !== false) expect(Object.hasOwn(wrong.json, 'errors')).toBe(isClosed);

    const made = await use('create_record', { data: { title: 'c', points: 3 } });
    const read = await use('read_records', { filter: "startswith(title,'c')", select: 'title,points' });
    if (offered.mcp === false) expect([made.status, read.status]).toEqual([404, 404]);
    else expect(read.json).toMatchObject({ result: { structuredContent: { value: [{ title: 'c', points: 3 }] } } });
  },
);
