import { describe, expect, test } from 'vitest';

import { FilterError, parseFilter } from '../../../mocks/engine/conditions/parse-filter.js';
import { type EngineMock, openEngine } from './engine-mock.js';
import { TRANSPORTS } from '../stopped-mock.js';

describe.each(TRANSPORTS)('rows, by %s', (transport) => {
  test('creates, reads, replaces, updates and deletes rows', async () => {
    await using engine = await openEngine(transport);
    const created = await engine.call('POST', '/api/Boat', { name: 'Vega', length: 9.5 });
    expect([created.status, created.json, created.headers.get('location')]).toEqual([
      201,
      { value: [{ id: 1, name: 'Vega', length: 9.5 }] },
      `${engine.mock.url}/api/Boat/id/1`,
    ]);
    expect((await engine.call('GET', '/api/Boat/id/1')).json).toEqual(created.json);
    expect((await engine.call('GET', '/api/Boat/id/1?$select=name')).json).toEqual({ value: [{ name: 'Vega' }] });
    expect(await engine.call('PATCH', '/api/Boat/id/1', { length: 10 })).toMatchObject({
      status: 200,
      json: { value: [{ id: 1, name: 'Vega', length: 10 }] },
    });
    expect((await engine.call('PUT', '/api/Boat/id/1', { name: 'Lyra', id: 1 })).json).toEqual({
      value: [{ id: 1, name: 'Lyra', length: null }],
    });
    expect((await engine.call('PUT', '/api/Boat/id/1', { name: 'Lyra', id: 9 })).status).toBe(400);
    expect((await engine.call('POST', '/api/Boat', { id: 1 })).status).toBe(409);
    expect((await engine.call('DELETE', '/api/Boat/id/1')).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      expect(await engine.call(method, '/api/Boat/id/1')).toMatchObject({
        status: 404,
        json: { title: 'Not Found', detail: 'The entity Boat has no row with id 1.' },
      });
    }
    expect((await engine.call('GET', '/api/Boat')).json).toEqual({ value: [] });
  });

  test('PUT and PATCH create a missing row, unless If-Match requires it to exist', async () => {
    await using engine = await openEngine(transport);
    const put = await engine.call('PUT', '/api/Port/code/NOBGO', { name: 'Bergen' });
    expect([put.status, put.json, put.headers.get('location')]).toEqual([
      201,
      { value: [{ code: 'NOBGO', name: 'Bergen' }] },
      `${engine.mock.url}/api/Port/code/NOBGO`,
    ]);
    expect((await engine.call('PATCH', '/api/Port/code/NOOSL', { name: 'Oslo' })).status).toBe(201);
    for (const method of ['PUT', 'PATCH']) {
      expect((await engine.call(method, '/api/Port/code/XX', {}, { 'if-match': '*' })).status).toBe(404);
      expect((await engine.call(method, '/api/Port/code/NOBGO', { name: 'B' }, { 'if-match': '*' })).status).toBe(200);
      expect((await engine.call(method, '/api/Port/code/NOBGO', {}, { 'if-match': '"etag"' })).status).toBe(400);
      expect((await engine.call(method, '/api/None/id/1', {}, { 'if-match': '*' })).status).toBe(404);
    }
    expect(await engine.call('GET', '/api/Port/name/Oslo')).toMatchObject({
      status: 400,
      json: { violations: [{ in: 'path', pointer: '/key' }] },
    });
  });

  test('a text key that looks like a number stays a text', async () => {
    await using engine = await openEngine(transport);
    for (const key of ['NaN', 'Infinity'])
      expect(await engine.call('PUT', `/api/Boat/id/${key}`, {})).toMatchObject({
        status: 201,
        json: { value: [{ id: key }] },
      });
  });

  test('the link to the next page keeps the other parameters of the query', async () => {
    await using engine = await openEngine(transport);
    for (const name of ['Vega', 'Lyra']) await engine.call('POST', '/api/Boat', { name });
    const { status, json } = await engine.call('GET', '/api/Boat?$first=1&a[b]=c|d');
    expect([status, String(json['nextLink'])]).toEqual([
      200,
      expect.stringContaining('/api/Boat?$first=1&a%5Bb%5D=c%7Cd&$after='),
    ]);
  });

  test('a list can be read page by page', async () => {
    await using engine = await openEngine(transport);
    for (let number = 1; number <= 5; number += 1) await engine.call('POST', '/api/Boat', { size: number % 2 });
    const seen: unknown[] = [];
    let path: string | undefined = '/api/Boat?$first=2&$orderby=size%20desc&$filter=id%20le%205';
    for (let count = 0; path !== undefined && count < 9; count += 1) {
      const { json }: { readonly json: Readonly<Record<string, unknown>> } = await engine.call('GET', path);
      seen.push((json['value'] as { id: number }[]).map(({ id }) => id));
      const next = json['nextLink'] as string | undefined;
      expect(next === undefined || next.startsWith(`${engine.mock.url}/api/Boat?$first=2&`)).toBe(true);
      path = next?.slice(engine.mock.url.length);
    }
    expect(seen).toEqual([[1, 3], [5, 2], [4]]);
  });
});

