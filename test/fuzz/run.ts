import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { WebSocket } from 'ws';
import { parse } from 'yaml';

import { runContract } from '../../entry/contract.js';
import { startMock, startProxy } from '../../entry/mock.js';
import type { Api } from '../../model/api.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { SpecError } from '../../model/diagnostics/spec-error.js';
import { loadApi } from '../../model/load-api.js';
import { packageRoot } from '../../model/package-info.js';
import { attackText, HOSTILE_FORMATS, type HostileFormat } from '../support/hostile-formats.js';
import { loadFormatsApi, MEDIA_TYPES } from '../support/formats-spec.js';
import { busyTime } from './busy-time.js';
import { Dice, type HostileRequest, makeRequest, mutate, TEXTS } from './hostile.js';

/**
 * Sends hostile input to the mocks of our own APIs, to a mock, proxies and contract runs of an API with all formats, to the
 * parsers that clients copy and to the reader of specs, for a number of seconds. It fails where a
 * response is a 5xx, a call or the health of a mock takes more than a second of processor time, a call has no response, a
 * mock writes to stderr or ends, its memory grows, or the reader of specs throws anything but the errors that it documents.
 *
 * npm run fuzz -- --seconds 600 --seed 1
 */

const NAMES = ['signing', 'generation', 'dictionary', 'engine', 'tables', 'notifications'];
/** What takes more processor time is a hang. Milliseconds. */
const LONGEST = 1_000;
/** A call without a response for so long waits for something that never comes. Milliseconds. */
const DEADLOCK = 60_000;
/** What a mock may grow by from the first tenth of the run to its end, once all state is gone. MB. */
const MOST_GROWTH = 300;
/** More findings are not printed. */
const MOST_FINDINGS = 20;

const CONTROL_BODIES: readonly unknown[] = [
  [{ operationId: 'getcase', status: 404, times: 1 }],
  { now: '2026-01-01T00:00:00Z', frozen: true },
  { advance: 'PT24H' },
  { collections: { cases: [{ id: 'a', value: {} }] }, accounts: { a: { cases: [{ id: 'a', value: { Status: 5 } }] } } },
  { caseId: 'x', partyId: 'y' },
  { method: 'POST', target: '/api/v2/createcase', headers: {}, body: '{}' },
];

const LINES = [
  'POST /x HTTP/1.1',
  'GET / HTTP/1.0',
  'OPTIONS * HTTP/1.1',
  'Host: mock',
  'Host: %zz',
  'Content-Length: 7',
  'Content-Length: 9999999999999999999',
  'Transfer-Encoding: chunked',
  'Content-Encoding: gzip',
  'Expect: 100-continue',
  'Connection: Upgrade',
  'Upgrade: websocket',
  ': nameless',
  '',
  '{"a":1}',
  'ffffffff',
];

const documents = NAMES.map(
  (name) => parse(readFileSync(path.join(packageRoot, `specs/${name}/openapi.yaml`), 'utf8')) as unknown,
);

interface Target {
  /** The process that responds. Default: this process. */
  readonly pid?: number | undefined;
  readonly name: string;
  readonly url: string;
  readonly api: Api;
}

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, seed: { type: 'string', default: '1' } },
});
const dice = new Dice(Number(values.seed));
const findings: string[] = [];
const counts = { requests: 0, wire: 0, sockets: 0, control: 0, specs: 0, formats: 0, contracts: 0 };
let slowest = 0;

const { child, targets, stderr } = await startMocks();
const upstream = await startHostileServer();
const formatTargets = await startFormatTargets();
const started = Date.now();
const end = started + Number(values.seconds) * 1_000;
const watching = watchHealth();
let baseline: number | undefined;
try {
  while (Date.now() < end && findings.length < MOST_FINDINGS && child.exitCode === null) {
    await Promise.all(Array.from({ length: 8 }, () => attack()));
    if (baseline === undefined && Date.now() > started + Number(values.seconds) * 100) baseline = await restingMemory();
  }
  if (child.exitCode !== null) findings.push(`The mocks ended with ${child.exitCode}.`);
  else {
    const grown = (await restingMemory()) - (baseline ?? Infinity);
    if (grown > MOST_GROWTH) findings.push(`The memory of the mocks grew by ${Math.round(grown)} MB.`);
  }
} finally {
  child.kill();
  for (const { close } of formatTargets) await close();
  upstream.close();
}
await watching;
if (stderr.length > 0) findings.push(`The mocks wrote to stderr: ${stderr.join('').slice(0, 2_000)}`);
console.log(`${JSON.stringify(counts)}, slowest call ${Math.round(slowest)} ms, seed ${values.seed}`);
for (const finding of findings.slice(0, MOST_FINDINGS)) console.log(finding);
console.log(`${findings.length} findings.`);
process.exitCode = findings.length === 0 ? 0 : 1;

function attack(): Promise<void> {
  const target = dice.pick(targets);
  const roll = dice.next();
  if (roll < 0.6) return attackOperation(target);
  if (roll < 0.75) return attackWire(target);
  if (roll < 0.82) return attackSocket();
  if (roll < 0.92) return attackControl(target);
  if (roll < 0.965) return attackFormat();
  return roll < 0.966 ? attackContract() : attackReader();
}

