import { describe, expect, test } from 'vitest';

import { findListEnvelope, itemsIn, listPathIn, shownItems } from '../../resources/envelope.js';
import type { Schema } from '../../model/schema-types.js';
import { buildApi } from '../support/build-api.js';

const api = buildApi({});
const BOOKS: Schema = { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } };
const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });

describe('the list in the schema of a page', () => {
  const rows: readonly (readonly [string, Schema, readonly string[] | undefined])[] = [
    ['is the body', BOOKS, []],
    ['is the only list', object({ total: { type: 'integer' }, shelf: BOOKS }), ['shelf']],
    ['has the name of the collection', object({ warnings: BOOKS, books: BOOKS }), ['books']],
    ['has a usual name', object({ warnings: BOOKS, items: BOOKS }), ['items']],
    [
      'is below an outer member',
      object({ data: object({ items: BOOKS, total: { type: 'integer' } }) }),
      ['data', 'items'],
    ],
    ['is below _embedded', object({ _embedded: object({ books: BOOKS }) }), ['_embedded', 'books']],
    ['is not a member of a thing with an id', object({ id: { type: 'string' }, items: BOOKS }), undefined],
    ['is not a member of an enclosed item', object({ data: object({ tags: BOOKS }) }), undefined],
    ['cannot be distinguished from another', object({ left: BOOKS, right: BOOKS }), undefined],
  ];
  test.each(rows)('the list in the schema of a page: %s', (_, schema, path) =>
    expect(findListEnvelope(schema, api, 'books')?.path).toEqual(path),
  );
});

describe('the list in a body', () => {
  const rows: readonly (readonly [string, unknown, readonly string[] | undefined])[] = [
    ['is the body', [1], []],
    ['is the only list', { total: 1, shelf: [1] }, ['shelf']],
    ['has a usual name among others', { warnings: [], items: [1] }, ['items']],
    ['is below an outer member', { data: { items: [1] } }, ['data', 'items']],
    ['is not a member of an enclosed item', { data: { tags: [1] } }, undefined],
    ['does not exist', { id: 1 }, undefined],
  ];
  test.each(rows)('the list in a body: %s', (_, body, path) => expect(listPathIn(body)).toEqual(path));

  test('the list in a body is found where the spec describes it', () =>
    expect(itemsIn({ items: [1], books: [2] }, ['books'])).toEqual([2]));
  test('no list is found in a body without the described member', () =>
    expect(itemsIn({ items: [1] }, ['books'])).toBeUndefined());
});

test('a body that wraps a single object shows that object', () => {
  expect(shownItems({ book: { id: 1 } })).toEqual([{ id: 1 }]);
  expect(shownItems({ id: 1, title: 'x' })).toEqual([{ id: 1, title: 'x' }]);
});