async function titles(engine: EngineMock, query: string): Promise<unknown> {
  const { status, json } = await engine.call('GET', `/api/Book?${query}`);
  return status === 200 ? (json['value'] as { id: number }[]).map(({ id }) => id) : status;
}

describe('query options', () => {
  const filters: readonly [string, readonly number[]][] = [
    ['year eq 1978', [1017]],
    ['year ne 1978', [1018, 1019]],
    ['year gt 1999', [1018]],
    ['year ge 1999', [1018, 1019]],
    ['year lt 1999', [1017]],
    ['year le 1999', [1017, 1019]],
    ["title eq 'Reading the swell'", [1018]],
    ['inPrint eq true', [1018, 1019]],
    ['publisherId eq null', [1018]],
    ['publisherId ne null', [1017, 1019]],
    ['year gt 2000 or price lt 15', [1018, 1019]],
    ['year gt 1990 and price lt 15', [1019]],
    ['not (year gt 2000)', [1017, 1019]],
    ['not year gt 2000', [1017, 1019]],
    ['year eq 1978 or year eq 2011 and price gt 100', [1017]],
    ['(year eq 1978 or year eq 2011) and price gt 20', [1017]],
    ['year gt 2000 or (price le 20 and not (inPrint eq false))', [1018, 1019]],
    ['1978 eq year', [1017]],
    ['year in (1978, 2011)', [1017, 1018]],
    ["contains(title,'swell') or startswith(title,'Knots')", [1018, 1019]],
    ["not endswith(title,'s')", [1018]],
  ];
  test.each(filters)('$filter=%s', async (filter, expected) => {
    await using engine = await openEngine();
    expect(await titles(engine, `$filter=${encodeURIComponent(filter)}`)).toEqual(expected);
  });

  test('filters compare texts, dates and texts with quotes', () => {
    const row = { name: "O'Hara", on: '2026-01-02', at: '2026-01-02T10:00:00Z', gone: null };
    for (const filter of [
      "name eq 'O''Hara'",
      'on gt 2026-01-01',
      'at lt 2026-01-02T10:00:01Z',
      'gone eq null',
      "name gt 'A'",
      'not (gone gt 1)',
    ]) {
      expect(parseFilter(filter)(row)).toBe(true);
    }
  });

  const bad = [
    '',
    'year',
    'year eq',
    'year is 5',
    '(year eq 5',
    'year eq 5)',
    "title eq 'x",
    'eq eq',
    'year eq 5 6',
    'a$b eq 1',
    `${'('.repeat(200)}a eq 1${')'.repeat(200)}`,
  ];
  test.each(bad)('refuses the filter %j', (filter) => {
    expect(() => parseFilter(filter)).toThrow(FilterError);
  });

  const refused: readonly [string, string][] = [
    ['$filter=year%20is%205', '/$filter'],
    ['$filter=yeer%20eq%205', '/$filter'],
    ["$filter=year%20eq%20'1978'", '/$filter'],
    ['$filter=title%20eq%205', '/$filter'],
    ['$filter=lower(title)', '/$filter'],
    ['$orderby=yeer', '/$orderby'],
    ['$select=id,yeer', '/$select'],
    ['$orderby=year%20up', '/$orderby'],
    ['$first=0', '/$first'],
    ['$first=-2', '/$first'],
    ['$first=100001', '/$first'],
    ['$after=nonsense', '/$after'],
  ];
  test.each(refused)('%s is refused with 400', async (query, pointer) => {
    await using engine = await openEngine();
    expect(await engine.call('GET', `/api/Book?${query}`)).toMatchObject({
      status: 400,
      json: { violations: [{ in: 'query', pointer }] },
    });
  });

  test('refuses a page token of another entity or another order', async () => {
    await using engine = await openEngine();
    const { json } = await engine.call('GET', '/api/Book?$first=1&$orderby=year');
    const token = new URL(String(json['nextLink'])).searchParams.get('$after') ?? '';
    expect(await titles(engine, `$orderby=year&$after=${token}`)).toEqual([1019, 1018]);
    expect(await titles(engine, `$after=${token}`)).toBe(400);
    await engine.call('POST', '/api/Boat', { year: 1 });
    expect((await engine.call('GET', `/api/Boat?$orderby=year&$after=${token}`)).status).toBe(400);
  });

  test('$orderby and $select order rows and choose their fields', async () => {
    await using engine = await openEngine();
    expect(await titles(engine, '$orderby=inPrint%20desc,%20year%20desc')).toEqual([1018, 1019, 1017]);
    expect(await titles(engine, '$first=-1')).toEqual([1017, 1018, 1019]);
    expect((await engine.call('GET', '/api/Book?$select=id,year&$first=1')).json).toMatchObject({
      value: [{ id: 1017, year: 1978 }],
    });
    expect((await engine.call('GET', '/api/None')).status).toBe(404);
  });
});

