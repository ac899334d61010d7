import { describe, expect, test } from 'vitest';

import { runCaptured } from '../../support/run-captured.js';
import { tempFolder } from '../../support/temp-folder.js';
import { openEngine } from './engine-mock.js';

const VENDOR =
  'azure,header=ms,engine=dab,docdb_nosql=cosmosdb_nosql,enterprise-id=EntraID,enterprise-directory=AzureAD';
const DRAFT = 'https://github.com/x/engine/releases/download/v2.0.0/dab.draft.schema.json';

const source = (type: string): object => ({ 'database-type': type, 'connection-string': 'Server=tcp:127.0.0.1' });
const host = (authentication: object = { provider: 'StaticWebApps' }): object => ({
  mode: 'development',
  cors: { origins: ['http://localhost:5000'], 'allow-credentials': false },
  authentication,
});
const RUNTIME = {
  rest: { enabled: true, path: '/api' },
  graphql: { enabled: true, path: '/graphql', 'allow-introspection': true },
  host: host(),
};
const READ = [{ role: 'anonymous', actions: ['read'] }];
const ALL = [
  {
    role: 'anonymous',
    actions: [{ action: 'create' }, { action: 'read' }, { action: 'update' }, { action: 'delete' }],
  },
];
const NO_LINKS = { 'source.fields': [], 'target.fields': [], 'linking.source.fields': [], 'linking.target.fields': [] };
const JWT = { audience: 'api', issuer: 'https://login.example.com' };

