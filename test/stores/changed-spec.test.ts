import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { startMock } from '../../entry/mock.js';
import { tempFolder, writeTo } from '../support/temp-folder.js';

const SPEC = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: { operationId: 'listPets', responses: { 200: json({ type: 'array', items: ref('Pet') }) } },
      post: { operationId: 'createPet', requestBody: json(ref('Pet')), responses: { 201: json(ref('Pet')) } },
    },
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: json(ref('Pet')), 404: { description: 'none' } },
      },
    },
  },
  components: {
    schemas: { Pet: { type: 'object', properties: { id: { type: 'string' }, age: { type: ['integer', 'string'] } } } },
  },
};

function json(schema: object): object {
  return { description: 'ok', content: { 'application/json': { schema } } };
}

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

async function open(folder: string): ReturnType<typeof startMock> {
  return startMock('pets', { port: 0, spec: path.join(folder, 'pets.json'), state: path.join(folder, 'state') });
}

it('a mock keeps stored items that a changed spec does not allow, and warns once', async () => {
  const folder = tempFolder({ 'pets.json': JSON.stringify(SPEC) });
  const headers = { 'content-type': 'application/json' };
  const first = await open(folder);
  for (const age of [3, 'old'])
    expect((await fetch(`${first.url}/pets`, { method: 'POST', headers, body: JSON.stringify({ age }) })).status).toBe(
      201,
    );
  await first.close();
  const text = readFileSync(path.join(folder, 'pets.json'), 'utf8');
  writeTo(folder, 'pets.json', text.replace('["integer","string"]', '"integer"'));

  const notesOf = async (): Promise<string[]> => {
    await using mock = await open(folder);
    const { collections } = await mock.state.get();
    expect(collections['/pets']?.map(({ value }) => value)).toMatchObject([{ age: 3 }, { age: 'old' }]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const notes = (await mock.requests()).filter((entry) => entry.path === '/__specmill/state');
    return notes.flatMap(({ violations }) => violations.map(({ message }) => message));
  };
  expect(await notesOf()).toEqual([
    expect.stringMatching(/^Items of the collection \/pets no longer match the spec and are kept unchanged: /),
  ]);
  expect(await notesOf()).toEqual([]);
});
