import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { loadApi } from '../../../entry/specmill.js';
import { runCaptured } from '../../support/run-captured.js';
import { tempFolder } from '../../support/temp-folder.js';
import { openEngine } from './engine-mock.js';

const permissions = [
  { role: 'anonymous', actions: [{ action: 'read', fields: { exclude: ['secret'] } }] },
  { role: 'editor', actions: ['*'] },
];
const boats = {
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, secret: { type: 'string' } },
};
const entities = { Boat: { source: 'boats', rest: { path: 'harbour/boats' }, permissions } };

describe('the OpenAPI document of the entities', () => {
  test('it describes what a role may do', async () => {
    await using engine = await openEngine('process', { engineSchema: { boats }, engineConfig: { entities } });
    const { json } = await engine.call('GET', '/api/openapi');
    expect(Object.keys(json['paths'] as object)).toEqual(['/harbour/boats', '/harbour/boats/id/{id}']);
    expect(JSON.stringify(json)).not.toContain('secret');
    const { json: all } = await engine.call('GET', '/api/openapi?role=editor');
    const file = path.join(tempFolder(), 'openapi.json');
    writeFileSync(file, JSON.stringify(all));
    const api = await loadApi(file);
    expect(api.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(api.operations.map(({ id }) => id).toSorted()).toEqual([
      ...['createBoat', 'deleteBoat', 'getBoat', 'listBoat', 'replaceBoat', 'updateBoat'],
    ]);
  });
});

describe('start data', () => {
  test('rows are given by the name of an entity or of its table, and declare columns', async () => {
    const engineConfig = {
      entities: { Todo: { source: 'dbo.todos', permissions: [{ role: 'anonymous', actions: ['*'] }] } },
    };
    await using engine = await openEngine('process', { engineConfig });
    await engine.mock.data.put({ 'dbo.todos': [{ id: 7, title: 'a', price: 1 }] });
    expect((await engine.call('GET', '/api/Todo')).json).toEqual({ value: [{ id: 7, title: 'a', price: 1 }] });
    expect((await engine.call('GET', '/api/Todo?$filter=titel eq 1')).status).toBe(400);
    const query = '{ todos(filter: { price: { lt: 1.5 } }) { items { id title } } }';
    expect((await engine.call('POST', '/graphql', { query })).json).toEqual({
      data: { todos: { items: [{ id: 7, title: 'a' }] } },
    });
  });
});

describe('the check of a configuration', () => {
  const check = (config: object, ...more: string[]) => {
    const folder = tempFolder();
    writeFileSync(path.join(folder, 'engine.json'), JSON.stringify(config));
    return runCaptured(folder, 'validate', 'engine', 'engine.json', ...more);
  };

  test('specmill validate refuses what the mock refuses', async () => {
    const policy = { database: 'nonsense nonsense' };
    const bad = {
      entities: { A: { source: 'a', permissions: [{ role: 'r', actions: [{ action: 'read', policy }] }] } },
    };
    const { status, err } = await check(bad);
    expect([status, err]).toEqual([1, expect.stringContaining('The policy cannot be read')]);
    const same = { source: 'a', graphql: { type: 'T' }, rest: false, permissions: [] };
    expect((await check({ entities: { A: same, B: same } })).err).toContain(
      'The entity A has the type T in GraphQL too.',
    );
    expect((await check({ entities: { 'my list': { source: 'a', permissions: [] } } })).status).toBe(1);
  });

  test('--vendor maps values of a configuration', async () => {
    const source = {
      'database-type': 'cosmosdb_nosql',
      'connection-string': 'x',
      options: { database: 'd', schema: 's' },
    };
    const config = {
      'data-source': source,
      'azure-key-vault': { endpoint: 'https://vault.example' },
      runtime: { host: { authentication: { provider: 'EntraID', jwt: { audience: 'a', issuer: 'i' } } } },
    };
    const vendor = 'azure,engine=dab,docdb_nosql=cosmosdb_nosql,enterprise-id=EntraID';
    expect(await check(config, '--vendor', vendor)).toMatchObject({ status: 0 });
    expect(await check(config, '--vendor', 'azure,engine=dab')).toMatchObject({ status: 1 });
  });
});
