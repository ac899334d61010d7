import { afterAll, describe, expect, it } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { clientEmitter } from '../../../generator/client/emit-client.js';
import { emitIndex } from '../../../generator/emit-index.js';
import { readHelpers } from '../../../generator/helpers/read-helpers.js';
import { typesEmitter } from '../../../generator/types/emit-types.js';
import type { Api } from '../../../model/api.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { OutputFolder } from '../../support/output-folder.js';

const INTEGER = { type: 'integer' };
const TEXT = { type: 'string' };
const LINK = { type: 'string', format: 'uri' };
const NULLABLE = { type: ['string', 'null'] };
const LINK_HEADER = { Link: { schema: TEXT } };

/** The schema of a parameter, and its style where it is not the usual one. */
interface Taken {
  readonly 'x-style'?: string;
  readonly type?: string;
  readonly minimum?: number;
}

/** A way of paging. */
interface Style {
  /** Query parameters, or members of the body of a list by POST. */
  readonly takes: Readonly<Record<string, Taken>>;
  /** Members of a page beside `data`; none if a page is a bare list. */
  readonly gives?: Readonly<Record<string, object>>;
  readonly headers?: object;
  readonly isPost?: boolean;
  /** The size in the request. */
  readonly two: object;
}

const object = (properties: object): object => ({ type: 'object', properties });
const deep = (properties: object): Taken => ({ ...object(properties), 'x-style': 'deepObject' });

const STYLES: Readonly<Record<string, Style>> = {
  offset: { takes: { offset: INTEGER, limit: INTEGER }, two: { limit: 2 } },
  offsetWithTotal: {
    takes: { start: INTEGER, count: INTEGER },
    gives: { total: INTEGER },
    two: { count: 2 },
  },
  pageNumber: { takes: { page: INTEGER, per_page: INTEGER }, gives: { total_count: INTEGER }, two: { per_page: 2 } },
  pageFromZero: { takes: { page: { ...INTEGER, minimum: 0 }, size: INTEGER }, two: { size: 2 } },
  pageWithMore: {
    takes: { page: INTEGER, page_size: INTEGER },
    gives: { has_more: { type: 'boolean' } },
    two: { page_size: 2 },
  },
  cursor: { takes: { cursor: TEXT, limit: INTEGER }, gives: { next_cursor: NULLABLE }, two: { limit: 2 } },
  nestedCursor: {
    takes: { cursor: TEXT, limit: INTEGER },
    gives: { response_metadata: object({ next_cursor: TEXT }) },
    two: { limit: 2 },
  },
  cursorWithMore: {
    takes: { after: TEXT, first: INTEGER },
    gives: { page_info: object({ end_cursor: TEXT, has_next_page: { type: 'boolean' } }) },
    two: { first: 2 },
  },
  lastId: {
    takes: { starting_after: TEXT, limit: INTEGER },
    gives: { has_more: { type: 'boolean' } },
    two: { limit: 2 },
  },
  linkHeader: { takes: { page: INTEGER, per_page: INTEGER }, headers: LINK_HEADER, two: { per_page: 2 } },
  linkHeaderAlone: { takes: { limit: INTEGER }, headers: LINK_HEADER, two: { limit: 2 } },
  nextUrl: { takes: { limit: INTEGER }, gives: { next: LINK }, two: { limit: 2 } },
  nextUrlOfCursor: { takes: { cursor: TEXT, limit: INTEGER }, gives: { next: LINK }, two: { limit: 2 } },
  jsonApi: {
    takes: { page: deep({ number: INTEGER, size: INTEGER }) },
    gives: { links: object({ next: { type: ['string', 'null'], format: 'uri' } }) },
    two: { page: { size: 2 } },
  },
  jsonApiCursor: {
    takes: { page: deep({ cursor: TEXT, size: INTEGER }) },
    gives: { links: object({ next: LINK }) },
    two: { page: { size: 2 } },
  },
  cursorInBody: {
    takes: { start_cursor: TEXT, page_size: INTEGER },
    gives: { next_cursor: NULLABLE, has_more: { type: 'boolean' } },
    isPost: true,
    two: { page_size: 2 },
  },
  odata: {
    takes: { $skip: INTEGER, $top: INTEGER },
    gives: { '@odata.count': INTEGER, '@odata.nextLink': LINK },
    two: { $top: 2 },
  },
};

const THING = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'string', readOnly: true }, name: TEXT, colour: TEXT },
};
const ITEM = { $ref: '#/components/schemas/Thing' };

