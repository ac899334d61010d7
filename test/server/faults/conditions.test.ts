import { afterAll, beforeEach, expect, it } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { loadApi } from '../../../entry/specmill.js';
import type { Fault } from '../../../server/faults/fault.js';

const mock = await startMock(await loadApi('test/server/data/shop.yaml'));
afterAll(() => mock.close());
beforeEach(() => mock.reset());

const pay = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  mock.fetch(`${mock.url}/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ id: 'p', customer_id: 'cus_1', ...(body as object) }),
  });

it.each<[NonNullable<Fault['when']>, boolean]>([
  [{ body: { amount: 5 } }, true],
  [{ body: { amount: '5' } }, false],
  [{ body: { amount: { gt: 4, lte: 5 } } }, true],
  [{ body: { amount: { gt: 5 } } }, false],
  [{ body: { '/customer_id': 'cus_1' } }, true],
  [{ body: { customer_id: { oneOf: ['cus_2', 'cus_1'] } } }, true],
  [{ body: { customer_id: { matches: '^cus_\\d+$' } } }, true],
  [{ body: { customer_id: { matches: '^cus$' } } }, false],
  [{ body: { note: { exists: false } } }, true],
  [{ body: { note: { equals: 'x' } } }, false],
  [{ body: { toString: { exists: true } } }, false],
  [{ headers: { 'X-Tenant': 'a' }, query: { try: 2 } }, true],
  [{ headers: { 'X-Tenant': 'b' } }, false],
  [{ query: { try: { gte: 3 } } }, false],
])('a fault with %j happens to the call: %s', async (when, happens) => {
  await mock.faults.put([{ operationId: 'createPayment', when, status: 402, body: { code: 'declined' } }]);
  const response = await mock.fetch(`${mock.url}/payments?try=1&try=2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tenant': 'a' },
    body: '{"id":"p","amount":5,"customer_id":"cus_1"}',
  });
  expect(response.status).toBe(happens ? 402 : 201);
});

it('a fault can name a path value, and the third call of an operation', async () => {
  await mock.faults.put([
    { when: { path: { customer_id: 'cus 402' } }, status: 402, body: { code: 'declined' } },
    { operationId: 'listPlans', times: 2 },
    { operationId: 'listPlans', times: 1, status: 503 },
  ]);
  expect((await mock.fetch(`${mock.url}/customers/cus%20402`)).status).toBe(402);
  expect((await mock.fetch(`${mock.url}/customers/other`)).status).toBe(404);
  const statuses: number[] = [];
  for (let call = 0; call < 4; call += 1) statuses.push((await mock.fetch(`${mock.url}/plans`)).status);
  expect(statuses).toEqual([200, 200, 503, 200]);
});

it('a probability follows the seed, so that a run can be repeated', async () => {
  const run = async (): Promise<string> => {
    await mock.reset();
    await mock.faults.put([{ probability: 0.5, status: 503 }]);
    let statuses = '';
    for (let call = 0; call < 20; call += 1) statuses += (await mock.fetch(`${mock.url}/plans`)).status;
    return statuses;
  };
  const first = await run();
  expect(first).toMatch(/200/);
  expect(first).toMatch(/503/);
  expect(await run()).toBe(first);
});

it('templates insert values of the request, which never become templates or break the JSON around them', async () => {
  const hostile = '","admin":true,"x":"{{uuid}} \u2028';
  await mock.faults.put([
    {
      operationId: 'createPayment',
      status: 402,
      headers: { 'x-echo': 'was {{body.customer_id}}' },
      body: {
        text: 'for {{body.customer_id}} at {{now}}',
        amount: '{{body.amount}}',
        id: '{{uuid}}',
        again: '{{uuid}}',
      },
    },
  ]);
  const response = await pay({ amount: 7.5, customer_id: `${hostile}\r\nset-cookie: a=b` });
  const body = (await response.json()) as Record<string, string>;
  expect(Object.keys(body)).toEqual(['text', 'amount', 'id', 'again']);
  expect(body['text']).toContain(hostile);
  expect([body['amount'], body['id']]).toEqual([7.5, body['again']]);
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(response.headers.get('x-echo')).toContain('set-cookie: a=b');
});

