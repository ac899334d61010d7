import path from 'node:path';

import { describe, expect, test, vi } from 'vitest';

import { InputError, SpecError, startMock } from '../../../entry/mock.js';
import { runCaptured } from '../../support/run-captured.js';
import { tempFolder, writeTo } from '../../support/temp-folder.js';
import { openEngine } from './engine-mock.js';

const DATABASE = { 'database-type': 'mssql', 'connection-string': 'x' };
const SOURCE = '"data-source": { "database-type": "mssql", "connection-string": "@env(\'NOT_SET\')" }';

describe('a configuration file', () => {
  test('a configuration file that breaks the schema is refused on the command line, with line and column', async () => {
    const cwd = tempFolder({ 'engine.json': '{\n  "runtime": {\n    "rest": { "enable": true }\n  }\n}' });
    const validated = await runCaptured(cwd, 'validate', 'engine', 'engine.json');
    const served = await runCaptured(cwd, 'mock', 'engine', '--port', '0', '--engine-config', 'engine.json');
    expect([validated.status, served.status, served.out]).toEqual([1, 2, '']);
    const place = 'engine.json:3:25 /runtime/rest/enable';
    expect(validated.err).toContain(place);
    expect(served.err).toContain(validated.err.trim());
  });

  test.each<[string, string, RegExp]>([
    ['no such file', 'other.json', /^specmill: other\.json The file cannot be read: there is no such file\.\n$/],
    ['syntax', 'syntax.json', /^specmill: syntax\.json:2:3 The file is not JSON/],
  ])('a configuration file is refused in one sentence: %s', async (_name, file, sentence) => {
    const cwd = tempFolder({ 'syntax.json': '{\n  runtime: {}\n}' });
    const { status, err } = await runCaptured(cwd, 'mock', 'engine', '--port', '0', '--engine-config', file);
    expect([status, err]).toEqual([2, expect.stringMatching(sentence)]);
  });

  test("refuses a configuration file for another mock than the engine's", async () => {
    const { status, err } = await runCaptured(tempFolder(), 'mock', 'tables', '--engine-config', 'x.json');
    expect([status, err]).toEqual([2, expect.stringContaining('The option --engine-config needs the mock of engine')]);
  });

  test('a changed configuration file is reloaded, and an unreadable one leaves the previous version', async () => {
    const folder = tempFolder({ 'engine.yaml': 'runtime:\n  rest:\n    path: /one\n' });
    await using engine = await openEngine('socket', { engineConfig: 'engine.yaml', cwd: folder });
    const { mock, call } = engine;
    expect(mock.files).toContain(path.join(folder, 'engine.yaml'));
    await call('POST', '/one/Book', { title: 'New' });
    writeTo(
      folder,
      'engine.yaml',
      'runtime:\n  rest:\n    path: /two\n  host:\n    cors:\n      origins: [https://a.b]\n',
    );
    await mock.reload();
    expect((await call('GET', '/two/Book/id/1020')).status).toBe(200);
    const { headers } = await call('GET', '/two/Book', undefined, { origin: 'https://a.b' });
    expect(headers.get('access-control-allow-origin')).toBe('https://a.b');
    writeTo(folder, 'engine.yaml', 'runtime:\n  rest: 1\n');
    await expect(mock.reload()).rejects.toThrow(SpecError);
    expect((await call('GET', '/two/Book')).status).toBe(200);
  });

  test('a configuration file may name environment variables, and the mock requires those that it uses', async () => {
    vi.stubEnv('REST_ENABLED', 'false');
    const runtime = (rest: string, mcp: string): string =>
      `{ ${SOURCE}, "runtime": { "rest": { "enabled": "${rest}" }, "mcp": { "description": "${mcp}" } } }`;
    const folder = tempFolder({
      'engine.json': runtime("@env('REST_ENABLED')", "a @env('REST_ENABLED') b"),
      'unset.json': runtime("@env('NO_SUCH_VARIABLE')", ''),
      'maybe.json': runtime('maybe', ''),
    });
    await using engine = await openEngine('process', { engineConfig: 'engine.json', cwd: folder });
    expect((await engine.call('GET', '/api/Book')).status).toBe(404);
    await expect(startMock('engine', { engineConfig: 'unset.json', cwd: folder })).rejects.toMatchObject({
      message: 'The environment variable NO_SUCH_VARIABLE is not set.',
      place: { line: 1, pointer: '/runtime/rest/enabled' },
    });
    await expect(startMock('engine', { engineConfig: 'maybe.json', cwd: folder })).rejects.toThrow(
      'The value must be true or false, and not "maybe".',
    );
  });

  test('a configuration file may be made of several files, each with its data source and entities', async () => {
    const entity = (name: string): string =>
      `"${name}": { "source": "x", "permissions": [{ "role": "anonymous", "actions": ["*"] }] }`;
    const folder = tempFolder({
      'engine.json': `{ ${SOURCE}, "data-source-files": ["more/ships.json"], "entities": { ${entity('Boat')} } }`,
      'more/ships.json': `{ "data-source": { "database-type": "mysql", "connection-string": "x" }, "data-source-files": ["../engine.json"],
        "runtime": { "rest": { "path": "/ignored" } }, "entities": { ${entity('Ship')} } }`,
    });
    await using engine = await openEngine('process', { engineConfig: 'engine.json', cwd: folder });
    expect(engine.mock.files).toContain(path.join(folder, 'more/ships.json'));
    for (const name of ['Boat', 'Ship']) expect((await engine.call('GET', `/api/${name}`)).status).toBe(200);
    expect((await engine.call('GET', '/health')).json).toMatchObject({
      checks: [{ name: 'mssql' }, { name: 'mysql' }, { name: 'Boat' }, { name: 'Ship' }],
    });
    for (const [list, isOffered] of [
      ['boats', true],
      ['ships', false],
    ] as const) {
      const query = `{ ${list} { groupBy { aggregations { count } } } }`;
      expect((await engine.call('POST', '/graphql', { query })).json).toHaveProperty(isOffered ? 'data' : 'errors');
    }
  });

  test.each<[string, object, string, string]>([
    [
      'a file outside its folder',
      { 'data-source-files': ['../secret.json'] },
      '/data-source-files/0',
      'outside the folder',
    ],
    ['a path that no route has', { runtime: { rest: { path: '/{x}' } } }, '/runtime/rest/path', 'segments of letters'],
    [
      'the path of the control interface',
      { runtime: { mcp: { path: '/__specmill' } } },
      '/runtime/mcp/path',
      'segments',
    ],
    [
      'a policy that cannot be read',
      {
        entities: {
          A: {
            source: 'a',
            permissions: [{ role: 'r', actions: [{ action: 'read', policy: { database: 'x eq 1' } }] }],
          },
        },
      },
      '/entities/A/permissions/0/actions/0/policy/database',
      'x is neither @item., nor @claims., nor a value',
    ],
    [
      'a relationship to an entity that there is not',
      {
        entities: {
          A: { source: 'a', permissions: [], relationships: { b: { cardinality: 'one', 'target.entity': 'B' } } },
        },
      },
      '/entities/A/relationships/b/target.entity',
      'There is no entity B.',
    ],
    [
      'two entities at one path',
      { entities: { A: { source: 'a', permissions: [] }, B: { source: 'b', rest: { path: '/A' }, permissions: [] } } },
      '/entities/B',
      'The entity A has the path /A too.',
    ],
  ])('a configuration file is refused with %s', async (_name, config, pointer, message) => {
    const folder = tempFolder({ 'engine.json': JSON.stringify(config, undefined, 2) });
    const started = startMock('engine', { engineConfig: 'engine.json', cwd: folder });
    await expect(started).rejects.toThrow(InputError);
    await expect(started).rejects.toMatchObject({
      message: expect.stringContaining(message) as string,
      place: { pointer, line: expect.any(Number) as number },
    });
  });

  test('a configuration that is passed as an object is checked too, and may use the real names of a vendor', async () => {
    await expect(startMock('engine', { engineConfig: { runtime: { rest: 1 } } })).rejects.toThrow('/runtime/rest');
    const telemetry = { 'acme-app-insights': { 'connection-string': 'x' } };
    const options = { engineConfig: { runtime: { telemetry } }, vendor: 'acme,engine=dab' };
    await using engine = await openEngine('process', options);
    expect((await engine.call('GET', '/health')).json).toMatchObject({ configuration: { telemetry: true } });
    await expect(startMock('engine', { engineConfig: options.engineConfig })).rejects.toThrow('acme-app-insights');
  });
});

