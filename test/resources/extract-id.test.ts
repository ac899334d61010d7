import { describe, expect, test } from 'vitest';

import { createdIds, idsOf } from '../../resources/extract-id.js';
import { readExpression } from '../../contract/execute/ids/openapi-links.js';
import type { Call, Exchange } from '../../contract/types.js';
import type { Operation } from '../../model/api.js';

function response(json: unknown, headers: Record<string, string> = {}): Exchange {
  return {
    request: { method: 'POST', url: 'http://127.0.0.1/books?draft=true', headers: { 'x-trace': 't1' } },
    status: 201,
    headers: new Headers(headers),
    text: JSON.stringify(json),
    json,
    durationMs: 1,
  };
}

describe('the id of an item', () => {
  const rows: readonly (readonly [string, unknown, string, unknown])[] = [
    ['the member that is called as the parameter', { bookId: 7, id: 'x' }, 'book_id', 7],
    ['id', { id: 'x', title: 'y' }, 'bookId', 'x'],
    ['a reference inside', { id: 'p:d.t', tableReference: { tableId: 't' } }, 'tableId', 't'],
    ['the only object inside', { data: { id: 3 } }, 'bookId', 3],
    ['a name with its collection', { name: 'files/abc' }, 'name', 'files/abc'],
    ['nothing', { title: 'y' }, 'bookId', undefined],
    ['no object', ['x'], 'bookId', undefined],
  ];
  test.each(rows)('the id of an item: %s', (_, item, parameter, id) => expect(idsOf(item, parameter)[0]).toBe(id));

  test('the Location of a created item comes first if it leads to an item, and last if not', () => {
    const read = { path: '/books/{bookId}' } as Operation;
    expect(
      createdIds(response({ id: 1 }, { location: 'https://a/v1/books/a%2Fb?x' }), { parameter: 'bookId', read })[0],
    ).toBe('a/b');
    expect(createdIds(response({ id: 1 }, { location: '/elsewhere/9' }), { parameter: 'bookId', read })).toEqual([
      1,
      '9',
    ]);
    expect(createdIds(response({ id: 1 }, { location: '/books/%zz' }), { parameter: 'bookId', read })[0]).toBe(1);
  });
});

describe('runtime expressions', () => {
  const parameter = { name: 'draft', in: 'query' };
  const call = { parameters: new Map([[parameter, true]]), body: { value: { a: [{ 'b/c': 5 }] } } } as unknown as Call;
  const exchange = response({ id: 7, list: [{ id: 'x' }] }, { 'X-Next': 'n' });
  const rows: readonly (readonly [unknown, unknown])[] = [
    ['$response.body#/id', 7],
    ['$response.body#/list/0/id', 'x'],
    ['$response.body#/none', undefined],
    ['$response.header.x-next', 'n'],
    ['$request.body#/a/0/b~1c', 5],
    ['$request.query.draft', true],
    ['$request.header.X-Trace', 't1'],
    ['$request.path.none', undefined],
    ['$statusCode', 201],
    ['$method', 'POST'],
    ['{$response.body#/id}', 7],
    ['book {$response.body#/id} of {$method}', 'book 7 of POST'],
    ['book {$response.body#/none}', undefined],
    ['$response.body#/constructor', undefined],
    ['plain', 'plain'],
    [12, 12],
  ];
  test.each(rows)('the runtime expression %j gives %j', (expression, value) =>
    expect(readExpression(expression, { call, exchange })).toEqual(value),
  );
});
