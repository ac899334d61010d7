import { fileURLToPath } from 'node:url';

import { describe, expect, onTestFinished, test } from 'vitest';

import type { Api } from '../../../model/api.js';
import { loadApi } from '../../../model/load-api.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { startMock } from '../../../server/start-mock.js';
import type { MockOptions } from '../../../server/start/mock-options.js';
import { LINEAR, growthOf } from '../../support/growth.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const ok = (schema: object): object => ({ 200: { description: 'ok', ...json(schema) } });
const TEXT = { type: 'string' };
const ID = { name: 'id', in: 'path', required: true, schema: TEXT };

/** A collection that can be listed and read. */
function collection(path: string, schema: string): object {
  const item = { $ref: `#/components/schemas/${schema}` };
  return {
    [path]: { get: { responses: ok({ type: 'array', items: item }) } },
    [`${path}/{id}`]: { get: { parameters: [ID], responses: { ...ok(item), 404: { description: 'none' } } } },
  };
}

const DOCUMENT = documentWith(
  { ...collection('/authors', 'Author'), ...collection('/books', 'Book'), ...collection('/shelves', 'Shelf') },
  {
    components: {
      schemas: {
        Author: { type: 'object', required: ['id', 'name'], properties: { id: TEXT, name: TEXT } },
        Book: {
          type: 'object',
          required: ['id', 'title', 'authorId', 'editor_id', 'author'],
          properties: {
            id: { type: 'integer' },
            title: TEXT,
            authorId: TEXT,
            editor_id: TEXT,
            author: { type: 'object', required: ['id'], properties: { id: TEXT } },
          },
        },
        Loan: {
          type: 'object',
          required: ['bookId', 'authors'],
          properties: {
            bookId: { type: 'integer' },
            authors: {
              type: 'array',
              minItems: 1,
              items: { type: 'object', required: ['id'], properties: { id: TEXT } },
            },
            next: { $ref: '#/components/schemas/Loan' },
          },
        },
        Shelf: {
          type: 'object',
          required: ['id', 'bookIds', 'loans', 'place'],
          properties: {
            id: { type: 'string', format: 'uuid' },
            bookIds: { type: 'array', items: { type: 'integer' } },
            loans: { type: 'array', minItems: 2, items: { $ref: '#/components/schemas/Loan' } },
            place: { type: 'object', required: ['authorId'], properties: { authorId: TEXT } },
          },
        },
      },
    },
  },
);

async function start(api: Api, options: MockOptions): Promise<(path: string) => Promise<unknown>> {
  const mock = await startMock(api, options);
  onTestFinished(() => mock.close());
  return async (path) => {
    const response = await mock.fetch(`http://mock${path}`, { headers: { authorization: 'Bearer t0ken' } });
    return response.status === 200 ? response.json() : response.status;
  };
}