/** Nine configurations in the forms of those in the engine's public repository, and the entities that anyone may list. */
const CONFIGURATIONS: readonly (readonly [form: string, config: object, listed: readonly string[]])[] = [
  [
    'fields, keys of two columns, a view, and a stored procedure with a list of parameters',
    {
      $schema: DRAFT,
      'data-source': { ...source('mssql'), options: { 'set-session-context': false } },
      runtime: {
        ...RUNTIME,
        rest: { enabled: true, path: '/api', 'request-body-strict': true },
        mcp: { enabled: true, path: '/mcp' },
      },
      entities: {
        Show: {
          description: 'A show',
          source: { object: 'dbo.Show', type: 'table' },
          fields: [
            { name: 'Id', description: 'Key', 'primary-key': true },
            { name: 'Name', 'primary-key': false },
          ],
          graphql: { enabled: true, type: { singular: 'Show', plural: 'Shows' } },
          rest: { enabled: true },
          permissions: [{ role: 'anonymous', actions: [{ action: '*' }] }],
          relationships: {
            Show_Roles: {
              cardinality: 'many',
              'target.entity': 'Show_Role',
              'source.fields': ['Id'],
              'target.fields': ['ShowId'],
              'linking.source.fields': [],
              'linking.target.fields': [],
            },
          },
        },
        Show_Role: {
          source: { object: 'dbo.Show_Role', type: 'table' },
          fields: [
            { name: 'ShowId', 'primary-key': true },
            { name: 'PersonId', 'primary-key': true },
            { name: 'Role' },
          ],
          permissions: [{ role: 'anonymous', actions: [{ action: '*' }] }],
        },
        ShowPeople: {
          source: { object: 'dbo.ShowPeople', type: 'view' },
          fields: [{ name: 'Id', 'primary-key': true }, { name: 'Born' }],
          graphql: { enabled: true, type: { singular: 'ShowPeople', plural: 'ShowPeople' } },
          permissions: [{ role: 'anonymous', actions: [{ action: '*' }] }],
        },
        GetPeople: {
          source: {
            object: 'dbo.GetPeople',
            type: 'stored-procedure',
            parameters: [{ name: 'top', description: 'Limit', required: false, default: '5' }],
          },
          fields: [],
          graphql: { enabled: true, operation: 'mutation', type: { singular: 'GetPeople', plural: 'GetPeople' } },
          rest: { enabled: true, methods: ['post'] },
          permissions: [{ role: 'anonymous', actions: [{ action: '*' }] }],
        },
      },
    },
    ['Show', 'Show_Role', 'ShowPeople'],
  ],
  [
    'rules for entities of all tables, with a template',
    {
      $schema: DRAFT,
      'data-source': source('mssql'),
      runtime: { rest: { path: '/api', enabled: true }, graphql: { path: '/graphql', enabled: true } },
      autoentities: {
        'all-tables': {
          patterns: { include: '%.%', exclude: 'sys.%', name: '{schema}_{object}' },
          template: {
            mcp: { 'dml-tool': true },
            rest: { enabled: true },
            graphql: { enabled: true },
            health: { enabled: true },
            cache: { enabled: false },
          },
          permissions: READ,
        },
        'admin-tables': {
          patterns: { include: 'admin.%' },
          template: { rest: { enabled: true }, graphql: { enabled: false } },
          permissions: [{ role: 'admin', actions: ['*'] }],
        },
      },
      entities: { Book: { source: 'books', permissions: READ } },
    },
    ['Book'],
  ],
  [
    'the short forms of rest and graphql, relationships without fields, and aliases that GraphQL cannot have',
    {
      $schema: '../schemas/draft-01.schema.json',
      'data-source': source('mssql'),
      runtime: RUNTIME,
      entities: {
        Publisher: {
          source: 'publishers',
          rest: true,
          graphql: true,
          permissions: READ,
          relationships: { books: { cardinality: 'many', 'target.entity': 'Book' } },
        },
        Book: {
          source: 'books',
          permissions: READ,
          mappings: { id: 'id', title: 'title' },
          relationships: {
            publishers: { cardinality: 'one', 'target.entity': 'Publisher' },
            authors: {
              cardinality: 'many',
              'target.entity': 'Author',
              'linking.object': 'book_author_link',
              'linking.source.fields': ['book_id'],
              'linking.target.fields': ['author_id'],
            },
          },
        },
        Author: {
          source: 'authors',
          rest: true,
          graphql: true,
          permissions: READ,
          relationships: {
            books: { cardinality: 'many', 'target.entity': 'Book', 'linking.object': 'book_author_link' },
          },
        },
        Broker: { source: 'brokers', graphql: false, permissions: READ },
        Tree: {
          source: 'trees',
          rest: true,
          permissions: READ,
          mappings: { species: 'Scientific Name', region: "United State's Region" },
        },
        Shrub: { source: 'trees', rest: true, permissions: READ, mappings: { species: 'fancyName' } },
        books_view_all: { source: 'books_view_all', rest: true, graphql: true, permissions: READ, relationships: {} },
        Placement: {
          source: 'placements',
          permissions: [
            ...READ,
            {
              role: 'authenticated',
              actions: [
                'create',
                {
                  action: 'delete',
                  policy: { database: '@claims.id eq @item.id' },
                  fields: { include: ['*'], exclude: ['id'] },
                },
              ],
            },
          ],
        },
      },
    },
    ['Publisher', 'Book', 'Author', 'Broker', 'Tree', 'Shrub', 'books_view_all', 'Placement'],
  ],
  ...(['mssql', 'mysql', 'postgresql'] as const).map(
    (type) =>
      [
        `long forms, roles with policies, and other paths, for ${type}`,
        {
          $schema: DRAFT,
          'data-source':
            type === 'mssql' ? { ...source(type), options: { 'set-session-context': true } } : source(type),
          runtime: { ...RUNTIME, graphql: { ...RUNTIME.graphql, 'multiple-mutations': { create: { enabled: true } } } },
          entities: {
            Publisher: {
              source: { object: 'publishers', type: 'table' },
              graphql: { enabled: true, type: { singular: 'Publisher', plural: 'Publishers' } },
              rest: { enabled: true },
              permissions: [
                ...ALL,
                {
                  role: 'tester',
                  actions: [
                    {
                      action: 'read',
                      fields: { exclude: [], include: ['*'] },
                      policy: { database: '@item.id ne 1234 or @item.id gt 1940' },
                    },
                    { action: 'create', policy: { database: "@item.name ne 'New publisher'" } },
                  ],
                },
              ],
              relationships: { books: { cardinality: 'many', 'target.entity': 'Book', ...NO_LINKS } },
            },
            Book: {
              source: { object: 'books', type: 'table' },
              graphql: { enabled: true, type: { singular: 'book', plural: 'books' } },
              permissions: ALL,
              mappings: { id: 'id', title: 'title' },
              relationships: { publishers: { cardinality: 'one', 'target.entity': 'Publisher', ...NO_LINKS } },
            },
            Stock: {
              source: { object: 'stocks', type: 'table', 'key-fields': ['categoryid', 'pieceid'] },
              rest: { enabled: true, path: '/commodities' },
              permissions: ALL,
            },
            GetBook: {
              source: { object: 'get_book', type: 'stored-procedure', parameters: { id: 1 } },
              graphql: { enabled: true, operation: 'query', type: { singular: 'GetBook', plural: 'GetBooks' } },
              rest: { enabled: true, methods: ['get'] },
              permissions: [{ role: 'anonymous', actions: [{ action: 'execute' }] }],
            },
          },
        },
        ['Publisher', 'Book', 'commodities'],
      ] as const,
  ),
  [
    'a warehouse with keys in the sources, and health and cache settings',
    {
      $schema: DRAFT,
      'data-source': source('dwsql'),
      runtime: { ...RUNTIME, cache: { enabled: true, 'ttl-seconds': 5 }, health: { enabled: true } },
      entities: {
        Notebook: {
          source: { object: 'notebooks', type: 'table', 'key-fields': ['id'] },
          permissions: [
            ...ALL,
            {
              role: 'tester',
              actions: [
                {
                  action: 'read',
                  fields: { exclude: ['color'], include: ['*'] },
                  policy: { database: '@item.id ne 1' },
                },
              ],
            },
          ],
          cache: { enabled: true, 'ttl-seconds': 1 },
          health: { enabled: true },
        },
      },
    },
    ['Notebook'],
  ],
  [
    'documents of a database without tables, with tokens of the vendor',
    {
      $schema: DRAFT,
      'data-source': {
        ...source('cosmosdb_nosql'),
        options: { database: 'graphqldb', container: 'planet', schema: 'schema.gql' },
      },
      runtime: {
        rest: { enabled: false, path: '/api' },
        graphql: RUNTIME.graphql,
        host: host({ provider: 'EntraID', jwt: JWT }),
      },
      entities: {
        Planet: {
          source: { object: 'graphqldb.planet' },
          graphql: { enabled: true, type: { singular: 'Planet', plural: 'Planets' } },
          rest: { enabled: false },
          permissions: [
            ...ALL,
            { role: 'type-role', actions: [{ action: 'read', policy: { database: "@item.type eq 'earth0'" } }] },
          ],
        },
      },
    },
    [],
  ],
  [
    'the older directory of the vendor, a key vault, and values of the environment',
    {
      $schema: DRAFT,
      'data-source': source('postgresql'),
      'azure-key-vault': {
        endpoint: 'https://vault.example.com',
        'retry-policy': { mode: 'exponential', 'max-count': 3 },
      },
      runtime: { ...RUNTIME, host: host({ provider: 'AzureAD', jwt: JWT }) },
      entities: { Book: { source: 'books', permissions: READ } },
    },
    ['Book'],
  ],
];

