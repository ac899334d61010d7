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
const api = await loadDocument({ ...spec, paths: { ...spec.paths, '/builds': { post } } });

type Fault = 'no url' | 'never done' | 'unknown status for a while';
type Way = 'name' | 'location';

/** Serves builds that take 150 ms. */
function serveBuilds(way: Way, fault?: Fault): typeof fetch {
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
    const status = age < 60 ? 'queued' : fault === 'unknown status for a while' ? 'busy' : 'running';
    if (age < 150) return Response.json({ name: `builds/${id}`, status });
    return Response.json({
      name: `builds/${id}`,
      status: 'done',
      url: fault === 'no url' ? null : 'https://x.example/1',
    });
  };
}

test.each<[Way, Fault, string]>([
  ['name', 'no url', 'response schema'],
  ['location', 'unknown status for a while', 'response schema'],
  ['name', 'never done', 'job ends'],
])(
  'the printed test about a job with a %s reads it until it shows the fault "%s", and passes without it',
  async (way, fault, expected) => {
    const report = await runContract({ api, url: 'http://builds.mock', fetch: serveBuilds(way, fault) });
    const findings = report.findings.filter(({ operationId }) => operationId === 'getBuild');
    expect(findings.map(({ check }) => check)).toEqual([expected]);
    expect(findings[0]?.curl).toMatch(/^for reading in \$\(seq \d+\); do sleep 0\.1; curl .*; echo; done$/m);
    const wrong = await findWrongTests(findings, (code, server) => {
      const served = serveBuilds(way, server === 'faulty' ? fault : undefined);
      const check = ({ operation, response }: Parameters<typeof checkResponse>[0]) =>
        checkResponse({ api, operation, response });
      return runPastedTest(code, { fetch: served, checkResponse: check, setTimeout, URL });
    });
    expect(wrong).toEqual([]);
  },
);
