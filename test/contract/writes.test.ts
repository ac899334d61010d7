import path from 'node:path';

import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { loadApi } from '../../model/load-api.js';
import { loadDocument } from '../support/load-document.js';

const SPEC = path.join(import.meta.dirname, 'specs/plans.yaml');

type Plan = Record<string, unknown>;

interface Faults {
  /** What becomes of what is sent. */
  readonly onCreate?: (plan: Plan) => Plan;
  readonly onChange?: (plan: Plan) => Plan;
  readonly ignoresCondition?: boolean;
  readonly dropsAnyVersion?: boolean;
  /** Whoever reads an item is shown the newest one under its id. */
  readonly showsNewest?: boolean;
  readonly pagesInCircle?: boolean;
}

/** A small server by hand that takes `days` or `weeks`, but not both, and keeps its own default. */
function servePlans(faults: Faults): typeof fetch {
  const { onCreate, onChange, ignoresCondition, dropsAnyVersion, pagesInCircle, showsNewest } = faults;
  let count = 0;
  const plans = new Map<string, { readonly plan: Plan; readonly version: number }>();
  const refuse = (status: number): Response => new Response('no', { status });
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const id = decodeURIComponent(url.pathname.split('/')[2] ?? '');
    const known = plans.get(id);
    const show = (key: string, status: number): Response => {
      const { plan, version } = plans.get(key) ?? { plan: {}, version: 0 };
      return Response.json({ id: key, title: '', ...plan }, { status, headers: { etag: `"v${version}"` } });
    };
    if (id === '' && request.method === 'GET')
      return listPlans(url, [...plans.keys()], { show, pagesInCircle: pagesInCircle === true });
    if (id !== '' && known === undefined) return refuse(404);
    if (request.method === 'GET') {
      const newest = showsNewest === true ? [...plans.values()].at(-1) : undefined;
      return newest === undefined ? show(id, 200) : Response.json({ title: '', ...newest.plan, id });
    }
    const current = `"v${known?.version ?? 0}"`;
    const condition = request.headers.get('if-match') ?? current;
    const isLenient = request.method === 'DELETE' ? dropsAnyVersion : ignoresCondition;
    if (condition !== current && isLenient !== true) return refuse(412);
    if (request.method === 'DELETE' && id !== '') {
      plans.delete(id);
      return new Response(null, { status: 204 });
    }
    if (!['POST', 'PATCH'].includes(request.method))
      return new Response(null, { status: 405, headers: { allow: 'GET' } });
    const sent = readPlan(request.headers.get('content-type'), await request.text());
    const merged = { ...known?.plan, ...sent };
    if (sent === undefined || ('days' in merged && 'weeks' in merged)) return refuse(400);
    const key = id === '' ? `p${(count += 1)}` : id;
    const version = (known?.version ?? 0) + 1;
    const change = (id === '' ? onCreate : onChange) ?? ((plan) => plan);
    plans.set(key, { plan: { ...known?.plan, ...change(sent) }, version });
    return show(key, id === '' ? 201 : 200);
  };
}

interface ListOptions {
  readonly show: (key: string, status: number) => Response;
  readonly pagesInCircle: boolean;
}

async function listPlans(
  { searchParams }: URL,
  keys: readonly string[],
  { show, pagesInCircle }: ListOptions,
): Promise<Response> {
  const size = Number(searchParams.get('pageSize') ?? '50');
  const start = Number(pagesInCircle ? '0' : (searchParams.get('pageToken') ?? '0'));
  if (!Number.isInteger(size) || size < 1 || size > 100 || !Number.isInteger(start))
    return new Response('no', { status: 400 });
  const page = await Promise.all(keys.slice(start, start + size).map((key) => show(key, 200).json()));
  const isLast = start + size >= keys.length;
  return Response.json({ plans: page, ...(isLast ? {} : { nextPageToken: String(start + size) }) });
}

const isText = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && [...value].length <= 200);
const isCount = (value: unknown): boolean =>
  value === undefined || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1_000);

function readPlan(type: string | null, text: string): Plan | undefined {
  if (type?.startsWith('application/json') !== true) return undefined;
  try {
    const plan: unknown = JSON.parse(text);
    if (typeof plan !== 'object' || plan === null || Array.isArray(plan)) return undefined;
    const { title, owner, days, weeks } = plan as Plan;
    if (![title, owner].every(isText) || ![days, weeks].every(isCount)) return undefined;
    return JSON.parse(JSON.stringify({ title, owner, days, weeks })) as Plan;
  } catch {
    return undefined;
  }
}

