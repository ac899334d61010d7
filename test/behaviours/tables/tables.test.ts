import { describe, expect, test } from 'vitest';

import { startMock } from '../../support/start-mock.js';
import { openTables } from './tables-mock.js';
import { TRANSPORTS, START } from '../stopped-mock.js';

const SCHEMA = {
  fields: [
    { name: 'id', type: 'INT64', mode: 'REQUIRED' },
    { name: 'at', type: 'TIMESTAMP' },
    { name: 'on', type: 'DATE' },
    { name: 'name', type: 'STRING' },
    { name: 'tags', type: 'STRING', mode: 'REPEATED' },
    { name: 'days', type: 'DATE', mode: 'REPEATED' },
    {
      name: 'place',
      type: 'STRUCT',
      fields: [
        { name: 'lat', type: 'FLOAT64' },
        { name: 'open', type: 'BOOL' },
      ],
    },
    { name: 'doc', type: 'JSON' },
  ],
};
const DAILY = { timePartitioning: { type: 'DAY', field: 'at' } };

describe.each(TRANSPORTS)('a table, by %s', (transport) => {
  test('a table is inserted, read, patched, replaced and deleted', async () => {
    await using tables = await openTables(transport);
    const inserted = await tables.insert('t1', {
      schema: SCHEMA,
      friendlyName: 'One',
      ...DAILY,
      numRows: '7',
      id: 'mine',
      unknown: 1,
    });
    expect(inserted.status).toBe(200);
    expect(inserted.headers.get('etag')).toBe(`"${String(inserted.json['etag'])}"`);
    expect(inserted.json).toMatchObject({
      kind: 'tables#table',
      id: 'p:d.t1',
      type: 'TABLE',
      location: 'US',
      numRows: '0',
      numTotalLogicalBytes: '0',
      creationTime: String(START),
      lastModifiedTime: String(START),
      selfLink: `${tables.mock.url}/bigquery/v2/projects/p/datasets/d/tables/t1`,
    });
    expect(inserted.json).not.toHaveProperty('unknown');
    const fields = (inserted.json['schema'] as typeof SCHEMA).fields;
    expect(fields.map(({ type }) => type)).toEqual([
      'INTEGER',
      'TIMESTAMP',
      'DATE',
      'STRING',
      'STRING',
      'DATE',
      'RECORD',
      'JSON',
    ]);
    expect(fields[6]).toMatchObject({
      mode: 'NULLABLE',
      fields: [{ type: 'FLOAT', mode: 'NULLABLE' }, { type: 'BOOLEAN' }],
    });
    expect((await tables.call('GET', '/t1')).json).toEqual(inserted.json);
    expect(await tables.insert('t1')).toMatchObject({
      status: 409,
      json: { error: { code: 409, status: 'ALREADY_EXISTS', errors: [{ reason: 'duplicate' }] } },
    });

    await tables.mock.clock.advance('PT1S');
    const patched = await tables.call('PATCH', '/t1', {
      description: 'x',
      friendlyName: null,
      timePartitioning: { expirationMs: '5' },
      creationTime: '1',
    });
    expect(patched.json).toMatchObject({
      description: 'x',
      timePartitioning: { type: 'DAY', field: 'at', expirationMs: '5' },
      creationTime: String(START),
      lastModifiedTime: String(START + 1_000),
    });
    expect(patched.json).not.toHaveProperty('friendlyName');
    expect(patched.json['etag']).not.toBe(inserted.json['etag']);

    const replaced = await tables.call('PUT', '/t1', {
      tableReference: { projectId: 'x', datasetId: 'y', tableId: 'z' },
      friendlyName: 'Two',
    });
    expect(replaced.json).toMatchObject({
      id: 'p:d.t1',
      tableReference: { tableId: 't1' },
      friendlyName: 'Two',
      numRows: '0',
      creationTime: String(START),
    });
    for (const gone of ['description', 'schema', 'timePartitioning']) expect(replaced.json).not.toHaveProperty(gone);

    expect((await tables.call('DELETE', '/t1')).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      expect(await tables.call(method, '/t1')).toMatchObject({
        status: 404,
        json: { error: { message: 'Not found: Table p:d.t1', status: 'NOT_FOUND' } },
      });
    }
    expect((await tables.insert('t1')).status).toBe(200);
  });

  test('an etag gives 412 for another state and 304 for the same', async () => {
    await using tables = await openTables(transport, '');
    const etag = String((await tables.insert('t1')).json['etag']);
    for (const value of ['"other"', 'other', '"a", "b"']) {
      expect(await tables.call('PATCH', '/t1', {}, { 'if-match': value })).toMatchObject({
        status: 412,
        json: {
          error: { status: 'FAILED_PRECONDITION', errors: [{ reason: 'conditionNotMet', location: 'If-Match' }] },
        },
      });
    }
    expect(
      (
        await tables.call(
          'PUT',
          '/t1',
          { tableReference: { projectId: 'p', datasetId: 'd', tableId: 't1' } },
          { 'if-match': '"x"' },
        )
      ).status,
    ).toBe(412);
    expect((await tables.call('DELETE', '/t1', undefined, { 'if-match': '"x"' })).status).toBe(412);
    for (const value of [etag, `"${etag}"`, `"x", "${etag}"`, '*']) {
      const unchanged = await tables.call('GET', '/t1', undefined, { 'if-none-match': value });
      expect([unchanged.status, unchanged.headers.get('etag'), unchanged.json]).toEqual([304, `"${etag}"`, {}]);
    }
    const changed = await tables.call('PATCH', '/t1', { description: 'x' }, { 'if-match': etag });
    expect(changed.status).toBe(200);
    expect((await tables.call('GET', '/t1', undefined, { 'if-none-match': etag })).status).toBe(200);
    expect((await tables.call('DELETE', '/t1', undefined, { 'if-match': '*' })).status).toBe(204);
    expect((await tables.call('DELETE', '/t1', undefined, { 'if-match': '*' })).status).toBe(404);
  });

  test('a table is deleted when it expires, by the clock', async () => {
    await using tables = await openTables(transport);
    await tables.insert('t1', { expirationTime: String(START + 3_600_000) });
    await tables.insert('t2', { expirationTime: String(START + 3_600_000) });
    await tables.insert('past', { expirationTime: String(START - 1) });
    expect((await tables.call('GET', '/past')).status).toBe(404);
    await tables.call('PATCH', '/t2', { expirationTime: null });
    await tables.mock.clock.advance('PT59M59S');
    expect((await tables.call('GET', '/t1')).status).toBe(200);
    await tables.mock.clock.advance('PT1S');
    expect((await tables.call('GET', '/t1')).status).toBe(404);
    const state = await tables.mock.state.get();
    expect(JSON.stringify(state)).not.toContain('p:d.t1');
    expect((await tables.call('GET', '')).json).toMatchObject({ totalItems: 1, tables: [{ id: 'p:d.t2' }] });
    expect((await tables.insert('t1')).status).toBe(200);
  });
});

