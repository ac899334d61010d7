import { describe, expect, it } from 'vitest';

import { runContract } from '../../../entry/contract.js';
import { startMock } from '../../../entry/mock.js';
import { explain } from '../../../entry/specmill.js';
import { loadDocument } from '../../support/load-document.js';
import { listOf, object, smallSpec, TEXT } from '../../support/small-spec.js';

const bill = object({ ref: TEXT, total: { type: 'integer' }, currency: TEXT }, ['ref', 'total']);
const ticket = object(
  { ref: TEXT, seat: TEXT, pay_state: { type: ['string', 'null'], enum: ['open', 'voided', null] } },
  ['ref', 'seat'],
);
const login = object({ login_id: TEXT, address: TEXT });

/** Documents in styles of their own, and the resources with their roles that the map must show. */
const STYLES: readonly (readonly [title: string, document: object, resources: readonly string[]])[] = [
  [
    'a body has the item in a member with its noun, with other members than the item',
    smallSpec({
      'GET /bills listBills': { returns: object({ bills: listOf(bill) }) },
      'POST /bills addBill': {
        takes: object({ bill: object({ buyer: TEXT, currency: TEXT, lines: listOf(object({})), note: TEXT }) }),
        returns: object({ bill }),
      },
      'GET /bills/{ref} getBill': { returns: object({ bill }) },
      'PUT /bills/{ref} changeBill': {
        takes: object({ total: { type: 'integer' }, bill: object({ currency: TEXT }) }, ['bill']),
        returns: object({ bill }),
      },
    }),
    ['/bills: list create read replace'],
  ],
  [
    'an action is named by a value of a member',
    smallSpec({
      'GET /tickets listTickets': { returns: listOf(ticket) },
      'POST /tickets addTicket': { takes: object({ seat: TEXT }), returns: ticket, status: 201 },
      'GET /tickets/{ref} getTicket': { returns: ticket },
      'PUT /tickets/{ref}/void voidTicket': { returns: ticket },
    }),
    ['/tickets: list create read action'],
  ],
  [
    'items are deleted but never created',
    smallSpec({
      'GET /logins listLogins': { returns: object({ logins: listOf(login) }) },
      'DELETE /logins/{login_id} endLogin': { status: 204 },
      'POST /logins/{login_id}/extend extendLogin': { returns: login },
    }),
    ['/logins: list delete action'],
  ],
];

describe.each(STYLES)('a spec where %s', (_title, document, resources) => {
  it('has a map whose promises its mock keeps', async () => {
    const { resources: found, problems } = await explain(await loadDocument(document), { check: true });
    const roles = found.map(({ path, operations }) => `${path}: ${operations.map(({ role }) => role).join(' ')}`);
    expect(roles).toEqual(resources);
    expect(problems).toEqual([]);
  });
});

async function call(index: number, ...requests: readonly (readonly [string, string, object?])[]): Promise<unknown[]> {
  await using mock = await startMock(await loadDocument(STYLES[index]?.[1] ?? {}));
  const shown: unknown[] = [];
  for (const [method, path, body] of requests) {
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    const response = await mock.fetch(mock.url + path, sent);
    const text = await response.text();
    shown.push(response.ok && text !== '' ? JSON.parse(text) : response.status);
  }
  return shown;
}

it('keeps a member of a body that is enclosed by its noun', async () => {
  const bill = { buyer: 'b', currency: 'CHF', lines: [], note: 'n' };
  const [made] = await call(0, ['POST', '/bills', { bill }]);
  expect(made).toMatchObject({ bill: { currency: 'CHF' } });
});

it('opens a body that has options beside the item', async () => {
  const [made] = await call(0, ['POST', '/bills', { bill: { buyer: 'b', currency: 'CHF', lines: [], note: 'n' } }]);
  const { bill } = made as { bill: { ref: string } };
  const requests = [
    ['POST', '/bills', { bill: { buyer: 'b', currency: 'CHF', lines: [], note: 'n' } }],
    ['PUT', `/bills/${bill.ref}`, { total: 2, bill: { currency: 'USD' } }],
  ] as const;
  const [, changed] = await call(0, ...requests);
  expect(changed).toMatchObject({ bill: { currency: 'USD' } });
});

it('gives an item the state that an action names, whatever the name of the member', async () => {
  const [made] = await call(1, ['POST', '/tickets', { seat: '3' }]);
  const { ref } = made as { ref: string };
  const shown = await call(
    1,
    ['POST', '/tickets', { seat: '3' }],
    ['PUT', `/tickets/${ref}/void`],
    ['GET', `/tickets/${ref}`],
  );
  expect(shown.slice(1)).toEqual([
    expect.objectContaining({ pay_state: 'voided' }),
    expect.objectContaining({ pay_state: 'voided' }),
  ]);
});

it('keeps made-up items that are deleted but never created, and forgets what is deleted', async () => {
  const [page] = await call(2, ['GET', '/logins']);
  const ids = (page as { logins: { login_id: string }[] }).logins.map(({ login_id: id }) => id);
  const path = `/logins/${ids[0] ?? ''}`;
  const [, , after] = await call(2, ['POST', `${path}/extend`], ['DELETE', path], ['GET', '/logins'], ['DELETE', path]);
  expect(ids).toHaveLength(3);
  expect((after as { logins: object[] }).logins).toHaveLength(2);
});

it('accepts that a time sent as a number is shown as a text', async () => {
  const sight = { code: TEXT, seen: { type: 'string', format: 'date-time' } };
  const api = await loadDocument(
    smallSpec({
      'POST /sights addSight': { takes: object({ seen: { type: 'integer' } }), returns: object(sight), status: 201 },
      'GET /sights/{code} getSight': { returns: object(sight) },
    }),
  );
  const shown = { code: 'a', seen: '2026-01-02T03:04:05Z' };
  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> =>
    Response.json(shown, { status: init?.method === 'POST' ? 201 : 200 });
  const { findings } = await runContract({ api, url: 'http://sights.test', fetch, phases: ['stateful'], seed: 1 });
  expect(findings.filter(({ pointer }) => pointer.includes('seen'))).toEqual([]);
});
