import { expect, test } from 'vitest';

import { type ContractReport, runContract } from '../../entry/contract.js';
import { documentWith, loadDocument } from '../support/load-document.js';

interface Settings {
  readonly color: string;
  readonly size: number;
}

const SETTINGS = {
  type: 'object',
  required: ['color', 'size'],
  properties: { color: { type: 'string', enum: ['red', 'blue', 'grey'] }, size: { type: 'integer', maximum: 9 } },
};
const content = { 'application/json': { schema: SETTINGS } };
const ok = { 200: { description: 'ok', content } };
const refused = { 400: { description: 'invalid' }, 409: { description: 'conflict' } };
const DOCUMENT = documentWith({
  '/settings': {
    get: { operationId: 'getSettings', responses: ok },
    put: { operationId: 'putSettings', requestBody: { required: true, content }, responses: { ...ok, ...refused } },
  },
});

function isSettings(value: unknown): value is Settings {
  if (typeof value !== 'object' || value === null || !('color' in value) || !('size' in value)) return false;
  const { color, size } = value;
  return ['red', 'blue', 'grey'].includes(String(color)) && Number.isInteger(size) && Number(size) <= 9;
}

/** @param restores - whether the server takes its first color again. */
async function run(restores: boolean): Promise<{ readonly report: ContractReport; readonly settings: Settings }> {
  let settings: Settings = { color: 'grey', size: 5 };
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.method === 'GET') return Response.json(settings);
    if (request.method !== 'PUT') return new Response(null, { status: 405, headers: { allow: 'GET, PUT' } });
    const given: unknown = await request.json().catch(() => undefined);
    if (!isSettings(given)) return Response.json({}, { status: 400 });
    if (!restores && given.color === 'grey' && settings.color !== 'grey') return Response.json({}, { status: 409 });
    settings = { color: given.color, size: given.size };
    return Response.json(settings);
  };
  const report = await runContract({ api: await loadDocument(DOCUMENT), url: 'http://127.0.0.1:9', fetch: send });
  return { report, settings };
}

test('settings have the value of before after a run, and the report lists no change', async () => {
  const { report, settings } = await run(true);
  expect(settings).toEqual({ color: 'grey', size: 5 });
  expect(report.reach.succeeded).toEqual(['getSettings', 'putSettings']);
  expect(report.changed).toEqual([]);
});

test('settings that cannot be restored are in the list of changes', async () => {
  const { report, settings } = await run(false);
  expect(settings.color).not.toBe('grey');
  expect(report.changed).toEqual([{ operationId: 'putSettings', request: 'PUT /settings' }]);
});