const without =
  (name: string) =>
  (plan: Plan): Plan =>
    Object.fromEntries(Object.entries(plan).filter(([one]) => one !== name));

test('finds responses with the wrong item, also if nothing is changed', async () => {
  const { operations, ...api } = await loadApi(SPEC);
  const unchanging = { ...api, operations: operations.filter(({ method }) => method === 'get' || method === 'post') };
  const { findings } = await runContract({
    ...{ api: unchanging, url: 'http://127.0.0.1:9', phases: ['stateful'] },
    fetch: servePlans({ showsNewest: true }),
  });
  expect(new Set(findings.map(({ check }) => check))).toEqual(new Set(['others untouched']));
});

test.each<readonly [string, Faults, readonly string[]]>([
  ['without faults', {}, []],
  ['that loses a member with a default on creation', { onCreate: without('title') }, ['read back equal /title']],
  ['that loses a member that excludes another on creation', { onCreate: without('days') }, ['read back equal /days']],
  ['that loses a member on a change', { onChange: without('owner') }, ['update is visible /owner']],
  [
    'that stores texts in capitals',
    {
      onCreate: ({ title, ...plan }) => ({
        ...plan,
        ...(typeof title === 'string' ? { title: title.toUpperCase() } : {}),
      }),
    },
    ['read back equal /title'],
  ],
  ['that ignores conditions', { ignoresCondition: true }, ['conditional requests ']],
  ['that deletes an item despite an outdated If-Match', { dropsAnyVersion: true }, ['conditional requests ']],
  ['whose pages form a cycle', { pagesInCircle: true }, ['paging adds up ']],
])('a run reports exactly the faults of a server %s', async (_, faults, wanted) => {
  const options = { api: await loadApi(SPEC), url: 'http://127.0.0.1:9', maxExamples: 4 };
  const { findings } = await runContract({ ...options, fetch: servePlans(faults) });
  const found = findings.map(({ check, pointer }) => `${check} ${pointer}`);
  expect([...new Set(found)]).toEqual(wanted);
});

test('null that removes a member may show its default again', async () => {
  const contentWith = (enabled: object): object => ({
    'application/json': {
      schema: { type: 'object', properties: { id: { type: 'string', readOnly: true }, enabled } },
    },
  });
  const content = contentWith({ type: ['boolean', 'null'] });
  const shown = { description: 'x', content: contentWith({ type: 'boolean', default: true }) };
  const gone = { description: 'x' };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const api = await loadDocument({
    openapi: '3.1.0',
    info: { title: 'Alarms', version: '1' },
    paths: {
      '/alarms': {
        post: { operationId: 'addAlarm', requestBody: { content }, responses: { 201: shown, 400: gone, 415: gone } },
      },
      '/alarms/{id}': {
        parameters,
        get: { operationId: 'getAlarm', responses: { 200: shown, 404: gone } },
        patch: {
          operationId: 'changeAlarm',
          requestBody: { content },
          responses: { 200: shown, 400: gone, 404: gone, 415: gone },
        },
      },
    },
  });
  const alarms = new Map<string, boolean>();
  const serve: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const id = new URL(request.url).pathname.split('/')[2] ?? '';
    const wanted = id === '' ? ['POST'] : ['GET', 'PATCH'];
    if (!wanted.includes(request.method))
      return new Response(null, { status: 405, headers: { allow: wanted.join(', ') } });
    if (id !== '' && !alarms.has(id)) return new Response(null, { status: 404 });
    if (request.method === 'GET') return Response.json({ id, enabled: alarms.get(id) });
    if (request.headers.get('content-type') !== 'application/json') return new Response(null, { status: 415 });
    const sent = (await request.json().catch(() => undefined)) as { readonly enabled?: unknown } | undefined;
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return new Response(null, { status: 400 });
    const { enabled } = sent;
    if (enabled !== undefined && enabled !== null && typeof enabled !== 'boolean')
      return new Response(null, { status: 400 });
    const key = id === '' ? `a${alarms.size}` : id;
    alarms.set(key, enabled === undefined ? (alarms.get(key) ?? true) : (enabled ?? true));
    return Response.json({ id: key, enabled: alarms.get(key) }, { status: id === '' ? 201 : 200 });
  };
  const { findings, unreached } = await runContract({ api, url: 'http://alarms.test', fetch: serve, seed: 1 });
  expect(unreached).toEqual([]);
  expect(findings.map(({ check, message }) => `${check}: ${message}`)).toEqual([]);
});
