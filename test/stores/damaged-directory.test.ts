import cluster from 'node:cluster';
import { readdirSync } from 'node:fs';
import path from 'node:path';

import { open } from 'lmdb';
import { expect, onTestFinished, test, vi } from 'vitest';

import { type Mock, startMock } from '../../entry/mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';
import { tempFolder } from '../support/temp-folder.js';

const PET = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const content = { 'application/json': { schema: PET } };
const list = { 'application/json': { schema: { type: 'array', items: PET } } };
const PATHS = {
  '/pets': {
    get: { operationId: 'listPets', responses: { 200: { description: 'ok', content: list } } },
    post: {
      operationId: 'addPet',
      requestBody: { required: true, content },
      responses: { 201: { description: 'ok', content } },
    },
  },
};

/** Values beside those of a sandbox, by the name of the sandbox. */
const ITEMS: Readonly<Record<string, string | Uint8Array>> = {
  'no-json': '["/pets',
  'no-text': new Uint8Array([0xff, 0xfe, 0x00, 0x80, 0x5b]),
  empty: '',
  'no-item': '{"a":1}',
  'other-names': '[1,2,"x",{}]',
  'no-value': '["/pets","8",1]',
  null: '["/pets","8",1,null]',
  'bytes-of-impossible-size': '["/pets","8",1,{"$bytes":{"first":0,"size":1e15}}]',
  'missing-bytes': '["/pets","8",1,{"$bytes":{"first":0,"size":9}}]',
  'very-deep': `["/pets","8",1,${'['.repeat(20_000)}${']'.repeat(20_000)}]`,
  'clock-of-text': '["#sandbox","clock",1,"noon"]',
  'clock-without-offset': '["#sandbox","clock",1,{"frozenAt":null}]',
  'faults-of-text': '["#sandbox","faults",1,"all"]',
  'fault-with-status-of-text': '["#sandbox","faults",1,[{"status":"x"}]]',
  'scenarios-of-text': '["#sandbox","scenarios",1,"all"]',
  'active-of-number': '["#sandbox","scenarios",1,{"hash":"","used":{},"active":[1]}]',
  'random-of-text': '["#sandbox","random",1,"all"]',
  'random-of-three': '["#sandbox","random",1,[1,2,3]]',
  'job-of-text': '["#jobs","j",1,"now"]',
  'callback-of-null': '["#callbacks","c",1,null]',
  'counter-of-text': '["#counters","/pets",1,"many"]',
  'lease-of-text': '["#leases","clock",1,"mine"]',
};
/** What replaces the version, due time and last use of a sandbox. */
const HEADS: Readonly<Record<string, string>> = { 'head-of-text': 'x', 'no-head': '', 'version-of-text': 'a.b 1 1' };
const DAMAGED = [...Object.keys(ITEMS), ...Object.keys(HEADS)];

async function serve(state: string): Promise<Mock> {
  const mock = await startMock(await loadDocument(documentWith(PATHS)), { seed: 1, state });
  onTestFinished(() => mock.close());
  return mock;
}

function call(mock: Mock, sandbox: string, target: string, body?: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-specmill-sandbox': sandbox };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return mock.fetch(`${mock.url}${target}`, { ...init, headers });
}

/** Writes what another program might write: `put` takes the name of a database, a key and a value. */
async function damage(
  state: string,
  write: (put: (name: string, key: string | [string, number], value: string | Uint8Array) => void) => void,
): Promise<void> {
  const [folder = ''] = readdirSync(state);
  const root = open({ path: path.join(state, folder, 'state.mdb'), maxDbs: 6 });
  write((name, key, value) => {
    root.openDB(name, { encoding: 'binary' }).putSync(key, Buffer.from(value));
  });
  await root.close();
}

test('a damaged value in a state directory stops its sandbox alone, and a reset mends it', async () => {
  const state = path.join(tempFolder(), 'state');
  const first = await serve(state);
  for (const name of [...DAMAGED, 'other']) expect((await call(first, name, '/pets', { id: 7 })).status).toBe(201);
  await first.close();
  await damage(state, (put) => {
    for (const [name, value] of Object.entries(ITEMS)) {
      put('items', [name, 99], value);
      // Something is due at the start.
      put('heads', name, 'a.9 1 1');
    }
    for (const [name, value] of Object.entries(HEADS)) put('heads', name, value);
    put('heads', 'no name!', 'a.1 1 1');
  });

  const mock = await serve(state);
  for (const name of DAMAGED) {
    const refused = await call(mock, name, '/pets');
    expect([name, refused.status, await refused.text()]).toEqual([
      name,
      503,
      expect.stringMatching(/The state of this sandbox is damaged: .*A reset of the sandbox/),
    ]);
  }
  const listed = (await (await call(mock, 'other', '/__specmill/sandboxes')).json()) as { readonly name: string }[];
  expect(listed.map(({ name }) => name).toSorted()).toEqual(['other', ...DAMAGED].toSorted());
  for (const name of DAMAGED) {
    const statuses = [await call(mock, name, '/__specmill/reset', {}), await call(mock, name, '/pets', { id: 8 })];
    expect([name, ...statuses.map(({ status }) => status)]).toEqual([name, 204, 201]);
  }
  expect(await (await call(mock, 'other', '/pets')).json()).toEqual([{ id: 7 }]);
});

test.each(['a', 'a {"', 'a 7', 'a [true,["x"],[]]', 'a [true,[],[7]]'])(
  'a process reads all items again if the note of a change is damaged: %s',
  async (note) => {
    const state = path.join(tempFolder(), 'state');
    const mock = await serve(state);
    expect((await call(mock, 'default', '/pets', { id: 7 })).status).toBe(201);
    await damage(state, (put) => put('heads', 'default', 'a.1 never 1'));
    expect((await call(mock, 'default', '/pets')).status).toBe(200);
    await damage(state, (put) => {
      put('items', ['default', 99], '["/pets","9",1,{"id":9}]');
      put('changes', ['default', 2], note);
      put('heads', 'default', 'a.2 never 1');
    });
    expect(await (await call(mock, 'default', '/pets')).json()).toEqual([{ id: 7 }, { id: 9 }]);
  },
);

test('processes that share a journal go on if the count of its calls is damaged', async () => {
  vi.spyOn(cluster, 'isWorker', 'get').mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  const state = path.join(tempFolder(), 'state');
  const mock = await serve(state);
  await damage(state, (put) => put('journal', ['default', 0], 'many'));
  expect((await call(mock, 'default', '/pets', { id: 7 })).status).toBe(201);
  const calls = await call(mock, 'default', '/__specmill/requests');
  expect(await calls.json()).toEqual([expect.objectContaining({ operationId: 'addPet' })]);
});
