import { onTestFinished } from 'vitest';

import type { Api } from '../../../../model/api.js';
import { startMock } from '../../../../server/start-mock.js';
import { documentWith, loadDocument } from '../../../support/load-document.js';

/** How a list pages: names of parameters, and pointers into a page. */
export interface Names {
  readonly size: string;
  /** The parameter that moves on. */
  readonly step: string;
  /** The place of what the parameter takes; absent: the client counts, or takes the id of the last item. */
  readonly next?: string;
  readonly more?: string;
  readonly total?: string;
  readonly style: 'token' | 'after' | 'offset' | 'page' | 'link';
}

interface Shape extends Names {
  readonly stepSchema?: object;
  readonly nextSchema?: object;
  /** The place of what leads back. */
  readonly previous?: string;
  /** Whether all members of pages are required. */
  readonly isStrict?: boolean;
}

const TEXT = { type: 'string' };
const WORD = {
  type: 'object',
  required: ['id', 'word'],
  properties: { id: TEXT, word: TEXT, rank: { type: 'integer' } },
};

/** An object schema with a member at a path. */
function nest(properties: Record<string, unknown>, pointer: string, schema: object, isStrict: boolean): void {
  const [name = '', ...rest] = pointer.slice(1).split('/');
  if (rest.length === 0) {
    properties[name] = schema;
    return;
  }
  const group = (properties[name] ?? { type: 'object', properties: {} }) as { properties: Record<string, unknown> };
  nest(group.properties, `/${rest.join('/')}`, schema, isStrict);
  properties[name] = isStrict ? { ...group, required: Object.keys(group.properties) } : group;
}

/** A document with a list of words that pages as a shape says. */
export function documentOf({
  size,
  step,
  next,
  previous,
  more,
  total,
  style,
  stepSchema,
  nextSchema,
  isStrict = false,
}: Shape): object {
  const counts = style === 'offset' || style === 'page';
  const properties: Record<string, unknown> = { words: { type: 'array', items: WORD } };
  if (next?.startsWith('/') === true) {
    const link = { type: 'string', format: 'uri' };
    nest(properties, next, nextSchema ?? (style === 'link' ? link : TEXT), isStrict);
  }
  if (previous !== undefined) nest(properties, previous, TEXT, isStrict);
  if (more !== undefined) nest(properties, more, { type: 'boolean' }, isStrict);
  if (total !== undefined) nest(properties, total, { type: 'integer' }, isStrict);
  const query = (name: string, schema: object): object => ({ name, in: 'query', schema });
  const page = { type: 'object', properties, ...(isStrict ? { required: Object.keys(properties) } : {}) };
  const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
  const headers = next === 'Link' ? { headers: { Link: { schema: TEXT } } } : {};
  const stepOf = step === '' ? [] : [query(step, stepSchema ?? (counts ? { type: 'integer' } : TEXT))];
  return documentWith({
    '/words': {
      get: {
        operationId: 'listWords',
        parameters: [
          query(size, { type: 'integer' }),
          ...stepOf,
          query('sort', TEXT),
          query('rank', { type: 'integer' }),
        ],
        responses: { 200: { description: 'ok', ...headers, ...json(page) } },
      },
      post: {
        operationId: 'addWord',
        requestBody: json(WORD),
        responses: { 201: { description: 'ok', ...json(WORD) } },
      },
    },
    '/words/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: TEXT }],
      get: {
        operationId: 'getWord',
        responses: { 200: { description: 'ok', ...json(WORD) }, 404: { description: 'no' } },
      },
      delete: { operationId: 'removeWord', responses: { 204: { description: 'ok' }, 404: { description: 'no' } } },
    },
  });
}

export type Fetch = (target: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface Started {
  readonly api: Api;
  readonly fetch: Fetch;
  readonly url: string;
}

/** Starts a mock with a number of words, in process. */
export async function startWords(shape: Shape, count: number): Promise<Started> {
  const api = await loadDocument(documentOf(shape));
  const mock = await startMock(api, { seed: 1 });
  onTestFinished(() => mock.close());
  const fetch: Fetch = (target, init) =>
    mock.fetch(typeof target === 'string' ? new URL(target, 'http://mock') : target, init);
  for (let index = 0; index < count; index += 1) {
    const word = { id: `w${index}`, word: `word ${(index * 3) % 7}`, rank: index % 2 };
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('/words', { method: 'POST', headers, body: JSON.stringify(word) });
    if (response.status !== 201) throw new Error(await response.text());
  }
  return { api, fetch, url: mock.url };
}

/** What a page says. */
export interface ReadPage {
  readonly ids: readonly string[];
  readonly next: unknown;
  readonly more: unknown;
  readonly total: unknown;
}

export function take(value: unknown, pointer: string | undefined): unknown {
  if (pointer === undefined) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], value);
}

const MAX_PAGES = 12;

/** Reads all pages as a client does that knows only the names. */
export async function readPages(fetch: Fetch, names: Names, query: Record<string, string>): Promise<ReadPage[]> {
  const { step, next, more, total, style } = names;
  const pages: ReadPage[] = [];
  let target: string | undefined = `/words?${new URLSearchParams(query).toString()}`;
  while (target !== undefined && pages.length < MAX_PAGES) {
    const response: Response = await fetch(target);
    if (response.status !== 200) throw new Error(`${target}: ${await response.text()}`);
    const body: unknown = await response.json();
    const ids = (take(body, '/words') as { id: string }[]).map(({ id }) => id);
    const link = /<([^<>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    const page = {
      ids,
      next: next === 'Link' ? link : take(body, next),
      more: take(body, more),
      total: take(body, total),
    };
    pages.push(page);
    const seen = pages.flatMap((one) => one.ids).length;
    const value =
      style === 'offset' ? seen : style === 'page' ? pages.length + 1 : style === 'after' ? ids.at(-1) : page.next;
    const isEnd = page.more === false || (style === 'token' || style === 'link' ? !page.next : ids.length === 0);
    if (isEnd) return pages;
    const isAddress = style === 'link' || next === 'Link';
    target = isAddress
      ? String(page.next).replace(/^http:\/\/[^/]+/, '')
      : `/words?${new URLSearchParams({ ...query, [step]: String(value) }).toString()}`;
  }
  throw new Error('The pages do not end.');
}
