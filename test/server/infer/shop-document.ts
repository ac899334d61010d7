import { documentWith } from '../../support/load-document.js';

const json = (schema: object, example?: unknown): object => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const parameter = (name: string, place: string, schema: object = { type: 'string' }): object => ({
  name,
  in: place,
  required: place === 'path',
  schema,
});
const query = (name: string, schema?: object): object => parameter(name, 'query', schema);

const notFound = { '404': { description: 'There is none.' } };
const itemResponse = { '200': { description: 'ok', content: json(ref('Product')) }, ...notFound };

const products = {
  get: {
    operationId: 'listProducts',
    parameters: [
      query('color'),
      query('min_price', { type: 'number' }),
      query('tag', { type: 'array', items: { type: 'string' } }),
      query('q'),
      query('sort'),
      query('limit', { type: 'integer', default: 20 }),
      query('offset', { type: 'integer' }),
    ],
    responses: {
      '200': {
        description: 'ok',
        content: json({
          type: 'object',
          required: ['items', 'total', 'hasMore'],
          properties: {
            items: { type: 'array', items: ref('ProductSummary') },
            total: { type: 'integer' },
            hasMore: { type: 'boolean' },
          },
        }),
      },
    },
  },
  post: {
    operationId: 'createProduct',
    requestBody: { content: json(ref('Product')) },
    responses: {
      '201': {
        description: 'made',
        headers: { Location: { schema: { type: 'string' } } },
        content: json(ref('Product')),
      },
      '409': { description: 'taken' },
    },
  },
};

const product = {
  parameters: [parameter('productId', 'path')],
  get: {
    operationId: 'getProduct',
    parameters: [parameter('If-None-Match', 'header')],
    responses: { ...itemResponse, '304': { description: 'same' } },
  },
  put: {
    operationId: 'replaceProduct',
    parameters: [parameter('If-Match', 'header')],
    requestBody: { content: json(ref('Product')) },
    responses: { ...itemResponse, '412': { description: 'changed' } },
  },
  patch: {
    operationId: 'patchProduct',
    parameters: [parameter('If-Match', 'header')],
    requestBody: { content: json(ref('Product')) },
    responses: { ...itemResponse, '412': { description: 'changed' } },
  },
  delete: { operationId: 'deleteProduct', responses: { '204': { description: 'gone' }, ...notFound } },
};

const reviews = {
  parameters: [parameter('productId', 'path')],
  get: {
    operationId: 'listReviews',
    responses: { '200': { description: 'ok', content: json({ type: 'array', items: ref('Review') }) }, ...notFound },
  },
  post: {
    operationId: 'createReview',
    requestBody: { content: json({ type: 'object', properties: { review: ref('Review') }, required: ['review'] }) },
    responses: {
      '201': { description: 'made', content: json({ type: 'object', properties: { review: ref('Review') } }) },
      ...notFound,
    },
  },
};

const schemas = {
  Product: {
    type: 'object',
    required: ['id', 'name', 'status', 'maker'],
    properties: {
      id: { type: 'string', format: 'uuid', readOnly: true },
      name: { type: 'string' },
      color: { type: 'string', default: 'grey' },
      price: { type: 'number' },
      tags: { type: 'array', items: { type: 'string' } },
      note: { type: ['string', 'null'] },
      status: { type: 'string', enum: ['draft', 'archived'] },
      maker: { type: 'object', required: ['country'], properties: { country: { type: 'string', minLength: 2 } } },
      secret: { type: 'string', writeOnly: true },
      createdAt: { type: 'string', format: 'date-time', readOnly: true },
      updatedAt: { type: 'string', format: 'date-time', readOnly: true },
      self: { type: 'string', format: 'uri', readOnly: true },
    },
  },
  ProductSummary: {
    type: 'object',
    required: ['id', 'name', 'rank'],
    properties: { id: { type: 'string' }, name: { type: 'string' }, rank: { type: 'integer' } },
    additionalProperties: false,
  },
  Review: {
    type: 'object',
    required: ['id', 'productId', 'text'],
    properties: { id: { type: 'integer' }, productId: { type: 'string' }, text: { type: 'string' } },
  },
  Settings: {
    type: 'object',
    required: ['theme'],
    properties: { theme: { type: 'string', enum: ['light', 'dark'] }, language: { type: 'string' } },
  },
};

/** A small shop that has one of each kind of thing that inference knows. */
export const SHOP: object = documentWith(
  {
    '/products': products,
    '/products/{productId}': product,
    '/products/{id}/archive': {
      post: { operationId: 'archiveProduct', parameters: [parameter('id', 'path')], responses: itemResponse },
    },
    '/products/{productId}/reviews': reviews,
    '/products/{productId}/reviews/{reviewId}': {
      parameters: [parameter('productId', 'path'), parameter('reviewId', 'path', { type: 'integer' })],
      get: {
        operationId: 'getReview',
        responses: { '200': { description: 'ok', content: json(ref('Review')) }, ...notFound },
      },
    },
    '/settings': {
      get: {
        operationId: 'getSettings',
        responses: { '200': { description: 'ok', content: json(ref('Settings'), { theme: 'dark', language: 'da' }) } },
      },
      patch: {
        operationId: 'patchSettings',
        requestBody: { content: json(ref('Settings')) },
        responses: { '200': { description: 'ok', content: json(ref('Settings')) } },
      },
    },
    '/report': {
      get: {
        operationId: 'getReport',
        responses: {
          '200': { description: 'ok', content: json({ type: 'object', properties: { text: { type: 'string' } } }) },
        },
      },
    },
  },
  { components: { schemas } },
);
