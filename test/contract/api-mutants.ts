import type { Api } from '../../model/api.js';
import { type Json, type Mutant, type Seen, readJson, received, without } from './mutants.js';

/** What of an API the faults need to know. Left out: the API has none. */
export interface Target {
  readonly api: Api;
  readonly create?: string;
  readonly read: string;
  readonly list: string;
  readonly change?: string;
  readonly remove: string;
  /** The member of a list that holds the items; empty: the list is the response. */
  readonly items: string;
  /** Names of members of an item. */
  readonly text: string;
  readonly number?: string;
  readonly choice: string;
  readonly required?: string;
  readonly id: string;
  /** Query parameters of the list: page size, and what moves to the next page. */
  readonly size: string;
  readonly step: string;
}

type When = (seen: Seen) => boolean;

/** Faults that make sense for any API, planted in front of the mock of this one. */
export function apiMutants(target: Target): Mutant[] {
  const on = operationMatcher(target.api);
  return [
    ...responseFaults(target, on),
    ...refusalFaults(target, on),
    ...stateFaults(target, on),
    ...pagingFaults(target, on),
    ...conditionFaults(target, on),
  ];
}

type Matcher = (id: string | undefined) => When;

function operationMatcher({ operations }: Api): Matcher {
  return (id) => {
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) return () => false;
    const source = operation.path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^{}]+\}/g, '[^/:]+');
    const pattern = new RegExp(`${source}$`);
    return ({ request }) =>
      request.method === operation.method.toUpperCase() && pattern.test(decodeURI(new URL(request.url).pathname));
  };
}

/** Changes a good response with a body. */
function alter(name: string, when: When, change: (text: string, seen: Seen) => string | undefined): Mutant {
  return {
    name,
    respond: async (seen) => {
      const response = await seen.pass();
      if (!when(seen) || response.status !== 200) return response;
      const text = await response.text();
      return received(response, { body: change(text, seen) ?? text });
    },
  };
}

function alterJson(name: string, when: When, change: (json: Json, seen: Seen) => unknown): Mutant {
  return alter(name, when, (text, seen) => {
    const json = readJson(text);
    return json === undefined ? undefined : JSON.stringify(change(json, seen));
  });
}

function recast(name: string, when: When, change: Parameters<typeof received>[1]): Mutant {
  return {
    name,
    respond: async (seen) => {
      const response = await seen.pass();
      if (!when(seen) || !response.ok) return response;
      const isEmpty = [204, 205].includes(response.status);
      return received(response, { ...(isEmpty ? {} : { body: await response.text() }), ...change });
    },
  };
}

function crash(name: string, when: When): Mutant {
  return {
    name,
    respond: async (seen) => (when(seen) ? new Response('crash', { status: 500 }) : seen.pass()),
  };
}

function responseFaults(target: Target, on: Matcher): Mutant[] {
  const { text, choice, required, number } = target;
  const [isRead, isList] = [on(target.read), on(target.list)];
  const faults: (Mutant | undefined)[] = [
    recast('read responds 203', isRead, { status: 203 }),
    recast('list responds 206', isList, { status: 206 }),
    target.create === undefined ? undefined : recast('create responds 202', on(target.create), { status: 202 }),
    recast('delete responds 207', on(target.remove), { status: 207, body: '{}' }),
    recast('a wrong content type', isRead, { headers: { 'content-type': 'text/plain' } }),
    recast('no content type', isList, { headers: { 'content-type': undefined } }),
    recast('an empty body', isRead, { body: '' }),
    alter('a cut body', isList, (body) => body.slice(0, -3)),
    alterJson('a list instead of an object', isRead, (item) => [item]),
    alterJson('an error instead of an item', isRead, () => 'oops'),
    alterJson('a number for a text', isRead, (item) => ({ ...item, [text]: 7 })),
    alterJson('null for a text', isRead, (item) => ({ ...item, [text]: null })),
    alterJson('an object for a text in a list', isList, (list) =>
      withItems(target, list, (items) => items.map((item) => ({ ...item, [text]: {} }))),
    ),
    alterJson('an unknown enum value', isRead, (item) => ({ ...item, [choice]: 'specmill-other' })),
    number === undefined
      ? undefined
      : alterJson('a text for a number', isRead, (item) => ({ ...item, [number]: 'many' })),
    required === undefined
      ? undefined
      : alterJson('a missing required member', isRead, (item) => without(item, required)),
    errorFault('an error of another shape', '{"oops":true}', 'application/json'),
    errorFault('an error as text', 'oops', 'text/plain'),
    errorFault('an error with an empty body', '', undefined),
  ];
  return faults.filter((fault) => fault !== undefined);
}

