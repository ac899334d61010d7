import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const TEXT = { type: 'string', minLength: 1, maxLength: 20 };
const TIME = { type: 'string', format: 'date-time' };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const ok = (schema: object): object => ({ 200: { description: 'ok', ...json(schema) } });
const FAILURES = Object.fromEntries(
  ['400', '404', '409', '415', '422'].map((status) => [status, { description: `Failure ${status}` }]),
);
const object = (properties: object, required = Object.keys(properties)): object => ({
  type: 'object',
  required,
  properties,
});
const idOf = (name: string): object => ({ name, in: 'path', required: true, schema: TEXT });
const take = (schema: object): object => ({ requestBody: { required: true, ...json(schema) } });
const call = (operationId: string, shown: object, more: object = {}): object => ({
  operationId,
  responses: { ...ok(shown), ...FAILURES },
  ...more,
});

const NUMBER = { type: 'integer', minimum: 1, maximum: 999_999_999, example: 123 };
const NEWS = object({ id: { ...TEXT, pattern: '^[0-9]{1,9}$', example: '141' }, sender_id: NUMBER });
const LABELED = object({ labels: { type: ['object', 'null'], additionalProperties: TEXT, example: { a: 'b' } } });
const PLAN = object({ code: TEXT, title: TEXT });
const CHARGE = object({ code: TEXT, amount: { type: 'integer', minimum: 0 } });
const UNIQUE_ADD_ON = { ...TEXT, description: 'Unique code used to identify the add-on.' };
const FEE = object({ lot_id: TEXT, add_on_code: UNIQUE_ADD_ON, label: TEXT });
const NEW_FEE = object({ add_on_code: UNIQUE_ADD_ON, label: { ...TEXT, type: ['string', 'null'] } }, ['add_on_code']);
const TOP_UP = object({ top_up_id: TEXT, status: { enum: ['done', 'open'] } });

/** Promises of real APIs that are easily misread. */
const PATHS = {
  '/plans': {
    get: call('listPlans', { type: 'array', items: PLAN }),
    post: call('createPlan', PLAN, take(PLAN)),
  },
  '/plans/{code}': { parameters: [idOf('code')], get: call('getPlan', PLAN) },
  // The code in a charge is its own, not that of the plan.
  '/plans/{code}/charges': {
    parameters: [idOf('code')],
    post: call('createCharge', object({ charge: CHARGE }), take(CHARGE)),
  },
  '/plans/{code}/charges/{charge_code}': {
    parameters: [idOf('code'), idOf('charge_code')],
    get: call('getCharge', object({ charge: CHARGE })),
  },
  // Nothing shows the keys, and null removes them all.
  '/plans/{code}/labels': {
    parameters: [idOf('code')],
    post: call('setLabels', LABELED, take(LABELED)),
  },
  '/plans/{code}/labels/{key}': {
    parameters: [idOf('code'), idOf('key')],
    delete: call('deleteLabel', LABELED),
  },
  // A response cannot show the label as null, and the code is unique among add-ons.
  '/fees': {
    get: call('listFees', { type: 'array', items: FEE }),
    post: call('createFee', FEE, take(NEW_FEE)),
  },
  '/fees/{lot_id}': { parameters: [idOf('lot_id')], get: call('getFee', FEE) },
  // The response to the creation is a list, and the bodies share no member.
  '/top_ups': {
    post: call('createTopUp', object({ top_ups: { type: 'array', items: TOP_UP } }), take(object({ paid: TEXT }))),
  },
  // All examples of ids are the same short number.
  '/news': {
    get: call('listNews', { type: 'array', items: NEWS }),
    post: call('createNews', NEWS, take(object({ sender_id: NUMBER }))),
  },
  '/news/{news_id}': {
    parameters: [{ ...idOf('news_id'), schema: NUMBER }],
    get: call('getNews', NEWS),
    put: call('updateNews', NEWS, take(object({ sender_id: NUMBER }))),
  },
  '/top_ups/{top_up_id}': { parameters: [idOf('top_up_id')], get: call('getTopUp', TOP_UP) },
};

