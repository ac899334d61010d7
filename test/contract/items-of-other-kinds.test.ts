import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const TEXT = { type: 'string', minLength: 1 };
const DEVICE = {
  type: 'object',
  required: ['name', 'kind'],
  properties: { name: TEXT, kind: { enum: ['printer', 'scanner', 'plotter'] } },
};
const SHEETS = { type: 'object', required: ['sheets'], properties: { sheets: { type: 'integer', minimum: 1 } } };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const FAILURES = { 400: { description: 'x', ...json({ type: 'object' }) }, 404: { description: 'x' } };

const DOCUMENT = documentWith({
  '/devices': {
    get: {
      operationId: 'listDevices',
      responses: { 200: { description: 'x', ...json({ type: 'array', items: DEVICE }) } },
    },
  },
  '/devices/{device}/scan': {
    parameters: [{ name: 'device', in: 'path', required: true, schema: TEXT }],
    post: {
      operationId: 'scan',
      requestBody: { required: true, ...json(SHEETS) },
      responses: { 200: { description: 'x', ...json(SHEETS) }, ...FAILURES },
    },
  },
});

/** Devices of which few can scan, and those that were asked to, in order. */
function serve(names: readonly string[]): { readonly fetch: typeof fetch; readonly asked: readonly string[] } {
  const asked: string[] = [];
  const respond: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const [, , device] = pathname.split('/');
    if (device === undefined)
      return Response.json(names.map((name) => ({ name, kind: name.startsWith('s') ? 'scanner' : 'printer' })));
    if (!names.includes(device)) return new Response(null, { status: 404 });
    asked.push(device);
    if (!device.startsWith('s')) return Response.json({ message: 'This device cannot scan.' }, { status: 400 });
    const { sheets } = (await request.json().catch(() => ({}))) as { sheets?: unknown };
    const isValid = Number.isInteger(sheets) && (sheets as number) > 0;
    return isValid ? Response.json({ sheets }) : Response.json({}, { status: 400 });
  };
  return { fetch: respond, asked };
}

test.each([
  ['the oldest item', ['s1', 'p1', 'p2', 'p3']],
  ['an item in the middle', ['p1', 'p2', 's1', 'p3']],
])('a run finds that an operation accepts only %s of a list', async (_where, names) => {
  const { fetch, asked } = serve(names);
  const options = { phases: ['examples', 'boundary'], touchExisting: true, maxExamples: 5 } as const;
  const { unreached } = await runContract({
    ...options,
    api: await loadDocument(DOCUMENT),
    url: 'http://devices.test',
    fetch,
  });
  expect(unreached).toEqual([]);
  // Once the item is known, the others are left alone.
  expect([...new Set(asked.slice(asked.indexOf('s1')))]).toEqual(['s1']);
});