/** Refusals of requests that are wrong, as the mock words them. */
function errorFault(name: string, body: string, type: string | undefined): Mutant {
  return {
    name,
    respond: async (seen) => {
      const response = await seen.pass();
      if (![400, 404, 422].includes(response.status)) return response;
      return received(response, { body, headers: { 'content-type': type } });
    },
  };
}

function withItems({ items }: Target, list: unknown, change: (items: Json[]) => Json[]): unknown {
  if (Array.isArray(list)) return change(list as Json[]);
  const own = (list as Json)[items];
  return Array.isArray(own) ? { ...(list as Json), [items]: change(own as Json[]) } : list;
}

type Swallow = (name: string, mark: RegExp, statuses?: readonly number[]) => Mutant;

/**
 * Refusals that are swallowed: the last good response of the operation comes instead. The server keeps these responses
 * when its items are reset.
 */
function refusalSwallower({ api }: Target, on: Matcher): Swallow {
  const matchers = api.operations.map(({ id }) => ({ id, matches: on(id) }));
  return (name, mark, statuses = [400, 422]) => {
    const kept = new Map<string | undefined, { readonly body: string; readonly init: ResponseInit }>();
    return {
      name,
      respond: async (seen) => {
        const id = matchers.find(({ matches }) => matches(seen))?.id;
        const response = await seen.pass();
        if ([204, 205, 304].includes(response.status)) return response;
        const body = await response.text();
        const headers = new Headers(response.headers);
        headers.delete('content-length');
        if (response.ok) kept.set(id, { body, init: { status: response.status, headers } });
        const good = statuses.includes(response.status) && mark.test(body) ? kept.get(id) : undefined;
        return good === undefined ? received(response, { body }) : new Response(good.body, good.init);
      },
    };
  };
}

function refusalFaults(target: Target, on: Matcher): Mutant[] {
  const isStep: When = ({ request }) => new URL(request.url).searchParams.has(target.step);
  const isUnknown: When = (seen) => on(target.read)(seen) && /specmill|%/.test(seen.request.url);
  const swallow = refusalSwallower(target, on);
  return [
    swallow('a missing member is accepted', /required/),
    swallow('wrong types are accepted', /must be (?:string|integer|number|array|object|boolean)/),
    swallow('unknown enum values are accepted', /allowed values/),
    swallow('bounds are not checked', /(?:<=|>=|fewer|more) ?-?\d*/),
    swallow('formats and patterns are not checked', /format|pattern/),
    swallow('broken JSON is accepted', /JSON/),
    swallow('any media type is accepted', /./, [415]),
    swallow('no credential is needed', /./, [401]),
    {
      name: 'a malformed credential will do',
      respond: async ({ pass, request }) => {
        const key = fillKeys(target.api, request);
        if (key !== undefined) return pass(key);
        if (request.headers.get('authorization')?.startsWith('Specmill') !== true) return pass();
        const response = await pass({ headers: { authorization: 'Basic c3BlY21pbGw6c2VjcmV0' } });
        return response.status === 401 ? pass({ headers: { authorization: 'Bearer specmill-token' } }) : response;
      },
    },
    {
      name: 'an unsupported method is accepted',
      respond: async ({ pass }) => {
        const response = await pass();
        return response.status === 405 ? Response.json({}) : response;
      },
    },
    {
      name: 'no Allow',
      respond: async ({ pass }) => {
        const response = await pass();
        return response.status === 405
          ? received(response, { body: await response.text(), headers: { allow: undefined } })
          : response;
      },
    },
    crash('a crash on long text', ({ body, request }) => /a{200}/.test(body + request.url)),
    crash('a crash on non-ASCII text', ({ body, request }) => /[^\u0020-\u007e]/.test(body + safeDecode(request.url))),
    crash('a crash on null', ({ body }) => /:null/.test(body)),
    crash('a crash on an empty list', ({ body }) => body.includes(':[]')),
    crash('a crash on broken JSON', ({ body }) => body.startsWith('{') && readJson(body) === undefined),
    crash('a crash on the next page', (seen) => on(target.list)(seen) && isStep(seen)),
    crash('a crash on an unknown address', isUnknown),
    crash('a crash on a wrong page size', ({ request }) => /=(?:0|-1|specmill)\b/.test(new URL(request.url).search)),
    {
      name: 'a page that echoes markup',
      respond: async (seen) => {
        const sent = seen.body + safeDecode(seen.request.url);
        const headers = { 'content-type': 'text/html' };
        return sent.includes('<script>') ? new Response(`<p>${sent}</p>`, { status: 400, headers }) : seen.pass();
      },
    },
  ];
}