/** A list of things, by GET or by POST, with a filter. */
function listOf({ takes, gives, headers, isPost }: Style): object {
  const list = { type: 'array', items: ITEM };
  const page = gives === undefined ? list : { ...object({ data: list, ...gives }), required: ['data'] };
  const inputs: Style['takes'] = { colour: TEXT, ...takes };
  const parameters = Object.entries(inputs).map(([name, { 'x-style': style, ...schema }]) => ({
    ...{ name, in: 'query', schema },
    ...(style === undefined ? {} : { style, explode: true }),
  }));
  return {
    operationId: 'listThings',
    ...(isPost === true
      ? { requestBody: { content: { 'application/json': { schema: object(inputs) } } } }
      : { parameters }),
    responses: { 200: { description: 'OK', ...(headers === undefined ? {} : { headers }), ...json(page) } },
  };
}

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });

function documentOf(style: Style, more: object = {}): object {
  const ok = { 200: { description: 'OK', ...json(ITEM) } };
  const create = {
    operationId: 'createThing',
    requestBody: { required: true, ...json(ITEM) },
    responses: { 201: { description: 'Created', ...json(ITEM) } },
  };
  const id = { name: 'id', in: 'path', required: true, schema: TEXT };
  const get = { operationId: 'getThing', parameters: [id], responses: ok };
  const list = listOf(style);
  const resource =
    style.isPost === true
      ? { '/things.create': { post: create }, '/things.list': { post: list }, '/things.info': { post: infoOf(ok) } }
      : { '/things': { post: create, get: list }, '/things/{id}': { get } };
  return documentWith(resource, { components: { schemas: { Thing: THING } }, ...more });
}

function infoOf(responses: object): object {
  return { operationId: 'getThing', requestBody: { required: true, ...json(object({ id: TEXT })) }, responses };
}

const output = new OutputFolder();
afterAll(() => output[Symbol.dispose]());

async function emit(name: string, api: Api): Promise<void> {
  const options = { apiName: name, emitters: new Set(['types', 'client']), report: () => undefined };
  const files = [...(await clientEmitter.emit(api, options)), ...(await typesEmitter.emit(api, options))];
  const index = emitIndex(new Set(files.map(({ path }) => path)), api, { apiName: name, groups: [] });
  await output.writeFiles([...files, index], name);
}

interface Thing {
  readonly name: string;
  readonly colour?: string;
}

interface Client {
  readonly listThingsItems: (request: object, options?: object) => AsyncIterable<Thing>;
}

