import { expect, test } from 'vitest';

import { type ContractReport, runContract } from '../../entry/contract.js';
import { loadDocument } from '../support/load-document.js';

type Body = Readonly<Record<string, unknown>>;

const json = (schema: object): object => ({ 'application/json': { schema } });
const ok = (schema: object, status = 200): object => ({ [status]: { description: 'x', content: json(schema) } });
const refusal = { 400: { description: 'x' }, 404: { description: 'x' } };
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

/** Runs against a correct server that is a function in this process. */
async function run(
  paths: object,
  respond: (request: Request, parts: readonly string[]) => Promise<Response>,
): Promise<ContractReport> {
  const document = { openapi: '3.1.0', info: { title: 'x', version: '1' }, paths };
  return runContract({
    api: await loadDocument(document),
    url: 'http://127.0.0.1:9',
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      return respond(request, pathname.split('/').slice(1));
    },
    maxExamples: 30,
    phases: ['examples', 'stateful', 'boundary', 'negative'],
  });
}

const textsOf = ({ findings }: ContractReport): string[] =>
  findings.map(({ check, operationId, message }) => `${check} ${operationId}: ${message}`);

async function readBody(request: Request): Promise<Body | undefined> {
  try {
    const value: unknown = JSON.parse(await request.text());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && [...value].length <= most;
const notAllowed = (allow: string): Response => new Response(null, { status: 405, headers: { allow } });

test('a refusal of one item of a bulk request by its own result is a refusal', async () => {
  const contact = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', minLength: 1, maxLength: 20 } },
  };
  const results = {
    type: 'array',
    items: {
      type: 'object',
      required: ['statusCode'],
      properties: { statusCode: { type: 'integer' }, name: { type: 'string' } },
    },
  };
  const body = {
    type: 'object',
    required: ['contacts'],
    properties: { contacts: { type: 'array', minItems: 1, maxItems: 5, items: contact } },
  };
  const report = await run(
    {
      '/contacts/bulk': {
        post: {
          operationId: 'addContacts',
          requestBody: { required: true, content: json(body) },
          responses: { ...ok({ type: 'object', properties: { outcomes: results } }, 207), ...refusal },
        },
      },
    },
    async (request) => {
      if (request.method !== 'POST') return notAllowed('POST');
      const sent = request.headers.get('content-type') === 'application/json' ? await readBody(request) : undefined;
      const contacts = sent?.['contacts'];
      if (!Array.isArray(contacts) || contacts.length === 0 || contacts.length > 5)
        return new Response(null, { status: 400 });
      const outcomes = contacts.map((one: unknown) => {
        const name = typeof one === 'object' && one !== null && 'name' in one ? one.name : undefined;
        return isText(name, 20) ? { statusCode: 201, name } : { statusCode: 400 };
      });
      return Response.json({ outcomes }, { status: 207 });
    },
  );
  expect(textsOf(report)).toEqual([]);
  expect(report.reach).toMatchObject({ succeeded: ['addContacts'] });
});

interface Plan {
  readonly id: string;
  name: string;
  revision: string;
  archived?: boolean;
}

const PLAN = {
  type: 'object',
  required: ['id', 'name', 'revision'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string', minLength: 1, maxLength: 20 },
    revision: { type: 'string' },
    archived: { type: 'boolean' },
  },
};
const NAME = { type: 'object', required: ['name'], properties: { name: PLAN.properties.name } };
const CHANGE = {
  type: 'object',
  minProperties: 1,
  properties: { ...NAME.properties, revision: { type: 'string' } },
};

const PLANS = {
  '/plans': {
    get: {
      operationId: 'listPlans',
      responses: ok({ type: 'object', required: ['plans'], properties: { plans: { type: 'array', items: PLAN } } }),
    },
    post: {
      operationId: 'createPlan',
      requestBody: { required: true, content: json(NAME) },
      responses: { ...ok(PLAN, 201), ...refusal },
    },
  },
  '/plans/{id}': {
    parameters: [ID],
    get: { operationId: 'getPlan', responses: { ...ok(PLAN), ...refusal } },
    patch: {
      operationId: 'updatePlan',
      requestBody: { required: true, content: json(CHANGE) },
      responses: { ...ok(PLAN), ...refusal },
    },
    delete: { operationId: 'archivePlan', responses: { ...ok(PLAN), ...refusal } },
  },
  '/plans/{id}/restore': {
    parameters: [ID],
    post: {
      operationId: 'restorePlan',
      responses: { ...ok(PLAN), ...refusal, 409: { description: 'It is not archived.' } },
    },
  },
};

/** Plans that are only marked when they are deleted. `keepsName`: whether a restoration keeps the name. */
function servePlans(keepsName: boolean): Parameters<typeof run>[1] {
  const plans = new Map<string, Plan>();
  let last = 0;
  const touch = (plan: Plan): void => void (plan.revision = `r${(last += 1)}`);
  return async (request, [, id, action]) => {
    const { method } = request;
    const body = method === 'POST' || method === 'PATCH' ? await readBody(request) : undefined;
    const isTyped = request.headers.get('content-type') === 'application/json';
    if (id === undefined) {
      if (method === 'GET')
        return Response.json({ plans: [...plans.values()].filter(({ archived }) => archived !== true) });
      if (method !== 'POST') return notAllowed('GET, POST');
      const name = body?.['name'];
      if (!isTyped || !isText(name, 20)) return new Response(null, { status: 400 });
      const plan = { id: `p${(last += 1)}`, name, revision: 'r0' };
      plans.set(plan.id, plan);
      return Response.json(plan, { status: 201 });
    }
    const plan = plans.get(id);
    const allowed = action === undefined ? ['GET', 'PATCH', 'DELETE'] : ['POST'];
    if (!allowed.includes(method)) return notAllowed(allowed.join(', '));
    if (plan === undefined) return new Response(null, { status: 404 });
    if (method === 'GET') return Response.json(plan);
    if (method === 'POST') {
      if (plan.archived !== true) return new Response(null, { status: 409 });
      delete plan.archived;
      if (!keepsName) plan.name = 'restored';
    } else {
      if (method === 'PATCH') {
        const { name, revision } = body ?? {};
        const isRevision = revision === undefined || typeof revision === 'string';
        if (
          !isTyped ||
          Object.keys(body ?? {}).length === 0 ||
          !isRevision ||
          (name !== undefined && !isText(name, 20))
        )
          return new Response(null, { status: 400 });
        if (name !== undefined) plan.name = name;
      } else plan.archived = true;
    }
    touch(plan);
    return Response.json(plan);
  };
}

test('an item that DELETE marks, and that reads as DELETE showed it, is deleted softly; any write may change its revision', async () => {
  expect(textsOf(await run(PLANS, servePlans(true)))).toEqual([]);
});

test('a restored item that lost a value is found', async () => {
  expect(textsOf(await run(PLANS, servePlans(false)))).toEqual([
    'update is visible getPlan: The restored item shows another /name than before its deletion.',
  ]);
});

test('a documented 501 or 503 is no finding, a documented 500 is one', async () => {
  const get = (operationId: string, status: number): object => ({
    get: { operationId, responses: { ...ok({ type: 'object' }), [status]: { description: 'x' } } },
  });
  const paths = { '/tape': get('readTape', 501), '/queue': get('readQueue', 503), '/disk': get('readDisk', 500) };
  const report = await run(paths, async (request, [first]) => {
    if (request.method !== 'GET') return notAllowed('GET');
    return new Response(null, { status: first === 'tape' ? 501 : first === 'queue' ? 503 : 500 });
  });
  expect(textsOf(report)).toEqual(['no server error readDisk: The server failed with 500.']);
});

test('the only checkpoint of a file has the same id each time', async () => {
  const checkpoint = {
    type: 'object',
    required: ['id', 'savedAt'],
    properties: { id: { type: 'string' }, savedAt: { type: 'string', format: 'date-time' } },
  };
  const paths = {
    '/checkpoints': {
      get: { operationId: 'listCheckpoints', responses: ok({ type: 'array', items: checkpoint }) },
      post: { operationId: 'saveCheckpoint', responses: ok(checkpoint, 201) },
    },
    '/checkpoints/{id}': {
      parameters: [ID],
      get: { operationId: 'getCheckpoint', responses: { ...ok(checkpoint), ...refusal } },
    },
  };
  let saved: Body | undefined;
  const report = await run(paths, async ({ method }, [, id]) => {
    if (id !== undefined)
      return method !== 'GET'
        ? notAllowed('GET')
        : saved?.['id'] === id
          ? Response.json(saved)
          : new Response(null, { status: 404 });
    if (method === 'GET') return Response.json(saved === undefined ? [] : [saved]);
    if (method !== 'POST') return notAllowed('GET, POST');
    saved = { id: 'checkpoint', savedAt: new Date().toISOString() };
    return Response.json(saved, { status: 201, headers: { location: '/checkpoints/checkpoint' } });
  });
  expect(textsOf(report)).toEqual([]);
});

const SALE = {
  type: 'object',
  required: ['id', 'price', 'soldAt'],
  properties: { id: { type: 'string' }, price: { type: 'string' }, soldAt: { type: 'string', format: 'date-time' } },
};
const SALES = ['7.50', '8.99', '15.00', '428.34'].map((price, index) => ({
  id: `s${index}`,
  price,
  soldAt: `2026-03-0${index + 1}T10:00:00Z`,
}));

/** Sales that end before `soldTo`; `order` sorts them by price. */
async function runSales(
  compare: (one: string, other: string) => number,
  isWithin: (soldAt: string, to: string) => boolean,
): Promise<ContractReport> {
  const query = (name: string, more: object): object => ({ name, in: 'query', ...more });
  const parameters = [
    query('sort', { schema: { type: 'string', enum: ['price', '-price'] } }),
    query('sold_to', { description: 'Before this time.', schema: { type: 'string', format: 'date-time' } }),
    query('page[after]', { description: 'The cursor of `links.next`.', schema: { type: 'string', maxLength: 12 } }),
  ];
  const page = {
    type: 'object',
    properties: {
      data: { type: 'array', items: SALE },
      links: { type: 'object', properties: { next: { type: 'string' } } },
    },
  };
  return run(
    { '/sales': { get: { operationId: 'listSales', parameters, responses: { ...ok(page), ...refusal } } } },
    async (request) => {
      if (request.method !== 'GET') return notAllowed('GET');
      const { searchParams } = new URL(request.url);
      const [sort, to] = [searchParams.get('sort'), searchParams.get('sold_to')];
      const isKnown = sort === null || sort === 'price' || sort === '-price';
      if (!isKnown || searchParams.has('page[after]') || (to !== null && !isTime(to)))
        return Response.json(
          { errors: [{ source: { parameter: 'page[after]' }, detail: 'is invalid' }] },
          { status: 400 },
        );
      const found = SALES.filter(({ soldAt }) => to === null || isWithin(soldAt, to));
      const sorted = sort === null ? found : found.toSorted((one, other) => compare(one.price, other.price));
      return Response.json({ data: sort === '-price' ? sorted.toReversed() : sorted, links: {} });
    },
  );
}

const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));
const byNumber = (one: string, other: string): number => Number(one) - Number(other);
const isBefore = (soldAt: string, to: string): boolean => Date.parse(soldAt) < Date.parse(to);

