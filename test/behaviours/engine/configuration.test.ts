import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { rawGet } from '../../support/raw-get.js';
import { type EngineMock, openEngine } from './engine-mock.js';
import { TRANSPORTS } from '../stopped-mock.js';

interface RuntimeConfig {
  readonly [section: string]: object;
}

function serve(runtime: RuntimeConfig, more: object = {}): Promise<EngineMock> {
  return openEngine('process', { engineConfig: { runtime, ...more } });
}

async function statusesOf(engine: EngineMock, paths: readonly string[]): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const path of paths) {
    const isGet = !path.includes('graphql') && !path.includes('mcp') && !path.includes('tools');
    const { status } = isGet
      ? await engine.call('GET', path)
      : await engine.call('POST', path, { query: '{ __typename }', jsonrpc: '2.0', id: 1, method: 'ping' });
    statuses.push(status);
  }
  return statuses;
}

describe('paths and switches', () => {
  const paths = ['/api/Book', '/graphql', '/mcp', '/health'];

  test('every endpoint is served at its default path without a configuration file', async () => {
    await using engine = await openEngine();
    expect(await statusesOf(engine, paths)).toEqual([200, 200, 200, 200]);
  });

  test.each(['rest', 'graphql', 'mcp', 'health'])('an endpoint that is switched off is not there: %s', async (name) => {
    await using engine = await serve({ [name]: { enabled: 'False' } });
    const off = paths.map((path) => (path.includes(name === 'rest' ? 'api' : name) ? 404 : 200));
    expect(await statusesOf(engine, paths)).toEqual(off);
  });

  test('endpoints move to the paths of the configuration file', async () => {
    await using engine = await serve({
      rest: { path: '/v1/data' },
      graphql: { path: '/gql' },
      mcp: { path: '/tools' },
    });
    expect(await statusesOf(engine, ['/v1/data/Book', '/v1/data/Book/id/1018', '/health'])).toEqual([200, 200, 200]);
    expect(await statusesOf(engine, ['/api/Book', '/graphql', '/mcp'])).toEqual([404, 404, 404]);
    const asked = await engine.call('POST', '/gql', { query: '{ books { hasNextPage } }' });
    expect(asked.json).toEqual({ data: { books: { hasNextPage: false } } });
    expect((await engine.call('POST', '/tools', { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200);
    const { headers } = await engine.call('POST', '/v1/data/Book', { title: 'New' });
    expect(headers.get('location')).toBe(`${engine.mock.url}/v1/data/Book/id/1020`);
  });
});

describe('request bodies', () => {
  const body = { id: 5000, title: 'x', zzz: 1 };

  test.each([{}, { rest: { 'request-body-strict': false } }])(
    'ignore fields that the entity lacks: %j',
    async (runtime) => {
      await using engine = await serve(runtime);
      const { status, json } = await engine.call('POST', '/api/Book', body);
      const others = { year: null, price: null, inPrint: null, publisherId: null };
      expect([status, json]).toEqual([201, { value: [{ id: 5000, title: 'x', ...others }] }]);
      expect((await engine.call('PATCH', '/api/Book/id/5000', { zzz: 2 })).json).toEqual({
        value: [{ id: 5000, title: 'x', ...others }],
      });
    },
  );

  test('a strict mock refuses request bodies with unknown fields', async () => {
    await using engine = await serve({ rest: { 'request-body-strict': 'TRUE' } });
    for (const [method, path] of [
      ['POST', '/api/Book'],
      ['PUT', '/api/Book/id/5000'],
      ['PATCH', '/api/Book/id/1018'],
    ] as const)
      expect(await engine.call(method, path, body)).toMatchObject({
        status: 400,
        json: {
          detail: 'The entity Book has no field zzz.',
          violations: [{ in: 'body', pointer: '/zzz', message: 'must not be present' }],
        },
      });
    expect((await engine.call('PATCH', '/api/Book/id/1018', { title: 'y' })).status).toBe(200);
  });
});

describe('pages', () => {
  test('pages have the default and the maximum size of the configuration file', async () => {
    await using engine = await serve({ pagination: { 'default-page-size': 1, 'max-page-size': 2 } });
    const sizes = ['', '?$first=2', '?$first=-1'].map(
      async (query) => ((await engine.call('GET', `/api/Book${query}`)).json['value'] as unknown[]).length,
    );
    expect(await Promise.all(sizes)).toEqual([1, 2, 2]);
    expect(await engine.call('GET', '/api/Book?$first=3')).toMatchObject({
      status: 400,
      json: { violations: [{ pointer: '/$first', message: 'must be <= 2' }] },
    });
  });

  test('page sizes of null mean the defaults', async () => {
    await using engine = await serve({ pagination: { 'default-page-size': null, 'max-page-size': null } });
    expect((await engine.call('GET', '/api/Book?$first=100000')).status).toBe(200);
    expect((await engine.call('GET', '/api/Book?$first=100001')).status).toBe(400);
  });

  test.each([true, false])('the next link follows next-link-relative: %s', async (isRelative) => {
    await using engine = await serve({ pagination: { 'next-link-relative': isRelative } });
    const { json } = await engine.call('GET', '/api/Book?$first=1');
    const origin = isRelative ? '' : engine.mock.url;
    expect(String(json['nextLink']).startsWith(`${origin}/api/Book?$first=1&$after=`)).toBe(true);
  });
});

describe('GraphQL', () => {
  const ask = async (engine: EngineMock, query: string): Promise<unknown> =>
    (await engine.call('POST', '/graphql', { query })).json;

  test('refuses introspection queries if introspection is off', async () => {
    await using engine = await serve({ graphql: { 'allow-introspection': false } });
    const { errors } = (await ask(engine, '{ __schema { queryType { name } } }')) as { errors: object[] };
    expect(errors[0]).toMatchObject({
      message: expect.stringContaining('introspection has been disabled') as string,
      extensions: { code: 'VALIDATION_FAILED' },
    });
    expect(await ask(engine, '{ __typename }')).toEqual({ data: { __typename: 'Query' } });
  });

  test('refuses a query that is deeper than the limit, also by fragments', async () => {
    await using engine = await serve({ graphql: { 'depth-limit': 2 } });
    const message =
      'The GraphQL document has an execution depth of 3 which exceeds the max allowed execution depth of 2.';
    const deep = ['{ books { items { id } } }', '{ ...A } fragment A on Query { books { ... { items { id } } } }'];
    for (const query of deep)
      expect(await ask(engine, query)).toMatchObject({
        errors: [{ message, extensions: { code: 'DEPTH_LIMIT_EXCEEDED' } }],
      });
    expect(await ask(engine, '{ books { hasNextPage } }')).toHaveProperty('data');
    expect(await ask(engine, '{ __schema { types { fields { type { name } } } } }')).toHaveProperty('data');
  });

  test.each([null, -1, 0])('GraphQL has no limit with depth-limit %s', async (limit) => {
    await using engine = await serve({ graphql: { 'depth-limit': limit } });
    expect(await ask(engine, '{ books { items { id } } }')).toHaveProperty('data');
  });

  const aggregation = '{ books { groupBy { aggregations { count } } } }';
  const source = (type: string): object => ({ 'data-source': { 'database-type': type, 'connection-string': 'x' } });
  test.each([
    ['mssql', {}, true],
    ['dwsql', {}, true],
    ['postgresql', {}, false],
    ['mysql', {}, false],
    ['mssql', { 'enable-aggregation': false }, false],
  ])('offers aggregations for %s with %j: %s', async (type, graphql, isOffered) => {
    await using engine = await serve({ graphql }, source(type));
    expect(await ask(engine, aggregation)).toHaveProperty(isOffered ? 'data' : 'errors');
  });

  test('creates several rows in one mutation if multiple mutations are on', async () => {
    const query = 'mutation { createBooks(items: [{ title: "a" }, { title: "b" }]) { items { id title } } }';
    await using off = await openEngine();
    expect(await ask(off, query)).toHaveProperty('errors');
    await using on = await serve({ graphql: { 'multiple-mutations': { create: { enabled: true } } } });
    expect(await ask(on, query)).toEqual({
      data: {
        createBooks: {
          items: [
            { id: 1020, title: 'a' },
            { id: 1021, title: 'b' },
          ],
        },
      },
    });
  });
});

describe('MCP', () => {
  const ask = async (engine: EngineMock, method: string, params: object = {}, headers = {}): Promise<unknown> =>
    (await engine.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method, params }, headers)).json['result'];
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };

  test('MCP gives the description as instructions, or none without a description', async () => {
    await using engine = await serve({ mcp: { description: 'Books of a shop.' } });
    expect(await ask(engine, 'initialize', hello)).toMatchObject({ instructions: 'Books of a shop.' });
    await using plain = await openEngine();
    expect(await ask(plain, 'initialize', hello)).not.toHaveProperty('instructions');
  });

  test.each<[readonly string[], Readonly<Record<string, string>>, number]>([
    [[], { host: 'engine-mock:4013' }, 403],
    [['engine-mock'], { host: 'engine-mock:4013' }, 200],
    [['Engine-Mock:4013'], { host: 'engine-mock:4013' }, 200],
    [['engine-mock:4014'], { host: 'engine-mock:4013' }, 403],
    [['engine-mock'], { host: 'engine-mock', origin: 'https://shop.example' }, 403],
    [['engine-mock', 'shop.example'], { host: 'engine-mock', origin: 'https://shop.example' }, 200],
    [['shop.example'], { host: 'localhost:4013' }, 200],
    [['*'], { host: 'anything.example', origin: 'https://other.example' }, 200],
    [['*', 'shop.example'], { host: 'anything.example' }, 403],
  ])('MCP with the allowed hosts %j responds to a request with the host %j with %i', async (hosts, headers, status) => {
    await using engine = await serve({ mcp: { 'allowed-hosts': hosts } });
    const { status: got } = await engine.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, headers);
    expect(got).toBe(status);
  });

  const names = async (tools: unknown): Promise<readonly string[]> => {
    await using engine = await serve({ mcp: { 'dml-tools': tools } });
    return ((await ask(engine, 'tools/list')) as { tools: { name: string }[] }).tools.map(({ name }) => name);
  };

  test('MCP offers the tools that are switched on', async () => {
    expect(await names(true)).toHaveLength(7);
    expect(await names('false')).toEqual([]);
    expect(await names({ 'read-records': false, 'aggregate-records': { enabled: false } })).toEqual([
      'describe_entities',
      'create_record',
      'update_record',
      'delete_record',
      'execute_entity',
    ]);
  });

  test('MCP does not offer a tool that is switched off', async () => {
    await using engine = await serve({ mcp: { 'dml-tools': { 'delete-record': false } } });
    const params = { name: 'delete_record', arguments: { entity: 'Book', keys: { id: 1018 } } };
    const { json } = await engine.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(json).toMatchObject({ error: { code: -32602, message: 'Unknown tool: delete_record' } });
  });

  test('MCP stops an aggregation that takes longer than its timeout', async () => {
    const engineConfig = { runtime: { mcp: { 'dml-tools': { 'aggregate-records': { 'query-timeout': 1 } } } } };
    const params = { name: 'aggregate_records', arguments: { entity: 'Book', function: 'count' } };
    await using slow = await openEngine('process', { engineConfig, latency: 1_001 });
    expect(await ask(slow, 'tools/call', params)).toMatchObject({
      isError: true,
      content: [{ text: 'The aggregation took longer than 1 seconds.' }],
    });
    await using fast = await openEngine('process', { engineConfig });
    expect(await ask(fast, 'tools/call', params)).toMatchObject({ isError: false });
  });
});

