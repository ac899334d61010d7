import path from 'node:path';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type ContractOptions, type ContractReport, runContract } from '../../entry/contract.js';
import { runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';

const USER = 'Bearer user-0a1b2c';
const ADMIN = 'Bearer user-0a1b2c-admin';

const item = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string', maxLength: 20 } },
};
const content = { 'application/json': { schema: item } };
const refused = { 401: { description: 'no token' }, 403: { description: 'another role' } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

function collection(name: string): object {
  const tags = name === 'Account' ? ['admin'] : [];
  const invalid = { 400: { description: 'invalid' } };
  const missing = { 404: { description: 'missing' } };
  const at = name === 'Account' ? '/admin/accounts' : '/notes';
  return {
    [at]: {
      get: { operationId: `list${name}s`, tags, responses: { 200: { description: 'all' }, ...refused } },
      post: {
        operationId: `create${name}`,
        tags,
        requestBody: { required: true, content },
        responses: { 201: { description: 'made', content }, ...invalid, ...refused },
      },
    },
    [`${at}/{id}`]: {
      parameters: [id],
      get: {
        operationId: `get${name}`,
        tags,
        responses: { 200: { description: 'one', content }, ...invalid, ...missing, ...refused },
      },
      delete: {
        operationId: `delete${name}`,
        tags,
        responses: { 204: { description: 'gone' }, ...invalid, ...missing, ...refused },
      },
    },
  };
}

const SPEC = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  security: [{ token: [] }],
  paths: { ...collection('Note'), ...collection('Account') },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
};

const server = createServer((request, response) => void respond(request, response));
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void server.close());

const stored = new Map<string, { readonly id: number; readonly name: string }>();
let last = 0;

/** Only admins may use `/admin/accounts`, only users `/notes`. Accounts without a name fail. */
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = (await request.toArray()).join('');
  const send = (status: number, body?: unknown, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const [, collectionPath = '', own] = /^(\/admin\/accounts|\/notes)(?:\/([^/]+))?$/.exec(request.url ?? '') ?? [];
  const role = collectionPath === '/notes' ? USER : ADMIN;
  const { method = '', headers } = request;
  const methods = own === undefined ? ['GET', 'POST'] : ['GET', 'DELETE'];
  if (!methods.includes(method)) return send(405, {}, { allow: methods.join(', ') });
  if (headers.authorization !== USER && headers.authorization !== ADMIN) return send(401, { error: 'no token' });
  if (headers.authorization !== role) return send(403, { error: `${headers.authorization} has another role` });
  const all = [...stored].filter(([key]) => key.startsWith(`${collectionPath}/`)).map(([, value]) => value);
  if (own === undefined && method === 'GET') return send(200, all);
  if (own === undefined) return create(collectionPath, { text, type: headers['content-type'] }, send);
  if (!/^-?\d+$/.test(own)) return send(400, { error: 'id' });
  const key = `${collectionPath}/${own}`;
  const found = stored.get(key);
  if (found === undefined) return send(404, { error: 'missing' });
  if (method === 'GET') return send(200, found);
  stored.delete(key);
  send(204);
}

function create(
  at: string,
  { text, type }: { readonly text: string; readonly type: string | undefined },
  send: (status: number, body: unknown) => void,
): void {
  let given: unknown;
  try {
    given = type === 'application/json' ? JSON.parse(text) : undefined;
  } catch {
    given = undefined;
  }
  const name = typeof given === 'object' && given !== null && 'name' in given ? given.name : undefined;
  if (typeof name !== 'string' || [...name].length > 20) return send(400, { error: 'name' });
  // The planted fault of admins.
  if (at === '/admin/accounts' && name === '') return send(500, { error: `failed for ${ADMIN}` });
  last += 1;
  const made = { id: last, name };
  stored.set(`${at}/${last}`, made);
  send(201, made);
}

async function run(options: Partial<ContractOptions>): Promise<ContractReport> {
  const spec = path.join(tempFolder({ 'notes.json': JSON.stringify(SPEC) }), 'notes.json');
  return runContract({ spec, url, maxExamples: 10, ...options });
}

const HEADERS = { Authorization: USER };