test('a mock of startMock follows its configuration file, and notes a broken version in the journal', async () => {
  const write = (runtime: object): void =>
    writeTo(folder, 'engine.json', JSON.stringify({ 'data-source': DATABASE, runtime, entities }));
  const entities = { Book: { source: 'books', permissions: [{ role: 'anonymous', actions: ['read'] }] } };
  const folder = tempFolder();
  write({ rest: { path: '/one' } });
  await using engine = await openEngine('process', { engineConfig: 'engine.json', cwd: folder });
  expect((await engine.call('GET', '/one/Book')).status).toBe(200);
  write({ rest: { path: '/two' } });
  await vi.waitFor(async () => expect((await engine.call('GET', '/two/Book')).status).toBe(200), 20_000);
  write({ rest: { path: 7 } });
  await vi.waitFor(async () => {
    const journal = JSON.stringify((await engine.call('GET', '/__specmill/requests')).json);
    expect(journal).toContain('must be a string, not 7');
  }, 20_000);
  expect((await engine.call('GET', '/two/Book')).status).toBe(200);
});

describe('actions', () => {
  const refused: readonly (readonly [string, object, string])[] = [
    ['execute', {}, 'must be "create", "read", "update", "delete" or "*", not "execute"'],
    ['read', { type: 'stored-procedure' }, 'must be "execute" or "*", not "read"'],
  ];
  test.each(refused)('the action %s is refused for the source %j', async (action, source, sentence) => {
    const entities = {
      A: { source: { object: 'a', ...source }, permissions: [{ role: 'anonymous', actions: [action] }] },
    };
    const engineConfig = { 'data-source': DATABASE, entities };
    await expect(openEngine('process', { engineConfig })).rejects.toThrow(sentence);
  });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s on a row of a stored procedure gets 405', async (method) => {
    const permissions = [{ role: 'anonymous', actions: ['execute'] }];
    const entities = { A: { source: { object: 'a', type: 'stored-procedure' }, permissions } };
    await using engine = await openEngine('process', {
      engineConfig: { 'data-source': DATABASE, entities },
    });
    const body = method === 'PUT' || method === 'PATCH' ? {} : undefined;
    expect((await engine.call(method, '/api/A/id/1', body)).status).toBe(405);
  });
});

test('two endpoints at one path are refused', async () => {
  const engineConfig = {
    'data-source': DATABASE,
    runtime: { rest: { path: '/x' }, graphql: { path: '/x' } },
    entities: {},
  };
  await expect(openEngine('process', { engineConfig })).rejects.toThrow('The endpoint rest has the path /x too.');
});

test('GraphQL takes a query by GET and a list of queries by POST over HTTP, and no mutation by GET', async () => {
  await using engine = await openEngine('socket');
  const books = '{ books(first: 1) { items { id } } }';
  const data = { books: { items: [{ id: 1017 }] } };
  const get = (query: string) => engine.call('GET', `/graphql?query=${encodeURIComponent(query)}`);
  expect((await get(books)).json).toEqual({ data });
  expect((await get('mutation { createBook(item: { title: "a" }) { id } }')).status).toBe(405);
  const batch = await engine.call('POST', '/graphql', [{ query: books }, { query: '{ __typename }' }]);
  expect(batch.json).toEqual([{ data }, { data: { __typename: 'Query' } }]);
});
