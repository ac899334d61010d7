import { expect, test } from 'vitest';

import { startMock } from '../../../server/start-mock.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const list = { type: 'array', items: { type: 'integer' } };
const object = { type: 'object', properties: { R: { type: 'integer' } } };

function parameter(name: string, style: string, schema: object = { type: 'integer' }, explode = false): object {
  return { name, in: 'path', required: true, style, explode, schema };
}

test.each<[string, object, object, string]>([
  ['two matrix parameters', parameter('a', 'matrix'), parameter('b', 'matrix'), ';a=1;b=2'],
  ['an exploded matrix list', parameter('a', 'matrix', list, true), parameter('b', 'matrix'), ';a=1;a=2;b=3'],
  ['an exploded matrix object', parameter('a', 'matrix', object, true), parameter('b', 'matrix'), ';R=1;b=3'],
  ['two label parameters', parameter('a', 'label'), parameter('b', 'label'), '.1.2'],
  ['an exploded label list', parameter('a', 'label', list, true), parameter('b', 'matrix'), '.1.2;b=3'],
])('%s in one segment are read', async (_what, a, b, segment) => {
  const paths = { '/at/{a}{b}': { get: { parameters: [a, b], responses: { 204: { description: 'ok' } } } } };
  await using mock = await startMock(await loadDocument(documentWith(paths)), { seed: 1 });
  const { status } = await mock.fetch(`http://mock/at/${segment}`);
  expect(status).toBe(204);
});