describe('items', () => {
  test('each collection starts with valid items whose own ids can be read', async () => {
    const api = await loadDocument(DOCUMENT);
    const read = await start(api, { items: 12, seed: 3 });
    for (const [path, schema] of [
      ['/authors', 'Author'],
      ['/books', 'Book'],
      ['/shelves', 'Shelf'],
    ] as const) {
      const items = (await read(path)) as { id: unknown }[];
      expect(items).toHaveLength(12);
      expect(new Set(items.map(({ id }) => id)).size).toBe(12);
      const validate = compileValidator(api, { $ref: `#/$defs/${schema}` }, { direction: 'response' });
      expect(items.flatMap((item) => validate(item))).toEqual([]);
      expect(await read(`${path}/${String(items[4]?.id)}`)).toEqual(items[4]);
    }
    expect(await read('/authors/nobody')).toBe(404);
  });

  test('generated items refer to items that exist', async () => {
    const read = await start(await loadDocument(DOCUMENT), { items: 10 });
    const authors = new Set(((await read('/authors')) as { id: string }[]).map(({ id }) => id));
    const books = (await read('/books')) as { id: number; authorId: string; author: { id: string } }[];
    for (const { authorId, author } of books) {
      expect(authors).toContain(authorId);
      expect(authors).toContain(author.id);
    }
    const bookIds = new Set(books.map(({ id }) => id));
    const shelves = (await read('/shelves')) as { bookIds: number[] }[];
    expect(shelves.flatMap((shelf) => shelf.bookIds).filter((id) => !bookIds.has(id))).toEqual([]);
    expect(shelves.flatMap((shelf) => shelf.bookIds).length).toBeGreaterThan(0);
  });

  test('generated items refer to items that exist, also in nested objects and lists', async () => {
    const read = await start(await loadDocument(DOCUMENT), { items: 5 });
    const idsOf = async (path: string): Promise<unknown[]> =>
      ((await read(path)) as { id: unknown }[]).map(({ id }) => id);
    const [authors, books] = [await idsOf('/authors'), await idsOf('/books')];
    const shelves = (await read('/shelves')) as {
      loans: { bookId: number; authors: { id: string }[] }[];
      place: { authorId: string };
    }[];
    const loans = shelves.flatMap((shelf) => shelf.loans);
    expect(loans.length).toBeGreaterThanOrEqual(10);
    expect(books).toEqual(expect.arrayContaining(loans.map(({ bookId }) => bookId)));
    const named = loans.flatMap((loan) => loan.authors.map(({ id }) => id));
    expect(authors).toEqual(expect.arrayContaining([...named, ...shelves.map(({ place }) => place.authorId)]));
  });

  test('items that refer to others are generated in linear time', async () => {
    const api = await loadDocument(DOCUMENT);
    const make = async (items: number): Promise<void> => {
      const read = await start(api, { items });
      expect(await read('/shelves')).toHaveLength(items);
    };
    expect(await growthOf(make, 150)).toBeLessThan(LINEAR);
  });

  // Without a bound there would be more of them than anybody can wait for.
  test('items contain few nested items if a schema has many members of its own type', async () => {
    const node = { $ref: '#/components/schemas/Node' };
    const nodes = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`node${index}`, node]));
    const document = documentWith(
      { ...collection('/authors', 'Author'), ...collection('/nodes', 'Node') },
      {
        components: {
          schemas: {
            Author: { type: 'object', required: ['id'], properties: { id: TEXT } },
            Node: {
              type: 'object',
              required: ['id', 'authorId'],
              properties: { id: TEXT, authorId: TEXT, ...nodes },
            },
          },
        },
      },
    );
    const read = await start(await loadDocument(document), { items: 2 });
    const authors = ((await read('/authors')) as { id: string }[]).map(({ id }) => id);
    const found = (await read('/nodes')) as { authorId: string; node0?: { authorId: string } }[];
    expect(JSON.stringify(found).length).toBeLessThan(100_000);
    expect(authors).toEqual(expect.arrayContaining(found.map(({ authorId }) => authorId)));
  });

  test('generated items are the same for the same seed, and others for another seed', async () => {
    const api = await loadDocument(DOCUMENT);
    const first = await (await start(api, { items: 5, seed: 1 }))('/books');
    expect(await (await start(api, { items: 5, seed: 1 }))('/books')).toEqual(first);
    expect(await (await start(api, { items: 5, seed: 2 }))('/books')).not.toEqual(first);
  });

  test('no items are seeded by default, and a negative number is refused', async () => {
    const api = await loadDocument(DOCUMENT);
    expect(await (await start(api, {}))('/authors/nobody')).not.toBe(404);
    await expect(startMock(api, { items: -1 })).rejects.toThrow('The option items must be a whole number from 0');
  });

  test('generated items of train-travel are added to the examples, and match their schemas', async () => {
    const spec = '../../../node_modules/@readme/oas-examples/3.1/json/train-travel.json';
    const api = await loadApi(fileURLToPath(new URL(spec, import.meta.url)));
    const read = await start(api, { items: 6 });
    const { data } = (await read('/bookings')) as { data: { id: string; passenger_name?: string }[] };
    expect(data).toHaveLength(6);
    expect(data.map((booking) => booking.passenger_name)).toContain('John Doe');
  });
});
