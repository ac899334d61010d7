import { expect, test } from 'vitest';

import { type ContractReport, runContract } from '../../entry/contract.js';
import { loadDocument } from '../support/load-document.js';

const TEXT = { type: 'string' };
const done = { description: 'x' };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const query = (name: string, schema: object): object => ({ name, in: 'query', schema });
const inPath = (name: string): object => ({ name, in: 'path', required: true, schema: TEXT });
const PARCEL = {
  type: 'object',
  required: ['id', 'sender', 'state', 'extra'],
  properties: {
    id: { ...TEXT, readOnly: true },
    sender: { ...TEXT, minLength: 1 },
    state: { enum: ['open', 'sent'] },
    extra: TEXT,
  },
};

/** Parcels in depots: a list below an item, with filters, one of which has a default. */
const DEPOTS = {
  openapi: '3.1.0',
  info: { title: 'Depots', version: '1' },
  paths: {
    '/depots': {
      post: {
        operationId: 'addDepot',
        responses: { 201: { ...done, ...json({ type: 'object', properties: { depotId: TEXT } }) } },
      },
    },
    '/depots/{depotId}/parcels': {
      parameters: [inPath('depotId')],
      get: {
        operationId: 'listParcels',
        parameters: [
          query('sender', TEXT),
          query('state', { enum: ['open', 'sent'], default: 'open' }),
          query('view', { enum: ['short', 'long'] }),
        ],
        responses: { 200: { ...done, ...json({ type: 'array', items: PARCEL }) }, 400: done, 404: done },
      },
      post: {
        operationId: 'addParcel',
        requestBody: { required: true, ...json(PARCEL) },
        responses: { 201: { ...done, ...json(PARCEL) }, 400: done, 404: done, 415: done },
      },
    },
    '/depots/{depotId}/parcels/{parcelId}': {
      parameters: [inPath('depotId'), inPath('parcelId')],
      get: { operationId: 'getParcel', responses: { 200: { ...done, ...json(PARCEL) }, 404: done } },
    },
  },
};

type Parcel = Record<string, unknown> & { readonly depot: string };

function serveDepots(isWrongInViews: boolean): typeof fetch {
  const depots = new Set<string>();
  const parcels = new Map<string, Parcel>();
  let last = 4_711_000;
  const show = ({ depot, ...parcel }: Parcel): object => (depot === '' ? {} : parcel);
  const answer = (status: number, body?: unknown): Response =>
    body === undefined ? new Response(null, { status }) : Response.json(body, { status });
  const notAllowed = (allow: string): Response => new Response(null, { status: 405, headers: { allow } });
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const [, , depot = '', , id] = url.pathname.split('/').map((part) => decodeURIComponent(part));
    const body: unknown = await request.json().catch(() => undefined);
    if (depot === '') {
      if (request.method !== 'POST') return notAllowed('POST');
      const depotId = `d${(last += 1)}`;
      depots.add(depotId);
      return answer(201, { depotId });
    }
    if (!depots.has(depot)) return answer(404);
    if (id !== undefined) {
      if (request.method !== 'GET') return notAllowed('GET');
      const parcel = parcels.get(id);
      return parcel?.depot === depot ? answer(200, show(parcel)) : answer(404);
    }
    if (request.method === 'POST') return addTo(depot, body, request.headers.get('content-type') ?? '');
    if (request.method !== 'GET') return notAllowed('GET, POST');
    const { sender, state = 'open', view } = Object.fromEntries(url.searchParams);
    if (!['open', 'sent'].includes(state) || !['short', 'long', undefined].includes(view)) return answer(400);
    const found = [...parcels.values()].filter(
      (one) => one.depot === depot && one['state'] === state && (sender === undefined || one['sender'] === sender),
    );
    const isWrong = isWrongInViews && view === 'short';
    return answer(200, isWrong ? found.map((one) => ({ ...show(one), extra: 1 })) : found.map(show));
  };

  function addTo(depot: string, body: unknown, type: string): Response {
    const { sender, state, extra } = (body ?? {}) as Record<string, unknown>;
    if (!type.startsWith('application/json')) return answer(415);
    const isValid =
      typeof sender === 'string' &&
      sender !== '' &&
      ['open', 'sent'].includes(String(state)) &&
      typeof extra === 'string';
    if (!isValid) return answer(400);
    const parcel = { id: `p${(last += 1)}`, sender, state, extra, depot };
    parcels.set(parcel.id, parcel);
    return answer(201, show(parcel));
  }
}

async function run(isWrongInViews: boolean): Promise<ContractReport> {
  const api = await loadDocument(DEPOTS);
  return runContract({ api, url: 'http://127.0.0.1:9', fetch: serveDepots(isWrongInViews), maxExamples: 3 });
}

test('an item that the default of a filter hides is no finding', async () => {
  const { findings, unreached } = await run(false);
  expect(findings.map(({ check, message }) => `${check}: ${message}`)).toEqual([]);
  expect(unreached).toEqual([]);
});

test('a parameter of a list below an item is sent alone, while the list has items', async () => {
  const { findings } = await run(true);
  expect(findings.map(({ check, operationId }) => `${check}: ${operationId}`)).toEqual([
    'response schema: listParcels',
  ]);
});