describe('kinds of tables', () => {
  const kinds: readonly [string, object, string, object, boolean][] = [
    ['a view', { view: { query: 'SELECT 1' } }, 'VIEW', { view: { query: 'SELECT 1', useLegacySql: true } }, false],
    [
      'a materialized view',
      { materializedView: { query: 'SELECT 1', lastRefreshTime: '1' } },
      'MATERIALIZED_VIEW',
      {
        materializedView: {
          query: 'SELECT 1',
          enableRefresh: true,
          refreshIntervalMs: '1800000',
          allowNonIncrementalDefinition: false,
        },
      },
      true,
    ],
    [
      'an external table',
      { externalDataConfiguration: { sourceUris: ['gs://b/*'], sourceFormat: 'PARQUET' } },
      'EXTERNAL',
      { externalDataConfiguration: { maxBadRecords: 0, ignoreUnknownValues: false, compression: 'NONE' } },
      false,
    ],
    ['a normal table', {}, 'TABLE', {}, true],
  ];
  test.each(kinds)('kinds of tables: %s', async (_name, members, type, shown, hasRows) => {
    await using tables = await openTables();
    const { json } = await tables.insert('t1', members);
    expect(json).toMatchObject({ type, ...shown });
    expect('numRows' in json).toBe(hasRows);
    expect(JSON.stringify(json)).not.toContain('lastRefreshTime');
    expect((await tables.call('GET', '')).json).toMatchObject({ tables: [{ type }] });
  });

  test('a snapshot and a clone are made from the examples of the spec', async () => {
    await using tables = await openTables();
    const { json } = await tables.call('GET', '/projects/acme-analytics/datasets/sales/tables/orders_snapshot_2026_06');
    expect(json).toMatchObject({ type: 'SNAPSHOT', snapshotDefinition: {} });
    expect((await tables.call('GET', '/projects/acme-analytics/datasets/sales/tables')).json['totalItems']).toBe(6);
  });
});

