import { expect, test } from 'vitest';

import { checkResponse, runContract } from '../../../entry/contract.js';
import { loadDocument } from '../../support/load-document.js';
import { runPastedTest } from '../../support/run-pasted-test.js';
import { type Shape, object, smallSpec, TEXT } from '../../support/small-spec.js';
import { findWrongTests } from '../replay-findings.js';

const JOB = object({ name: TEXT, status: { enum: ['queued', 'running', 'done'] }, url: TEXT }, ['name', 'status']);

const START: Shape = { takes: object({ title: TEXT }), returns: JOB, status: 202 };
const spec = smallSpec({ 'POST /builds startBuild': START, 'GET /builds/{id} getBuild': { returns: JOB } }) as {
  paths: Record<string, Record<string, object>>;
};
const post = { ...spec.paths['/builds']?.['post'], description: 'A build takes less than 300 milliseconds.' };
const apis = {
  'no url': await loadDocument(spec),
  'never done': await loadDocument({ ...spec, paths: { ...spec.paths, '/builds': { post } } }),
};

type Fault = keyof typeof apis;
type Way = 'name' | 'location';

/** Serves builds. One takes much longer than two requests of a run, and less than the run reads a job; or no time. */
function serveBuilds(way: Way, tested: Fault, fault?: Fault): typeof fetch {
  const started = new Map<string, number>();
  return async (input, init) => {
    const request = new Request(input, init);
    const id = new URL(request.url).pathname.split('/')[2];
    if (id === undefined) {
      if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
      const sent = (await request.json().catch(() => null)) as { readonly title?: unknown } | null;
      if (typeof sent?.title !== 'string') return Response.json({}, { status: 400 });
      const made = `b${started.size + 1}`;
      started.set(made, Date.now());
      const headers = way === 'location' ? { location: `/builds/${made}` } : undefined;
      const name = way === 'name' ? `builds/${made}` : 'a build';
      return Response.json({ name, status: 'queued' }, { status: 202, ...(headers && { headers }) });
    }
    const at = started.get(id);
    if (request.method !== 'GET') return new Response(null, { status: 405, headers: { allow: 'GET' } });
    if (at === undefined) return new Response(null, { status: 404 });
    const age = fault === 'never done' ? 0 : Date.now() - at;
    if (age < (tested === 'no url' ? 1_000 : 1)) return Response.json({ name: `builds/${id}`, status: 'running' });
    return Response.json({
      name: `builds/${id}`,
      status: 'done',
      url: fault === 'no url' ? null : 'https://x.example/1',
    });
  };
}

test.each<[Way, Fault, string]>([
  ['name', 'no url', 'response schema'],
  ['location', 'no url', 'response schema'],
  ['name', 'never done', 'job ends'],
])(
  'the printed test about a job with a %s reads it until it shows the fault "%s", and passes without it',
  async (way, fault, expected) => {
    const api = apis[fault];
    const report = await runContract({ api, url: 'http://builds.mock', fetch: serveBuilds(way, fault, fault) });
    const findings = report.findings.filter(({ operationId }) => operationId === 'getBuild');
    expect(findings.map(({ check }) => check)).toEqual([expected]);
    expect(findings[0]?.curl).toMatch(/^for reading in \$\(seq \d+\); do sleep 0\.1; curl .*; echo; done$/m);
    expect(findings[0]?.test).toMatch(/^\}, 3\d{4}\);$/m);
    const wrong = await findWrongTests(findings, (code, server) => {
      const served = serveBuilds(way, fault, server === 'faulty' ? fault : undefined);
      const check = ({ operation, response }: Parameters<typeof checkResponse>[0]) =>
        checkResponse({ api, operation, response });
      return runPastedTest(code, { fetch: served, checkResponse: check, setTimeout, URL });
    });
    expect(wrong).toEqual([]);
  },
);
