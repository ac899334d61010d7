import path from 'node:path';

import { expect, test } from 'vitest';

import { type ContractReport, runContract } from '../../entry/contract.js';
import { tempFolder } from '../support/temp-folder.js';

const content = { 'application/json': { schema: { type: 'object' } } };
const ok = { 200: { description: 'ok', content } };
const SPEC = {
  openapi: '3.1.0',
  info: { title: 'keys', version: '1' },
  security: [{ token: [] }],
  paths: {
    '/keys': { get: { operationId: 'listKeys', responses: ok } },
    '/members': { get: { operationId: 'listMembers', responses: ok } },
  },
  components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } } },
};

interface Run {
  readonly report: ContractReport;
  /** How many requests had a credential. */
  readonly withCredential: number;
}

async function run(
  respond: (credential: string | null) => Response,
  options: { noCredentials?: boolean; headers?: Record<string, string> } = {},
): Promise<Run> {
  let withCredential = 0;
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const credential = request.headers.get('authorization');
    if (credential !== null) withCredential += 1;
    return request.method === 'GET'
      ? respond(credential)
      : new Response(null, { status: 405, headers: { allow: 'GET' } });
  };
  const spec = path.join(tempFolder({ 'keys.json': JSON.stringify(SPEC) }), 'keys.json');
  const phases = ['examples', 'negative'] as const;
  const report = await runContract({ spec, url: 'http://keys.mock', fetch: send, phases, ...options });
  return { report, withCredential };
}

const open = (): Response => Response.json({});

test.each([
  ['401', 401, { error: 'invalid auth token' }],
  ['403', 403, {}],
  ['a 500 that names authentication', 500, { error: 'auth: invalid auth token', code: 16 }],
])('goes on without a made-up credential that is refused with %s while none is needed', async (_what, status, body) => {
  const { report, withCredential } = await run((given) => (given === null ? open() : Response.json(body, { status })));
  expect(report.findings).toEqual([]);
  expect(report.reach.succeeded).toEqual(['listKeys', 'listMembers']);
  expect(report.notes.filter((note) => note.includes('made-up credential'))).toHaveLength(1);
  expect(withCredential).toBeLessThanOrEqual(2);
});

test('keeps a made-up credential where the server demands one', async () => {
  const { report } = await run((given) => (given === null ? new Response(null, { status: 401 }) : open()));
  expect(report.findings).toEqual([]);
  expect(report.reach.succeeded).toEqual(['listKeys', 'listMembers']);
  expect(report.notes).toEqual([]);
});

test('still finds a server that accepts a request with and without a credential', async () => {
  const { report } = await run(open);
  expect(new Set(report.findings.map(({ check }) => check))).toEqual(new Set(['authentication required']));
});

test('makes up no credential with noCredentials', async () => {
  const { report, withCredential } = await run(open, { noCredentials: true });
  expect({ findings: report.findings, withCredential }).toEqual({ findings: [], withCredential: 0 });
});