describe('rules over several members', () => {
  const big = 'x'.repeat(5_200);
  const refused: readonly [string, object, string][] = [
    [
      'partitioning by a column that is not there',
      { schema: SCHEMA, timePartitioning: { type: 'DAY', field: 'nope' } },
      '/timePartitioning/field',
    ],
    [
      'partitioning by time on a text',
      { schema: SCHEMA, timePartitioning: { type: 'DAY', field: 'name' } },
      '/timePartitioning/field',
    ],
    [
      'partitioning by a repeated column',
      { schema: SCHEMA, timePartitioning: { type: 'DAY', field: 'days' } },
      '/timePartitioning/field',
    ],
    [
      'partitioning by a nested column',
      { schema: SCHEMA, timePartitioning: { type: 'DAY', field: 'lat' } },
      '/timePartitioning/field',
    ],
    [
      'ranges of a date',
      { schema: SCHEMA, rangePartitioning: { field: 'on', range: { start: '0', end: '9', interval: '1' } } },
      '/rangePartitioning/field',
    ],
    [
      'clustering by a record',
      { schema: SCHEMA, ...DAILY, clustering: { fields: ['name', 'place'] } },
      '/clustering/fields/1',
    ],
    ['clustering by JSON', { schema: SCHEMA, ...DAILY, clustering: { fields: ['doc'] } }, '/clustering/fields/0'],
    [
      'clustering by a repeated column',
      { schema: SCHEMA, ...DAILY, clustering: { fields: ['tags'] } },
      '/clustering/fields/0',
    ],
    [
      'too many bytes of parameters',
      {
        externalCatalogTableOptions: {
          storageDescriptor: { serdeInfo: { serializationLibrary: 'x', parameters: { a: big, b: big } } },
        },
      },
      '/externalCatalogTableOptions/storageDescriptor/serdeInfo/parameters',
    ],
    [
      'too long a location',
      { externalCatalogTableOptions: { storageDescriptor: { locationUri: 'ä'.repeat(1_100) } } },
      '/externalCatalogTableOptions/storageDescriptor/locationUri',
    ],
    [
      'a time zone that there is not',
      {
        externalDataConfiguration: {
          ...{ sourceFormat: 'CSV', sourceUris: ['gs://b/x'], autodetect: true, timeZone: 'Mars/Phobos' },
        },
      },
      '/externalDataConfiguration/timeZone',
    ],
    ['clustering without partitioning', { schema: SCHEMA, clustering: { fields: ['name'] } }, ''],
    [
      'scale without precision',
      { schema: { fields: [{ name: 'n', type: 'BIGNUMERIC', scale: '3' }] } },
      '/schema/fields/0',
    ],
    [
      'too precise a BIGNUMERIC',
      { schema: { fields: [{ name: 'n', type: 'BIGNUMERIC', scale: '3', precision: '42' }] } },
      '/schema/fields/0/precision',
    ],
    ['a label in upper case', { labels: { team: 'Sales' } }, '/labels/team'],
  ];
  test.each(refused)('rules over several members: %s', async (_name, members, pointer) => {
    await using tables = await openTables();
    const response = await tables.insert('t1', members);
    expect(response).toMatchObject({ status: 400, json: { error: { code: 400, status: 'INVALID_ARGUMENT' } } });
    const { violations } = response.json['error'] as { violations: { in: string; pointer: string }[] };
    expect(violations.map((violation) => violation.pointer)).toContain(pointer);
    expect((await tables.call('GET', '/t1')).status).toBe(404);
  });

  test('accepts members that are allowed together', async () => {
    await using tables = await openTables();
    const range = { start: '0', end: '9', interval: '1' };
    for (const members of [
      { ...DAILY, clustering: { fields: ['name', 'id'] } },
      { timePartitioning: { type: 'MONTH', field: 'on' } },
      { timePartitioning: { type: 'HOUR' } },
      { rangePartitioning: { field: 'id', range } },
    ]) {
      expect((await tables.insert(`t${JSON.stringify(members).length}`, { schema: SCHEMA, ...members })).status).toBe(
        200,
      );
    }
  });

  test('counts that are sent as numbers are returned as strings', async () => {
    await using tables = await openTables();
    const external = { sourceUris: ['gs://b/x'], autodetect: true, timeZone: 'Europe/Oslo' };
    const csv = { ...external, sourceFormat: 'CSV', csvOptions: { skipLeadingRows: 1 } };
    const sheet = { ...external, sourceFormat: 'GOOGLE_SHEETS', googleSheetsOptions: { skipLeadingRows: '2' } };
    expect((await tables.insert('csv', { externalDataConfiguration: csv })).json).toMatchObject({
      externalDataConfiguration: { csvOptions: { skipLeadingRows: '1' } },
    });
    expect((await tables.insert('sheet', { externalDataConfiguration: sheet })).json).toMatchObject({
      externalDataConfiguration: { googleSheetsOptions: { skipLeadingRows: '2' } },
    });
    const negative = { ...csv, csvOptions: { skipLeadingRows: -1 } };
    expect((await tables.insert('negative', { externalDataConfiguration: negative })).status).toBe(400);
  });

  test('any int64 may be sent as a number, is checked as its digits, and is returned as a string', async () => {
    await using tables = await openTables();
    const ranges = { field: 'n', range: { start: 0, end: 100, interval: '10' } };
    const schema = {
      fields: [
        { name: 'n', type: 'INTEGER' },
        { name: 'd', type: 'NUMERIC', precision: 7, scale: 2 },
      ],
    };
    const created = await tables.insert('t1', { expirationTime: 4_102_444_800_000, schema, rangePartitioning: ranges });
    expect(created.json).toMatchObject({
      expirationTime: '4102444800000',
      rangePartitioning: { range: { start: '0', end: '100', interval: '10' } },
      schema: { fields: [{}, { precision: '7', scale: '2' }] },
    });
    const view = { materializedView: { query: 'SELECT 1', refreshIntervalMs: 60_000 } };
    expect((await tables.insert('t2', view)).json).toMatchObject({ materializedView: { refreshIntervalMs: '60000' } });
    expect((await tables.call('PATCH', '/t1', { expirationTime: 4_102_444_800_001 })).json['expirationTime']).toBe(
      '4102444800001',
    );
    for (const expirationTime of [1.5, true, 'x'])
      expect((await tables.insert('t3', { expirationTime })).status).toBe(400);
    const wide = { fields: [{ name: 'd', type: 'NUMERIC', precision: 99 }] };
    expect((await tables.insert('t3', { schema: wide })).status).toBe(400);
  });

  test('a schema of null in a patch leaves the columns, and null removes other members', async () => {
    await using tables = await openTables();
    await tables.insert('t1', { schema: SCHEMA, ...DAILY, description: 'old', labels: { env: 'x', team: 'y' } });
    const patch = { schema: null, description: null, labels: { env: null }, resourceTags: {} };
    const { status, json } = await tables.call('PATCH', '/t1', patch);
    expect([status, json['labels'], 'description' in json]).toEqual([200, { team: 'y' }, false]);
    expect(json['schema']).toMatchObject({ fields: SCHEMA.fields.map(({ name }) => ({ name })) });
  });

  test('a patch is validated by the table that it would produce', async () => {
    await using tables = await openTables();
    await tables.insert('t1', { schema: SCHEMA, ...DAILY, clustering: { fields: ['name'] } });
    await tables.insert('mv', { materializedView: { query: 'SELECT 1' } });
    const refusals: readonly [string, object, string][] = [
      ['/t1', { schema: { fields: [{ name: 'id', type: 'INTEGER' }] } }, '/timePartitioning/field'],
      ['/t1', { timePartitioning: null }, ''],
      ['/t1', { timePartitioning: null, clustering: null, rangePartitioning: { field: 'id' } }, '/rangePartitioning'],
      ['/t1', { view: { query: 'SELECT 1' }, timePartitioning: { field: 'name' } }, '/timePartitioning/field'],
      [
        '/mv',
        { materializedView: { allowNonIncrementalDefinition: true } },
        '/materializedView/allowNonIncrementalDefinition',
      ],
      ['/mv', { view: { query: 'SELECT 1' } }, ''],
    ];
    for (const [path, body, pointer] of refusals) {
      const before = await tables.call('GET', path);
      expect(await tables.call('PATCH', path, body)).toMatchObject({
        status: 400,
        json: { error: { violations: [{ in: 'body', pointer }] } },
      });
      expect((await tables.call('GET', path)).json).toEqual(before.json);
    }
    expect(
      (
        await tables.call('PATCH', '/mv', {
          materializedView: { allowNonIncrementalDefinition: null, refreshIntervalMs: '60000' },
        })
      ).json,
    ).toMatchObject({
      materializedView: { allowNonIncrementalDefinition: false, refreshIntervalMs: '60000' },
    });
  });

  test('a patch keeps, clears or replaces the governance tags of columns', async () => {
    await using tables = await openTables();
    const tagged = (name: string, tags?: object): object => ({
      name,
      type: 'STRING',
      ...(tags === undefined ? {} : { dataGovernanceTagsInfo: { dataGovernanceTags: tags } }),
    });
    const old = { '1/level': 'old' };
    const record = (field: object): object => ({ name: 'r', type: 'RECORD', fields: [field] });
    await tables.insert('t1', {
      schema: { fields: [tagged('a', old), tagged('b', old), tagged('c', old), record(tagged('d', old))] },
    });
    const fields = [tagged('c', { '1/level': 'new' }), tagged('b', {}), tagged('a'), record(tagged('d')), tagged('e')];
    const { json } = await tables.call('PATCH', '/t1', { schema: { fields } });
    const tags = (
      json['schema'] as {
        fields: { name: string; dataGovernanceTagsInfo?: object; fields?: { dataGovernanceTagsInfo?: object }[] }[];
      }
    ).fields.map((field) => [field.name, (field.fields?.[0] ?? field).dataGovernanceTagsInfo]);
    const kept = { dataGovernanceTags: old };
    expect(tags).toEqual([
      ['c', { dataGovernanceTags: { '1/level': 'new' } }],
      ['b', undefined],
      ['a', kept],
      ['r', kept],
      ['e', undefined],
    ]);
  });
});

