import { BigQuery, type Dataset, type Table, type TableMetadata } from '@google-cloud/bigquery';
import { OAuth2Client } from 'google-auth-library';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type Mock, startMock } from '../../entry/mock.js';

let mock: Mock;

beforeAll(async () => {
  mock = await startMock('tables', { port: 0, vendor: 'google' });
});
afterAll(() => mock.close());
beforeEach(() => mock.reset());

/** The library as its users make it: a token, and the address of the service instead of the real one. */
function openDataset(apiEndpoint = mock.url): Dataset {
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: 'ya29.1', expiry_date: Date.now() + 3_600_000 });
  return new BigQuery({ projectId: 'harbor', apiEndpoint, authClient }).dataset('sales');
}

function readFailure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'no failure',
    (error: unknown) => error,
  );
}

async function createTable(dataset: Dataset = openDataset()): Promise<Table> {
  const [table] = await dataset.createTable('shipments', { schema: 'id:integer,name:string,at:timestamp' });
  return table;
}

describe('tables', () => {
  it('the library creates a table from a schema, with partitions and labels', async () => {
    const [{ metadata }] = await openDataset().createTable('shipments', {
      schema: 'id:integer,name:string,at:timestamp',
      timePartitioning: { type: 'DAY', field: 'at', expirationMs: '7776000000' },
      clustering: { fields: ['name'] },
      labels: { team: 'harbour' },
      friendlyName: 'Shipments',
      description: 'One row for each shipment.',
    });
    expect(metadata).toMatchObject({
      id: 'harbor:sales.shipments',
      type: 'TABLE',
      labels: { team: 'harbour' },
      timePartitioning: { type: 'DAY', field: 'at' },
      schema: { fields: [{ name: 'id', type: 'INTEGER' }, { name: 'name' }, { name: 'at' }] },
      numRows: '0',
    });
  });

  it.each<readonly [string, TableMetadata, string]>([
    ['a view', { view: 'select 1' }, 'VIEW'],
    ['a view with options', { view: { query: 'select 1', useLegacySql: false } }, 'VIEW'],
    ['a materialized view', { materializedView: { query: 'select 1' } }, 'MATERIALIZED_VIEW'],
    [
      'an external table',
      {
        externalDataConfiguration: {
          sourceFormat: 'CSV',
          sourceUris: ['gs://harbor/*.csv'],
          autodetect: true,
          csvOptions: { skipLeadingRows: '1' },
        },
      },
      'EXTERNAL',
    ],
    [
      'nested columns',
      { schema: [{ name: 'ports', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'name', type: 'STRING' }] }] },
      'TABLE',
    ],
    [
      'ranges',
      { schema: 'id:integer', rangePartitioning: { field: 'id', range: { start: '0', end: '9', interval: '1' } } },
      'TABLE',
    ],
    ['an end', { schema: 'id:integer', expirationTime: String(Date.now() + 3_600_000) }, 'TABLE'],
  ])('the library creates %s', async (_name, options, type) => {
    const [{ metadata }] = await openDataset().createTable('one', options);
    expect(metadata).toMatchObject({ type });
  });

  it('the library gets a table, or creates it if it does not exist', async () => {
    const dataset = openDataset();
    expect(await dataset.table('shipments').exists()).toEqual([false]);
    await createTable(dataset);
    expect(await dataset.table('shipments').exists()).toEqual([true]);
    expect((await dataset.table('shipments').get())[0].metadata).toMatchObject({ id: 'harbor:sales.shipments' });
    const [made] = await dataset.table('another').get({ autoCreate: true });
    expect(made.metadata).toMatchObject({ id: 'harbor:sales.another' });
  });

  it('the library changes a table, unless it changed since it was read', async () => {
    const table = await createTable();
    const [first] = await table.getMetadata({ view: 'BASIC' });
    const [second] = await table.setMetadata({
      description: 'Two',
      labels: { a: 'b' },
      schema: 'id:integer,more:float',
    });
    expect(second).toMatchObject({ description: 'Two', schema: { fields: [{}, { name: 'more', type: 'FLOAT' }] } });
    const change = async (etag: string): Promise<unknown> =>
      (await table.setMetadata({ etag, description: 'Three' }))[0].description;
    expect(await readFailure(change(String(first.etag)))).toMatchObject({ code: 412 });
    expect(await change(String(second.etag))).toBe('Three');
  });

  it('the library lists tables all at once, by page and as a stream', async () => {
    const dataset = openDataset();
    for (const name of ['a', 'b', 'c']) await dataset.createTable(name, {});
    expect((await dataset.getTables())[0].map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    const [page, next] = await dataset.getTables({ maxResults: 2, autoPaginate: false });
    expect(page.map(({ id }) => id)).toEqual(['a', 'b']);
    expect((await dataset.getTables({ ...next, autoPaginate: false }))[0].map(({ id }) => id)).toEqual(['c']);
    const streamed: unknown[] = [];
    for await (const { id } of dataset.getTablesStream()) streamed.push(id);
    expect(streamed).toEqual(['a', 'b', 'c']);
  });

  it('the library deletes a table', async () => {
    const table = await createTable();
    await table.delete();
    expect(await readFailure(table.delete())).toMatchObject({ code: 404, errors: [{ reason: 'notFound' }] });
    await table.delete({ ignoreNotFound: true });
  });
});

it('the library reads, sets and tests access policies', async () => {
  const table = await createTable();
  const [empty] = await table.getIamPolicy();
  expect(empty).toEqual({ version: 1, etag: expect.any(String) });
  const bindings = [{ role: 'roles/bigquery.dataViewer', members: ['user:ingrid@example.com'] }];
  expect(await table.setIamPolicy({ bindings }, { updateMask: 'bindings' })).toMatchObject([{ bindings }]);
  expect(await table.getIamPolicy()).toMatchObject([{ bindings }]);
  expect(await table.testIamPermissions('bigquery.tables.get')).toEqual([{ permissions: ['bigquery.tables.get'] }]);
});

it('the library works if the URL has the prefix of the API, a trailing slash, both or neither', async () => {
  for (const suffix of ['', '/', '/bigquery/v2', '/bigquery/v2/']) {
    expect(await openDataset(`${mock.url}${suffix}`).table('none').exists()).toEqual([false]);
  }
});

it('the library throws an ApiError for an error response', async () => {
  const dataset = openDataset();
  const failures = [
    ['twice', { schema: 'id:integer' }, { code: 409, errors: [{ reason: 'duplicate' }] }],
    ['labelled', { labels: { Team: 'x' } }, { code: 400 }],
  ] as const;
  await dataset.createTable('twice', {});
  for (const [id, options, wanted] of failures)
    expect(await readFailure(dataset.createTable(id, options))).toMatchObject({ name: 'Error', ...wanted });
  const violations = (await mock.requests({ violations: true })).map((call) => call.violations);
  expect(violations).toMatchObject([[{ in: 'body', pointer: '/labels' }, {}]]);
});
