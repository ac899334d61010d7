import { describe, expect, test } from 'vitest';

import { openEngine } from './engine-mock.js';
import { TRANSPORTS } from '../stopped-mock.js';

describe.each(TRANSPORTS)('GraphQL, by %s', (transport) => {
  test('GraphQL lists rows, reads them by key and changes them', async () => {
    await using engine = await openEngine(transport);
    const ask = async (query: string, variables?: object): Promise<unknown> =>
      (await engine.call('POST', '/graphql', { query, variables })).json;
    const shelf =
      'query Shelf($first: Int!, $after: String) { __typename books(first: $first, after: $after, orderBy: { year: DESC }) { items { id it: title __typename } hasNextPage endCursor } }';
    const first = (await ask(shelf, { first: 2 })) as { data: { books: { endCursor: string } } };
    expect(first).toMatchObject({
      data: {
        __typename: 'Query',
        books: { items: [{ id: 1018, it: 'Reading the swell', __typename: 'Book' }, { id: 1019 }], hasNextPage: true },
      },
    });
    expect(await ask(shelf, { first: 2, after: first.data.books.endCursor })).toMatchObject({
      data: { books: { items: [{ id: 1017 }], hasNextPage: false, endCursor: null } },
    });
    expect(await ask('{ one: book_by_pk(id: 1018) { title } none: book_by_pk(id: 1) { title } }')).toEqual({
      data: { one: { title: 'Reading the swell' }, none: null },
    });
    expect(
      await ask(
        '{ books(filter: { or: [{ year: { gt: 2000 } }, { price: { lt: 15 } }], id: { neq: 1019 } }) { items { id } } }',
      ),
    ).toEqual({ data: { books: { items: [{ id: 1018 }] } } });
    expect(
      await ask(
        'mutation { a: createBook(item: { title: "New \\"one\\"", year: 2026 }) { id title } updateBook(id: 1017, item: { year: 1979 }) { year } deleteBook(id: 1019) { id } }',
      ),
    ).toEqual({
      data: { a: { id: 1020, title: 'New "one"' }, updateBook: { year: 1979 }, deleteBook: { id: 1019 } },
    });
    expect((await engine.call('GET', '/api/Book/id/1019')).status).toBe(404);
    expect((await engine.call('GET', '/api/Book/id/1020')).status).toBe(200);
  });
});

test('a query may combine fragments, inline fragments, @include and @skip', async () => {
  await using engine = await openEngine();
  const query = `
    query Shelf($brief: Boolean!) {
      books(first: 1) { ...Page items { year @skip(if: $brief) ... on Book { price @include(if: $brief) } } }
      ... { books(first: 1) { hasNextPage } }
      gone: book_by_pk(id: 1017) @skip(if: true) { id }
    }
    fragment Page on BookConnection { items { ...Row } }
    fragment Row on Book { id title }`;
  const ask = async (brief: boolean): Promise<unknown> =>
    (await engine.call('POST', '/graphql', { query, variables: { brief } })).json;
  const book = { id: 1017, title: 'Charts of the northern fjords' };
  expect(await ask(true)).toEqual({ data: { books: { items: [{ ...book, price: 42.5 }], hasNextPage: true } } });
  expect(await ask(false)).toEqual({ data: { books: { items: [{ ...book, year: 1978 }], hasNextPage: true } } });
});

