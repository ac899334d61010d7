import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import type { Api } from '../../../model/api.js';
import { loadApi } from '../../../model/load-api.js';
import { FakeMock } from './fake-mock.js';

function load(spec: string): Promise<Api> {
  return loadApi(fileURLToPath(new URL(`../../../${spec}`, import.meta.url)));
}

describe('tables', () => {
  const path = { projectId: 'acme-analytics', datasetId: 'sales' };

  test('tables are listed page by page, by token', async () => {
    const mock = new FakeMock(await load('specs/tables/openapi.yaml'));
    const ids: unknown[] = [];
    let pageToken: unknown;
    do {
      const query = { maxResults: 4, ...(pageToken === undefined ? {} : { pageToken }) };
      const { data, problems } = await mock.call('listTables', { path, query });
      expect(problems).toEqual([]);
      const page = data as {
        tables: { tableReference: { tableId: string } }[];
        nextPageToken?: string;
        totalItems: number;
      };
      ids.push(...page.tables.map(({ tableReference }) => tableReference.tableId));
      expect(page.tables.length).toBe(Math.min(4, page.totalItems - ids.length + page.tables.length));
      pageToken = page.nextPageToken;
    } while (pageToken !== undefined);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await mock.call('listTables', { path, query: { pageToken: 'b3JkZXJzX2Rldg==' } })).status).toBe(400);
  });

  test('a table is inserted, refused as a duplicate, patched with its etag, and deleted', async () => {
    const mock = new FakeMock(await load('specs/tables/openapi.yaml'));
    const body = { tableReference: { projectId: 'x', datasetId: 'y', tableId: 'mine' }, friendlyName: 'Mine' };
    const made = await mock.call('insertTable', { path, body });
    expect(made).toMatchObject({
      status: 200,
      problems: [],
      data: { tableReference: { ...path, tableId: 'mine' }, numRows: '0', type: 'TABLE' },
    });
    expect((await mock.call('insertTable', { path, body })).status).toBe(409);
    const item = { path: { ...path, tableId: 'mine' } };
    const { etag } = made.headers;
    expect((await mock.call('getTable', { ...item, headers: { 'if-none-match': etag } })).status).toBe(304);
    mock.now += 1;
    const patched = await mock.call('patchTable', {
      ...item,
      headers: { 'if-match': etag },
      body: { friendlyName: null, description: 'd' },
    });
    expect(patched).toMatchObject({
      status: 200,
      problems: [],
      data: { description: 'd', lastModifiedTime: String(mock.now) },
    });
    expect(patched.data).not.toHaveProperty('friendlyName');
    expect(patched.headers['etag']).not.toBe(etag);
    expect((await mock.call('patchTable', { ...item, headers: { 'if-match': etag }, body: {} })).status).toBe(412);
    expect((await mock.call('deleteTable', item)).status).toBe(204);
    expect((await mock.call('getTable', item)).status).toBe(404);
  });
});

describe('engine', () => {
  test('rows are found by the name and the value of a key field', async () => {
    const mock = new FakeMock(await load('specs/engine/openapi.yaml'));
    const row = { entity: 'Book', key: 'id', value: '1017' };
    expect(await mock.call('getRow', { path: row })).toMatchObject({
      status: 200,
      problems: [],
      data: { value: [{ id: 1017 }] },
    });
    expect((await mock.call('getRow', { path: { ...row, key: 'title', value: 'Knots and splices' } })).status).toBe(
      200,
    );
    const made = await mock.call('createRow', { path: { entity: 'Book' }, body: { title: 'New' } });
    expect(made).toMatchObject({
      status: 201,
      problems: [],
      headers: { location: 'http://mock.test/base/api/Book/id/1' },
    });
    const upserted = await mock.call('replaceRow', { path: { ...row, value: '7' }, body: { title: 'Seven' } });
    expect(upserted).toMatchObject({ status: 201, problems: [], data: { value: [{ id: 7, title: 'Seven' }] } });
    expect(
      (await mock.call('updateRow', { path: { ...row, value: '8' }, headers: { 'if-match': '*' }, body: {} })).status,
    ).toBe(404);
  });
});

describe('petstore', () => {
  test.each(['2.0', '3.0', '3.1'])('%s: pets are added, found and removed', async (version) => {
    const mock = new FakeMock(await load(`node_modules/@readme/oas-examples/${version}/json/petstore.json`));
    const { data } = await mock.call('addPet', { body: { name: 'Rex', photoUrls: [], status: 'sold' } });
    const pet = data as { id: number };
    expect((await mock.call('findPetsByStatus', { query: { status: ['sold'] } })).data).toEqual([pet]);
    expect((await mock.call('findPetsByStatus', { query: { status: ['pending'] } })).data).toEqual([]);
    await mock.call('updatePet', { body: { id: pet.id, name: 'Max', photoUrls: ['a'] } });
    expect(await mock.call('getPetById', { path: { petId: pet.id } })).toMatchObject({
      data: { id: pet.id, name: 'Max' },
      problems: [],
    });
    await mock.call('deletePet', { path: { petId: pet.id } });
    expect((await mock.call('getPetById', { path: { petId: pet.id } })).status).toBe(404);
    await mock.call('createUsersWithArrayInput', { body: [{ username: 'ann' }, { username: 'bob' }] });
    expect((await mock.call('getUserByName', { path: { username: 'bob' } })).data).toMatchObject({ username: 'bob' });
  });
});

test('train-travel starts with its examples, and stores bookings', async () => {
  const mock = new FakeMock(await load('node_modules/@readme/oas-examples/3.1/json/train-travel.json'));
  expect(await mock.call('get-stations')).toMatchObject({
    problems: [],
    data: { data: [{ country_code: 'DE' }, { country_code: 'FR' }] },
  });
  const made = await mock.call('create-booking', {
    body: { trip_id: 'ea399ba1-6d95-433f-92d1-83f67b775594', passenger_name: 'Zed' },
  });
  const { id } = made.data as { id: string };
  expect(made).toMatchObject({ status: 201, problems: [] });
  expect((await mock.call('get-bookings')).data).toMatchObject({ data: [{}, {}, { id, passenger_name: 'Zed' }] });
  expect((await mock.call('delete-booking', { path: { bookingId: id } })).status).toBe(204);
  expect((await mock.call('get-booking', { path: { bookingId: id } })).status).toBe(404);
});

test('concurrent first requests to a collection find its examples, and none restores a deleted example', async () => {
  const mock = new FakeMock(await load('node_modules/@readme/oas-examples/3.1/json/train-travel.json'));
  const path = { bookingId: 'efdbb9d1-02c2-4bc3-afb7-6788d8782b1e' };
  const calls = ['delete-booking', 'get-bookings', 'get-bookings'].map((id) => mock.call(id, { path }));
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([204, 200, 200]);
  expect((await mock.call('get-booking', { path })).status).toBe(404);
  expect((await mock.call('get-bookings')).data).toMatchObject({ data: [{ passenger_name: 'Jane Smith' }] });
});
