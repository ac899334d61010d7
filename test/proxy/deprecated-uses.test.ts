import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type CoverageReport, toCoverageText } from '../../entry/contract.js';
import { startProxy, type ValidationProxy } from '../../entry/mock.js';
import { describeReport } from '../../reports/proxy/text.js';
import { runCaptured } from '../support/run-captured.js';

const SPEC = `openapi: 3.1.0
info: { title: Shop, version: '1' }
security: [{ basic: [] }]
paths:
  /old-orders:
    get: { operationId: listOld, deprecated: true, responses: { '200': { description: All. } } }
  /orders:
    post:
      operationId: createOrder
      parameters:
        - { name: draft, in: query, deprecated: true, schema: { type: boolean } }
        - { name: X-Legacy, in: header, schema: { type: string, deprecated: true } }
        - { name: filter, in: query, deprecated: true, style: deepObject, schema: { type: object } }
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses: { '200': { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } } }
components:
  securitySchemes: { basic: { type: http, scheme: basic } }
  schemas:
    Order:
      type: object
      properties: { lines: { type: array, items: { $ref: '#/components/schemas/Line' } }, name: { type: string } }
    Line:
      type: object
      properties: { sku: { type: string }, article: { type: string, deprecated: true } }
`;

let folder: string;
let server: Server;
let proxy: ValidationProxy;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'specmill-deprecated-'));
  await writeFile(path.join(folder, 'shop.yaml'), SPEC);
  server = createServer((request, response) => {
    const isOrder = request.headers['user-agent'] === 'shop/2';
    if (isOrder) response.setHeader('content-type', 'application/json');
    request.resume().on('end', () => response.end(isOrder ? '{"lines":[{"article":"b"},{"sku":"a"}]}' : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy = await startProxy('shop.yaml', { upstream, cwd: folder });
  const headers = (userAgent: string, user: string): Record<string, string> => ({
    'user-agent': userAgent,
    authorization: `Basic ${Buffer.from(`${user}:hunter2-secret`).toString('base64')}`,
  });
  const post = async (query: string, given: Record<string, string>, body: unknown): Promise<Response> =>
    fetch(`${proxy.url}/orders${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...given },
      body: JSON.stringify(body),
    });
  await fetch(`${proxy.url}/old-orders`, { headers: headers('shop/1.2', 'anna') });
  await fetch(`${proxy.url}/old-orders`, { headers: headers('shop/1.2', 'anna') });
  await fetch(`${proxy.url}/old-orders`, { headers: headers('batch\u0009/7', 'ben') });
  await post('', headers('shop/2', 'anna'), { name: 'new', lines: [{ sku: 'a' }] });
  await post('?draft=true', headers('shop/2', 'anna'), { lines: [{ sku: 'a' }, { article: 'b' }, { article: 'c' }] });
  await post('?filter[x]=1', { ...headers('curl/8', 'ben'), 'x-legacy': '1' }, {});
});

afterAll(async () => {
  await proxy.close();
  server.close();
  await rm(folder, { recursive: true });
});

const USES = [
  {
    operationId: 'listOld',
    calls: 3,
    clients: [
      { userAgent: 'shop/1.2', account: 'anna', calls: 2 },
      { userAgent: 'batch\t/7', account: 'ben', calls: 1 },
    ],
  },
  {
    operationId: 'createOrder',
    place: 'response 200 body/lines/*/article',
    isReceived: true,
    calls: 2,
    clients: [{ userAgent: 'shop/2', account: 'anna', calls: 2 }],
  },
  {
    operationId: 'createOrder',
    place: 'query draft',
    calls: 1,
    clients: [{ userAgent: 'shop/2', account: 'anna', calls: 1 }],
  },
  {
    operationId: 'createOrder',
    place: 'body/lines/*/article',
    calls: 1,
    clients: [{ userAgent: 'shop/2', account: 'anna', calls: 1 }],
  },
  {
    operationId: 'createOrder',
    place: 'header X-Legacy',
    calls: 1,
    clients: [{ userAgent: 'curl/8', account: 'ben', calls: 1 }],
  },
  {
    operationId: 'createOrder',
    place: 'query filter',
    calls: 1,
    clients: [{ userAgent: 'curl/8', account: 'ben', calls: 1 }],
  },
];

it('reports deprecated operations, parameters and members that a proxy saw, with clients and accounts, and no credential', () => {
  const report = proxy.report();
  expect(report.deprecated).toEqual(USES.map((use) => ({ ...use, last: expect.stringMatching(/^\d{4}-/) })));
  const lines = describeReport(report);
  expect(lines).toContain('Deprecated, but still used:');
  expect(lines.find((line) => line.startsWith('  listOld: 3 calls, the last on '))).toMatch(
    / UTC, of "anna" with "shop\/1\.2" \(2\), "ben" with "batch\\t\/7" \(1\)$/,
  );
  expect(lines.join('\n')).toMatch(
    /\nDeprecated, and in responses \(recordings do not show whether clients read it\):\n {2}createOrder response 200 body\/lines\/\*\/article: 2 calls, /,
  );
  expect(JSON.stringify(report)).not.toMatch(/hunter2|aHVudGVy/);
});

it('reports them in coverage of a journal, which has no accounts', async () => {
  await writeFile(path.join(folder, 'journal.json'), JSON.stringify(await proxy.requests()));
  const run = await runCaptured(folder, 'coverage', 'shop.yaml', '--journal', 'journal.json', '--json');
  const report = JSON.parse(run.out) as CoverageReport;
  expect(report.deprecated.map(({ operationId, place, calls }) => ({ operationId, place, calls }))).toEqual(
    USES.map(({ operationId, place, calls }) => ({ operationId, place, calls })),
  );
  expect(report.deprecated[0]?.clients).toEqual([
    { userAgent: 'shop/1.2', calls: 2 },
    { userAgent: 'batch\t/7', calls: 1 },
  ]);
  expect(toCoverageText(report)).toContain('Deprecated, but still used:');
});