test('hostile names of fields are plain names', async () => {
  await using engine = await openEngine();
  const body = JSON.parse('{ "__proto__": { "x": 1 }, "constructor": 2 }') as unknown;
  expect((await engine.call('POST', '/api/__proto__', body)).status).toBe(201);
  expect((await engine.call('PUT', '/api/T/__proto__/a', { b: 1 })).status).toBe(201);
  expect((await engine.call('GET', '/api/T/__proto__/a')).status).toBe(200);
  expect((await engine.call('GET', '/api/__proto__?$select=__proto__,toString&$orderby=constructor')).status).toBe(200);
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

const WITH_TOKENS = {
  runtime: { host: { authentication: { provider: 'Custom', jwt: { audience: 'a', issuer: 'i' } } } },
};

describe('roles', () => {
  const credentials = [{ token: 'ed', scopes: ['editor'] }, { token: 'any' }];
  const cases: readonly [string, Readonly<Record<string, string>>, number][] = [
    ['a request without credentials has the role anonymous', { 'x-vendor-api-role': 'anonymous' }, 200],
    ['a request without credentials cannot take the role editor', { 'x-vendor-api-role': 'editor' }, 403],
    ['an editor', { authorization: 'Bearer ed', 'x-vendor-api-role': 'editor' }, 200],
    ['no admin', { authorization: 'Bearer ed', 'x-vendor-api-role': 'admin' }, 403],
    ['who has no list of roles', { authorization: 'Bearer any', 'x-vendor-api-role': 'admin' }, 200],
  ];
  test.each(cases)('a request without permission is refused: %s', async (_name, headers, status) => {
    await using engine = await openEngine('process', { credentials, engineConfig: WITH_TOKENS });
    expect((await engine.call('GET', '/api/Book', undefined, headers)).status).toBe(status);
  });
});

test('the health report is made again after five seconds', async () => {
  await using engine = await openEngine('socket');
  const report = async (): Promise<unknown> => (await engine.call('GET', '/health')).json;
  expect(await report()).toMatchObject({
    status: 'Healthy',
    version: '2.1.5',
    timestamp: '2026-11-20T12:00:00.000Z',
    configuration: { rest: true, mode: 'Production' },
    checks: [{ tags: ['data-source'] }, { name: 'Book' }],
  });
  await engine.mock.clock.advance('PT4S');
  expect(await report()).toMatchObject({ timestamp: '2026-11-20T12:00:00.000Z' });
  await engine.mock.clock.advance('PT1S');
  expect(await report()).toMatchObject({ timestamp: '2026-11-20T12:00:05.000Z' });
});
