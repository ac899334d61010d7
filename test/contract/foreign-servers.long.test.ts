import path from 'node:path';

import { expect, test } from 'vitest';

import { type ContractOptions, type ContractReport, runContract } from '../../entry/contract.js';
import { loadApi } from '../../model/load-api.js';

const SPEC = path.join(import.meta.dirname, 'specs/notes.yaml');

interface Note {
  readonly text: string;
  readonly colour?: string;
}

interface ServerTraits {
  /** Each so many requests one is refused for a while. */
  readonly limitEvery?: number;
  /** A deletion is promised, and done so many requests later. */
  readonly deletesAfter?: number;
  /** Milliseconds. */
  readonly delay?: number;
}

/** A small server by hand, which shares no line with ours. */
function serveNotes({ limitEvery = 0, deletesAfter = 0, delay = 0 }: ServerTraits = {}): typeof fetch {
  const notes = new Map<string, Note>();
  const doomed: { readonly id: string; readonly at: number }[] = [];
  let count = 0;
  return async (input, init) => {
    const request = new Request(input, init);
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    count += 1;
    // Taken before anything is waited for: requests at the same time are different ones.
    const number = count;
    if (limitEvery > 0 && count % limitEvery === 0)
      return new Response('slow down', { status: 429, headers: { 'retry-after': '0' } });
    for (const { id, at } of doomed) if (count >= at) notes.delete(id);
    const [, collection, id] = new URL(request.url).pathname.split('/').map(decodeURIComponent);
    if (collection !== 'notes') return new Response(null, { status: 404 });
    const show = (key: string, status = 200): Response => Response.json({ id: key, ...notes.get(key) }, { status });
    const allow = { allow: id === undefined ? 'GET, POST' : 'GET, PUT, DELETE' };
    if (id === undefined && request.method === 'GET')
      return Response.json([...notes].map(([key, note]) => ({ id: key, ...note })));
    if (id === undefined && request.method !== 'POST') return new Response(null, { status: 405, headers: allow });
    if (id !== undefined && !notes.has(id)) return new Response(null, { status: 404 });
    if (request.method === 'GET') return show(id ?? '');
    if (request.method === 'DELETE') {
      if (deletesAfter === 0) notes.delete(id ?? '');
      else doomed.push({ id: id ?? '', at: count + deletesAfter });
      return new Response(null, { status: deletesAfter === 0 ? 204 : 202 });
    }
    if (!['POST', 'PUT'].includes(request.method)) return new Response(null, { status: 405, headers: allow });
    const note = readNote(request.headers.get('content-type'), await request.text());
    if (note === undefined) return new Response('no', { status: 400 });
    const key = id ?? `n${number}`;
    notes.set(key, note);
    return show(key, id === undefined ? 201 : 200);
  };
}

function readNote(type: string | null, text: string): Note | undefined {
  if (type?.startsWith('application/json') !== true) return undefined;
  try {
    const { text: body, colour } = JSON.parse(text) as Record<string, unknown>;
    const length = typeof body === 'string' ? [...body].length : 0;
    const isColour = colour === undefined || colour === 'red' || colour === 'blue';
    if (typeof body !== 'string' || length < 1 || length > 200 || !isColour) return undefined;
    return { text: body, ...(colour === undefined ? {} : { colour }) };
  } catch {
    return undefined;
  }
}

async function runNotes(send: typeof fetch, options: Partial<ContractOptions> = {}): Promise<ContractReport> {
  return runContract({ api: await loadApi(SPEC), url: 'http://127.0.0.1:9', fetch: send, maxExamples: 20, ...options });
}

test.each<readonly [string, ServerTraits]>([
  ['has no fault', {}],
  ['limits requests', { limitEvery: 4 }],
  ['deletes with a delay', { deletesAfter: 7 }],
  ['responds slowly', { delay: 3 }],
])('a run finds nothing in a server that %s', async (_, traits) => {
  const { findings, stopped } = await runNotes(serveNotes(traits));
  expect(findings.map(({ check, message, curl }) => `${check}: ${message} ${curl}`)).toEqual([]);
  expect(stopped).toBeUndefined();
});

test('a server that stores nothing gets findings', async () => {
  const stateless: typeof fetch = async (input, init) => {
    const { method, url } = new Request(input, init);
    if (method === 'DELETE') return new Response(null, { status: 204 });
    const note = { id: 'n1', text: 'always the same' };
    const isList = method === 'GET' && new URL(url).pathname === '/notes';
    return Response.json(isList ? [note] : note, { status: method === 'POST' ? 201 : 200 });
  };
  // Its creations answer with an item that was there before, which is changed only if the user allows it.
  const { findings } = await runNotes(stateless, { touchExisting: true });
  const checks = new Set(findings.map(({ check }) => check));
  for (const check of [
    'read back equal',
    'unique id',
    'update is visible',
    'gone after delete',
    'invalid input refused',
  ])
    expect(checks).toContain(check);
});
