import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const refTo = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** Schemas that refer to each other and to themselves in each of their members. */
function networkOf(size: number): Record<string, object> {
  const names = Array.from({ length: size }, (_, index) => `Part${index}`);
  const properties = Object.fromEntries(names.map((name) => [name.toLowerCase(), refTo(name)]));
  return Object.fromEntries(names.map((name) => [name, { type: 'object', properties }]));
}

test.each([
  ['a schema with forty members of its own type', 1, 40],
  ['twenty schemas with a member for each of them', 20, 1],
])('a contract run ends if a body has %s', { timeout: 60_000 }, async (_, size, times) => {
  const own = Object.fromEntries(Array.from({ length: times }, (_entry, index) => [`own${index}`, refTo('Part0')]));
  const Node = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string', readOnly: true }, root: refTo('Part0'), ...own },
  };
  const network = networkOf(size);
  const Part0 = { type: 'object', properties: { ...own, ...(network['Part0'] as { properties: object }).properties } };
  const item = { description: 'ok', ...json(refTo('Node')) };
  const failure = { description: 'bad', content: { 'application/problem+json': { schema: { type: 'object' } } } };
  const paths = {
    '/nodes': {
      post: { operationId: 'addNode', requestBody: json(refTo('Node')), responses: { 201: item, 400: failure } },
    },
    '/nodes/{id}': { parameters: [ID], get: { operationId: 'getNode', responses: { 200: item, 404: failure } } },
  };
  const api = await loadDocument(documentWith(paths, { components: { schemas: { ...network, Part0, Node } } }));
  await using mock = await startMock(api, { noRateLimit: true });
  const report = await runContract({ api, url: 'http://mock.test', fetch: mock.fetch, phases: ['examples'] });
  expect(report.reach.succeeded.toSorted()).toEqual(['addNode', 'getNode']);
});
