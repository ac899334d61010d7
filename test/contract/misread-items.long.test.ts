import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const TEXT = { type: 'string', minLength: 1, maxLength: 20 };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const FAILURES = Object.fromEntries(
  ['400', '404', '409', '415', '422'].map((status) => [status, { description: `Failure ${status}` }]),
);
const object = (properties: object, required = Object.keys(properties)): object => ({
  type: 'object',
  required,
  properties,
});
const take = (schema: object): object => ({ requestBody: { required: true, ...json(schema) } });
const call = (operationId: string, shown: object, more: object = {}): object => ({
  operationId,
  responses: { 200: { description: 'ok', ...json(shown) }, ...FAILURES },
  ...more,
});
const inPath = (name: string, description = 'Names it.'): object => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: TEXT,
});

const FREE = { type: 'object', additionalProperties: TEXT };
const TICKET = object({
  id: { ...TEXT, description: 'The unique identifier of the ticket.' },
  ticket_id: { ...TEXT, description: 'The number that people see.' },
  extras: FREE,
  open: { type: 'boolean' },
  subject: TEXT,
});
const REPLY = object({ text: TEXT, sent: TEXT, author: object({ id: TEXT, type: TEXT }) });
const JOB = object({ job_identifier: TEXT, status: { enum: ['pending', 'done'] } });
const CONTACT = { $ref: '#/components/schemas/Contact' };
const FIELD = object({ field_id: TEXT, label: TEXT, visible: { type: 'boolean', default: true } });

const PATHS = {
  // A member with the parameter's name is not what the parameter takes, and a member of any content is no envelope.
  '/tickets': {
    get: call('listTickets', { type: 'array', items: TICKET }),
    post: call('createTicket', TICKET, take(object({ subject: TEXT }))),
  },
  '/tickets/{ticket_id}': {
    parameters: [inPath('ticket_id', 'The unique identifier of the ticket.\nIt is not the number that people see.')],
    get: call('getTicket', TICKET),
    patch: call('updateTicket', TICKET, take(object({ extras: FREE, open: { type: 'boolean' }, note: TEXT }, []))),
  },
  '/tickets/{ticket_id}/reply': {
    parameters: [inPath('ticket_id')],
    post: call('replyToTicket', REPLY, take(object({ text: TEXT }))),
  },
  // A call below the collection begins a job, and another collection has its file.
  '/exports/enqueue': { post: call('beginExport', JOB, take(object({ kind: TEXT }))) },
  '/exports/{job_identifier}': { parameters: [inPath('job_identifier')], get: call('getExport', JOB) },
  '/download/exports/{job_identifier}': {
    parameters: [inPath('job_identifier')],
    get: call('downloadExport', object({ rows: { type: 'array', items: TEXT } })),
  },
  // A merge returns a contact that is there already.
  '/contacts': {
    get: call('listContacts', { type: 'array', items: CONTACT }),
    post: call('createContact', { allOf: [CONTACT] }, take(object({ email: TEXT }))),
  },
  '/contacts/{id}': { parameters: [inPath('id')], get: call('getContact', CONTACT) },
  '/contacts/merge': { post: call('mergeContacts', CONTACT, take(object({ from: TEXT, into: TEXT }))) },
  '/contacts/by_external_id/{external_id}': {
    parameters: [inPath('external_id')],
    get: call('findContact', CONTACT),
  },
  // No response shows the field again, so the mock keeps no state.
  '/forms/{form}/fields': {
    parameters: [inPath('form')],
    post: call(
      'createField',
      FIELD,
      take(object({ label: TEXT, visible: { type: 'boolean', default: true } }, ['label'])),
    ),
  },
};

const load = (): ReturnType<typeof loadDocument> =>
  loadDocument(
    documentWith(PATHS, { components: { schemas: { Contact: object({ id: TEXT, external_id: TEXT, email: TEXT }) } } }),
  );

test('a contract run finds nothing on the own mock of an API whose items are easily misread', async () => {
  const api = await load();
  await using mock = await startMock(api, { noRateLimit: true, seed: 1 });
  const report = await runContract({ api, url: 'http://mock.test', fetch: mock.fetch, seed: 1 });
  expect(report.findings.map(({ check, operationId, message }) => `${check} ${operationId}: ${message}`)).toEqual([]);
  expect(report.unreached).toEqual([]);
});

async function start(): Promise<(method: string, path: string, body?: unknown) => Promise<Response>> {
  const mock = await startMock(await load(), { noRateLimit: true, seed: 1 });
  return (method, path, body) =>
    mock.fetch(`http://mock.test${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
}

test('the id of an item is the member with the description of the parameter, not the one with its name', async () => {
  const send = await start();
  const { id } = (await (await send('POST', '/tickets', { subject: 'lamp' })).json()) as { readonly id: string };
  const changed = await send('PATCH', `/tickets/${id}`, { extras: { room: 'hall' }, open: true });
  expect(await changed.json()).toMatchObject({ id, extras: { room: 'hall' }, open: true, subject: 'lamp' });
});

test('a job that a call below its collection begins can be read, and downloaded elsewhere', async () => {
  const send = await start();
  const begun = (await (await send('POST', '/exports/enqueue', { kind: 'all' })).json()) as {
    readonly job_identifier: string;
  };
  expect(await (await send('GET', `/exports/${begun.job_identifier}`)).json()).toEqual(begun);
  expect((await send('GET', `/download/exports/${begun.job_identifier}`)).status).toBe(200);
  expect((await send('GET', '/download/exports/unknown')).status).toBe(404);
});

test('a response to a write without state shows the defaults of what the request leaves out', async () => {
  const send = await start();
  for (const label of ['a', 'b', 'c', 'd'])
    expect(await (await send('POST', '/forms/f/fields', { label })).json()).toMatchObject({ label, visible: true });
});
