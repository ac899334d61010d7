import { expect, test } from 'vitest';

import { loadDocument } from '../../support/load-document.js';
import { FakeMock } from './fake-mock.js';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const ORDER = { $ref: '#/components/schemas/Order' };
const BY_ID = json({ type: 'object', required: ['OrderId'], properties: { OrderId: { type: 'string' } } });
const OK = { description: 'ok' };

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/rpc/createorder': {
      post: { operationId: 'createorder', requestBody: json(ORDER), responses: { 201: { ...OK, ...json(ORDER) } } },
    },
    '/rpc/getorder': {
      get: {
        operationId: 'getorder',
        parameters: [{ name: 'id', in: 'query', required: true, schema: { type: 'string' } }],
        responses: { 200: { ...OK, ...json(ORDER) }, 404: OK },
      },
    },
    '/rpc/findorders': {
      post: {
        operationId: 'findorders',
        requestBody: json({ type: 'object', properties: { title: { type: 'string' }, limit: { type: 'integer' } } }),
        responses: {
          200: {
            ...OK,
            ...json({
              type: 'object',
              properties: { total: { type: 'integer' }, orders: { type: 'array', items: ORDER } },
            }),
          },
        },
      },
    },
    '/rpc/updateorder': {
      post: {
        operationId: 'updateorder',
        requestBody: json({
          type: 'object',
          required: ['OrderId'],
          properties: { OrderId: { type: 'string' }, title: { type: 'string' } },
        }),
        responses: { 200: { ...OK, ...json(ORDER) }, 404: OK },
      },
    },
    '/rpc/deleteorder': { post: { operationId: 'deleteorder', requestBody: BY_ID, responses: { 204: OK, 404: OK } } },
    '/rpc/ping': { get: { operationId: 'ping', responses: { 200: OK } } },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string', readOnly: true }, title: { type: 'string' }, size: { type: 'integer' } },
      },
    },
  },
};

test('operations by verb create, read, list, change and delete the same items', async () => {
  const mock = new FakeMock(await loadDocument(DOCUMENT));
  const made = await mock.call('createorder', { body: { title: 'Pens', size: 3 } });
  expect(made).toMatchObject({ status: 201, problems: [], data: { title: 'Pens', size: 3 } });
  const { id } = made.data as { id: string };
  await mock.call('createorder', { body: { title: 'Ink' } });
  expect((await mock.call('getorder', { query: { id } })).data).toEqual({ id, title: 'Pens', size: 3 });
  expect((await mock.call('findorders', { body: { title: 'Pens' } })).data).toEqual({
    total: 1,
    orders: [{ id, title: 'Pens', size: 3 }],
  });
  expect((await mock.call('findorders', { body: { limit: 1 } })).data).toMatchObject({ total: 2, orders: [{}] });
  expect((await mock.call('updateorder', { body: { OrderId: id, title: 'Pencils' } })).data).toEqual({
    id,
    title: 'Pencils',
    size: 3,
  });
  expect((await mock.call('deleteorder', { body: { OrderId: id } })).status).toBe(204);
  expect((await mock.call('getorder', { query: { id } })).status).toBe(404);
  expect((await mock.call('findorders')).data).toMatchObject({ total: 1 });
});

test('an operation with another verb is not inferred', async () => {
  const mock = new FakeMock(await loadDocument(DOCUMENT));
  expect(mock.isInferred('ping')).toBe(false);
});
