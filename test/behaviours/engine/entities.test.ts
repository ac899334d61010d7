import { describe, expect, test } from 'vitest';

import { type EngineMock, openEngine } from './engine-mock.js';

const EVERYONE = [{ role: 'anonymous', actions: ['*'] }];

function serve(entities: object, runtime: object = {}): Promise<EngineMock> {
  return openEngine('process', { engineConfig: { runtime, entities } });
}

const SIMULATED = { host: { authentication: { provider: 'Simulator' } } };
const as = (role: string): Readonly<Record<string, string>> => ({ 'x-vendor-api-role': role });

describe('entities of a configuration', () => {
  test('only the entities of a configuration exist', async () => {
    await using engine = await serve({ Boat: { source: 'boats', permissions: EVERYONE } });
    expect((await engine.call('GET', '/api/Boat')).json).toEqual({ value: [] });
    expect((await engine.call('GET', '/api/Book')).status).toBe(404);
    expect((await engine.call('POST', '/api/Ship', { name: 'x' })).status).toBe(404);
  });

  test('an entity that the spec has as well starts with the rows of its examples', async () => {
    await using books = await serve({ Book: { source: 'books', permissions: EVERYONE } });
    expect((await books.call('GET', '/api/Book')).json['value']).toHaveLength(3);
    await using others = await serve({
      Book: { source: 'books', permissions: EVERYONE, mappings: { isbn_13: 'isbn' } },
    });
    expect((await others.call('GET', '/api/Book')).json).toEqual({ value: [] });
    expect((await others.call('POST', '/api/Book', { isbn: '1', pages: 5 })).json).toEqual({
      value: [{ id: 1, isbn: '1', pages: 5 }],
    });
  });

  test('an entity without declared fields keeps every field of its rows', async () => {
    await using engine = await serve({ Boat: { source: 'boats', permissions: EVERYONE } });
    await engine.call('POST', '/api/Boat', { name: 'Vega' });
    expect((await engine.call('POST', '/api/Boat', { name: 'Lyra', crew: 2 })).json).toEqual({
      value: [{ id: 2, name: 'Lyra', crew: 2 }],
    });
    expect((await engine.call('PATCH', '/api/Boat/id/1', { done: true })).json).toEqual({
      value: [{ id: 1, name: 'Vega', crew: null, done: true }],
    });
  });

  test('an entity is served at its configured path, which may have several segments', async () => {
    await using engine = await serve({
      Boat: { source: 'boats', rest: { path: '/harbour/boats/' }, permissions: EVERYONE },
      Port: { source: 'ports', rest: false, permissions: EVERYONE },
    });
    const { status, headers } = await engine.call('POST', '/api/harbour/boats', { name: 'Vega' });
    expect([status, headers.get('location')]).toEqual([201, `${engine.mock.url}/api/harbour/boats/id/1`]);
    expect((await engine.call('GET', '/api/harbour/boats/id/1')).status).toBe(200);
    expect((await engine.call('GET', '/api/Boat')).status).toBe(404);
    expect((await engine.call('GET', '/api/Port')).status).toBe(404);
  });

  test('an entity may have a key of several fields', async () => {
    const source = { object: 'texts', 'key-fields': ['text_id', 'lang'] };
    await using engine = await serve({ Text: { source, mappings: { text_id: 'id' }, permissions: EVERYONE } });
    const created = await engine.call('POST', '/api/Text', { id: 1, lang: 'en', text: 'hello' });
    expect([created.status, created.headers.get('location')]).toEqual([
      201,
      `${engine.mock.url}/api/Text/id/1/lang/en`,
    ]);
    for (const path of ['/api/Text/id/1/lang/en', '/api/Text/lang/en/id/1'])
      expect((await engine.call('GET', path)).json).toEqual({ value: [{ id: 1, lang: 'en', text: 'hello' }] });
    expect((await engine.call('PUT', '/api/Text/id/1/lang/de', { text: 'hallo' })).json).toEqual({
      value: [{ id: 1, lang: 'de', text: 'hallo' }],
    });
    for (const path of ['/api/Text/id/1', '/api/Text/id/1/lang', '/api/Text/id/1/id/1', '/api/Text/id/1/lang/en/x/y'])
      expect(await engine.call('GET', path)).toMatchObject({
        status: 400,
        json: { detail: 'The primary key of the entity Text is id and lang.' },
      });
    const query = '{ text_by_pk(id: 1, lang: "de") { text } }';
    expect((await engine.call('POST', '/graphql', { query })).json).toEqual({
      data: { text_by_pk: { text: 'hallo' } },
    });
  });

  test('an entity shows a mapped field only by its alias', async () => {
    await using engine = await serve({ Book: { source: 'books', mappings: { title: 'name' }, permissions: EVERYONE } });
    expect((await engine.call('GET', '/api/Book/id/1018')).json).toMatchObject({
      value: [{ id: 1018, name: 'Reading the swell' }],
    });
    expect((await engine.call('PATCH', '/api/Book/id/1018', { title: 'x', name: 'y' })).json).toMatchObject({
      value: [expect.not.objectContaining({ title: 'x' })],
    });
  });
});