const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** Runs a generated client against a mock with five things, two of them blue. */
async function withThings(
  name: string,
  api: Api,
  run: (client: Client, requests: string[]) => Promise<void>,
): Promise<void> {
  await emit(name, api);
  const isPost = api.operations.some(({ path }) => path === '/things.create');
  const mock = await startMock(api, { port: 0, items: 0, seed: 1 });
  try {
    for (const thing of NAMES) {
      const body = JSON.stringify({ name: thing, colour: thing < 'd' ? 'red' : 'blue' });
      const made = await fetch(`${mock.url}${isPost ? '/things.create' : '/things'}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(made.status).toBe(201);
    }
    const module = await output.run<Record<string, (options: object) => Client>>(`${name}/index.ts`);
    const create = Object.entries(module).find(([one]) => /^create\w+Client$/.test(one))?.[1];
    const requests: string[] = [];
    const onRequest = ({ url }: Request): void => void requests.push(url);
    await run(create?.({ baseUrl: mock.url, onRequest }) as Client, requests);
  } finally {
    await mock.close();
  }
}

async function namesOf(things: AsyncIterable<Thing>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of things) names.push(name);
  return names.toSorted();
}

const requestOf = ({ isPost }: Style, values: object): object =>
  isPost === true ? { body: values } : { query: values };

describe('lists without an extension', () => {
  it.each(Object.entries(STYLES))('reads each item once, by pages of two: %s', async (name, style) => {
    await withThings(name, await loadDocument(documentOf(style)), async (client, requests) => {
      expect(await namesOf(client.listThingsItems(requestOf(style, style.two)))).toEqual(NAMES);
      expect(requests.length).toBeGreaterThanOrEqual(3);
      expect(await namesOf(client.listThingsItems({}, { pageSize: 2, prefetch: 2 }))).toEqual(NAMES);
      expect(await namesOf(client.listThingsItems({}))).toEqual(NAMES);
      expect(await namesOf(client.listThingsItems(requestOf(style, { ...style.two, colour: 'red' })))).toEqual([
        'a',
        'b',
        'c',
      ]);
      requests.length = 0;
      for await (const thing of client.listThingsItems(requestOf(style, style.two))) if (thing.name !== '') break;
      expect(requests).toHaveLength(1);
    });
  });

  it('the clients of all styles type-check under the strictest flags, and items have the type of the schema', () => {
    output.write('use.ts', USE);
    expect(output.typeCheck()).toBe('');
  });
});

const USE = `
import { createCursorClient } from './cursor/index.js';
import { createCursorInBodyClient } from './cursorInBody/index.js';

export async function use(baseUrl: string): Promise<void> {
  for await (const thing of createCursorClient({ baseUrl }).listThingsItems({ query: { colour: 'red' } })) {
    const name: string = thing.name;
    console.log(name);
  }
  const pages = createCursorInBodyClient({ baseUrl }).listThingsItems({ body: { colour: 'red' } }, { pageSize: 2 }).pages();
  for await (const page of pages) console.log(page.length);
  // @ts-expect-error a filter that the list does not have
  createCursorClient({ baseUrl }).listThingsItems({ query: { shade: 'red' } });
}
`;

async function methodsOf(document: object): Promise<readonly { readonly name: string; readonly code: string }[]> {
  return (await readHelpers(await loadDocument(document), { apiName: 'things' })).methods;
}

const CURSOR = STYLES['cursor'] as Style;

describe('lists without a helper', () => {
  it.each<[string, object]>([
    ['a correction says page: false', documentOf(CURSOR, { 'x-resources': { '/things': { page: false } } })],
    ['nothing leads on', documentOf({ takes: { limit: INTEGER }, two: {} })],
    [
      'no response has the token that a parameter takes',
      documentOf({ takes: { cursor: TEXT }, gives: { note: TEXT }, two: {} }),
    ],
    ['a list may be paged in two ways', documentOf({ ...CURSOR, takes: { ...CURSOR.takes, offset: INTEGER } })],
    ['it is not known that the page is a number', documentOf({ takes: { page: {}, limit: {} }, two: {} })],
  ])('no function is generated if %s', async (_, document) => {
    expect(await methodsOf(document)).toEqual([]);
  });

  it('page: false leaves out what an extension declares, and a broken extension is not replaced by a guess', async () => {
    const withExtension = (extension: object, more: object = {}): object => {
      const { paths, ...rest } = documentOf(CURSOR, more) as {
        readonly paths: Record<'/things', { readonly get: object }>;
      };
      const get = { ...paths['/things'].get, 'x-pagination': extension };
      return { ...rest, paths: { ...paths, '/things': { ...paths['/things'], get } } };
    };
    const valid = { style: 'token', token: 'cursor', next: '/next_cursor', items: '/data' };
    expect(await methodsOf(withExtension(valid))).toMatchObject([{ name: 'listThingsItems' }]);
    expect(await methodsOf(withExtension(valid, { 'x-resources': { '/things': { page: false } } }))).toEqual([]);
    expect(await methodsOf(withExtension({ ...valid, items: '/nothing' }))).toEqual([]);
  });

  it('a correction decides between two ways', async () => {
    const style = { ...CURSOR, takes: { ...CURSOR.takes, offset: INTEGER } };
    const page = { cursor: 'cursor', next: '/next_cursor' };
    const [method] = await methodsOf(documentOf(style, { 'x-resources': { '/things': { page } } }));
    expect(method).toMatchObject({ name: 'listThingsItems' });
    expect(method?.code).toContain("token: 'cursor', next: '/next_cursor'");
  });
});

describe('a correction that names only the parameter of the token', () => {
  const methodFor = async (takes: Style['takes'], gives: object): Promise<string | undefined> => {
    const page = { cursor: 'mark', size: 'portion' };
    const style = { takes: { mark: TEXT, portion: INTEGER, ...takes }, gives, two: {} } as Style;
    return (await methodsOf(documentOf(style, { 'x-resources': { '/things': { page } } })))[0]?.code;
  };

  it.each<[string, Style['takes'], object, string]>([
    ['of the clearest name', { offset: INTEGER }, { next_cursor: TEXT }, '/next_cursor'],
    ['with the name of the parameter', {}, { mark: NULLABLE }, '/mark'],
    ['with that name in an object `next`', {}, { mark: TEXT, next: object({ mark: TEXT }) }, '/next/mark'],
    ['with that name in two objects', {}, { pages: object({ Next: object({ mark: TEXT }) }) }, '/pages/Next/mark'],
  ])('gets the helper with the member %s', async (_, takes, gives, next) => {
    expect(await methodFor(takes, gives)).toContain(`next: '${next}'`);
  });

  it('gets no helper if no page has the token', async () => {
    expect(await methodFor({}, { note: TEXT })).toBeUndefined();
  });
});

describe('names of helpers without an extension', () => {
  /** A document whose list has another operation beside it. */
  const beside = (operation: object): object => {
    const { paths, ...rest } = documentOf(CURSOR) as { readonly paths: object };
    return {
      ...rest,
      paths: { ...paths, '/other': { get: { responses: { 200: { description: 'OK' } }, ...operation } } },
    };
  };

  it('an operation keeps its name', async () => {
    const methods = await methodsOf(beside({ operationId: 'listThingsItems' }));
    expect(methods.map(({ name }) => name)).toEqual(['listThingsItems2']);
  });
});