test('a contract run finds nothing on the own mock of an API whose promises are easily misread', async () => {
  const api = await loadDocument(documentWith(PATHS));
  await using mock = await startMock(api, { noRateLimit: true, seed: 1 });
  const report = await runContract({ api, url: 'http://mock.test', fetch: mock.fetch, seed: 1, maxExamples: 3 });
  expect(report.findings.map(({ check, operationId, message }) => `${check} ${operationId}: ${message}`)).toEqual([]);
  expect(report.unreached).toEqual([]);
});

test('a creation that answers with a list makes an item that can be read', async () => {
  const mock = await startMock(await loadDocument(documentWith(PATHS)), { noRateLimit: true });
  const body = JSON.stringify({ paid: 'all' });
  const headers = { 'content-type': 'application/json' };
  const made = await mock.fetch('http://mock.test/top_ups', { method: 'POST', headers, body });
  const { top_ups: topUps } = (await made.json()) as { readonly top_ups: readonly { readonly top_up_id: string }[] };
  expect(topUps).toHaveLength(1);
  const read = await mock.fetch(`http://mock.test/top_ups/${topUps[0]?.top_up_id}`);
  expect(await read.json()).toEqual(topUps[0]);
  await mock.close();
});

test.each([
  ['The first time.', 'at_since', ['b', 'c']],
  ['Created after this time, exclusively.', 'at_from', ['c']],
  ['Created before this time.', 'at_to', ['a']],
  ['Created at this time or later.', 'at_from', ['b', 'c']],
  ['Created at this time or before.', 'at_to', ['a', 'b']],
])('the mock filters a list by a bound as its description says: %s', async (description, name, wanted) => {
  const Event = object({ id: TEXT, at: TIME });
  const parameter = { name, in: 'query', description, schema: TIME };
  const paths = {
    '/events': { get: call('listEvents', { type: 'array', items: Event }, { parameters: [parameter] }) },
    '/events/{id}': { parameters: [idOf('id')], get: call('getEvent', Event) },
  };
  const events = ['a', 'b', 'c'].map((id, index) => ({ id, at: `2026-01-0${index + 1}T00:00:00Z` }));
  const mock = await startMock(await loadDocument(documentWith(paths)));
  await mock.data.put({ '/events': events });
  const response = await mock.fetch(`http://mock.test/events?${name}=2026-01-02T00:00:00Z`);
  expect(((await response.json()) as { id: string }[]).map(({ id }) => id)).toEqual(wanted);
  await mock.close();
});

test('the mock makes items of a collection below an item, and does not change the item around them', async () => {
  const Kind = object({ id: TEXT, label: TEXT });
  const Field = object({ id: TEXT, label: TEXT, kind_id: { type: 'integer' } });
  const paths = {
    '/kinds': { post: call('createKind', Kind, take(object({ label: TEXT }))) },
    '/kinds/{kind_id}': { parameters: [idOf('kind_id')], get: call('getKind', Kind) },
    '/kinds/{kind_id}/fields': {
      parameters: [idOf('kind_id')],
      post: call('createField', { $ref: '#/components/schemas/Field' }, take(object({ label: TEXT }))),
    },
    '/kinds/{kind_id}/fields/{field_id}': {
      parameters: [idOf('kind_id'), idOf('field_id')],
      put: call('updateField', { $ref: '#/components/schemas/Field' }, take(object({ label: TEXT }))),
    },
  };
  const mock = await startMock(await loadDocument(documentWith(paths, { components: { schemas: { Field } } })));
  const post = async (path: string, label: string): Promise<{ readonly id: string }> => {
    const headers = { 'content-type': 'application/json' };
    const response = await mock.fetch(`http://mock.test${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ label }),
    });
    return (await response.json()) as { readonly id: string };
  };
  const kind = await post('/kinds', 'bug');
  await post(`/kinds/${kind.id}/fields`, 'priority');
  expect(await (await mock.fetch(`http://mock.test/kinds/${kind.id}`)).json()).toEqual(kind);
  await mock.close();
});
