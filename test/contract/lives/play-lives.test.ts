import { describe, expect, it } from 'vitest';

import { playLives } from '../../../contract/lives/play-lives.js';
import type { Api } from '../../../model/api.js';
import { describeMap } from '../../../resources/map/describe-map.js';
import { loadDocument } from '../../support/load-document.js';

const showsPet = {
  description: 'd',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
};
const named = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const takesName = { required: true, content: { 'application/json': { schema: named } } };
const pets = { type: 'array', items: { $ref: '#/components/schemas/Pet' } };

const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        responses: { '200': { description: 'd', content: { 'application/json': { schema: pets } } } },
      },
      post: { operationId: 'createPet', requestBody: takesName, responses: { '201': showsPet } },
    },
    '/pets/{petId}': {
      parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getPet', responses: { '200': showsPet } },
      patch: { operationId: 'updatePet', requestBody: takesName, responses: { '200': showsPet } },
      delete: { operationId: 'deletePet', responses: { '204': { description: 'd' } } },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'string' }, name: { type: 'string' } },
      },
    },
  },
};

type Fault = 'none' | 'another' | 'unlisted' | 'anonymous' | 'unchanged' | 'undeleted' | 'refused' | 'unread';

/** A server of pets in this process, with a fault. */
function servePets(fault: Fault): { url: string; fetch: typeof fetch } {
  const pets = new Map<string, { id: string; name: string }>();
  const respond = (status: number, value?: unknown): Response =>
    new Response(value === undefined ? null : JSON.stringify(value), { status });
  const serve: typeof fetch = async (input, init) => {
    const [, , id] = new URL(input instanceof Request ? input.url : input).pathname.split('/');
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as { name: string }) : undefined;
    const pet = pets.get(id ?? '');
    if (id === undefined && init?.method === 'GET') return respond(200, fault === 'unlisted' ? [] : [...pets.values()]);
    if (id === undefined) {
      if (fault === 'refused') return respond(422, { message: 'no' });
      const made = { id: `p${pets.size + 1}`, name: body?.name ?? '' };
      pets.set(made.id, made);
      return respond(201, fault === 'anonymous' ? { name: made.name } : made);
    }
    if (pet === undefined || (fault === 'unread' && init?.method === 'GET')) return respond(404);
    if (init?.method === 'GET') return respond(200, fault === 'another' ? { id: 'p9', name: 'Rex' } : pet);
    if (init?.method === 'PATCH' && fault !== 'unchanged') pet.name = body?.name ?? '';
    if (init?.method !== 'DELETE') return respond(200, pet);
    if (fault !== 'undeleted') pets.delete(id);
    return respond(204);
  };
  return { url: 'http://pets.mock', fetch: serve };
}

async function play(api: Api, fault: Fault, isShort = false): Promise<readonly string[]> {
  const problems = await playLives(api, describeMap(api).resources, servePets(fault), { isShort });
  return problems.map(({ operationId, message }) => `${operationId}: ${message}`);
}

describe('playing the life of each resource', () => {
  it('finds nothing in a server that keeps the promises of the map', async () => {
    expect(await play(await loadDocument(document), 'none')).toEqual([]);
  });

  it.each([
    ['refused', ['createPet: a creation with generated values was refused: 422 {"message":"no"}']],
    ['anonymous', ['createPet: the response to a creation does not show the id /id, and has no Location']],
    ['unread', ['getPet: an item that was created cannot be read by its id "p1": 404']],
    [
      'another',
      ['getPet: the read of "p1" shows another item, "p9"', 'updatePet: the change of "name" is not shown by getPet'],
    ],
    ['unlisted', ['listPets: the item "p1" that was created is not in the list']],
    ['unchanged', ['updatePet: the change of "name" is not shown by getPet']],
    [
      'undeleted',
      [
        'deletePet: an item can still be read after its deletion',
        'listPets: an item is still in the list after its deletion',
      ],
    ],
  ] as const)('reports a server with the fault %s', async (fault, expected) => {
    expect(await play(await loadDocument(document), fault)).toEqual(expected);
  });

  it('creates, reads and lists only one item in the short form', async () => {
    expect(await play(await loadDocument(document), 'undeleted', true)).toEqual([]);
    expect(await play(await loadDocument(document), 'unlisted', true)).toHaveLength(1);
  });
});