describe('configurations of the engine in the forms that its releases write', () => {
  test.each(CONFIGURATIONS)('validate accepts %s, and the mock starts with it', async (_form, config, listed) => {
    const cwd = tempFolder({
      'config.json': JSON.stringify(config),
      'schema.gql': 'type Planet @model { id: ID!, name: String }',
    });
    const validated = await runCaptured(cwd, 'validate', 'engine', 'config.json', '--vendor', VENDOR);
    expect(validated.err).toBe('');
    expect(validated.status).toBe(0);
    await using engine = await openEngine('process', { engineConfig: 'config.json', cwd, vendor: VENDOR });
    const statuses = await Promise.all(listed.map(async (name) => (await engine.call('GET', `/api/${name}`)).status));
    expect(statuses).toEqual(listed.map(() => 200));
    const query = { query: '{ __schema { queryType { name } } }' };
    expect((await engine.call('POST', '/graphql', query)).json).toMatchObject({ data: { __schema: {} } });
  });

  test('validate and mock refuse a slip in a policy with the same place and sentence', async () => {
    const permissions = [{ role: 'anonymous', actions: [{ action: 'read', policy: { database: '@claim ne 1' } }] }];
    const config = {
      'data-source': source('dwsql'),
      runtime: RUNTIME,
      entities: { Notebook: { source: 'n', permissions } },
    };
    const cwd = tempFolder({ 'config.json': JSON.stringify(config, null, 1) });
    const validated = await runCaptured(cwd, 'validate', 'engine', 'config.json');
    const served = await runCaptured(cwd, 'mock', 'engine', '--port', '0', '--engine-config', 'config.json');
    expect([validated.status, served.status]).toEqual([1, 2]);
    const place = /config\.json:\d+:\d+ \/entities\/Notebook\/permissions\/0\/actions\/0\/policy\/database [^\n]*/;
    const sentence = (text: string): string => (place.exec(text)?.[0] ?? '').replace(' error ', ' ');
    expect(sentence(validated.err + validated.out)).not.toBe('');
    expect(sentence(served.err)).toBe(sentence(validated.err + validated.out));
  });

  test('a rule for entities of all tables gives them its template and its permissions', async () => {
    const autoentities = {
      all: { patterns: { include: '%.%', exclude: 'sys.%', name: '{schema}_{object}' }, permissions: READ },
      hidden: { patterns: { include: 'admin.%' }, template: { graphql: { enabled: false } }, permissions: READ },
      off: { patterns: { include: 'dbo.off' }, template: { rest: { enabled: false } }, permissions: READ },
    };
    const { all, ...others } = autoentities;
    const tables = ['dbo.books', 'sys.jobs', 'admin.users', 'dbo.off'].map(
      (name) => `CREATE TABLE ${name} (id int PRIMARY KEY);`,
    );
    const cwd = tempFolder({
      'config.json': JSON.stringify({ 'data-source': source('mssql'), autoentities: { ...others, all }, entities: {} }),
      'schema.sql': tables.join('\n'),
    });
    await using engine = await openEngine('process', { engineConfig: 'config.json', engineSchema: 'schema.sql', cwd });
    const names = ['dbo_books', 'users', 'off', 'sys_jobs'];
    const statuses = await Promise.all(names.map(async (name) => (await engine.call('GET', `/api/${name}`)).status));
    expect(statuses).toEqual([200, 200, 404, 404]);
    const query = { query: '{ __schema { types { name } } }' };
    const types = JSON.stringify((await engine.call('POST', '/graphql', query)).json);
    expect(['"dbo_books"', '"users"', '"off"'].map((name) => types.includes(name))).toEqual([true, false, true]);
  });
});
