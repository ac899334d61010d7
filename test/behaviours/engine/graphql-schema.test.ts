import { buildClientSchema, getIntrospectionQuery, printType } from 'graphql';
import type { IntrospectionQuery } from 'graphql';
import { describe, expect, test } from 'vitest';

import { type EngineMock, openEngine } from './engine-mock.js';

async function ask(engine: EngineMock, query: string, variables?: object): Promise<unknown> {
  return (await engine.call('POST', '/graphql', { query, variables })).json;
}

describe('queries of the schema', () => {
  test('introspection queries return what a client generates its types from', async () => {
    await using engine = await openEngine();
    const { data } = (await ask(engine, getIntrospectionQuery())) as { data: IntrospectionQuery };
    const schema = buildClientSchema(data);
    const print = (name: string): string => printType(schema.getType(name) ?? expect.unreachable(name));
    expect(print('Book')).toBe(
      '"""A row of Book."""\ntype Book {\n  id: Int!\n  title: String\n  year: Int\n  price: Float\n  inPrint: Boolean\n  publisherId: Int\n}',
    );
    expect(print('Query')).toContain(
      'books(first: Int, after: String, filter: BookFilterInput, orderBy: BookOrderByInput): BookConnection',
    );
    expect(print('Mutation')).toContain('updateBook(id: Int!, item: UpdateBookInput!): Book');
  });

  test('queries of the schema return the types of the stored rows', async () => {
    await using engine = await openEngine();
    await engine.call('POST', '/api/Ship', { name: 'Aurora', crew: 12, 'sail-number': 'N 7', log: ['a'] });
    await engine.call('POST', '/api/Ship', { name: 'Borealis', crew: 'none' });
    expect(await ask(engine, '{ __type(name: "Ship") { fields { name type { name } } } }')).toEqual({
      data: {
        __type: {
          fields: [
            { name: 'id', type: { name: null } },
            { name: 'name', type: { name: 'String' } },
            { name: 'crew', type: { name: 'Any' } },
            { name: 'log', type: { name: 'Any' } },
          ],
        },
      },
    });
    expect(await ask(engine, '{ ships(orderBy: { name: DESC }) { items { crew log } } }')).toEqual({
      data: {
        ships: {
          items: [
            { crew: 'none', log: null },
            { crew: 12, log: ['a'] },
          ],
        },
      },
    });
  });

  test('the schema omits entities whose name is not a name of GraphQL or is taken by another type', async () => {
    await using engine = await openEngine();
    for (const entity of ['BookConnection', 'String', 'Query', '__Book', 'Bøk'])
      await engine.call('POST', `/api/${encodeURIComponent(entity)}`, { a: 1 });
    expect(await ask(engine, '{ __schema { queryType { fields { name } } } }')).toEqual({
      data: { __schema: { queryType: { fields: [{ name: 'books' }, { name: 'book_by_pk' }] } } },
    });
  });
});

describe('groups', () => {
  test('groups contain all filtered rows, whatever the page size', async () => {
    await using engine = await openEngine();
    const query =
      '{ books(first: 1, filter: { year: { gt: 1980 } }) { groupBy { aggregations { count sum(field: price) avg(field: price) min(field: year) max(field: year) } } } }';
    expect(await ask(engine, query)).toEqual({
      data: {
        books: { groupBy: [{ aggregations: { count: 2, sum: 30.25, avg: 15.125, min: 1999, max: 2011 } }] },
      },
    });
  });

  test('rows are grouped by the values of fields', async () => {
    await using engine = await openEngine();
    const query =
      'query ($by: [BookField!]) { books { groupBy(fields: $by) { fields { inPrint year } aggregations { all: count known: count(field: publisherId) } } } }';
    expect(await ask(engine, query, { by: ['inPrint'] })).toEqual({
      data: {
        books: {
          groupBy: [
            { fields: { inPrint: false, year: null }, aggregations: { all: 1, known: 1 } },
            { fields: { inPrint: true, year: null }, aggregations: { all: 2, known: 1 } },
          ],
        },
      },
    });
  });

  test('without rows there is one group, or none if the rows are grouped by a field', async () => {
    await using engine = await openEngine();
    const groups = (by: string): string =>
      `books(filter: { year: { gt: 3000 } }) { groupBy${by} { aggregations { count avg(field: price) } } }`;
    expect(await ask(engine, `{ ${groups('')} }`)).toEqual({
      data: { books: { groupBy: [{ aggregations: { count: 0, avg: null } }] } },
    });
    expect(await ask(engine, `{ ${groups('(fields: [year])')} }`)).toEqual({ data: { books: { groupBy: [] } } });
  });

  test('fields that are not numbers can only be counted', async () => {
    await using engine = await openEngine();
    expect(await ask(engine, '{ books { groupBy { aggregations { sum(field: title) } } } }')).toMatchObject({
      errors: [{ message: 'Value "title" does not exist in "BookNumericField" enum.' }],
    });
  });
});

describe('orders', () => {
  test.each([
    ['{ inPrint: ASC, price: DESC }', [1017, 1018, 1019]],
    ['{ price: DESC, inPrint: ASC }', [1017, 1018, 1019]],
    ['{ inPrint: DESC, price: ASC }', [1019, 1018, 1017]],
    ['{ price: ASC, inPrint: DESC }', [1019, 1018, 1017]],
    ['{ publisherId: DESC, year: DESC }', [1019, 1017, 1018]],
    ['{ year: DESC, publisherId: DESC }', [1018, 1019, 1017]],
  ])('several orders apply in the order in which they are written: %s', async (orderBy, ids) => {
    await using engine = await openEngine();
    const rows = { books: { items: ids.map((id) => ({ id })) } };
    expect(await ask(engine, `{ books(orderBy: ${orderBy}) { items { id } } }`)).toEqual({ data: rows });
    const sent = Object.fromEntries(
      [...orderBy.matchAll(/(\w+): (\w+)/g)].map(([, field = '', direction]) => [field, direction]),
    );
    const query = 'query ($order: BookOrderByInput) { books(orderBy: $order) { items { id } } }';
    expect(await ask(engine, query, { order: sent })).toEqual({ data: rows });
  });
});