it('texts of a request are escaped in HTML', async () => {
  await mock.faults.put([{ headers: { 'content-type': 'text/html' }, body: '<p>{{query.q}}</p>' }]);
  const response = await mock.fetch(`${mock.url}/plans?q=${encodeURIComponent('<script>')}`);
  expect(await response.text()).toBe('<p>&#60;script&#62;</p>');
});

it.each([
  ['{{body.note}}', 'A fault cannot be rendered: the request has no body.note.'],
  ['{{body.constructor}}', 'A fault cannot be rendered: the request has no body.constructor.'],
  ['{{body.id.length}}', 'A fault cannot be rendered: the request has no body.id.length.'],
])('a template with %s is an error at the call', async (text, message) => {
  await mock.faults.put([{ body: { text } }]);
  const response = await pay({ amount: 5 });
  expect([response.status, await response.text()]).toEqual([500, expect.stringContaining(message)]);
});

it('a template may not make more than a million characters', async () => {
  await mock.faults.put([{ operationId: 'createPayment', body: { text: '{{body.id}}'.repeat(200) } }]);
  const response = await pay({ amount: 5, id: 'x'.repeat(10_000) });
  expect(await response.text()).toContain('The templates of a fault make more than 1,000,000 characters.');
});

it.each<[object, string, string]>([
  [{ wehn: {} }, '/0/wehn', 'A fault has no member "wehn". Did you mean when?'],
  [
    { operationId: 'createPaymentt' },
    '/0/operationId',
    'The API has no operation "createPaymentt". Did you mean createPayment?',
  ],
  [{ when: { boddy: {} } }, '/0/when/boddy', 'A request has no part "boddy". Did you mean body?'],
  [
    { when: { body: { amount: { eqals: 5 } } } },
    '/0/when/body/amount/eqals',
    'There is no test "eqals". Did you mean equals? A member of an object is named by its JSON pointer, such as /customer/id.',
  ],
  [
    { when: { query: { q: { matches: '(' } } } },
    '/0/when/query/q/matches',
    'The test matches must be a regular expression.',
  ],
  [{ when: { body: { a: { gt: true } } } }, '/0/when/body/a/gt', 'The test gt must be a number or a text.'],
  [
    { body: { a: ['{{#if body}}x{{/if}}'] } },
    '/0/body/a/0',
    'The text is no usable template: it has more than names, such as {{path.id}}: there are no helpers, blocks and partials.',
  ],
  [
    { body: '{{> x}}' },
    '/0/body',
    'The text is no usable template: it has more than names, such as {{path.id}}: there are no helpers, blocks and partials.',
  ],
  [
    { headers: { a: '{{process.env}}' } },
    '/0/headers/a',
    'The text is no usable template: it has the unknown name "process.env"; the names are path, query, headers, body, now, uuid.',
  ],
  [
    { body: '{{this.constructor}}' },
    '/0/body',
    'The text is no usable template: it has the unknown name "this.constructor"; the names are path, query, headers, body, now, uuid.',
  ],
])('refuses the fault %j and keeps the others', async (fault, pointer, message) => {
  await mock.faults.put([{ status: 503 }]);
  await expect(mock.faults.put([fault])).rejects.toMatchObject({ status: 422, message, violations: [{ pointer }] });
  expect(await mock.faults.get()).toEqual([{ status: 503 }]);
});

it('the journal says which fault happened, and what of it breaks the spec', async () => {
  await mock.faults.put([{ name: 'declined', operationId: 'createPayment', status: 402, body: { message: 'No.' } }]);
  await pay({ amount: 5 });
  expect((await mock.requests()).at(-1)?.notes).toEqual([
    'The fault "declined" happened.',
    "The response of the fault breaks the spec: /body must have required property 'code'.",
  ]);
});