describe('what is wrong is in errors', () => {
  const cases: readonly [string, string, object][] = [
    [
      'an unknown field of a row',
      '{ books { items { isbn } } }',
      {
        message: 'Cannot query field "isbn" on type "Book".',
        locations: [{ line: 1, column: 19 }],
        extensions: { code: 'VALIDATION_FAILED' },
      },
    ],
    [
      'an unknown field at the root',
      'query {\n  ships { items { id } } }',
      { message: 'Cannot query field "ships" on type "Query".', locations: [{ line: 2, column: 3 }] },
    ],
    ['an unknown argument', '{ books(limit: 1) { items { id } } }', { extensions: { code: 'VALIDATION_FAILED' } }],
    ['no selection', '{ books }', { extensions: { code: 'VALIDATION_FAILED' } }],
    [
      'a fragment on another type',
      '{ books { ...B } } fragment B on Book { id }',
      { message: expect.stringMatching(/type "BookConnection".*type "Book"/), locations: [{ line: 1, column: 11 }] },
    ],
    ['a fragment that there is not', '{ books { ...B } }', { message: 'Unknown fragment "B".' }],
    [
      'a fragment that contains itself',
      '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
      { message: expect.stringMatching(/"A" within itself/) },
    ],
    [
      'a query of the schema that goes round in it',
      `{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }`,
      { message: 'Maximum introspection depth exceeded' },
    ],
    ['too much', `{ ${'__typename '.repeat(5_000)} }`, { message: 'The document is too deep or too long.' }],
    [
      'one name for two fields',
      '{ books { items { id id: title } } }',
      { message: expect.stringMatching(/Fields "id" conflict/) },
    ],
    ['an unknown directive', '{ books @live { items { id } } }', { extensions: { code: 'VALIDATION_FAILED' } }],
    ['a subscription', 'subscription { x }', { extensions: { code: 'NOT_SUPPORTED' } }],
    [
      'bad syntax',
      '{ books( }',
      { message: 'Syntax Error: Expected Name, found "}".', extensions: { code: 'SYNTAX_ERROR' } },
    ],
    ['a sign of no meaning', '{ books ? }', { extensions: { code: 'SYNTAX_ERROR' } }],
    [
      'two operations without a name',
      'query A { __typename } query B { __typename }',
      { extensions: { code: 'VALIDATION_FAILED' } },
    ],
    [
      'a variable without a value',
      'query A($id: Int!) { book_by_pk(id: $id) { id } }',
      { extensions: { code: 'VALIDATION_FAILED' } },
    ],
    ['deep nesting', '{ a'.repeat(300), { extensions: { code: 'VALIDATION_FAILED' } }],
  ];
  test.each(cases)('a wrong query is reported in errors: %s', async (_name, query, error) => {
    await using engine = await openEngine();
    const { status, json } = await engine.call('POST', '/graphql', { query });
    expect([status, json]).toMatchObject([200, { errors: [error] }]);
    expect(json).not.toHaveProperty('data');
  });

  test.each(['first: 0', 'first: -2', 'first: 100001', 'after: "x"'])('a page of %s', async (page) => {
    await using engine = await openEngine();
    const { json } = await engine.call('POST', '/graphql', { query: `{ books(${page}) { items { id } } }` });
    expect(json).toMatchObject({ data: { books: null }, errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
  });

  test.each(['first: 1.5', 'first: "2"', 'filter: { isbn: { eq: 1 } }', 'orderBy: { year: UP }', 'filter: 1'])(
    'an argument of another type: %s',
    async (argument) => {
      await using engine = await openEngine();
      const { json } = await engine.call('POST', '/graphql', { query: `{ books(${argument}) { items { id } } }` });
      expect(json).toMatchObject({ errors: [{ extensions: { code: 'VALIDATION_FAILED' } }] });
      expect(json).not.toHaveProperty('data');
    },
  );

  test('a field that fails is null, and the others have their values', async () => {
    await using engine = await openEngine();
    const query = 'mutation { lost: updateBook(id: 5, item: {}) { id } __proto__: __typename }';
    const { json } = await engine.call('POST', '/graphql', { query });
    expect(json).toMatchObject({ errors: [{ path: ['lost'], extensions: { code: 'ITEM_NOT_FOUND' } }] });
    expect(Object.entries(json['data'] as object)).toEqual([
      ['lost', null],
      ['__proto__', 'Mutation'],
    ]);
  });

  test('operationName selects the operation', async () => {
    await using engine = await openEngine();
    const query = 'query A { a: __typename } query B { b: __typename }';
    expect((await engine.call('POST', '/graphql', { query, operationName: 'B' })).json).toEqual({
      data: { b: 'Query' },
    });
    expect((await engine.call('POST', '/graphql', {})).status).toBe(400);
  });
});