/** A key instead of an empty one. */
function fillKeys(
  { securitySchemes }: Api,
  { url, headers }: Request,
): { readonly url: string } | { readonly headers: Readonly<Record<string, string>> } | undefined {
  const filled = new URL(url);
  for (const scheme of securitySchemes.values()) {
    if (scheme.type !== 'apiKey') continue;
    if (scheme.in === 'header' && headers.get(scheme.name) === '')
      return { headers: { [scheme.name]: 'specmill-key' } };
    if (scheme.in !== 'query' || filled.searchParams.get(scheme.name) !== '') continue;
    filled.searchParams.set(scheme.name, 'specmill-key');
    return { url: filled.href };
  }
  return undefined;
}

function safeDecode(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

function stateFaults(target: Target, on: Matcher): Mutant[] {
  const { text, create, change, id } = target;
  const [isRead, isList, isRemove] = [on(target.read), on(target.list), on(target.remove)];
  const stale = alter('a stale read', isRead, (body, { memory, request }) => {
    memory.set(request.url, memory.get(request.url) ?? body);
    return memory.get(request.url);
  });
  const ghost: Mutant = {
    name: 'a ghost after delete',
    respond: async (seen) => {
      if (!isRemove(seen)) return seen.pass();
      return seen.body === '' ? new Response(null, { status: 204 }) : new Response(`{"Id":"${guidOf(seen.body)}"}`, OK);
    },
  };
  if (create === undefined || change === undefined) return [stale, ghost];
  const [isCreate, isChange] = [on(create), on(change)];
  const losing = (name: string, when: When): Mutant => ({
    name,
    respond: async (seen) => {
      const json = when(seen) ? readJson(seen.body) : undefined;
      return json?.[text] === undefined ? seen.pass() : seen.pass({ body: JSON.stringify(without(json, text)) });
    },
  });
  return [
    stale,
    ghost,
    losing('a creation that loses a member', isCreate),
    losing('an update that loses a member', isChange),
    {
      name: 'a text is stored in upper case',
      respond: async (seen) => {
        const json = isCreate(seen) || isChange(seen) ? readJson(seen.body) : undefined;
        const value = json?.[text];
        if (typeof value !== 'string') return seen.pass();
        return seen.pass({ body: JSON.stringify({ ...json, [text]: value.toUpperCase() }) });
      },
    },
    {
      name: 'what was created cannot be read',
      respond: async (seen) => {
        const response = await seen.pass();
        return isRead(seen) && response.ok ? new Response('{"error":{"code":404}}', { ...OK, status: 404 }) : response;
      },
    },
    alterJson('each creation gives the same id', isCreate, (item, { memory }) => {
      memory.set('id', memory.get('id') ?? JSON.stringify(item));
      return readJson(memory.get('id') ?? '');
    }),
    {
      name: 'a list without the newest',
      respond: async (seen) => {
        const response = await seen.pass();
        if (response.status !== 200 || (!isCreate(seen) && !isList(seen))) return response;
        const json: unknown = await response.json();
        if (isCreate(seen)) seen.memory.set('newest', idOf(json, id));
        const newest = seen.memory.get('newest') ?? 'none';
        const shown = isList(seen)
          ? withItems(target, json, (items) => items.filter((item) => !JSON.stringify(item).includes(newest)))
          : json;
        return received(response, { body: JSON.stringify(shown) });
      },
    },
    {
      name: 'another item is changed as well',
      respond: async (seen) => {
        const { memory } = seen;
        const item = guidOf(seen.body) || new URL(seen.request.url).pathname;
        const written = isChange(seen) ? readJson(seen.body)?.[text] : undefined;
        const response = await seen.pass();
        if (typeof written === 'string' && response.ok) {
          const other = memory.get('last') === item ? memory.get('last but one') : memory.get('last');
          memory.set(`text of ${other}`, written);
          memory.delete(`text of ${item}`);
        }
        if (!isRead(seen) || response.status !== 200) return response;
        const last = memory.get('last') ?? '';
        if (last !== item) memory.set('last but one', last).set('last', item);
        const json = (await response.json()) as Json;
        return received(response, {
          body: JSON.stringify({ ...json, [text]: memory.get(`text of ${item}`) ?? json[text] }),
        });
      },
    },
  ];
}

const OK = { status: 200, headers: { 'content-type': 'application/json' } } as const;

function guidOf(body: string): string {
  return /[0-9a-f-]{36}/.exec(body)?.[0] ?? '';
}

function idOf(item: unknown, id: string): string {
  return /[^/":]+$/.exec(String((item as Json)[id]))?.[0] ?? 'none';
}

function pagingFaults(target: Target, on: Matcher): Mutant[] {
  const isList = on(target.list);
  const shown = target.api.operations.find(({ id }) => id === target.list)?.responses;
  const hasLink = shown?.some(({ headers }) => headers.some(({ name }) => name.toLowerCase() === 'link')) === true;
  const moved = (name: string, by: (params: URLSearchParams) => void): Mutant => ({
    name,
    respond: async (seen) => {
      const url = new URL(seen.request.url);
      if (isList(seen)) by(url.searchParams);
      return seen.pass({ url: url.href });
    },
  });
  const inCircle: Mutant = {
    name: 'a Link that leads back to the first page',
    respond: async (seen) => {
      const response = await seen.pass();
      const link = response.headers.get('link');
      if (!isList(seen) || link === null) return response;
      const next = link.replace(/<([^>]*)>(?=; rel="next")/, (_, url: string) => `<${toFirst(url, target.step)}>`);
      return received(response, { body: await response.text(), headers: { link: next } });
    },
  };
  return [
    ...(hasLink ? [inCircle] : []),
    moved('page sizes are not obeyed', (params) => {
      if (Number(params.get(target.size)) === 2) params.set(target.size, '50');
    }),
    moved('the first page again and again', (params) => params.delete(target.step)),
    alterJson('a page that leaves one out', isList, (list, { request }) =>
      new URL(request.url).searchParams.has(target.step) ? withItems(target, list, (items) => items.slice(1)) : list,
    ),
    alterJson('an item twice on a page', isList, (list) =>
      withItems(target, list, (items) => (items.length > 1 ? [...items.slice(1), items.at(-1) as Json] : items)),
    ),
  ];
}

function toFirst(url: string, step: string): string {
  const first = new URL(url);
  first.searchParams.delete(step);
  return first.href;
}

function conditionFaults({ api, read }: Target, on: Matcher): Mutant[] {
  const shown = api.operations.find(({ id }) => id === read)?.responses.find(({ status }) => status === '200');
  const names = new Set((shown?.headers ?? []).map(({ name }) => name.toLowerCase()));
  const isRead = on(read);
  const faults: Mutant[] = [];
  if (names.has('etag'))
    faults.push(
      recast('no ETag', isRead, { headers: { etag: undefined } }),
      recast('an ETag that never changes', isRead, { headers: { etag: '"same"' } }),
      { name: 'If-Match is not looked at', respond: async ({ pass }) => pass({ headers: { 'if-match': '*' } }) },
      {
        name: 'If-None-Match is not looked at',
        respond: async ({ pass }) => pass({ headers: { 'if-none-match': '"x"' } }),
      },
    );
  if (names.has('last-modified'))
    faults.push(
      recast('no Last-Modified', isRead, { headers: { 'last-modified': undefined } }),
      recast('no poll interval', isRead, { headers: { 'x-poll-interval': undefined } }),
      recast('a poll interval in words', isRead, { headers: { 'x-poll-interval': 'soon' } }),
      {
        name: 'If-Modified-Since is not looked at',
        respond: async ({ pass }) => pass({ headers: { 'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' } }),
      },
    );
  return faults;
}
