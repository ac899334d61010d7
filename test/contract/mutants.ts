/** What a faulty proxy makes of a response, or of a request before the mock sees it. */
export interface Mutant {
  readonly name: string;
  /** Responds, with what the mock says at hand. */
  readonly respond: (seen: Seen) => Promise<Response>;
}

export interface Seen {
  readonly request: Request;
  readonly path: string;
  readonly body: string;
  /** Sends the request on, changed or not. */
  readonly pass: (change?: RequestChange) => Promise<Response>;
  /** What the mutant remembers between requests. */
  readonly memory: Map<string, string>;
}

interface RequestChange {
  readonly method?: string;
  readonly body?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Json = Record<string, unknown>;

/** Puts a mutant before a mock, as a `fetch` to hand to a run. */
export function plantMutant(mutant: Mutant, upstream: typeof fetch): typeof fetch {
  const memory = new Map<string, string>();
  return async (input, init) => {
    const request = new Request(input, init);
    const body = await request.clone().text();
    const url = new URL(request.url);
    const pass = async (change: RequestChange = {}): Promise<Response> => {
      const method = change.method ?? request.method;
      const sent = change.body ?? body;
      const headers = { ...Object.fromEntries(request.headers), ...change.headers };
      return upstream(change.url ?? request.url, {
        method,
        headers,
        ...(sent === '' || method === 'GET' ? {} : { body: sent }),
      });
    };
    return mutant.respond({ request, path: url.pathname.replace('/v1', ''), body, pass, memory });
  };
}

const ITEM = /^\/books\/[^/]+$/;

function isItem({ path, request }: Seen, method: string): boolean {
  return ITEM.test(path) && request.method === method;
}

function isList({ path, request }: Seen): boolean {
  return path === '/books' && request.method === 'GET';
}

function isCreate({ path, request }: Seen): boolean {
  return path === '/books' && request.method === 'POST';
}

/** Changes what a good JSON response says. */
function rewrite(name: string, when: (seen: Seen) => boolean, change: (json: Json, seen: Seen) => unknown): Mutant {
  return {
    name,
    respond: async (seen) => {
      const response = await seen.pass();
      if (!when(seen) || !response.ok || response.status === 204) return response;
      const json = change((await response.json()) as Json, seen);
      return received(response, { body: JSON.stringify(json) });
    },
  };
}

export interface ResponseChange {
  readonly status?: number;
  readonly body?: string | null;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export function received(
  response: Response,
  { status = response.status, body = null, headers = {} }: ResponseChange,
): Response {
  const made = new Headers(response.headers);
  made.delete('content-length');
  for (const [name, value] of Object.entries(headers))
    if (value === undefined) made.delete(name);
    else made.set(name, value);
  return new Response(body, { status, headers: made });
}

/** Changes status or headers of a good response. */
function recast(name: string, when: (seen: Seen) => boolean, change: ResponseChange): Mutant {
  return {
    name,
    respond: async (seen) => {
      const response = await seen.pass();
      if (!when(seen) || !response.ok) return response;
      const text = response.status === 204 ? null : await response.text();
      return received(response, { body: change.status === 204 ? null : text, ...change });
    },
  };
}

/** Swallows refusals of validation: a refused request gets the response of a good one. */
function swallow(name: string, mark: RegExp, when: (seen: Seen) => boolean = () => true): Mutant {
  return {
    name,
    respond: async (seen) => {
      const response = await seen.pass();
      if (response.status !== 400 || !when(seen)) return response;
      const text = await response.text();
      if (!mark.test(text)) return received(response, { body: text });
      const good = isList(seen) ? { items: [], total: 0 } : { id: 'x', title: 'x', pages: 1 };
      const status = isCreate(seen) ? 201 : 200;
      return Response.json(good, { status, headers: { location: '/v1/books/x', etag: '"x"' } });
    },
  };
}

function crash(name: string, when: (seen: Seen) => boolean, status = 500): Mutant {
  return { name, respond: async (seen) => (when(seen) ? new Response('crash', { status }) : seen.pass()) };
}

function refuse(name: string, when: (json: Json) => boolean, pointer: string): Mutant {
  return {
    name,
    respond: async (seen) => {
      const json = seen.body.startsWith('{') ? readJson(seen.body) : undefined;
      const isRefused = json !== undefined && when(json);
      const violations = [{ in: 'body', pointer, message: 'is not good' }];
      return isRefused ? Response.json({ message: 'no', violations }, { status: 400 }) : seen.pass();
    },
  };
}

export function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export function without(json: Json, name: string): Json {
  return Object.fromEntries(Object.entries(json).filter(([other]) => other !== name));
}

const bookOf = (seen: Seen): boolean => isItem(seen, 'GET');
const written = (seen: Seen): boolean => isCreate(seen) || isItem(seen, 'PUT') || isItem(seen, 'PATCH');

function withItems(json: Json, change: (items: Json[]) => Json[]): Json {
  return { ...json, items: change(json['items'] as Json[]) };
}

/** Changes nothing: what is found through it is a fault of the proxy. */
export const CONTROL: Mutant = { name: 'no fault', respond: async ({ pass }) => pass() };

/** At least forty distinct faults of a server. */
export const MUTANTS: readonly Mutant[] = [
  recast('create responds 200', isCreate, { status: 200 }),
  recast('delete responds 202', (seen) => isItem(seen, 'DELETE'), { status: 202 }),
  recast('read responds 203', bookOf, { status: 203 }),
  recast('a wrong content type', bookOf, { headers: { 'content-type': 'text/plain' } }),
  recast('no content type', isList, { headers: { 'content-type': undefined } }),
  recast('no Location', isCreate, { headers: { location: undefined } }),
  recast('no ETag', bookOf, { headers: { etag: undefined } }),
  recast('a mistyped header', isList, { headers: { 'x-total-count': 'many' } }),
  recast('a cut body', bookOf, { body: '{"id": "1", "ti' }),
  recast('an empty list body', isList, { body: '' }),
  rewrite('a missing required member', bookOf, (book) => without(book, 'title')),
  rewrite('a missing id', isCreate, (book) => without(book, 'id')),
  rewrite('a mistyped number', bookOf, (book) => ({ ...book, pages: String(book['pages']) })),
  rewrite('null for a text', bookOf, (book) => ({ ...book, title: null })),
  rewrite('a number out of bounds', isList, (list) =>
    withItems(list, (items) => items.map((item) => ({ ...item, pages: 0 }))),
  ),
  rewrite('an unknown enum value', bookOf, (book) => ({ ...book, genre: 'Poetry' })),
  rewrite('a date of another format', bookOf, (book) => ({ ...book, published: '1.2.2026' })),
  rewrite('a list instead of an object', bookOf, (book) => [book]),
  rewrite('a leaked write-only member', bookOf, (book) => ({ ...book, secret: 'hunter2' })),
  rewrite('items under another name', isList, ({ items, ...rest }) => ({ ...rest, books: items })),
  rewrite('an error instead of a response', bookOf, () => ({ error: 'oops' })),
  swallow('a missing member is accepted', /required/),
  swallow('wrong types are accepted', /must be (?:string|integer|array|object)/),
  swallow('too small numbers are accepted', />= 1/),
  swallow('too large numbers are accepted', /<= 5000/),
  swallow('unknown enum values are accepted', /allowed values/),
  swallow('patterns are not checked', /pattern/),
  swallow('formats are not checked', /format/),
  swallow('too long texts are accepted', /more than \d+ characters/),
  swallow('too short texts are accepted', /fewer than \d+ characters/),
  swallow('too many items are accepted', /more than \d+ items/),
  swallow('double items are accepted', /duplicate/),
  swallow('page sizes are not checked', /<= 50|>= 1/, isList),
  swallow('broken JSON is accepted', /JSON/),
  {
    name: 'any media type is accepted',
    respond: async ({ pass, request }) =>
      pass(request.method === 'GET' ? {} : { headers: { 'content-type': 'application/json' } }),
  },
  {
    name: 'no credential is needed',
    respond: async ({ pass }) => pass({ headers: { authorization: 'Bearer anyone' } }),
  },
  {
    name: 'an unsupported method is accepted',
    respond: async ({ pass }) => {
      const response = await pass();
      return response.status === 405 ? Response.json({}) : response;
    },
  },
  crash('a crash on long text', ({ body }) => body.length > 250),
  crash('a crash on non-ASCII text', ({ body }) => /[^\u0020-\u007e]/.test(body)),
  crash('a crash on an empty list', ({ body }) => body.includes('"tags":[]'), 502),
  crash('a crash on null', ({ body }) => body.includes(':null')),
  crash('a crash on broken JSON', ({ body }) => body.startsWith('{') && readJson(body) === undefined),
  crash('a crash on an unknown id', ({ path }) => /specmill|%/.test(path)),
  crash('a crash on a large offset', ({ request }) => Number(new URL(request.url).searchParams.get('offset')) > 1_000),
  refuse(
    'an optional member is demanded',
    (json) => json['subtitle'] === undefined && json['title'] !== undefined,
    '/subtitle',
  ),
  refuse('the largest number is refused', (json) => json['pages'] === 5000, '/pages'),
  refuse('an enum value is refused', (json) => json['genre'] === 'science', '/genre'),
  refuse('non-ASCII text is refused', (json) => /[^\u0020-\u007e]/.test(String(json['title'])), '/title'),
  {
    name: 'a stale read',
    respond: async (seen) => {
      const key = seen.path;
      if (!bookOf(seen)) return seen.pass();
      const kept = seen.memory.get(key);
      const response = await seen.pass();
      if (!response.ok) return response;
      const text = await response.text();
      seen.memory.set(key, kept ?? text);
      return received(response, { body: kept ?? text });
    },
  },
  {
    name: 'a lost update',
    respond: async (seen) => {
      if (!isItem(seen, 'PUT') && !isItem(seen, 'PATCH')) return seen.pass();
      const check = await seen.pass({ method: 'GET' });
      return check.ok ? received(check, { body: await check.text() }) : check;
    },
  },
  {
    name: 'a replacement that only merges',
    respond: async (seen) =>
      isItem(seen, 'PUT') && readJson(seen.body)?.['title'] !== undefined ? mergeInstead(seen) : seen.pass(),
  },
  {
    name: 'a creation that loses a member',
    respond: async (seen) => {
      const json = isCreate(seen) ? readJson(seen.body) : undefined;
      if (json?.['isbn'] === undefined || (await seen.pass({ method: 'GET', url: seen.request.url })).status !== 200)
        return seen.pass();
      const { shelf: _, ...rest } = json;
      return typeof json['shelf'] === 'object' ? seen.pass({ body: JSON.stringify(rest) }) : seen.pass();
    },
  },
  {
    name: 'a created item is not available',
    respond: async (seen) => (bookOf(seen) ? Response.json({ message: 'none' }, { status: 404 }) : seen.pass()),
  },
  {
    name: 'a ghost after delete',
    respond: async (seen) =>
      isItem(seen, 'DELETE') && (await seen.pass({ method: 'GET' })).ok
        ? new Response(null, { status: 204 })
        : seen.pass(),
  },
  rewrite('a list without the newest', isList, (list) => withItems(list, (items) => items.slice(0, -1))),
  {
    name: 'an offset that is off by one',
    respond: async (seen) => {
      const url = new URL(seen.request.url);
      const offset = Number(url.searchParams.get('offset') ?? 0);
      if (!isList(seen) || offset === 0 || !Number.isInteger(offset)) return seen.pass();
      url.searchParams.set('offset', String(offset - 1));
      return seen.pass({ url: url.href });
    },
  },
  {
    name: 'a page that leaves one out',
    respond: async (seen) => {
      const url = new URL(seen.request.url);
      const offset = Number(url.searchParams.get('offset') ?? 0);
      if (!isList(seen) || offset < 2 || !Number.isInteger(offset)) return seen.pass();
      url.searchParams.set('offset', String(offset + 1));
      return seen.pass({ url: url.href });
    },
  },
  {
    name: 'page sizes are not obeyed',
    respond: async (seen) => {
      const url = new URL(seen.request.url);
      const limit = Number(url.searchParams.get('limit'));
      if (!isList(seen) || !Number.isInteger(limit) || limit < 1 || limit > 50) return seen.pass();
      url.searchParams.set('limit', '50');
      return seen.pass({ url: url.href });
    },
  },
  {
    name: 'conditions are not looked at',
    respond: async (seen) => seen.pass({ headers: { 'if-none-match': '"other"' } }),
  },
  {
    name: 'a number of 64 bits loses digits',
    respond: async (seen) => {
      const response = await seen.pass();
      const text = response.status === 204 || response.status === 304 ? null : await response.text();
      return received(response, { body: text?.replaceAll('9007199254740993', '9007199254740992') ?? null });
    },
  },
  {
    name: 'a page that echoes markup',
    respond: async (seen) => {
      const response = await seen.pass();
      const isMarked = seen.body.includes('<script>') || decodeURIComponent(seen.request.url).includes('<script>');
      return isMarked
        ? new Response(`<p>${seen.body}${decodeURIComponent(seen.request.url)}</p>`, {
            status: response.status,
            headers: { 'content-type': 'text/html' },
          })
        : response;
    },
  },
  rewrite('numbers are rounded', bookOf, (book) => ({
    ...book,
    pages: Math.max(1, Math.round(Number(book['pages']) / 10) * 10),
  })),
  {
    name: 'a text is stored in upper case',
    respond: async (seen) => {
      const json = written(seen) ? readJson(seen.body) : undefined;
      if (typeof json?.['title'] !== 'string' || json['title'] === '') return seen.pass();
      const title = `${json['title'].charAt(0)}${json['title'].slice(1).toUpperCase()}`;
      return seen.pass({ body: JSON.stringify({ ...json, title }) });
    },
  },
];

async function mergeInstead(seen: Seen): Promise<Response> {
  const before = await seen.pass({ method: 'GET' });
  if (!before.ok) return seen.pass();
  const { id: _, ...old } = (await before.json()) as Json;
  return seen.pass({ body: JSON.stringify({ ...old, ...readJson(seen.body) }) });
}

/** @throws Error if no mutant has the name. */
export function findMutant(name: string): Mutant {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`There is no mutant ${name}.`);
  return mutant;
}