describe('headers of some operations', () => {
  test.each(['tag:admin', 'path:/admin/*', 'operation:*Account*'])('reach the operations of %s', async (pattern) => {
    const { reach, findings } = await run({ headers: HEADERS, headersFor: { [pattern]: { Authorization: ADMIN } } });
    expect({ refused: reach.refused, notSent: reach.notSent }).toEqual({ refused: [], notSent: [] });
    expect(findings.map(({ check, operationId }) => `${operationId}: ${check}`)).toEqual([
      'createAccount: no server error',
    ]);
  });

  test('are variables in printed requests, and no report shows their values', async () => {
    const report = await run({ headers: HEADERS, headersFor: { 'tag:admin': { Authorization: ADMIN } } });
    const [finding] = report.findings;
    expect(finding?.curl).toContain(`-H 'authorization: '"$ADMIN_AUTHORIZATION"`);
    expect(finding?.test).toContain('process.env["ADMIN_AUTHORIZATION"]');
    expect(finding?.actual).toContain('failed for $ADMIN_AUTHORIZATION');
    expect(JSON.stringify(report)).not.toContain('user-0a1b2c');
  });

  test('win over the headers of all operations, and later ones over earlier ones', async () => {
    const headersFor = {
      'path:*': { authorization: 'Bearer nobody' },
      'path:/notes*': { authorization: USER },
      'tag:admin': { authorization: ADMIN },
    };
    const { reach } = await run({ headers: { authorization: 'Bearer none' }, headersFor, phases: ['examples'] });
    expect(reach.refused).toEqual([]);
  });

  test('may come from the hook before', async () => {
    const before = (): { headersFor: Record<string, Record<string, string>> } => ({
      headersFor: { 'tag:admin': { Authorization: ADMIN } },
    });
    const { reach } = await run({ headers: HEADERS, before, phases: ['examples'] });
    expect(reach.refused).toEqual([]);
  });

  test('count as a given credential: the run ends with exit status 2 if all are refused', async () => {
    const wrong = { 'tag:admin': { authorization: 'Bearer old' }, 'path:/notes*': { authorization: 'Bearer old' } };
    const report = await run({ headersFor: wrong, phases: ['examples'], includeOperations: ['method:get'] });
    expect(report.reach.succeeded).toEqual([]);
    expect(report.nothingTested).toContain('401');
    expect(JSON.stringify(report)).not.toContain('specmill-token');
  });

  test('are named as the likely help where a role is refused', async () => {
    const { reach, unreached } = await run({ headers: HEADERS, phases: ['examples'] });
    expect(reach.refused).toEqual(['listAccounts', 'createAccount', 'getAccount', 'deleteAccount']);
    for (const { reason } of unreached)
      expect(reason).toContain('headersFor of the configuration that of another role (403×');
  });

  test('are refused where no operation fits, with the name that was meant', async () => {
    const wrong = { 'tag:amin': { authorization: ADMIN } };
    await expect(run({ headersFor: wrong })).rejects.toThrow(
      'No operation fits "tag:amin" of headersFor. Did you mean "tag:admin"?',
    );
  });

  test('stand in the configuration, and messages name their place', async () => {
    const config = (pattern: string): string =>
      JSON.stringify({
        apis: {
          notes: {
            spec: 'notes.json',
            output: 'out',
            contract: { headers: HEADERS, headersFor: { [pattern]: { Authorization: ADMIN } } },
          },
        },
      });
    const cwd = tempFolder({
      'notes.json': JSON.stringify(SPEC),
      'good.json': config('tag:admin'),
      'bad.json': config('tag:amin'),
    });
    const args = ['contract', 'notes', '--url', url, '--phase', 'examples', '--config'];
    const good = await runCaptured(cwd, ...args, 'good.json');
    expect(good.out).toContain('8 of 8 operations succeeded');
    expect(good.status).toBe(0);
    const bad = await runCaptured(cwd, ...args, 'bad.json');
    expect(bad.err).toContain(
      'No operation fits "tag:amin" of apis.notes.contract.headersFor. Did you mean "tag:admin"?',
    );
    expect(bad.status).toBe(2);
  });
});