async function attackOperation(target: Target): Promise<void> {
  counts.requests += 1;
  await send(target, makeRequest(target.api, dice.pick(target.api.operations), dice));
}

async function attackControl(target: Target): Promise<void> {
  counts.control += 1;
  const [method, place] = dice.pick([
    ['PUT', 'faults'],
    ['PUT', 'clock'],
    ['PUT', 'state'],
    ['POST', 'actions/sign'],
    ['POST', 'actions/notify'],
    ['POST', 'page/check'],
    ['GET', 'requests?violations=maybe'],
    ['DELETE', 'sandboxes/x'],
  ] as const);
  // Faults and times would change what the other calls see, so they go to their own sandbox.
  const headers = { 'content-type': 'application/json', 'x-specmill-sandbox': 'fuzz-control' };
  const body = JSON.stringify(mutate(dice.pick(CONTROL_BODIES), dice, 0.3));
  await send(target, {
    method,
    target: `/__specmill/${place}`,
    headers,
    ...(method === 'GET' || method === 'DELETE' ? {} : { body }),
  });
}

async function send(target: Target, request: HostileRequest): Promise<void> {
  const began = busyTime(target.pid);
  try {
    const response = await fetch(target.url + request.target, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLOCK),
    });
    const text = await readSome(response);
    // 501 and 503 are documented responses of our own APIs.
    if (response.status === 500 || response.status === 502)
      report(`${response.status} ${text.slice(0, 300)}`, target, request);
  } catch (error) {
    const reason =
      error instanceof Error
        ? `${error.name} ${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`
        : String(error);
    if (!/invalid|Invalid|fetch failed.*(?:HPE|UND_ERR_REQ)/.test(reason)) report(reason, target, request);
  }
  // Other calls are handled in between.
  const took = busyTime(target.pid) - began;
  slowest = Math.max(slowest, took);
  if (took > LONGEST * 5) report(`took ${Math.round(took)} ms`, target, request);
}

/** Streams of events may have no end. */
async function readSome(response: Response): Promise<string> {
  if (!(response.headers.get('content-type') ?? '').includes('event-stream')) return response.text();
  await response.body?.cancel();
  return '';
}

function report(what: string, { name }: Target, { method, target, headers, body = '' }: HostileRequest): void {
  findings.push(
    `${name} ${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${body.slice(0, 300)}\n  ${what}`,
  );
}

async function attackWire({ name, url }: Target): Promise<void> {
  counts.wire += 1;
  const lines = Array.from({ length: 1 + dice.below(10) }, () =>
    dice.chance(0.15) ? dice.pick(TEXTS).slice(0, 200) : dice.pick(LINES),
  );
  const bytes = Buffer.from(lines.join(dice.chance(0.9) ? '\r\n' : '\n'), 'latin1');
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await Promise.race([once(socket, 'close'), wait(50)]);
  socket.destroy();
  if (/^HTTP\/1\.1 5/m.test(received))
    findings.push(`${name} wire ${JSON.stringify(lines)}\n  ${received.slice(0, 200)}`);
}

async function attackSocket(): Promise<void> {
  counts.sockets += 1;
  const { url } = targets.find(({ name }) => name === 'generation') as Target;
  const address = `${url.replace('http', 'ws')}/ws/vendor.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=k`;
  const socket = new WebSocket(address);
  socket.on('error', () => undefined);
  await Promise.race([once(socket, 'open').catch(() => undefined), wait(500)]);
  const setup = { setup: { model: 'models/sonata-live', generationConfig: {} } };
  for (let turn = 0; turn < 4 && socket.readyState === WebSocket.OPEN; turn += 1)
    socket.send(dice.chance(0.3) ? dice.pick(TEXTS) : JSON.stringify(mutate(setup, dice, 0.2)));
  await Promise.race([once(socket, 'close').catch(() => undefined), wait(50)]);
  socket.terminate();
}

/**
 * Sends a random document of some format to all of its parsers in this process, which generated clients and contract runs
 * have as well, and to a mock and a proxy of an API that takes all formats.
 */
async function attackFormat(): Promise<void> {
  counts.formats += 1;
  const format = dice.pick(HOSTILE_FORMATS);
  const text = makeText(format);
  const began = busyTime();
  let problem: string | undefined;
  try {
    await format.parse(text);
  } catch (error) {
    problem = String(error);
  }
  const took = busyTime() - began;
  // Each text has several parsers.
  if (took > LONGEST * 2) problem ??= `took ${Math.round(took)} ms`;
  if (problem !== undefined) findings.push(`${format.name} ${JSON.stringify(text.slice(0, 500))}\n  ${problem}`);
  const target = dice.pick(formatTargets);
  const mediaType = dice.chance(0.9) ? format.mediaType : dice.pick(MEDIA_TYPES);
  const headers = { 'content-type': mediaType, 'x-response-type': format.mediaType };
  await send(target, { method: 'POST', target: '/formats', headers, body: text });
}

