import path from 'node:path';

import { expect, test } from 'vitest';

import { loadApi } from '../../model/load-api.js';
import { specFolder } from '../support/spec-folder.js';

/** A document with one operation, at `/<id>`, that demands the scheme `token`. */
function document(id: string, scheme: object): object {
  return {
    openapi: '3.1.0',
    info: { title: id, version: '1' },
    security: [{ token: ['read'] }],
    paths: { [`/${id}`]: { get: { operationId: id, responses: { 204: { description: 'Done.' } } } } },
    components: { securitySchemes: { token: scheme } },
  };
}

test('security schemes of several documents with the same name become one if they are equal, and two if they differ', async () => {
  const bearer = { type: 'http', scheme: 'bearer' };
  const folder = specFolder({
    'a.json': document('first', { ...bearer, description: 'One.', 'x-scopes': ['repo'] }),
    'b.json': document('other', bearer),
    'c.json': document('same', { ...bearer, description: 'Two.', 'x-scopes': ['repo'] }),
  });
  const api = await loadApi(['a.json', 'b.json', 'c.json'].map((name) => path.join(folder, name)));
  expect([...api.securitySchemes].map(([id, scheme]) => [id, scheme.id, scheme.extensions])).toEqual([
    ['token', 'token', { 'x-scopes': ['repo'] }],
    ['token2', 'token2', {}],
  ]);
  expect(api.operations.map(({ id, security }) => [id, security])).toEqual([
    ['first', [{ token: ['read'] }]],
    ['other', [{ token2: ['read'] }]],
    ['same', [{ token: ['read'] }]],
  ]);
});