test('amounts as texts are sorted by number, an exclusive bound leaves out its item, a made-up cursor may be refused', async () => {
  expect(textsOf(await runSales(byNumber, isBefore))).toEqual([]);
});

test('amounts that are sorted as texts, and an exclusive bound that includes its item, are found', async () => {
  const report = await runSales(
    (one, other) => (one < other ? -1 : 1),
    (soldAt, to) => Date.parse(soldAt) <= Date.parse(to),
  );
  expect(report.findings.map(({ check, pointer }) => `${check} ${pointer}`).toSorted()).toEqual([
    'filter query sold_to',
    'sort order query sort',
    'sort order query sort',
  ]);
});

test('a relative Location fits the format url, and an empty file is no missing body', async () => {
  const location = { schema: { type: 'string', format: 'url' } };
  const paths = {
    '/blobs': {
      post: {
        operationId: 'storeBlob',
        requestBody: { required: true, content: { 'application/octet-stream': {} } },
        responses: { 201: { description: 'x', headers: { Location: location } }, 415: { description: 'x' } },
      },
    },
  };
  const report = await run(paths, async ({ method }) => {
    if (method !== 'POST') return notAllowed('POST');
    return new Response(null, { status: 201, headers: { location: '/blobs/7' } });
  });
  expect(textsOf(report)).toEqual([]);
});