describe('permissions', () => {
  const BOOK = {
    source: 'books',
    permissions: [
      {
        role: 'anonymous',
        actions: [
          {
            action: 'read',
            fields: { include: ['*'], exclude: ['price'] },
            policy: { database: '@item.year gt 1990' },
          },
        ],
      },
      { role: 'editor', actions: [{ action: 'update', fields: { include: ['title'] } }, 'read', 'create'] },
    ],
  };

  test('permissions limit what a role may do', async () => {
    await using engine = await serve({ Book: BOOK }, SIMULATED);
    const cases: readonly [string, string, string, object | undefined, number][] = [
      ['anonymous', 'GET', '/api/Book', undefined, 200],
      ['anonymous', 'POST', '/api/Book', { title: 'x' }, 403],
      ['anonymous', 'DELETE', '/api/Book/id/1018', undefined, 403],
      ['authenticated', 'GET', '/api/Book', undefined, 200],
      ['editor', 'POST', '/api/Book', { title: 'x' }, 201],
      ['editor', 'DELETE', '/api/Book/id/1018', undefined, 403],
      ['editor', 'PATCH', '/api/Book/id/1018', { title: 'y' }, 200],
      ['editor', 'PATCH', '/api/Book/id/1018', { year: 5 }, 403],
      ['editor', 'PUT', '/api/Book/id/7', { year: 5 }, 201],
      ['reviewer', 'GET', '/api/Book', undefined, 403],
    ];
    for (const [role, method, path, body, status] of cases)
      expect([role, method, path, (await engine.call(method, path, body, as(role))).status]).toEqual([
        ...[role, method, path, status],
      ]);
  });

  test('permissions hide rows and fields', async () => {
    await using engine = await serve({ Book: BOOK }, SIMULATED);
    const { json } = await engine.call('GET', '/api/Book', undefined, as('anonymous'));
    expect((json['value'] as { id: number }[]).map(({ id }) => id)).toEqual([1018, 1019]);
    expect(JSON.stringify(json)).not.toContain('price');
    expect((await engine.call('GET', '/api/Book/id/1017', undefined, as('anonymous'))).status).toBe(404);
    for (const option of ['$select=price', '$filter=price%20gt%201', '$orderby=price'])
      expect((await engine.call('GET', `/api/Book?${option}`, undefined, as('anonymous'))).status).toBe(403);
  });

  test('permissions apply to GraphQL, relationships and aggregations', async () => {
    await using engine = await serve({ Book: BOOK }, SIMULATED);
    const ask = async (query: string) => (await engine.call('POST', '/graphql', { query }, as('anonymous'))).json;
    expect(await ask('{ books { items { id } } }')).toEqual({
      data: { books: { items: [{ id: 1018 }, { id: 1019 }] } },
    });
    expect(await ask('{ book_by_pk(id: 1017) { id } }')).toEqual({ data: { book_by_pk: null } });
    const code = 'AUTH_NOT_AUTHORIZED';
    for (const query of [
      '{ book_by_pk(id: 1018) { price } }',
      '{ books(filter: { or: [{ price: { gt: 1 } }] }) { items { id } } }',
      '{ books(orderBy: { price: ASC }) { items { id } } }',
      '{ books { groupBy { aggregations { max(field: price) } } } }',
      '{ books { groupBy(fields: [price]) { aggregations { count } } } }',
      'mutation { deleteBook(id: 1018) { id } }',
    ])
      expect(await ask(query)).toMatchObject({ errors: [{ extensions: { code } }] });
  });

  test('permissions apply to the tools of MCP', async () => {
    await using engine = await serve(
      { Book: BOOK, Ship: { source: 's', mcp: false, permissions: EVERYONE } },
      SIMULATED,
    );
    const use = async (name: string, given: object) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
      return (await engine.call('POST', '/mcp', message, as('anonymous'))).json['result'];
    };
    const failed = { isError: true };
    expect(await use('describe_entities', {})).toMatchObject({
      structuredContent: {
        entities: [{ name: 'Book', permissions: ['read'], fields: expect.not.arrayContaining(['price']) }],
      },
    });
    expect(await use('read_records', { entity: 'Book' })).toMatchObject({
      structuredContent: { value: [{ id: 1018 }, { id: 1019 }] },
    });
    expect(await use('delete_record', { entity: 'Book', keys: { id: 1018 } })).toMatchObject(failed);
    expect(await use('aggregate_records', { entity: 'Book', function: 'max', field: 'price' })).toMatchObject(failed);
    expect(await use('read_records', { entity: 'Ship' })).toMatchObject(failed);
  });

  test('permissions may depend on claims of the caller', async () => {
    const policy = { database: '@item.owner eq @claims.sub', request: "@claims.plan ne 'free'" };
    const actions = ['create', 'read', 'update', 'delete'].map((action) => ({ action, policy }));
    const jwt = { audience: 'api://boats', issuer: 'https://login.example' };
    await using engine = await serve(
      { Boat: { source: 'boats', permissions: [{ role: 'authenticated', actions }] } },
      { host: { authentication: { provider: 'Custom', jwt } } },
    );
    const token = (claims: object): Readonly<Record<string, string>> => {
      const parts = [{ alg: 'none' }, { aud: jwt.audience, iss: jwt.issuer, plan: 'paid', ...claims }];
      const encoded = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
      return { authorization: `Bearer ${encoded.join('.')}.` };
    };
    const [ann, bob] = [token({ sub: 'ann' }), token({ sub: 'bob' })];
    expect((await engine.call('POST', '/api/Boat', { id: 1, owner: 'ann' }, ann)).status).toBe(201);
    expect((await engine.call('POST', '/api/Boat', { id: 2, owner: 'ann' }, bob)).status).toBe(403);
    expect((await engine.call('GET', '/api/Boat', undefined, bob)).json).toEqual({ value: [] });
    expect((await engine.call('PATCH', '/api/Boat/id/1', { owner: 'bob' }, bob)).status).toBe(404);
    expect((await engine.call('PATCH', '/api/Boat/id/1', { owner: 'bob' }, ann)).status).toBe(403);
    expect((await engine.call('DELETE', '/api/Boat/id/1', undefined, bob)).status).toBe(404);
    expect((await engine.call('GET', '/api/Boat', undefined, token({ sub: 'ann', plan: 'free' }))).status).toBe(403);
    expect((await engine.call('GET', '/api/Boat')).status).toBe(401);
  });
});

