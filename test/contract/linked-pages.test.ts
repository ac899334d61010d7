import path from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { nextLink } from '../../contract/expectations/next-link.js';
import type { Exchange } from '../../contract/types.js';
import { loadApi } from '../../model/load-api.js';

const SPEC = path.join(import.meta.dirname, 'specs/things.yaml');

/** Gives the place of the next page; a fault gives another one. */
type NextPlace = (start: number, size: number) => number;

/** A small server by hand whose pages are reached by links alone: the spec says nothing of `after`. */
function serveThings(nextPlace: NextPlace): typeof fetch {
  const things = new Map<string, { readonly id: string; readonly label: string }>();
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const id = url.pathname.split('/')[2];
    const refuse = (status: number): Response => new Response('no', { status, headers: { allow: 'GET' } });
    if (id !== undefined && request.method !== 'GET') return refuse(405);
    if (id !== undefined) return things.has(id) ? Response.json(things.get(id)) : refuse(404);
    if (request.method === 'POST') {
      const label = await readLabel(request);
      if (label === undefined) return refuse(400);
      const thing = { id: `t${things.size + 1}`, label };
      things.set(thing.id, thing);
      return Response.json(thing, { status: 201 });
    }
    if (request.method !== 'GET') return refuse(405);
    const [size, start] = [Number(url.searchParams.get('per_page') ?? 3), Number(url.searchParams.get('after') ?? 0)];
    if (!Number.isInteger(size) || size < 1 || size > 50) return refuse(400);
    const next = new URL(url);
    next.searchParams.set('after', String(nextPlace(start, size)));
    const hasMore = start + size < things.size;
    const headers: HeadersInit = hasMore ? { link: `<${next.href}>; title="a, b"; rel="last next"` } : {};
    return Response.json([...things.values()].slice(start, start + size), { headers });
  };
}

async function readLabel(request: Request): Promise<string | undefined> {
  if (request.headers.get('content-type')?.startsWith('application/json') !== true) return undefined;
  const body = (await request.json().catch(() => undefined)) as { readonly label?: unknown } | undefined | null;
  return typeof body?.label === 'string' && [...body.label].length <= 100 ? body.label : undefined;
}

test.each<readonly [string, NextPlace, readonly string[]]>([
  ['that lead to the next page', (start, size) => start + size, []],
  ['that leave one out', (start, size) => start + size + 1, ['list contains', 'paging adds up']],
  ['that form a cycle', () => 0, ['paging adds up']],
])('reports pages with links %s', async (_, nextPlace, wanted) => {
  const options = { api: await loadApi(SPEC), url: 'http://127.0.0.1:9', maxExamples: 3 };
  const { findings } = await runContract({ ...options, fetch: serveThings(nextPlace) });
  for (const { check, message } of findings) expect(wanted, message).toContain(check);
  expect(findings.some(({ check }) => check === 'paging adds up')).toBe(wanted.length > 0);
});

describe('the next page by a header', () => {
  const request = { method: 'GET', url: 'http://a.example/list?x=1', headers: {} };
  it.each<readonly [string, string | undefined]>([
    ['<http://a.example/list?page=2>; rel="next"', 'http://a.example/list?page=2'],
    ['<?page=2>; rel=next', 'http://a.example/list?page=2'],
    ['</list?p=1>; rel="prev", </list?p=3>; rel="next"', 'http://a.example/list?p=3'],
    ['</list?a=1,2;3>; title="x; rel=\\"next, <b>"; rel="up"', undefined],
    ['</list?p=3>; rel="next last"; title="more, and more"', 'http://a.example/list?p=3'],
    ['</list?p=3>; rel="nextish"', undefined],
    ['<http://[>; rel="next"', undefined],
    ['', undefined],
    ['<a>;'.repeat(5_000), undefined],
  ])('the next page by a header: %s', (link, wanted) => {
    const exchange: Exchange = { request, status: 200, headers: new Headers({ link }), text: '', durationMs: 1 };
    expect(nextLink(exchange)?.href).toBe(wanted);
  });
});
