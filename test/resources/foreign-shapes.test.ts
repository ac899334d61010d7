import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { explain } from '../../entry/specmill.js';
import { isRecord } from '../../model/document/records.js';
import { valueAtPath } from '../../model/document/pointer.js';
import { loadDocument } from '../support/load-document.js';
import { listOf, object, smallSpec, TEXT } from '../support/small-spec.js';

const NUMBER = { type: 'integer' };

interface Style {
  readonly name: string;
  readonly document: object;
  /** The resource with its roles, as the map shows it. */
  readonly map: string;
  readonly id: string;
  /** Requests with `$id` and `$text`: how a caller creates, reads, lists, changes and deletes an item. */
  readonly calls: Readonly<
    Record<'create' | 'read' | 'list' | 'update' | 'delete', readonly [string, string, object?]>
  >;
}

type Shapes = Parameters<typeof smallSpec>[0];

/** Calls on the path of an item below its collection. */
function restCalls(collection: string, body: object, item = `${collection}/$id`): Style['calls'] {
  return {
    create: ['POST', collection, body],
    read: ['GET', item],
    list: ['GET', collection],
    update: ['PUT', item, body],
    delete: ['DELETE', item],
  };
}

interface Plural {
  readonly at: string;
  readonly item: string;
  readonly shows: Record<string, unknown>;
  readonly takes: Record<string, unknown>;
  readonly list?: Record<string, unknown>;
  readonly made?: Record<string, unknown>;
}

function rest({ at, item, shows, takes, list, made }: Plural): Shapes {
  return {
    [`GET ${at} list`]: { returns: list ?? object({ entries: listOf(shows) }) },
    [`POST ${at} create`]: { takes, returns: made ?? shows, status: 201 },
    [`GET ${item} read`]: { returns: shows },
    [`PUT ${item} change`]: { takes, returns: shows },
    [`DELETE ${item} remove`]: { status: 204 },
  };
}

const text = object({ text: TEXT });
const badge = object({ badgeId: TEXT, text: TEXT });
const member = object({ id: TEXT, text: TEXT });
const REST = 'list:list create:create read:read change:replace remove:delete';

