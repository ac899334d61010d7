import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { InputError } from '../../../model/diagnostics/input-error.js';
import { startMock } from '../../support/start-mock.js';
import { tempFolder } from '../../support/temp-folder.js';
import { type EngineMock, openEngine } from './engine-mock.js';

const EVERYONE = [{ role: 'anonymous', actions: ['*'] }];

async function ask(engine: EngineMock, query: string, variables?: object): Promise<unknown> {
  return (await engine.call('POST', '/graphql', { query, variables })).json;
}

const SCRIPT = `SET ANSI_NULLS ON
GO
/* CREATE TABLE not_this (a int) */
CREATE TABLE [dbo].[publishers](
  [id] [int] IDENTITY(1,1) NOT NULL,
  [name] [nvarchar](20) NOT NULL,
  PRIMARY KEY CLUSTERED ([id] ASC) WITH (PAD_INDEX = OFF) ON [PRIMARY]
) ON [PRIMARY]
GO
INSERT INTO dbo.publishers VALUES ('a; CREATE TABLE nor_this (a int)')
CREATE TABLE dbo.books (
  id int IDENTITY PRIMARY KEY, title varchar(max) NOT NULL, uid uniqueidentifier DEFAULT newid(),
  price decimal(10,2), in_print bit NOT NULL DEFAULT ((1)), at datetime2 DEFAULT getutcdate(), big bigint,
  publisher_id int FOREIGN KEY REFERENCES dbo.publishers(id), total AS (price * 2) PERSISTED
)
CREATE TABLE tags (id int PRIMARY KEY, name varchar(5) UNIQUE);
CREATE TABLE book_tags (book int REFERENCES dbo.books(id), tag int REFERENCES tags(id), PRIMARY KEY (book, tag))
`;

const SHOP = {
  Book: {
    source: 'dbo.books',
    permissions: EVERYONE,
    mappings: { publisher_id: 'publisherId' },
    relationships: {
      publisher: { cardinality: 'one', 'target.entity': 'Publisher' },
      tags: { cardinality: 'many', 'target.entity': 'Tag', 'linking.object': 'book_tags' },
    },
  },
  Publisher: {
    source: 'publishers',
    permissions: EVERYONE,
    relationships: { books: { cardinality: 'many', 'target.entity': 'Book' } },
  },
  Tag: {
    source: 'tags',
    permissions: EVERYONE,
    relationships: { books: { cardinality: 'many', 'target.entity': 'Book', 'linking.object': 'book_tags' } },
  },
};

function openShop(): Promise<EngineMock> {
  const engineSchema = path.join(tempFolder(), 'shop.sql');
  writeFileSync(engineSchema, SCRIPT);
  const runtime = { graphql: { 'multiple-mutations': { create: { enabled: true } } } };
  return openEngine('process', { engineSchema, engineConfig: { runtime, entities: SHOP } });
}

describe('an entity without declared columns', () => {
  const open = () =>
    openEngine('process', { engineConfig: { entities: { Todo: { source: 'todos', permissions: EVERYONE } } } });

  test('the first typed query and mutation work before there are rows', async () => {
    await using engine = await open();
    expect(await ask(engine, '{ todos { items { id title done } } }')).toMatchObject({
      data: { todos: { items: [] } },
      extensions: { warnings: [{ message: expect.stringContaining('No row of Todo has a field title or done.') }] },
    });
    expect(await ask(engine, '{ todos { items { id title done } } }')).toEqual({ data: { todos: { items: [] } } });
    expect(await ask(engine, 'query ($id: Int!) { todo_by_pk(id: $id) { id } }', { id: 1 })).toEqual({
      data: { todo_by_pk: null },
    });
    const create = 'mutation ($item: CreateTodoInput!) { createTodo(item: $item) { id title price } }';
    expect(await ask(engine, create, { item: { title: 'a', price: 10 } })).toEqual({
      data: { createTodo: { id: 1, title: 'a', price: 10 } },
    });
  });

  test('the type of a number does not change with the next row', async () => {
    await using engine = await open();
    await engine.call('POST', '/api/Todo', { price: 10 });
    const query = 'query ($p: Float) { todos(filter: { price: { gt: $p } }) { items { price } } }';
    expect(await ask(engine, query, { p: 1.5 })).toEqual({ data: { todos: { items: [{ price: 10 }] } } });
    expect(await ask(engine, 'mutation { updateTodo(id: 1, item: { price: 9.5 }) { price } }')).toEqual({
      data: { updateTodo: { price: 9.5 } },
    });
  });
});