describe('reading', () => {
  test('selectedFields and views choose the members of a table', async () => {
    await using tables = await openTables();
    await tables.insert('t1', { schema: SCHEMA });
    const { json } = await tables.call('GET', '/t1?selectedFields=name,id,none');
    expect((json['schema'] as typeof SCHEMA).fields.map(({ name }) => name)).toEqual(['id', 'name']);
    const basic = (await tables.call('GET', '/t1?view=BASIC')).json;
    expect([basic['numRows'], basic['lastModifiedTime'], basic['creationTime']]).toEqual([
      undefined,
      undefined,
      String(START),
    ]);
    expect((await tables.call('GET', '/t1?view=ALL')).status).toBe(400);
    const orders = '/projects/acme-analytics/datasets/sales/tables/orders';
    expect((await tables.call('GET', orders)).json).not.toHaveProperty('streamingBuffer');
    expect((await tables.call('GET', `${orders}?view=FULL`)).json).toHaveProperty('streamingBuffer');
  });

  test('lists are read page by page, in the order of the ids', async () => {
    await using tables = await openTables();
    for (const id of ['c', 'a', 'e', 'b', 'd']) await tables.insert(id, { schema: SCHEMA, labels: { team: 'x' } });
    const page = async (token?: string): Promise<readonly [readonly string[], string | undefined]> => {
      const { json } = await tables.call(
        'GET',
        `?maxResults=2${token === undefined ? '' : `&pageToken=${encodeURIComponent(token)}`}`,
      );
      expect(json['totalItems']).toBe(5);
      return [
        ((json['tables'] ?? []) as { tableReference: { tableId: string } }[]).map(
          ({ tableReference }) => tableReference.tableId,
        ),
        json['nextPageToken'] as string | undefined,
      ];
    };
    const [first, second] = await page();
    const [middle, third] = await page(second);
    const [last, none] = await page(third);
    expect([first, middle, last, none]).toEqual([['a', 'b'], ['c', 'd'], ['e'], undefined]);
    const [item] = (await tables.call('GET', '')).json['tables'] as object[];
    expect(item).toEqual({
      kind: 'tables#table',
      id: 'p:d.a',
      tableReference: { projectId: 'p', datasetId: 'd', tableId: 'a' },
      type: 'TABLE',
      labels: { team: 'x' },
      creationTime: String(START),
    });
    for (const token of ['nonsense', Buffer.from('["p","other","b"]').toString('base64')]) {
      expect(await tables.call('GET', `?pageToken=${token}`)).toMatchObject({
        status: 400,
        json: { error: { violations: [{ in: 'query', pointer: '/pageToken' }] } },
      });
    }
    expect((await tables.call('GET', '/projects/p/datasets/none/tables')).json).toEqual({
      kind: 'tables#tableList',
      etag: expect.any(String),
      totalItems: 0,
    });
    expect((await tables.call('GET', '?maxResults=0')).status).toBe(400);
    expect((await tables.call('GET', '?maxResults=5000')).status).toBe(200);
  });
});