const STYLES: readonly Style[] = [
  {
    name: 'whose id is below a member with another name',
    document: smallSpec(
      rest({
        at: '/lamps',
        item: '/lamps/{serial}',
        shows: object({ core: object({ serial: TEXT }), text: TEXT }),
        takes: text,
      }),
    ),
    map: `/lamps: ${REST}`,
    id: '/core/serial',
    calls: restCalls('/lamps', { text: '$text' }),
  },
  {
    name: 'whose id is below a member, in paths with the noun of the item',
    document: smallSpec(
      rest({
        at: '/lamps',
        item: '/lamps/{lampKey}',
        shows: object({ metadata: object({ key: TEXT }), text: TEXT }),
        takes: text,
      }),
    ),
    map: `/lamps: ${REST}`,
    id: '/metadata/key',
    calls: restCalls('/lamps', { text: '$text' }),
  },
  {
    name: 'in an envelope of two levels',
    document: smallSpec(
      rest({
        at: '/lamps',
        item: '/lamps/{id}',
        shows: object({ state: TEXT, payload: object({ lamp: member }) }),
        takes: object({ payload: object({ lamp: text }) }),
        list: object({ payload: object({ lamps: listOf(member) }), data: object({ lamps: listOf(member) }) }, ['data']),
      }),
    ),
    map: `/lamps: ${REST}`,
    id: '/id',
    calls: restCalls('/lamps', { payload: { lamp: { text: '$text' } } }),
  },
  {
    name: 'with keys in parentheses, as in OData',
    document: smallSpec(
      rest({
        at: '/Badges',
        item: "/Badges('{badgeId}')",
        shows: badge,
        takes: text,
        list: object({ value: listOf(badge) }),
      }),
    ),
    map: `/Badges: ${REST}`,
    id: '/badgeId',
    calls: restCalls('/Badges', { text: '$text' }, "/Badges('$id')"),
  },
  {
    name: 'on a path in the singular',
    document: smallSpec({
      'GET /rules listRules': { returns: listOf(member) },
      'POST /rules addRule': { takes: text, returns: object({ ruleID: TEXT }) },
      'GET /rule/{ruleID} getRule': { returns: member },
      'PUT /rule/{ruleID} putRule': { takes: text, returns: member },
      'DELETE /rule/{ruleID} dropRule': { status: 204 },
    }),
    map: '/rules: listRules:list addRule:create getRule:read putRule:replace dropRule:delete',
    id: '/id',
    calls: restCalls('/rules', { text: '$text' }, '/rule/$id'),
  },
  {
    name: 'that a POST below the collection lists',
    document: smallSpec({
      'POST /orders create': { takes: text, returns: member, status: 201 },
      'POST /orders/search find': {
        takes: object({ text: TEXT, limit: NUMBER, offset: NUMBER }, []),
        returns: object({ hits: listOf(member), total: NUMBER }),
      },
      'GET /orders/{orderId} read': { returns: member },
      'PUT /orders/{orderId} change': { takes: text, returns: member },
      'DELETE /orders/{orderId} remove': { status: 204 },
    }),
    map: '/orders: create:create find:list read:read change:replace remove:delete',
    id: '/id',
    calls: { ...restCalls('/orders', { text: '$text' }), list: ['POST', '/orders/search', { text: '$text' }] },
  },
  {
    name: 'that show only their address',
    document: smallSpec(
      rest({
        at: '/spots',
        item: '/spots/{spotId}',
        shows: object({ self: { type: 'string', format: 'uri' }, text: TEXT }),
        takes: text,
      }),
    ),
    map: `/spots: ${REST}`,
    id: '/self',
    calls: restCalls('/spots', { text: '$text' }),
  },
  {
    name: 'that show only a link to themselves',
    document: smallSpec(
      rest({
        at: '/spots',
        item: '/spots/{spotId}',
        shows: object({ _links: object({ self: object({ href: TEXT }), owner: object({ href: TEXT }) }), text: TEXT }),
        takes: text,
      }),
    ),
    map: `/spots: ${REST}`,
    id: '/_links/self/href',
    calls: restCalls('/spots', { text: '$text' }),
  },
  {
    name: 'that two parameters name, of which one is a member of a member',
    document: smallSpec({
      ...rest({
        at: '/repos',
        item: '/repos/{owner}/{repo}',
        shows: object({ owner: object({ login: TEXT }), name: TEXT, full_name: TEXT, text: TEXT }),
        takes: text,
      }),
      'POST /repos create': {
        takes: object({ owner: TEXT, text: TEXT }),
        returns: object({ owner: object({ login: TEXT }), name: TEXT, full_name: TEXT, text: TEXT }),
        status: 201,
      },
    }),
    map: `/repos: ${REST}`,
    id: '/name',
    calls: restCalls('/repos', { owner: 'acme', text: '$text' }, '/repos/acme/$id'),
  },
  {
    name: 'behind verbs without a folder, of which no word creates',
    document: smallSpec({
      'POST /OpenTicket open': { takes: text, returns: object({ TicketId: TEXT }) },
      'POST /GetTicket get': { takes: object({ TicketId: TEXT }), returns: object({ TicketId: TEXT, text: TEXT }) },
      'POST /ListTickets list': { returns: object({ Tickets: listOf(object({ TicketId: TEXT, text: TEXT })) }) },
      'POST /UpdateTicket update': {
        takes: object({ TicketId: TEXT, text: TEXT }),
        returns: object({ TicketId: TEXT, text: TEXT }),
      },
      'POST /DropTicket drop': { takes: object({ TicketId: TEXT }), status: 204 },
    }),
    map: '/ticket: open:create get:read list:list update:update drop:delete',
    id: '/TicketId',
    calls: {
      create: ['POST', '/OpenTicket', { text: '$text' }],
      read: ['POST', '/GetTicket', { TicketId: '$id' }],
      list: ['POST', '/ListTickets', {}],
      update: ['POST', '/UpdateTicket', { TicketId: '$id', text: '$text' }],
      delete: ['POST', '/DropTicket', { TicketId: '$id' }],
    },
  },
];

test.each(STYLES)('items $name are found in the map, and explain --check finds nothing wrong', async (style) => {
  const { resources, problems } = await explain(await loadDocument(style.document), { check: true });
  const shown = resources.map(
    ({ path, operations }) =>
      `${path}: ${operations.map(({ operationId, role }) => `${operationId}:${role}`).join(' ')}`,
  );
  expect(shown.map(inOrder)).toEqual([inOrder(style.map)]);
  expect(resources[0]?.id?.member).toBe(style.id);
  expect(problems).toEqual([]);
});

function inOrder(line: string): string {
  const [path = '', ...roles] = line.split(' ');
  return [path, ...roles.sort()].join(' ');
}