test.each([
  ['Modifies basic data of a zone.', []],
  ['Replaces a zone.', ['replace replaces putZone: PUT without note keeps the old value.']],
])(
  'a PUT that keeps what is left out, and whose description is "%s", is judged by it',
  async (description, expected) => {
    const zone = {
      type: 'object',
      required: ['kind'],
      properties: {
        id: { type: 'string', readOnly: true },
        kind: { enum: ['inner', 'outer'] },
        note: { type: 'string' },
      },
    };
    const requestBody = { required: true, content: json(zone) };
    const zones = new Map<string, Body>();
    const report = await run(
      {
        '/zones': { post: { operationId: 'addZone', requestBody, responses: { ...ok(zone, 201), ...refusal } } },
        '/zones/{id}': {
          parameters: [ID],
          get: { operationId: 'getZone', responses: { ...ok(zone), ...refusal } },
          put: { operationId: 'putZone', description, requestBody, responses: { ...ok(zone), ...refusal } },
        },
      },
      async (request, [, id]) => {
        const known = id === undefined ? undefined : zones.get(decodeURIComponent(id));
        if (id === undefined && request.method !== 'POST') return notAllowed('POST');
        if (id !== undefined && !['GET', 'PUT'].includes(request.method)) return notAllowed('GET, PUT');
        if (id !== undefined && known === undefined) return new Response(null, { status: 404 });
        if (request.method === 'GET') return Response.json(known);
        const isJson = request.headers.get('content-type')?.startsWith('application/json') === true;
        const body = isJson ? await readBody(request) : undefined;
        const isValid =
          (body?.['kind'] === 'inner' || body?.['kind'] === 'outer') &&
          (body['note'] === undefined || typeof body['note'] === 'string');
        if (!isValid) return new Response(null, { status: 400 });
        const own = id === undefined ? `zone-${zones.size + 1_000_003}` : decodeURIComponent(id);
        const stored = { ...known, ...body, id: own };
        zones.set(own, stored);
        return Response.json(stored, { status: id === undefined ? 201 : 200 });
      },
    );
    expect(textsOf(report)).toEqual(expected);
  },
);

