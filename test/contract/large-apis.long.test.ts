import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const COLLECTIONS = 40;
/** Without the lives of items, which do not depend on the number of operations. */
const PHASES = ['examples', 'boundary', 'negative', 'fuzz'] as const;

const item = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'string', readOnly: true },
    name: { type: 'string', minLength: 1, maxLength: 60 },
    count: { type: 'integer', minimum: 0, maximum: 1000 },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
    state: { type: 'string', enum: ['open', 'closed'] },
  },
};
const json = (schema: object): object => ({ 'application/json': { schema } });
const withItem = (status: number): object => ({ [status]: { description: 'Done.', content: json(item) } });
const problem = { type: 'object', properties: { message: { type: 'string' } } };
const invalid = { 400: { description: 'Invalid.', content: json(problem) } };
const missing = { 404: { description: 'There is no such item.', content: json(problem) } };
const body = { required: true, content: json(item) };

function collectionPaths(name: string): Record<string, object> {
  const state = { name: 'state', in: 'query', schema: item.properties.state };
  const all = { description: 'All.', content: json({ type: 'array', items: item }) };
  return {
    [`/${name}`]: {
      get: { operationId: `list-${name}`, parameters: [state], responses: { 200: all, ...invalid } },
      post: { operationId: `create-${name}`, requestBody: body, responses: { ...withItem(201), ...invalid } },
    },
    [`/${name}/{id}`]: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: `read-${name}`, responses: { ...withItem(200), ...missing } },
      put: {
        operationId: `replace-${name}`,
        requestBody: body,
        responses: { ...withItem(200), ...invalid, ...missing },
      },
      delete: { operationId: `delete-${name}`, responses: { 204: { description: 'Deleted.' }, ...missing } },
    },
  };
}

test('a run on 200 operations has a success of each, with few cases of each, and together cases of each kind', async () => {
  const names = Array.from({ length: COLLECTIONS }, (_, index) => `things${index}`);
  const api = await loadDocument(documentWith(Object.assign({}, ...names.map(collectionPaths)) as object));
  const mock = await startMock(api, { noRateLimit: true });
  const bodies: string[] = [];
  const listen: typeof fetch = async (input, init) => {
    const response = await mock.fetch(input, init);
    if (response.status === 400 && init?.method === 'POST') bodies.push(await response.clone().text());
    return response;
  };
  const report = await runContract({ api, url: mock.url, fetch: listen, maxTime: '10m', phases: PHASES });
  const { operations } = report.coverage;
  expect(operations).toHaveLength(5 * COLLECTIONS);
  for (const { operationId, statuses } of operations) {
    expect(
      Object.keys(statuses).some((status) => status.startsWith('2')),
      operationId,
    ).toBe(true);
  }
  expect(report.findings).toEqual([]);
  expect(report.requests).toBeLessThan(16 * operations.length);
  expect(report.notes.join(' ')).toContain('at most 3 cases of each in a phase');
  // Together, the operations of one kind get all invalid values.
  const said = bodies.join(' ');
  for (const word of ['name', 'count', 'tags', 'state']) expect(said).toContain(word);
});
