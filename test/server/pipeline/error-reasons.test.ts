import { expect, onTestFinished, test } from 'vitest';

import { formatCall, formatCallAsJson } from '../../../cli/mock-log.js';
import { type JournalEntry, type MockCall, type MockDefinition, defineMock, startMock } from '../../../entry/mock.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

/** A map of objects: no text fits into it. */
const WORDLESS = {
  description: 'wrong',
  content: { 'application/json': { schema: { type: 'object', additionalProperties: { type: 'object' } } } },
};
const KITE = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, colour: { type: 'string' } } };
const content = { 'application/json': { schema: KITE } };
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const NEVER = { type: 'object', required: ['a'], properties: { a: { not: {} } } };

const KITES = documentWith({
  '/kites': {
    post: { operationId: 'addKite', requestBody: { content }, responses: { 201: { description: 'ok', content } } },
  },
  '/kites/{id}': {
    parameters: [ID],
    get: { operationId: 'getKite', responses: { 200: { description: 'ok', content }, 404: WORDLESS } },
    delete: { operationId: 'cutKite', responses: { 204: { description: 'gone' } } },
  },
  '/wind': {
    get: {
      operationId: 'getWind',
      responses: {
        200: { description: 'ok', content: { 'application/json': { schema: NEVER } } },
        500: WORDLESS,
        503: WORDLESS,
      },
    },
  },
});

interface Called {
  readonly status: number;
  readonly body: unknown;
  readonly entry: JournalEntry;
  readonly call: MockCall;
}

async function getEntry(path: string, definition: MockDefinition = {}, method = 'GET'): Promise<Called> {
  const calls: MockCall[] = [];
  const mock = await startMock(defineMock(await loadDocument(KITES), definition), {
    seed: 1,
    onCall: (call) => calls.push(call),
  });
  onTestFinished(() => mock.close());
  const response = await mock.fetch(`${mock.url}${path}`, { method });
  const body: unknown = await response.json();
  const [entry] = await mock.requests();
  const [call] = calls;
  if (entry === undefined || call === undefined) throw new Error('The call is not in the journal.');
  return { status: response.status, body, entry, call };
}

const UNSAID = "The body of the error does not say why: There is no kite '7'.";

test('the journal and the log have the reason of an error whose schema has no text', async () => {
  const { status, body, entry, call } = await getEntry('/kites/7');
  expect({ status, body }).toEqual({ status: 404, body: {} });
  expect(entry).toMatchObject({ violations: [], notes: [UNSAID] });
  expect(formatCall(call, false)).toContain(UNSAID);
  expect(JSON.parse(formatCallAsJson(call))).toMatchObject({ notes: [UNSAID] });
});

test('the journal has the reason of a refusal by a handler', async () => {
  const operations: MockDefinition['operations'] = { getWind: (call) => call.refuse(503, 'Calm.') };
  const { status, entry } = await getEntry('/wind', { operations });
  expect(status).toBe(503);
  expect(entry.notes).toEqual(['The body of the error does not say why: Calm.']);
});

test('the journal has a violation for a response that cannot be made', async () => {
  const { status, body, entry } = await getEntry('/wind');
  expect({ status, body }).toEqual({ status: 500, body: {} });
  expect(entry.violations[0]).toMatchObject({ in: 'response' });
  expect(entry).not.toHaveProperty('notes');
});

test('an error of another operation lends its schema only if that has a place for the reason', async () => {
  const { status, body, entry } = await getEntry('/kites/7', {}, 'DELETE');
  expect({ status, body }).toMatchObject({ status: 404, body: { detail: "There is no kite '7'." } });
  expect(entry).not.toHaveProperty('notes');
});