describe('the host', () => {
  test('the root resource shows the mode of the host', async () => {
    await using engine = await serve({ host: { mode: 'development' } });
    expect((await engine.call('GET', '/health')).json).toMatchObject({ configuration: { mode: 'Development' } });
  });

  test.each(TRANSPORTS)('the host lets no page read responses without a configuration, by %s', async (transport) => {
    await using engine = await openEngine(transport);
    for (const origin of ['https://a.b', 'http://localhost:5173']) {
      const { headers } = await engine.call('GET', '/api/Book', undefined, { origin });
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('CORS allows the origins of the file, with credentials only if the file allows them', async () => {
    const origin = 'https://shop.example';
    for (const isWith of [true, false]) {
      await using engine = await serve({ host: { cors: { origins: [origin], 'allow-credentials': isWith } } });
      const preflight = { origin, 'access-control-request-method': 'GET' };
      for (const [method, headers] of [
        ['GET', { origin }],
        ['OPTIONS', preflight],
      ] as const) {
        const response = await engine.call(method, '/api/Book', undefined, headers);
        expect(response.headers.get('access-control-allow-origin')).toBe(origin);
        expect(response.headers.get('access-control-allow-credentials')).toBe(isWith ? 'true' : null);
      }
      const other = await engine.call('GET', '/api/Book', undefined, { origin: 'https://other.example' });
      expect(other.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('the option cors takes precedence over the host section', async () => {
    const engineConfig = { runtime: { host: { cors: { origins: ['https://shop.example'] } } } };
    await using engine = await openEngine('process', { engineConfig, cors: 'loopback' });
    const { headers } = await engine.call('GET', '/api/Book', undefined, { origin: 'http://localhost:1' });
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:1');
  });

  test('refuses a response that is larger than the limit', async () => {
    await using engine = await serve({ host: { 'max-response-size-mb': 1 } });
    await engine.call('POST', '/api/Text', { text: 'x'.repeat(1_100_000) });
    const detail = 'The result is larger than 1 MB. Use paging to make it smaller.';
    expect(await engine.call('GET', '/api/Text')).toMatchObject({ status: 413, json: { detail } });
    const { status } = await engine.call('POST', '/graphql', { query: '{ texts { items { text } } }' });
    expect([status, (await engine.call('GET', '/api/Text?$select=id')).status]).toEqual([413, 200]);
  });
});

describe('compression', () => {
  const get = async (level: string | undefined, accept: string) => {
    const runtime = level === undefined ? {} : { compression: { level } };
    await using engine = await openEngine('socket', { engineConfig: { runtime } });
    const { headers, body } = await rawGet(`${engine.mock.url}/api/Book`, { 'accept-encoding': accept });
    return { encoding: headers['content-encoding'], vary: headers['vary'], length: headers['content-length'], body };
  };

  test('responses are compressed by default', async () => {
    const { encoding, vary, body, length } = await get(undefined, 'gzip');
    expect([encoding, vary, Number(length)]).toEqual(['gzip', 'Accept-Encoding', body.length]);
    expect(JSON.parse(gunzipSync(body).toString())).toHaveProperty('value');
  });

  test.each([
    ['fastest', 'gzip;q=0.5, br', 'br'],
    ['optimal', 'br;q=0, *', 'gzip'],
    ['optimal', 'identity', undefined],
    ['none', 'gzip, br', undefined],
  ])('at level %s for a client that takes %s is %s', async (level, accept, coding) => {
    const { encoding, body } = await get(level, accept);
    expect(encoding).toBe(coding);
    const text = coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body;
    expect(JSON.parse(text.toString())).toHaveProperty('value');
  });
});

describe('the cache', () => {
  const title = async (engine: EngineMock): Promise<unknown> =>
    ((await engine.call('GET', '/api/Book/id/1018')).json['value'] as { title: string }[])[0]?.title;

  test('the cache returns the old row until its entry expires', async () => {
    await using engine = await serve({ cache: { enabled: true, 'ttl-seconds': 2 } });
    expect(await title(engine)).toBe('Reading the swell');
    await engine.call('PATCH', '/api/Book/id/1018', { title: 'New' });
    expect(await title(engine)).toBe('Reading the swell');
    await engine.mock.clock.advance('PT2S');
    expect(await title(engine)).toBe('New');
  });

  test('the cache keeps a response for five seconds, and none if it is off', async () => {
    await using engine = await serve({ cache: { enabled: true } });
    await title(engine);
    await engine.call('PATCH', '/api/Book/id/1018', { title: 'New' });
    await engine.mock.clock.advance('PT4.9S');
    expect(await title(engine)).toBe('Reading the swell');
    await engine.mock.reset();
    await using off = await openEngine();
    await title(off);
    await off.call('PATCH', '/api/Book/id/1018', { title: 'New' });
    expect(await title(off)).toBe('New');
  });
});

describe('the health report', () => {
  const report = async (engine: EngineMock, headers = {}) => engine.call('GET', '/health', undefined, headers);
  const check = (health: object): object => ({
    'data-source': { 'database-type': 'mysql', 'connection-string': 'x', health },
  });

  test('the health report names the check of the data source', async () => {
    for (const [health, name] of [
      [{ name: 'shop' }, 'shop'],
      [{ name: null }, 'mysql'],
      [{}, 'mysql'],
    ] as const) {
      await using engine = await serve({}, check(health));
      const { json } = await report(engine);
      expect(json).toMatchObject({ checks: [{ name, tags: ['data-source'], data: { 'threshold-ms': 1000 } }, {}] });
    }
  });

  test('the health report omits a check that is off', async () => {
    await using engine = await serve({}, check({ enabled: false }));
    expect((await report(engine)).json['checks']).toMatchObject([{ name: 'Book' }]);
  });

  test('the health report is unhealthy if a check takes longer than its threshold', async () => {
    const engineConfig = check({ 'threshold-ms': 10 });
    await using engine = await openEngine('process', { engineConfig, latency: 20 });
    expect((await report(engine)).json).toMatchObject({
      status: 'Unhealthy',
      checks: [{ status: 'Unhealthy', data: { 'response-ms': 20, 'threshold-ms': 10 } }, { status: 'Healthy' }],
    });
  });

  test('the health report is cached for the time of the configuration file', async () => {
    await using engine = await serve({ health: { 'cache-ttl-seconds': 60 } });
    const { timestamp } = (await report(engine)).json;
    await engine.mock.clock.advance('PT59S');
    expect((await report(engine)).json['timestamp']).toBe(timestamp);
    await engine.mock.clock.advance('PT1S');
    expect((await report(engine)).json['timestamp']).not.toBe(timestamp);
  });

  test('only the roles of the configuration file may read the health report', async () => {
    const host = { authentication: { provider: 'Simulator' } };
    await using engine = await serve({ host, health: { roles: ['operator'] } });
    expect((await report(engine)).status).toBe(403);
    expect((await report(engine, { 'x-vendor-api-role': 'operator' })).status).toBe(200);
  });

  test('the health report lists the enabled endpoints', async () => {
    const telemetry = { file: { enabled: 'true', path: '/x' } };
    await using engine = await serve({ mcp: { enabled: false }, cache: { enabled: true }, telemetry });
    expect((await report(engine)).json).toMatchObject({
      configuration: { rest: true, graphql: true, mcp: false, caching: true, telemetry: true },
    });
  });
});