describe('clients of an emulator', () => {
  test('no credential is needed unless there is a list of credentials, and a wrong one is still refused', async () => {
    await using tables = await openTables();
    const list = `${tables.mock.url}/bigquery/v2/projects/p/datasets/d/tables`;
    expect((await tables.mock.fetch(list)).status).toBe(200);
    expect((await tables.call('GET', '', undefined, { authorization: 'Bearer invalid' })).status).toBe(401);
    await using listed = await startMock('tables', { credentials: [{ token: 't' }] });
    const statuses = await Promise.all(
      [{}, { authorization: 'Bearer x' }, { authorization: 'Bearer t' }].map(
        async (headers) => (await listed.fetch(list, { headers })).status,
      ),
    );
    expect(statuses).toEqual([401, 401, 200]);
  });

  test('an empty page token reads the first page, and a size that is no number gets 400', async () => {
    await using tables = await openTables();
    await tables.insert('t1');
    expect((await tables.call('GET', '?pageToken=&maxResults=5')).json).toMatchObject({ totalItems: 1 });
    expect((await tables.call('GET', '?maxResults=x')).status).toBe(400);
  });

  test.each([
    ['POST', '', 5],
    ['POST', '', { tableReference: { projectId: 'p', datasetId: 'd', tableId: 't2' }, description: 1 }],
    [
      'POST',
      '',
      {
        tableReference: { projectId: 'p', datasetId: 'd', tableId: 't2' },
        timePartitioning: { type: 'DAY', field: 'x' },
      },
    ],
    ['GET', '?maxResults=x', undefined],
    ['GET', '?pageToken=unknown', undefined],
    ['GET', '/bad%20name!', undefined],
    ['PATCH', '/t1', { expirationTime: 'x' }],
  ])('the 400 for %s %s %j has a list of errors with the message', async (method, path, body) => {
    await using tables = await openTables();
    await tables.insert('t1');
    const { status, json } = await tables.call(method, path, body);
    const { message, errors } = json['error'] as { message: string; errors: unknown };
    expect([status, errors]).toEqual([
      400,
      [expect.objectContaining({ domain: 'global', reason: 'invalid', message })],
    ]);
  });
});