describe('columns of a list of fields', () => {
  const fields = [{ name: 'todo_id', alias: 'id', 'primary-key': true }, { name: 'title' }, { name: 'done' }];
  const entities = { Todo: { source: 'todos', fields, permissions: EVERYONE } };

  test('unknown names are refused before there are rows', async () => {
    await using engine = await openEngine('process', { engineConfig: { entities } });
    for (const query of ['$filter=titel eq 1', '$orderby=titel', '$select=titel', '$filter=todo_id eq 1'])
      expect((await engine.call('GET', `/api/Todo?${query}`)).status).toBe(400);
    expect((await engine.call('POST', '/api/Todo', { title: 'a', due: 1 })).json).toEqual({
      value: [{ id: 1, title: 'a', done: null }],
    });
    expect(await ask(engine, '{ todos { items { titel } } }')).toHaveProperty('errors');
  });

  test('a strict mock refuses the first wrong body', async () => {
    const runtime = { rest: { 'request-body-strict': true } };
    await using engine = await openEngine('process', { engineConfig: { runtime, entities } });
    expect((await engine.call('POST', '/api/Todo', { title: 'a', due: 1 })).status).toBe(400);
  });
});

describe('columns of CREATE TABLE statements', () => {
  test('rows get defaults, and values are checked', async () => {
    await using engine = await openShop();
    const { status, json } = await engine.call('POST', '/api/Book', { title: 'a' });
    expect([status, json]).toEqual([
      201,
      {
        value: [
          {
            ...{ id: 1, title: 'a', uid: expect.stringMatching(/^[0-9a-f-]{36}$/), price: null, in_print: true },
            ...{ at: '2026-11-20T12:00:00.000Z', big: null, publisherId: null, total: null },
          },
        ],
      },
    ]);
    const refused: readonly [object, string][] = [
      [{ title: 5 }, 'The field title of the entity Book must be a text.'],
      [{ price: 1 }, 'The field title of the entity Book must be present.'],
      [{ title: null }, 'The field title of the entity Book must not be null.'],
      [{ title: 'a', price: 'x', uid: 1 }, 'The field price of the entity Book must be a number (and 1 more).'],
      [{ title: 'a', at: 'yesterday' }, 'The field at of the entity Book must be a date and time.'],
    ];
    for (const [body, detail] of refused)
      expect(await engine.call('POST', '/api/Book', body)).toMatchObject({ status: 400, json: { detail } });
    expect((await engine.call('POST', '/api/Tag', { id: 1, name: 'longer' })).status).toBe(400);
    expect((await engine.call('GET', '/api/Book/id/abc')).status).toBe(400);
    await engine.call('POST', '/api/Tag', { id: 1, name: 'x' });
    expect((await engine.call('POST', '/api/Tag', { id: 2, name: 'x' })).status).toBe(409);
  });

  test('dates are compared as times', async () => {
    await using engine = await openShop();
    await engine.call('POST', '/api/Book', { title: 'a' });
    for (const [filter, count] of [
      ['at eq 2026-11-20T14:00:00%2B02:00', 1],
      ['at gt 2026-11-20T14:00:00%2B02:00', 0],
      ['at ge 2026-11-20', 1],
    ] as const)
      expect((await engine.call('GET', `/api/Book?$filter=${filter}`)).json['value']).toHaveLength(count);
  });

  test('nested creation follows foreign keys and linking tables, and filters follow relationships', async () => {
    await using engine = await openShop();
    const create =
      'mutation { createBook(item: { title: "a", publisher: { name: "P" }, tags: [{ id: 1, name: "x" }] }) { id publisherId tags { items { name books { items { title } } } } } }';
    const tags = { items: [{ name: 'x', books: { items: [{ title: 'a' }] } }] };
    expect(await ask(engine, create)).toEqual({ data: { createBook: { id: 1, publisherId: 1, tags } } });
    expect(
      await ask(
        engine,
        'mutation { createPublisher(item: { name: "Q", books: [{ title: "b" }] }) { books { items { title } } } }',
      ),
    ).toEqual({ data: { createPublisher: { books: { items: [{ title: 'b' }] } } } });
    for (const [filter, titles] of [
      ['{ publisher: { name: { eq: "Q" } } }', ['b']],
      ['{ tags: { name: { in: ["x", "y"] } } }', ['a']],
      ['{ title: { notContains: "a" } }', ['b']],
      ['{ or: [{ title: { endsWith: "a" } }, { publisher: { name: { startsWith: "Q" } } }] }', ['a', 'b']],
    ] as const)
      expect(await ask(engine, `{ books(filter: ${filter}) { items { title } } }`)).toEqual({
        data: { books: { items: titles.map((title) => ({ title })) } },
      });
  });

  test('a creation of several rows that fails creates none', async () => {
    await using engine = await openShop();
    await engine.call('POST', '/api/Tag', { id: 1, name: 'x' });
    const create =
      'mutation { createBooks(items: [{ title: "z" }, { title: "z", tags: [{ id: 1 }] }]) { items { id } } }';
    expect(await ask(engine, create)).toMatchObject({ data: { createBooks: null }, errors: [{}] });
    expect((await engine.call('GET', '/api/Book')).json).toEqual({ value: [] });
  });

  test('groups can be filtered by their numbers, and count distinct values', async () => {
    await using engine = await openShop();
    for (const [title, price] of [
      ['a', 1],
      ['a', 1],
      ['b', 3],
    ] as const)
      await engine.call('POST', '/api/Book', { title, price });
    const query =
      '{ books { groupBy(fields: [title]) { fields { title } aggregations { sum(field: price, having: { lt: 3 }) once: sum(field: price, distinct: true) } } } }';
    expect(await ask(engine, query)).toEqual({
      data: { books: { groupBy: [{ fields: { title: 'a' }, aggregations: { sum: 2, once: 1 } }] } },
    });
  });

  test('a statement that cannot be read is refused with its place', async () => {
    const file = path.join(tempFolder(), 'bad.sql');
    writeFileSync(file, 'CREATE TABLE a (id int);\nCREATE TABLE b (\n  id int int int\n);\n');
    const error: unknown = await startMock('engine', { engineSchema: file }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).place).toMatchObject({ file, line: 3 });
  });

  test.each([
    [
      'postgresql',
      'CREATE TABLE IF NOT EXISTS public.t (id bigint GENERATED ALWAYS AS IDENTITY, n text NOT NULL, ok boolean DEFAULT true, tags text[], CONSTRAINT k PRIMARY KEY (id));',
    ],
    [
      'mysql',
      "CREATE TABLE `t` (`id` int unsigned NOT NULL AUTO_INCREMENT, `n` varchar(9) NOT NULL, `ok` tinyint(1) DEFAULT '1', `tags` json, PRIMARY KEY (`id`)) ENGINE=InnoDB;",
    ],
    [
      'mssql',
      'CREATE TABLE [t] ([id] [int] IDENTITY NOT NULL, [n] nvarchar(9) NOT NULL, [ok] bit DEFAULT ((1)), [tags] xml)\nALTER TABLE [t] WITH CHECK ADD CONSTRAINT [k] PRIMARY KEY ([id])',
    ],
  ])('the tables of %s are entities of their own without a configuration', async (type, script) => {
    const engineSchema = path.join(tempFolder(), `${type}.sql`);
    writeFileSync(engineSchema, script);
    await using engine = await openEngine('process', { engineSchema });
    expect((await engine.call('POST', '/api/t', { n: 'x' })).json).toEqual({
      value: [{ id: 1, n: 'x', ok: true, tags: null }],
    });
    expect((await engine.call('POST', '/api/t', {})).status).toBe(400);
    expect(await ask(engine, '{ __type(name: "t") { fields { name type { kind } } } }')).toMatchObject({
      data: { __type: { fields: [{ type: { kind: 'NON_NULL' } }, { type: { kind: 'NON_NULL' } }, {}, {}] } },
    });
  });
});

test('columns may come from a JSON Schema for each table', async () => {
  const books = {
    type: 'object',
    required: ['isbn', 'title'],
    'x-primary-key': 'isbn',
    properties: {
      isbn: { type: 'string' },
      title: { type: 'string', maxLength: 5 },
      year: { type: ['integer', 'null'] },
    },
  };
  await using engine = await openEngine('process', {
    engineSchema: { books },
    engineConfig: { entities: { Book: { source: 'books', permissions: EVERYONE } } },
  });
  expect((await engine.call('POST', '/api/Book', { isbn: '1', title: 'a' })).json).toEqual({
    value: [{ isbn: '1', title: 'a', year: null }],
  });
  expect((await engine.call('POST', '/api/Book', { title: 'a' })).status).toBe(400);
  expect((await engine.call('POST', '/api/Book', { isbn: '2', title: 'longer' })).status).toBe(400);
  expect((await engine.call('GET', '/api/Book/isbn/1')).status).toBe(200);
});
