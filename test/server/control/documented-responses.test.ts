import { expect, it, onTestFinished } from 'vitest';

import { checkResponse } from '../../../entry/contract.js';
import { type Mock, defineMock, startMock } from '../../../entry/mock.js';
import { loadApi } from '../../../entry/specmill.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const spec = 'specs/control/openapi.yaml';
const control = await loadApi(spec);
const pets = await loadDocument(
  documentWith({ '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'ok' } } } } }),
);

const BAD_NAME = { 'x-specmill-sandbox': 'not/a/name' };

/** A request, and the status of its response. */
interface Row {
  /** Method and target. */
  readonly call: string;
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  getHealth: [
    { call: 'GET /health', status: 200 },
    { call: 'HEAD /health', status: 200 },
    { call: 'GET /health', status: 200, headers: BAD_NAME },
  ],
  resetSandbox: [
    { call: 'POST /reset', status: 204 },
    { call: 'POST /reset', status: 400, headers: BAD_NAME },
  ],
  getState: [
    { call: 'GET /state', status: 200 },
    { call: 'GET /state', status: 400, headers: BAD_NAME },
  ],
  putState: [
    { call: 'PUT /state', status: 204, body: { collections: {} } },
    { call: 'PUT /state', status: 422, body: { collections: [] } },
    { call: 'PUT /state', status: 400, body: { collections: {} }, headers: BAD_NAME },
  ],
  getData: [{ call: 'GET /data', status: 200 }],
  putData: [
    { call: 'PUT /data', status: 204, body: {} },
    { call: 'PUT /data', status: 422, body: { dogs: [] } },
  ],
  addData: [
    { call: 'POST /data', status: 200, body: {} },
    { call: 'POST /data', status: 422, body: { pets: 7 } },
  ],
  getClock: [{ call: 'GET /clock', status: 200 }],
  setClock: [
    { call: 'PUT /clock', status: 200, body: { advance: 'PT1H' } },
    { call: 'PUT /clock', status: 422, body: { advance: '1 day' } },
  ],
  listRequests: [
    { call: 'GET /requests', status: 200 },
    { call: 'GET /requests?violations=TRUE', status: 200 },
    { call: 'GET /requests?violations=maybe', status: 422 },
  ],
  clearRequests: [{ call: 'DELETE /requests', status: 204 }],
  listFaults: [{ call: 'GET /faults', status: 200 }],
  putFaults: [
    { call: 'PUT /faults', status: 204, body: [{ status: 503 }] },
    { call: 'PUT /faults', status: 422, body: [{ status: 99 }] },
  ],
  clearFaults: [{ call: 'DELETE /faults', status: 204 }],
  listScenarios: [{ call: 'GET /scenarios', status: 200 }],
  setScenarios: [
    { call: 'PUT /scenarios', status: 204, body: { active: [] } },
    { call: 'PUT /scenarios', status: 422, body: { active: ['nope'] } },
  ],
  listActions: [{ call: 'GET /actions', status: 200 }],
  runAction: [
    { call: 'POST /actions/rest', status: 200 },
    { call: 'POST /actions/rest', status: 422, body: 'text' },
    { call: 'POST /actions/sing', status: 404, body: {} },
  ],
  watchSandbox: [
    { call: 'GET /events', status: 200 },
    { call: 'GET /events?sandbox=worker-1', status: 200 },
    { call: 'GET /events?sandbox=not/a/name', status: 400 },
  ],
  listSandboxes: [{ call: 'GET /sandboxes', status: 200, headers: BAD_NAME }],
  dropSandbox: [
    { call: 'DELETE /sandboxes/default', status: 204 },
    { call: 'DELETE /sandboxes/worker-9', status: 404 },
    { call: 'DELETE /sandboxes/not%2Fa%2Fname', status: 404 },
  ],
  getPage: [{ call: 'GET /', status: 200 }],
  getPageFile: [
    { call: 'GET /page/app.js', status: 200 },
    { call: 'GET /page/app.css', status: 200 },
    { call: 'GET /page/package.json', status: 404 },
  ],
  describeApi: [{ call: 'GET /page/api.json', status: 200 }],
  describeResources: [{ call: 'GET /page/resources.json', status: 200 }],
  describeForms: [{ call: 'GET /page/forms.json', status: 200 }],
  loadDataFile: [
    { call: 'POST /page/data-file', status: 200, body: { name: 'empty.json', text: '{}' } },
    { call: 'POST /page/data-file', status: 422, body: { name: 'pets.csv', text: '' } },
    { call: 'POST /page/data-file', status: 400, body: { name: 'empty.json', text: '{}' }, headers: BAD_NAME },
  ],
  describeOperation: [
    { call: 'GET /page/operation.json?id=listPets', status: 200 },
    { call: 'GET /page/operation.json?id=nope', status: 404 },
  ],
  listJobs: [{ call: 'GET /page/jobs.json', status: 200 }],
  checkRequest: [
    { call: 'POST /page/check', status: 200, body: { method: 'GET', target: '/pets' } },
    { call: 'POST /page/check', status: 422, body: { method: 'GET' } },
  ],
};

const CASES = Object.entries(ROWS).flatMap(([operation, rows]) => rows.map((row) => ({ operation, ...row })));

async function petMock(): Promise<Mock<object>> {
  const mock = await startMock(
    defineMock(pets, {
      seed: (context) => context.collection('pets').put('1', { name: 'Rex' }),
      actions: { rest: { description: 'Nothing happens.', input: { type: 'object' }, run: () => undefined } },
    }),
    { port: 0 },
  );
  onTestFinished(() => mock.close());
  await mock.state.get();
  await mock.fetch(`${mock.url}/pets`);
  return mock;
}

/** Reads a stream of events until the mock has made a change, and returns the response with what was read. */
async function readSome(response: Response, mock: Mock<object>): Promise<Response> {
  const name = new URL(response.url).searchParams.get('sandbox') ?? 'default';
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('\ndata:')) {
    text += (await reader.read()).value ?? '';
    if (!text.includes('data:')) await mock.sandbox(name).clock.freeze();
  }
  await reader.cancel();
  return new Response(text, response);
}

it('the table has a request for every operation', () => {
  expect(Object.keys(ROWS).toSorted()).toEqual(control.operations.map(({ id }) => id).toSorted());
});

it.each(CASES)('$operation responds as documented: $call, $status', async ({ operation, call, ...row }) => {
  const mock = await petMock();
  const [method = '', target = ''] = call.split(' ');
  const sent = await fetch(`${mock.url}/__specmill${target}`, {
    method,
    headers: row.headers ?? {},
    ...(row.body === undefined ? {} : { body: JSON.stringify(row.body) }),
  });
  expect(sent.status).toBe(row.status);
  expect(sent.headers.get('access-control-allow-origin')).toBeNull();
  const isStream = sent.headers.get('content-type') === 'text/event-stream';
  const response = isStream ? await readSome(sent, mock) : sent;
  expect(method === 'HEAD' ? await response.text() : '').toBe('');
  expect(method === 'HEAD' ? [] : await checkResponse({ spec, operation, response })).toEqual([]);
});

it.each([
  ['PATCH', '/state', 'PUT'],
  ['OPTIONS', '/clock', 'PUT'],
  ['POST', '/page/api.json', 'GET'],
])('responds 405 to %s %s, and names the allowed methods', async (method, target, allowed) => {
  const mock = await petMock();
  const response = await fetch(`${mock.url}/__specmill${target}`, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toContain(allowed);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
});

it('ignores Prefer, because the control interface has no examples', async () => {
  const mock = await petMock();
  const response = await fetch(`${mock.url}/__specmill/clock?__code=400`, { headers: { prefer: 'code=400' } });
  expect(response.status).toBe(200);
});