/** A server that responds to each request with a random document of the format that the request names. */
async function startHostileServer(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    const format = dice.pick(HOSTILE_FORMATS);
    response.writeHead(200, { 'content-type': format.mediaType }).end(makeText(format));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** A mock of an API with all formats, a proxy before it, and one before a hostile server; all in this process. */
async function startFormatTargets(): Promise<(Target & { readonly close: () => Promise<void> })[]> {
  const api = await loadFormatsApi();
  const mock = await startMock(api, { port: 0 });
  const { port } = upstream.address() as AddressInfo;
  const before = await startProxy(api, { upstream: mock.url });
  const hostile = await startProxy(api, { upstream: `http://127.0.0.1:${port}` });
  return [
    { name: 'mock of formats', url: mock.url, api, close: () => mock.close() },
    { name: 'proxy', url: before.url, api, close: () => before.close() },
    { name: 'proxy of a hostile server', url: hostile.url, api, close: () => hostile.close() },
  ];
}

/** Tests a server that responds with random documents, as a contract run does. */
async function attackContract(): Promise<void> {
  counts.contracts += 1;
  const [{ api } = { api: undefined }] = formatTargets;
  if (api === undefined) return;
  const { port } = upstream.address() as AddressInfo;
  const began = process.cpuUsage();
  try {
    await runContract({ api, url: `http://127.0.0.1:${port}`, seed: dice.below(1_000), maxTime: '5s' });
  } catch (error) {
    findings.push(`contract run: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
  }
  const { user } = process.cpuUsage(began);
  if (user / 1_000 > LONGEST * 30) findings.push(`contract run: took ${Math.round(user / 1_000)} ms`);
}

function makeText({ pieces, attacks }: HostileFormat): string {
  if (dice.chance(0.2)) return attackText(dice.pick(Object.values(attacks)), dice.pick([10_000, 60_000]));
  const repeated = (): string => dice.pick(pieces).repeat(dice.chance(0.1) ? dice.below(5_000) : 1);
  return Array.from({ length: 1 + dice.below(60) }, repeated).join('');
}

async function attackReader(): Promise<void> {
  counts.specs += 1;
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-fuzz-'));
  const file = path.join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(mutate(dice.pick(documents), dice, 0.002)));
  const began = busyTime();
  let problem: string | undefined;
  try {
    await loadApi(file);
  } catch (error) {
    if (!(error instanceof SpecError || error instanceof InputError)) problem = String(error);
  }
  const took = busyTime() - began;
  if (took > LONGEST * 5) problem ??= `took ${Math.round(took)} ms`;
  // A spec that is a finding is kept, so that it can be read again.
  if (problem === undefined) rmSync(folder, { recursive: true });
  else findings.push(`Reading ${file}: ${problem}`);
}

/** Asks every mock again and again whether it serves: one that is blocked does not respond in time. */
async function watchHealth(): Promise<void> {
  while (Date.now() < end && child.exitCode === null && !child.killed) {
    const began = performance.now();
    const busy = busyTime(child.pid);
    const loop = performance.eventLoopUtilization();
    const response = await fetch(`${targets[0]?.url}/__specmill/health`).catch(() => undefined);
    await response?.arrayBuffer();
    // While this process parses, it reads no response; while other processes run, the mocks may wait.
    const waited = performance.now() - began - performance.eventLoopUtilization(loop).active;
    const took = Math.min(waited, busyTime(child.pid) - busy);
    if (took > LONGEST && child.exitCode === null && !child.killed)
      findings.push(`The mocks did not respond for ${Math.round(took)} ms.`);
    await wait(50);
  }
}

/** The memory of the mocks without any state, in MB. */
async function restingMemory(): Promise<number> {
  for (const { url } of targets) {
    for (const { name } of (await (await fetch(`${url}/__specmill/sandboxes`)).json()) as { name: string }[])
      await fetch(`${url}/__specmill/sandboxes/${name}`, { method: 'DELETE' });
  }
  await wait(500);
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
}

async function startMocks(): Promise<{ child: ChildProcess; targets: Target[]; stderr: string[] }> {
  const bin = path.join(packageRoot, 'dist/cli/main.js');
  const mocks = spawn(process.execPath, [bin, 'mock', ...NAMES, '--port', '0', '--json', '--seed', values.seed], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: packageRoot,
  });
  const written: string[] = [];
  mocks.stderr.setEncoding('utf8').on('data', (text: string) => written.push(text));
  let out = '';
  mocks.stdout.setEncoding('utf8');
  while (!out.includes('\n')) out += String(await once(mocks.stdout, 'data'));
  mocks.stdout.resume();
  const { mocks: ready } = JSON.parse(out.split('\n', 1)[0] ?? '') as { mocks: { name: string; url: string }[] };
  const loaded = await Promise.all(
    ready.map(async ({ name, url }) => ({
      pid: mocks.pid,
      name,
      url,
      api: await loadApi(path.join(packageRoot, `specs/${name}/openapi.yaml`)),
    })),
  );
  written.length = 0;
  return { child: mocks, targets: loaded, stderr: written };
}
