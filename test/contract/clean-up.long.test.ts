import { describe, expect, it } from 'vitest';

import { type ContractOptions, type ContractReport, runContract, toText } from '../../entry/contract.js';
import {
  GONE,
  NONE,
  type Style,
  type Tables,
  TEXT,
  inPath,
  isRow,
  item,
  listOf,
  loadStyle,
  made,
  ok,
  reply,
  rowOf,
  sends,
  serveRows,
  serveStyle,
} from './existing-data-servers.js';

const BOOK = rowOf({ id: TEXT, title: TEXT, shelf: TEXT }, ['title']);
const NOTE = rowOf({ id: TEXT, text: TEXT }, ['text']);

interface Change {
  readonly paths?: object;
  readonly serve?: (call: Parameters<Style['serve']>[0], tables: Tables) => Response | undefined;
}

/** A server with books and their notes, whose ids it assigns. */
function booksWith({ paths = {}, serve }: Change = {}): Style {
  return {
    title: 'books',
    paths: {
      '/books': {
        get: { operationId: 'listBooks', responses: ok(listOf(BOOK)) },
        post: { operationId: 'addBook', ...sends(BOOK), responses: made(BOOK) },
      },
      '/books/{id}': item(BOOK, inPath('id', TEXT)),
      ...paths,
    },
    data: () => ({ books: [{ id: 'b1', title: 'Kytice' }] }),
    serve: (call, tables) => {
      const served = serve?.(call, tables);
      if (served !== undefined) return served;
      if (call.path !== '/books' || call.method !== 'POST')
        return serveRows(call, tables, { table: 'books', key: 'id', read: String }) ?? reply(405);
      if (!isRow(call.body)) return reply(400);
      return reply(201, addRow(tables, 'books', call.body));
    },
  };
}

let count = 0;

function addRow(tables: Tables, table: string, values: object): Record<string, unknown> {
  count += 1;
  const row = { ...values, id: `made-${count}` };
  (tables[table] ??= []).push(row);
  return row;
}

interface Outcome {
  readonly report: ContractReport;
  readonly tables: Tables;
  /** Method and path of each request. */
  readonly sent: readonly string[];
}

async function run(style: Style, options: Partial<ContractOptions> = {}): Promise<Outcome> {
  const tables = style.data();
  const sent: string[] = [];
  const serve = serveStyle(style, tables);
  const watch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    sent.push(`${request.method} ${new URL(request.url).pathname}`);
    return serve(request);
  };
  const api = await loadStyle(style);
  const report = await runContract({ api, url: 'http://127.0.0.1:9', fetch: watch, maxExamples: 3, ...options });
  return { report, tables, sent };
}