describe('authentication', () => {
  const ADMIN = { Book: { source: 'books', permissions: [{ role: 'admin', actions: ['read'] }] } };
  const status = async (engine: EngineMock, headers: Readonly<Record<string, string>>): Promise<number> =>
    (await engine.call('GET', '/api/Book', undefined, headers)).status;

  test('without an authentication provider every caller is anonymous, whatever it sends', async () => {
    await using engine = await openEngine();
    const authorization = 'Bearer abc';
    expect(await status(engine, { authorization })).toBe(200);
    expect(await status(engine, { authorization, ...as('editor') })).toBe(403);
    expect(await status(engine, { authorization, ...as('authenticated') })).toBe(403);
    expect(await status(engine, { authorization, ...as('anonymous') })).toBe(200);
  });

  test('the simulator gives a caller any role that it asks for', async () => {
    await using engine = await serve(ADMIN, SIMULATED);
    expect([await status(engine, {}), await status(engine, as('admin'))]).toEqual([403, 200]);
  });

  test.each(['enterprise-id', 'enterprise-directory', 'Custom'])(
    'by tokens checks their claims: %s',
    async (provider) => {
      const jwt = { audience: 'shop', issuer: 'https://login.example' };
      await using engine = await serve(ADMIN, { host: { authentication: { provider, jwt } } });
      const now = Date.parse('2026-11-20T12:00:00Z') / 1_000;
      const good = { aud: 'shop', iss: 'https://login.example', roles: ['admin'] };
      const cases: readonly [object, number][] = [
        [good, 200],
        [{ ...good, aud: ['other', 'shop'], exp: now + 1, nbf: now }, 200],
        [{ ...good, aud: 'other' }, 401],
        [{ ...good, iss: 'https://evil.example' }, 401],
        [{ ...good, exp: now }, 401],
        [{ ...good, nbf: now + 1 }, 401],
        [{ ...good, roles: [] }, 403],
      ];
      for (const [claims, expected] of cases) {
        const parts = [{ alg: 'RS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
        const authorization = `Bearer ${parts.join('.')}.c2ln`;
        expect([claims, await status(engine, { authorization, ...as('admin') })]).toEqual([claims, expected]);
      }
      const refused = await engine.call('GET', '/api/Book', undefined, { authorization: 'Bearer abc' });
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
      expect(await status(engine, {})).toBe(401);
    },
  );

  test.each(['StaticWebApps', 'AppService'])(
    'authentication by the platform reads the principal: %s',
    async (provider) => {
      await using engine = await serve(ADMIN, { host: { authentication: { provider } } });
      const principal = (value: object | string): Readonly<Record<string, string>> => ({
        'x-vendor-client-principal': Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString(
          'base64',
        ),
        ...as('admin'),
      });
      expect(await status(engine, principal({ userId: '1', userRoles: ['admin'] }))).toBe(200);
      expect(await status(engine, principal({ role_typ: 'r', claims: [{ typ: 'r', val: 'admin' }] }))).toBe(200);
      expect(await status(engine, principal({ userRoles: ['anonymous'] }))).toBe(403);
      expect(await status(engine, principal('no JSON'))).toBe(401);
      expect(await status(engine, {})).toBe(401);
    },
  );
});

describe('relationships', () => {
  test('GraphQL follows relationships from one row to others', async () => {
    await using engine = await serve({
      Author: {
        source: 'authors',
        permissions: EVERYONE,
        relationships: {
          works: {
            cardinality: 'many',
            'target.entity': 'Work',
            'source.fields': ['id'],
            'target.fields': ['author_id'],
          },
        },
      },
      Work: {
        source: 'works',
        permissions: EVERYONE,
        mappings: { author_id: 'authorId' },
        relationships: {
          author: {
            cardinality: 'one',
            'target.entity': 'Author',
            'source.fields': ['author_id'],
            'target.fields': ['id'],
          },
          genres: {
            cardinality: 'many',
            'target.entity': 'Genre',
            'linking.object': 'dbo.links',
            'linking.source.fields': ['work'],
            'linking.target.fields': ['genre'],
          },
          unknown: { cardinality: 'many', 'target.entity': 'Genre' },
        },
      },
      Genre: { source: 'genres', permissions: EVERYONE },
      Link: { source: { object: 'dbo.links', 'key-fields': ['work', 'genre'] }, graphql: false, permissions: EVERYONE },
    });
    await engine.call('POST', '/api/Author', { name: 'Ann' });
    for (const title of ['One', 'Two']) await engine.call('POST', '/api/Work', { title, authorId: 1 });
    await engine.call('POST', '/api/Work', { title: 'Lost', authorId: null });
    for (const name of ['crime', 'sea']) await engine.call('POST', '/api/Genre', { name });
    await engine.call('POST', '/api/Link', { work: 1, genre: 2 });
    const query = `{ works(first: 3) { items { title author { name works(first: 1) { items { title } hasNextPage } }
      genres { items { name } } unknown { items { name } } } } }`;
    const { json } = await engine.call('POST', '/graphql', { query });
    const author = { name: 'Ann', works: { items: [{ title: 'One' }], hasNextPage: true } };
    const none = { items: [] };
    expect(json).toEqual({
      data: {
        works: {
          items: [
            { title: 'One', author, genres: { items: [{ name: 'sea' }] }, unknown: none },
            { title: 'Two', author, genres: none, unknown: none },
            { title: 'Lost', author: null, genres: none, unknown: none },
          ],
        },
      },
    });
    expect((await engine.call('POST', '/graphql', { query: '{ links { items { work } } }' })).json).toHaveProperty(
      'errors',
    );
  });
});

describe('stored procedures', () => {
  const source = { object: 'dbo.top', type: 'stored-procedure', parameters: { days: 30 } };
  const permissions = [{ role: 'anonymous', actions: ['execute'] }];

  test('a stored procedure returns the rows that the state has for it', async () => {
    await using engine = await serve({
      TopSellers: { source, rest: { methods: ['get', 'post'] }, mcp: { 'custom-tool': true }, permissions },
      Slow: { source, graphql: { operation: 'query' }, permissions },
    });
    const state = await engine.mock.state.get();
    const row = { id: 1, title: 'Reading the swell' };
    const rows = [{ id: '["TopSellers","1"]', value: { entity: 'TopSellers', row } }];
    await engine.mock.state.put({ ...state, collections: { ...state.collections, rows } });
    expect((await engine.call('GET', '/api/TopSellers?days=5')).json).toEqual({ value: [row] });
    expect(await engine.call('POST', '/api/TopSellers', { days: 5 })).toMatchObject({
      status: 200,
      json: { value: [row] },
    });
    expect((await engine.call('POST', '/api/TopSellers', { weeks: 5 })).status).toBe(400);
    expect([
      (await engine.call('GET', '/api/Slow')).status,
      (await engine.call('POST', '/api/Slow', {})).status,
    ]).toEqual([405, 200]);
    const ask = async (query: string) => (await engine.call('POST', '/graphql', { query })).json;
    expect(await ask('mutation { executeTopSellers(days: 5) { title } }')).toEqual({
      data: { executeTopSellers: [{ title: row.title }] },
    });
    expect(await ask('{ executeSlow { id } }')).toEqual({ data: { executeSlow: [] } });
    const call = async (method: string, params: object) =>
      (await engine.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method, params })).json['result'];
    expect(JSON.stringify(await call('tools/list', {}))).toContain('"name":"top_sellers"');
    for (const params of [
      { name: 'top_sellers', arguments: { days: 5 } },
      { name: 'execute_entity', arguments: { entity: 'TopSellers' } },
    ])
      expect(await call('tools/call', params)).toMatchObject({ isError: false, structuredContent: { value: [row] } });
  });
});
