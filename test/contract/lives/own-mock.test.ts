import { describe, expect, it } from 'vitest';

import { playLives } from '../../../contract/lives/play-lives.js';
import { startMock } from '../../../entry/mock.js';
import { describeMap } from '../../../resources/map/describe-map.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const text = { type: 'string' };
const object = (properties: Readonly<Record<string, object>>, required = Object.keys(properties)): object => ({
  type: 'object',
  required,
  properties,
});
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const shows = (schema: object): object => ({ description: 'd', ...json(schema) });
const list = (item: object): object => shows({ type: 'array', items: item });
const inPath = (name: string): object => ({ name, in: 'path', required: true, schema: text });
const nothing = { description: 'd' };

const shelf = object({ code: text, label: text });
const slot = object({ code: text, width: { type: 'integer' } });
const lease = object({ ref: { type: 'string', format: 'uuid' }, tenant_ref: text, note: text });
const domain = object({ id: text, label: text, signed: { type: 'boolean' } }, ['id', 'label']);
const tag = object({ kind: text, values: { type: 'array', items: text } });
const cat = object({ id: { type: 'integer' }, label: text });
const duty = object({ id: text, rate: { type: 'number' } });
const decimal = { type: 'string', pattern: '^[0-9]{2}\\.[1-9]$' };

/** Shapes of resources that a mock must keep, each in a document of its own. */
const SHAPES: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  'an item and its parent have ids in members of one name': {
    '/shelves': {
      get: { operationId: 'listShelves', responses: { '200': list(shelf) } },
      post: { operationId: 'addShelf', requestBody: json(shelf), responses: { '201': shows(shelf) } },
    },
    '/shelves/{code}': {
      parameters: [inPath('code')],
      get: { operationId: 'getShelf', responses: { '200': shows(shelf) } },
    },
    '/shelves/{code}/slots': {
      parameters: [inPath('code')],
      get: { operationId: 'listSlots', responses: { '200': list(slot) } },
      post: { operationId: 'addSlot', requestBody: json(slot), responses: { '201': shows(slot) } },
    },
    '/shelves/{code}/slots/{slot_code}': {
      parameters: [inPath('code'), inPath('slot_code')],
      get: { operationId: 'getSlot', responses: { '200': shows(slot) } },
      delete: { operationId: 'dropSlot', responses: { '204': nothing } },
    },
  },
  'a list demands a filter': {
    '/leases': {
      get: {
        operationId: 'listLeases',
        parameters: [{ name: 'tenant_ref', in: 'query', required: true, schema: text }],
        responses: { '200': list(lease) },
      },
      post: {
        operationId: 'addLease',
        requestBody: json(object({ tenant_ref: { ...text, minLength: 4 }, note: text })),
        responses: { '201': shows(lease) },
      },
    },
    '/leases/{ref}': {
      parameters: [inPath('ref')],
      get: { operationId: 'getLease', responses: { '200': shows(lease) } },
      delete: { operationId: 'dropLease', responses: { '204': nothing } },
    },
  },
  'a filter has a default, and items may lack its member': {
    '/domains': {
      get: {
        operationId: 'listDomains',
        parameters: [{ name: 'signed', in: 'query', schema: { type: 'boolean', default: true } }],
        responses: { '200': list(domain) },
      },
      post: {
        operationId: 'addDomain',
        requestBody: json(object({ label: text })),
        responses: { '201': shows(domain) },
      },
    },
    '/domains/{id}': {
      parameters: [inPath('id')],
      get: { operationId: 'getDomain', responses: { '200': shows(domain) } },
    },
  },
  'a creation shows nothing, and the client has given the id': {
    '/tags': {
      get: { operationId: 'listTags', responses: { '200': list(tag) } },
      post: { operationId: 'addTag', requestBody: json(tag), responses: { '204': nothing } },
    },
    '/tags/{tag_kind}': {
      parameters: [inPath('tag_kind')],
      get: { operationId: 'getTag', responses: { '200': shows(tag) } },
      delete: { operationId: 'dropTag', responses: { '204': nothing } },
    },
  },
  'a creation shows nothing, and the list has the id': {
    '/cats': {
      get: { operationId: 'listCats', responses: { '200': list(cat) } },
      post: { operationId: 'addCat', requestBody: json(object({ label: text })), responses: { '201': nothing } },
    },
    '/cats/{catId}': {
      parameters: [inPath('catId')],
      get: { operationId: 'getCat', responses: { '200': shows(cat) } },
      delete: { operationId: 'dropCat', responses: { '204': nothing } },
    },
  },
  'a request has as text what items have as number': {
    '/duties': {
      get: { operationId: 'listDuties', responses: { '200': list(duty) } },
      post: { operationId: 'addDuty', requestBody: json(object({ rate: decimal })), responses: { '201': shows(duty) } },
    },
    '/duties/{id}': {
      parameters: [inPath('id')],
      get: { operationId: 'getDuty', responses: { '200': shows(duty) } },
      put: { operationId: 'putDuty', requestBody: json(object({ rate: decimal })), responses: { '200': shows(duty) } },
    },
  },
};

describe('a mock keeps the promises of its map', () => {
  it.each(Object.keys(SHAPES))('if %s', async (shape) => {
    const api = await loadDocument(documentWith(SHAPES[shape] ?? {}));
    await using mock = await startMock(api, { seed: 1, noRateLimit: true });
    const { resources, others } = describeMap(api);
    expect(others).toEqual([]);
    expect(await playLives(api, resources, mock)).toEqual([]);
  });
});