test.each(STYLES)('items $name are kept by a mock until they are deleted', async ({ document, calls, id: pointer }) => {
  await using mock = await startMock(await loadDocument(document), { seed: 1 });
  const send = async (use: keyof Style['calls'], id: string, shown = ''): Promise<readonly [number, string]> => {
    const [method, target, body] = calls[use];
    const fill = (value: string): string => value.replaceAll('$id', id).replaceAll('$text', shown);
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? { method } : { method, headers, body: fill(JSON.stringify(body)) };
    const response = await mock.fetch(mock.url + fill(target), sent);
    return [response.status, await response.text()];
  };
  const create = async (shown: string): Promise<string> => {
    const [status, body] = await send('create', '', shown);
    expect(status, body).toBeLessThan(300);
    return findId(JSON.parse(body), pointer.split('/').slice(1));
  };
  const [first, second] = [await create('one'), await create('two')];
  expect(first).not.toBe(second);
  expect(await send('read', first)).toEqual([200, expect.stringContaining('"one"')]);
  expect(await send('list', '', 'two')).toEqual([200, expect.stringContaining(second)]);
  expect((await send('update', first, 'three'))[0]).toBe(200);
  expect(await send('read', first)).toEqual([200, expect.stringContaining('"three"')]);
  expect((await send('delete', first))[0]).toBe(204);
  expect((await send('read', first))[0]).toBe(404);
  expect((await send('list', '', 'three'))[1]).not.toContain(first);
  expect((await send('read', second))[0]).toBe(200);
});

test.each(STYLES.filter(({ name }) => /POST below|two parameters/.test(name)))(
  'a contract run calls all operations on items $name',
  async ({ document }) => {
    const api = await loadDocument(document);
    await using mock = await startMock(api, { seed: 1 });
    const { url, fetch } = mock;
    const report = await runContract({ api, url, fetch, seed: 1, maxExamples: 1, phases: ['examples', 'stateful'] });
    expect(report.findings).toEqual([]);
    expect(report.reach.succeeded.toSorted()).toEqual(api.operations.map(({ id }) => id).toSorted());
    expect(await (await mock.fetch(`${url}/__specmill/state`)).text()).not.toContain('"text"');
  },
);

test('items below an item that two parameters name belong to it', async () => {
  const image = object({ space: TEXT, name: TEXT, stars: NUMBER });
  const document = smallSpec({
    'POST /images push': { takes: image, returns: image, status: 201 },
    'GET /images images': { returns: listOf(image) },
    'GET /images/{space}/{name} image': { returns: image },
    'DELETE /images/{space}/{name} drop': { status: 204 },
    'GET /images/{space}/{name}/tags tags': { returns: listOf(member) },
    'POST /images/{space}/{name}/tags tag': { takes: text, returns: member, status: 201 },
  });
  await using mock = await startMock(await loadDocument(document), { seed: 1 });
  const send = async (method: string, path: string, body?: object): Promise<readonly [number, string]> => {
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    const response = await mock.fetch(mock.url + path, sent);
    return [response.status, await response.text()];
  };
  for (const name of ['a b', 'c']) await send('POST', '/images', { space: 'x/y', name, stars: 1 });
  expect((await send('GET', '/images/x%2Fy/a%20b'))[0]).toBe(200);
  expect((await send('GET', '/images/x/c'))[0]).toBe(404);
  expect((await send('POST', '/images/x%2Fy/a%20b/tags', { text: 'v1' }))[0]).toBe(201);
  expect(await send('GET', '/images/x%2Fy/c/tags')).toEqual([200, '[]']);
  expect((await send('GET', '/images/x/c/tags'))[0]).toBe(404);
  await send('DELETE', '/images/x%2Fy/a%20b');
  await send('POST', '/images', { space: 'x/y', name: 'a b', stars: 2 });
  expect(await send('GET', '/images/x%2Fy/a%20b/tags')).toEqual([200, '[]']);
});

/** The id of an item at any depth of a response: the text at the pointer, its last segment, or the only text there is. */
function findId(body: unknown, path: readonly string[]): string {
  const value = valueAtPath(body, path);
  if (typeof value === 'string') return value.split('/').at(-1) ?? '';
  const inner = isRecord(body) ? Object.values(body) : [];
  const [only] = inner;
  if (inner.length === 1 && typeof only === 'string') return only;
  return inner.map((one) => (isRecord(one) ? findId(one, path) : '')).find((one) => one !== '') ?? '';
}