describe('access policies', () => {
  const bindings = [{ role: 'roles/tables.dataViewer', members: ['user:dana@acme.example'] }];
  test('access policies require the current etag (409) and are deleted with their table', async () => {
    await using tables = await openTables('socket');
    await tables.insert('t1');
    const empty = (await tables.call('POST', '/t1:getIamPolicy')).json;
    expect(empty).toEqual({ version: 1, etag: expect.any(String) });
    const set = await tables.call('POST', '/t1:setIamPolicy', {
      policy: { etag: empty['etag'], bindings, auditConfigs: [] },
    });
    expect(set.json).toEqual({ version: 1, etag: expect.any(String), bindings });
    expect((await tables.call('POST', '/t1:getIamPolicy', {})).json).toEqual(set.json);
    expect(
      await tables.call('POST', '/t1:setIamPolicy', { policy: { etag: empty['etag'], bindings: [] } }),
    ).toMatchObject({ status: 409, json: { error: { status: 'ABORTED' } } });
    const masked = await tables.call('POST', '/t1:setIamPolicy', {
      policy: { auditConfigs: [{ service: 'allServices' }] },
      updateMask: 'auditConfigs',
    });
    expect(masked.json).toMatchObject({ bindings, auditConfigs: [{ service: 'allServices' }] });
    expect(
      await tables.call('POST', '/t1:testIamPermissions', { permissions: ['tables.get', 'tables.delete'] }),
    ).toMatchObject({ status: 200, json: { permissions: ['tables.get', 'tables.delete'] } });
    expect((await tables.call('POST', '/t1:testIamPermissions', { permissions: [] })).json).toEqual({});
    expect((await tables.call('POST', '/t1:testIamPermissions', { permissions: ['tables.*'] })).status).toBe(400);
    await tables.call('DELETE', '/t1');
    for (const path of ['getIamPolicy', 'testIamPermissions', 'setIamPolicy']) {
      const body = { permissions: ['tables.get'], policy: {} };
      expect((await tables.call('POST', `/t1:${path}`, body)).status).toBe(404);
    }
    await tables.insert('t1');
    expect((await tables.call('POST', '/t1:getIamPolicy')).json).toEqual(empty);
  });

  test('conditions are returned to clients that ask for a policy version with them', async () => {
    await using tables = await openTables();
    await tables.insert('t1');
    const conditional = bindings.map((binding) => ({ ...binding, condition: { expression: 'true' } }));
    expect((await tables.call('POST', '/t1:setIamPolicy', { policy: { bindings: conditional } })).json).toMatchObject({
      version: 3,
      bindings: conditional,
    });
    expect((await tables.call('POST', '/t1:getIamPolicy')).json).toMatchObject({ version: 1, bindings });
    expect(
      (await tables.call('POST', '/t1:getIamPolicy', { options: { requestedPolicyVersion: 3 } })).json,
    ).toMatchObject({ version: 3, bindings: conditional });
  });
});

test('only the first of two writers with one etag succeeds', async () => {
  await using tables = await openTables();
  const etag = String((await tables.insert('t1')).json['etag']);
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      tables.call('PATCH', '/t1', { description: String(index) }, { 'if-match': etag }),
    ),
  );
  expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 412),
  ]);
});

test.each(['हिन्दी', 'தமிழ்', 'عَرَبِي', 'ภาษาไทยที่', 'cafe\u0301', '日本語'])(
  'a label may be the word %s, with its combining marks',
  async (word) => {
    await using tables = await openTables();
    const { status, json } = await tables.insert('t', { labels: { [word]: word } });
    expect([status, json['labels']]).toEqual([200, { [word]: word }]);
  },
);
