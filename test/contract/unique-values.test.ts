import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { loadDocument } from '../support/load-document.js';

const TRIP = {
  type: 'object',
  required: ['id', 'plate', 'state'],
  properties: {
    id: { type: 'string', readOnly: true },
    plate: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{4}$' },
    kind: { enum: ['private', 'business', 'commute'] },
    odometer: { type: 'integer', minimum: 0 },
    state: { enum: ['open', 'finished'], readOnly: true },
  },
};
const body = (schema: object): object => ({ required: true, content: { 'application/json': { schema } } });
const good = body({ type: 'object', required: ['trip'], properties: { trip: { $ref: '#/components/schemas/Trip' } } });
const bad = { description: 'Refused.', content: { 'application/json': { schema: { type: 'object' } } } };
const empty = { description: 'Refused.' };
const refusals = { 400: empty, 404: empty, 409: bad, 415: empty, 422: bad };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const SPEC = {
  openapi: '3.1.0',
  info: { title: 'Trips', version: '1' },
  paths: {
    '/trips': {
      post: {
        operationId: 'startTrip',
        requestBody: good,
        responses: { 201: { ...good, description: 'x' }, ...refusals },
      },
    },
    '/trips/{id}': {
      parameters: [id],
      get: { operationId: 'getTrip', responses: { 200: { ...good, description: 'x' }, ...refusals } },
    },
    '/trips/{id}/finish': {
      parameters: [id],
      post: {
        operationId: 'finishTrip',
        requestBody: body({
          type: 'object',
          required: ['km'],
          properties: { km: { type: 'number', exclusiveMinimum: 0, maximum: 5_000 } },
        }),
        responses: { 200: { ...good, description: 'x' }, ...refusals },
      },
    },
  },
  components: { schemas: { Trip: TRIP } },
};

type Bug = 'a negative odometer is stored' | 'a trip of 0 km is finished' | 'a kind is unknown';
type Trip = Readonly<Record<string, unknown>>;

/** A server with unique plates, whose trips are finished once. It checks the state of a trip before the body. */
function serveTrips(bug?: Bug): typeof fetch {
  const trips = new Map<string, Trip>();
  const refuse = (member: string, message: string): Response =>
    Response.json({ errors: { [member]: [message] } }, { status: 422 });
  const start = (trip: Trip): Response => {
    const { plate, kind, odometer = 0 } = trip;
    if (typeof plate !== 'string' || !/^[A-Z]{2}-\d{4}$/.test(plate)) return refuse('plate', 'is invalid');
    if ([...trips.values()].some((one) => one['plate'] === plate)) return refuse('plate', 'has already been taken');
    const kinds = ['private', 'business', ...(bug === 'a kind is unknown' ? [] : ['commute'])];
    if (kind !== undefined && !kinds.some((one) => one === kind)) return refuse('kind', 'is not included in the list');
    const least = bug === 'a negative odometer is stored' ? -1_000_000 : 0;
    if (!Number.isInteger(odometer) || Number(odometer) < least) return refuse('odometer', 'is invalid');
    const made = { ...trip, id: `t${trips.size}`, state: 'open' };
    trips.set(made.id, made);
    return Response.json({ trip: made }, { status: 201 });
  };
  const finish = (trip: Trip, km: unknown): Response => {
    if (trip['state'] === 'finished') return Response.json({ error: 'is finished' }, { status: 409 });
    const isLong = typeof km === 'number' && (bug === 'a trip of 0 km is finished' ? km >= 0 : km > 0) && km <= 5_000;
    if (!isLong) return refuse('km', 'is invalid');
    const finished = { ...trip, state: 'finished' };
    trips.set(String(trip['id']), finished);
    return Response.json({ trip: finished });
  };
  return async (input, init) => {
    const request = new Request(input, init);
    const [, , key, verb, ...rest] = new URL(request.url).pathname.split('/');
    const trip = trips.get(key ?? '');
    if (rest.length > 0 || (key !== undefined && trip === undefined)) return new Response(null, { status: 404 });
    const wanted = key === undefined || verb === 'finish' ? 'POST' : 'GET';
    if (request.method !== wanted) return new Response(null, { status: 405, headers: { allow: wanted } });
    if (wanted === 'GET') return Response.json({ trip });
    if (request.headers.get('content-type') !== 'application/json') return new Response(null, { status: 415 });
    const sent = (await request.json().catch(() => undefined)) as Trip | null | undefined;
    if (sent === undefined) return new Response(null, { status: 400 });
    if (trip !== undefined) return finish(trip, sent?.['km']);
    const given = sent?.['trip'];
    return typeof given === 'object' && given !== null && !Array.isArray(given)
      ? start(given as Trip)
      : refuse('trip', 'is missing');
  };
}

const PHASES = ['examples', 'negative', 'boundary'] as const;

async function findings(bug?: Bug): Promise<readonly string[]> {
  const api = await loadDocument(SPEC);
  const report = await runContract({ api, url: 'http://trips.test', fetch: serveTrips(bug), seed: 1, phases: PHASES });
  return report.findings.map(({ check, operationId }) => `${check} ${operationId}`);
}

test('a run finds nothing in a server with unique values that checks the state of an item first', async () => {
  expect(await findings()).toEqual([]);
});

test.each<[Bug, string]>([
  ['a negative odometer is stored', 'invalid input refused startTrip'],
  ['a trip of 0 km is finished', 'invalid input refused finishTrip'],
  ['a kind is unknown', 'valid input accepted startTrip'],
])('a run finds that %s, although values are unique and items have states', async (bug, finding) => {
  expect(await findings(bug)).toContain(finding);
});