/** What a server of badges shows of a written value: it keeps a value that its responses do not allow to itself. */
async function runBadges(show: (name: string, value: unknown) => boolean): Promise<string[]> {
  const shown = {
    level: { type: 'string', enum: ['low', 'mid', 'high'] },
    code: { type: 'string', maxLength: 3 },
    size: { type: 'integer', minimum: 2, maximum: 9 },
  };
  const written = { level: { type: 'string' }, code: { type: 'string' }, size: { type: 'integer' } };
  const badge = { type: 'object', required: ['id'], properties: { id: { type: 'string', readOnly: true }, ...shown } };
  const change = { type: 'object', properties: written, additionalProperties: false };
  const badges = new Map<string, Body>();
  let count = 0;
  const report = await run(
    {
      '/badges': {
        post: {
          operationId: 'addBadge',
          requestBody: { required: true, content: json({ type: 'object' }) },
          responses: { ...ok(badge, 201), ...refusal },
        },
      },
      '/badges/{id}': {
        parameters: [ID],
        get: { operationId: 'getBadge', responses: { ...ok(badge), ...refusal } },
        patch: {
          operationId: 'changeBadge',
          requestBody: { required: true, content: json(change) },
          responses: { ...ok(badge), ...refusal },
        },
      },
    },
    async (request, [, id]) => {
      const allowed = id === undefined ? 'POST' : 'GET, PATCH';
      if (!allowed.split(', ').includes(request.method)) return notAllowed(allowed);
      const found = id === undefined ? { id: `b${(count += 1)}`, level: 'low', code: 'abc', size: 2 } : badges.get(id);
      if (found === undefined) return new Response(null, { status: 404 });
      if (request.method === 'GET') return Response.json(found);
      const isJson = request.headers.get('content-type') === 'application/json';
      const sent = isJson ? await readBody(request) : undefined;
      const isValid = Object.entries(sent ?? {}).every(([name, value]) => {
        const isKnown = id === undefined || name in written;
        return isKnown && (name === 'size' ? Number.isInteger(value) : id === undefined || typeof value === 'string');
      });
      if (sent === undefined || !isValid) return new Response(null, { status: 400 });
      const kept = id === undefined ? [] : Object.entries(sent).filter(([name, value]) => show(name, value));
      const next = { ...found, ...Object.fromEntries(kept) };
      badges.set(String(found['id']), next);
      return Response.json(next, { status: id === undefined ? 201 : 200 });
    },
  );
  return textsOf(report);
}

function isShownAsBadge(name: string, value: unknown): boolean {
  if (name === 'level') return ['low', 'mid', 'high'].includes(String(value));
  if (name === 'code') return [...String(value)].length <= 3;
  return Number(value) >= 2 && Number(value) <= 9;
}

test('a written value that the response does not allow need not be shown', async () => {
  expect(await runBadges(isShownAsBadge)).toEqual([]);
});

test('a lost value that the response allows is found beside values that it does not allow', async () => {
  const findings = await runBadges((name, value) => name !== 'code' && isShownAsBadge(name, value));
  expect(findings.join('\n')).toMatch(/`\/code`/);
});