describe('items that a run has made', () => {
  it('are deleted at its end, and the report says how many', async () => {
    const style = booksWith();
    const { report, tables, sent } = await run(style);
    expect(tables).toEqual(style.data());
    expect(report.deleted).toBeGreaterThan(3);
    expect(report.notDeleted).toEqual([]);
    expect(toText(report)).toContain(`${report.deleted} items of the run were deleted.`);
    expect(sent.at(-1)).toMatch(/^DELETE \/books\/made-/);
  });

  it('stay with --keep', async () => {
    const style = booksWith();
    const { report, tables } = await run(style, { keep: true });
    expect(tables['books']?.length).toBeGreaterThan(3);
    expect(report).toMatchObject({ deleted: 0, notDeleted: [] });
    expect(toText(report).join('\n')).not.toContain('of the run');
  });

  it('neither add to the coverage nor to the findings when they are deleted', async () => {
    const options: Partial<ContractOptions> = { phases: ['examples'], seed: 4 };
    const kept = await run(booksWith(), { ...options, keep: true });
    // Crashes from the first request that only tidies up.
    let requests = 0;
    const crash = (): Response | undefined => {
      requests += 1;
      return requests > kept.sent.length ? reply(500) : undefined;
    };
    const cleaned = await run(booksWith({ serve: crash }), options);
    expect(cleaned.report.coverage).toEqual(kept.report.coverage);
    expect(cleaned.report.findings.map(({ message }) => message)).toEqual(
      kept.report.findings.map(({ message }) => message),
    );
    expect(cleaned.sent.length).toBeGreaterThan(kept.sent.length);
  });

  it('are deleted after a run that was interrupted', async () => {
    const controller = new AbortController();
    let added = 0;
    const style = booksWith({
      serve: ({ method, path }) => {
        if (method === 'POST' && path === '/books') added += 1;
        if (added === 4) controller.abort();
        return undefined;
      },
    });
    const { report, tables } = await run(style, { signal: controller.signal });
    expect(report.stopped).toBe('interrupted');
    expect(report.deleted).toBeGreaterThan(0);
    expect(tables).toEqual(style.data());
  });

  it('are named if nothing deletes them, or the server refuses it', async () => {
    const refuses = booksWith({ serve: ({ method }) => (method === 'DELETE' ? reply(403) : undefined) });
    const refused = await run(refuses);
    expect(refused.report.deleted).toBe(0);
    expect(refused.tables['books']).toHaveLength(1 + refused.report.notDeleted.length);
    const [first] = refused.report.notDeleted;
    expect(first).toMatchObject({ operationId: 'addBook', reason: expect.stringMatching(/ responded with 403$/) });
    const text = toText(refused.report).join('\n');
    expect(text).toContain(
      `0 items of the run were deleted; ${refused.report.notDeleted.length} could not be deleted:`,
    );
    expect(text).toContain(`  and ${refused.report.notDeleted.length - 5} more\n`);

    const excluded = await run(booksWith(), { excludeOperations: ['method:delete'] });
    expect(excluded.sent.filter((line) => line.startsWith('DELETE'))).toEqual([]);
    expect(excluded.report.notDeleted.length).toBeGreaterThan(0);
    expect(excluded.report.notDeleted[0]?.reason).toBe('no operation that the run may call deletes it');
  });

  it('are deleted before the items that they are in, and those that others need are tried again', async () => {
    const style = booksWith({
      paths: {
        '/books/{id}/notes': {
          parameters: [inPath('id', TEXT)],
          get: { operationId: 'listNotes', responses: { ...ok(listOf(NOTE)), ...NONE } },
          post: { operationId: 'addNote', ...sends(NOTE), responses: { ...made(NOTE), ...NONE } },
        },
        '/books/{id}/notes/{noteId}': {
          parameters: [inPath('id', TEXT), inPath('noteId', TEXT)],
          get: { operationId: 'getNote', responses: { ...ok(NOTE), ...NONE } },
          delete: { operationId: 'deleteNote', responses: GONE },
        },
      },
      serve: ({ method, path, body }, tables) => {
        const [, , book, kind, note] = path.split('/');
        const notes = tables['notes'] ?? [];
        const books = tables['books'] ?? [];
        // The newest book needs the first one: newest first is refused once.
        if (method === 'DELETE' && kind === undefined && book !== undefined) {
          const isNeeded =
            notes.some((one) => one['book'] === book) || (books.at(-2)?.['id'] === book && books.length > 2);
          return isNeeded ? reply(409) : undefined;
        }
        if (kind !== 'notes') return undefined;
        if (!books.some(({ id }) => id === book)) return reply(404);
        if (note === undefined && method === 'GET')
          return reply(
            200,
            notes.filter((one) => one['book'] === book),
          );
        if (note === undefined)
          return method === 'POST' && isRow(body) ? reply(201, addRow(tables, 'notes', { ...body, book })) : reply(405);
        const at = notes.findIndex(({ id }) => id === note);
        if (at === -1) return reply(404);
        if (method === 'DELETE') notes.splice(at, 1);
        return method === 'GET' ? reply(200, notes[at]) : reply(method === 'DELETE' ? 204 : 405);
      },
    });
    const { report, tables } = await run(style);
    expect(report.notDeleted).toEqual([]);
    expect(tables).toEqual({ ...style.data(), notes: [] });
  });

  it('are deleted by the identity that made them', async () => {
    const owners = new Map<unknown, string | null>();
    const style = booksWith();
    const tables = style.data();
    const serve = serveStyle(style, tables);
    const careless: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      const owner = request.headers.get('x-user');
      const { pathname } = new URL(request.url);
      const known = owners.get(pathname.split('/')[2]);
      if (request.method === 'DELETE' && known !== undefined && known !== owner) return reply(403);
      const before = new Set(tables['books']);
      const response = await serve(request);
      for (const row of tables['books'] ?? []) if (!before.has(row)) owners.set(row['id'], owner);
      return response;
    };
    const report = await runContract({
      api: await loadStyle(style),
      url: 'http://127.0.0.1:9',
      fetch: careless,
      headers: { 'x-user': 'one' },
      otherHeaders: { 'x-user': 'two' },
      maxExamples: 3,
    });
    expect(report.notDeleted).toEqual([]);
    expect(tables).toEqual(style.data());
  });

  it('are found by their list if their creation shows no id', async () => {
    const silent = (call: Parameters<Style['serve']>[0], tables: Tables): Response | undefined => {
      if (call.path !== '/books' || call.method !== 'POST' || !isRow(call.body)) return undefined;
      // Somebody else adds a book at the same time.
      if (tables['books']?.length === 1) tables['books'].push({ id: 'theirs', title: 'Babička' });
      addRow(tables, 'books', call.body);
      return reply(201);
    };
    const paths = {
      '/books': {
        get: { operationId: 'listBooks', responses: ok(listOf(BOOK)) },
        post: { operationId: 'addBook', ...sends(BOOK), responses: { 201: { description: 'made' } } },
      },
    };
    const { report, tables } = await run(booksWith({ paths, serve: silent }), { phases: ['examples', 'stateful'] });
    expect(tables['books']).toEqual([
      { id: 'b1', title: 'Kytice' },
      { id: 'theirs', title: 'Babička' },
    ]);
    expect(report.deleted).toBeGreaterThan(0);
    expect(report.notDeleted).toEqual([]);
  });

  it('are found by Location, also below other paths, and by 201 for an undocumented method', async () => {
    const paths = {
      '/imports': { post: { operationId: 'startImport', ...sends(BOOK), responses: { 201: { description: 'made' } } } },
      '/shelves': { get: { operationId: 'listShelves', responses: ok(listOf(TEXT)) } },
    };
    const style = booksWith({
      paths,
      serve: ({ path, method, body }, tables) => {
        if (path === '/imports' && method === 'POST' && isRow(body)) {
          const { id } = addRow(tables, 'books', body);
          return new Response(null, { status: 201, headers: { location: `/books/${String(id)}` } });
        }
        return path === '/shelves' ? reply(200, []) : path === '/imports' ? reply(405) : undefined;
      },
    });
    const { report, tables } = await run(style);
    expect(tables).toEqual(style.data());
    expect(report.notDeleted).toEqual([]);
  });

  it('are not looked for by a run that only reads', async () => {
    const { report, sent } = await run(booksWith(), { readOnly: true });
    expect(sent.every((line) => /^(?:GET|HEAD) /.test(line))).toBe(true);
    expect(report).toMatchObject({ deleted: 0, notDeleted: [] });
  });
});
