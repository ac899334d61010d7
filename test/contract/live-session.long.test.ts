import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, test } from 'vitest';

import { type Finding, runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { checkPastedTypes } from '../support/check-pasted-types.js';
import { runPastedTest } from '../support/run-pasted-test.js';
import { type WebSocketServerHandle, connectSocket, startWebSocketServer } from '../support/web-socket-server.js';

const SPEC = path.join(import.meta.dirname, 'specs/radio.yaml');

const FAULTS = ['never ready', 'a message of another shape', 'no JSON', 'anything is accepted'] as const;

type Fault = (typeof FAULTS)[number];

/** A server by hand, with at most one fault. */
async function serveRadio(fault?: Fault): Promise<WebSocketServerHandle> {
  return startWebSocketServer(({ hello, talk }, socket) => {
    if (hello !== undefined && fault === 'never ready') return;
    if (hello !== undefined) socket.send(JSON.stringify({ welcome: {} }));
    else if (typeof talk === 'string' && fault === 'no JSON') socket.send('over and out');
    else if (typeof talk === 'string')
      socket.send(JSON.stringify(fault === 'a message of another shape' ? { heard: 7 } : { heard: talk }));
    else if (fault !== 'anything is accepted') socket.close(1007, 'what?');
  });
}

async function findWith(server: WebSocketServerHandle): Promise<readonly Finding[]> {
  const report = await runContract({
    spec: SPEC,
    url: 'http://radio.localhost',
    fetch: async () => new Response(null, { status: 426 }),
    webSocket: () => connectSocket(server.url),
    phases: ['stateful'],
    timeLimit: '1s',
  });
  expect(report.coverage.operations[0]?.operationId).toBe('tuneIn');
  return report.findings;
}

/** Runs the code of a finding's test, with sockets that lead to a server. */
async function runTest(code: string, server: WebSocketServerHandle): Promise<void> {
  const WebSocket = function open() {
    return connectSocket(server.url);
  };
  // No test waits that long.
  const soon = (wake: () => void, delay: number): unknown => setTimeout(wake, delay / 10);
  await runPastedTest(code, { WebSocket, TextDecoder, setTimeout: soon });
}

describe('a live session', () => {
  test('a live session that behaves as its helper describes gives no finding', async () => {
    await using server = await serveRadio();
    expect(await findWith(server)).toEqual([]);
    expect(server.messages).toEqual([
      { hello: { name: 'Ada' } },
      { talk: 'over' },
      { hello: { name: 'Ada' } },
      { specmill: [] },
    ]);
  });

  test.each(FAULTS)('finds a live session with the fault: %s', async (fault) => {
    await using faulty = await serveRadio(fault);
    await using clean = await serveRadio();
    const findings = await findWith(faulty);
    expect(findings.map(({ check, operationId }) => `${check} ${operationId}`)).toEqual(['live session tuneIn']);
    const [{ test: code } = { test: '' }] = findings;
    await expect(runTest(code, faulty), code).rejects.toThrow('expected');
    await expect(runTest(code, clean), code).resolves.toBeUndefined();
    expect(checkPastedTypes([code, code])).toBe('');
  });

  test('a finding in a live session has a shell command that reproduces it', async () => {
    await using server = await serveRadio('a message of another shape');
    const [finding] = await findWith(server);
    const line = finding?.curl.replace('ws://radio.localhost/live', server.url.replace('http', 'ws')) ?? '';
    const { stdout } = await promisify(execFile)('bash', ['-c', line]);
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      '{"welcome":{}}',
      '{"heard":7}',
      expect.stringContaining('closed with'),
    ]);
  });

  test('a live session of our own API is tested without findings', async () => {
    await using mock = await startMock('generation', { noRateLimit: true });
    const { findings, coverage, notes } = await runContract({
      api: 'generation',
      url: mock.url,
      fetch: mock.fetch,
      webSocket: mock.webSocket,
      phases: ['stateful'],
    });
    expect(findings).toEqual([]);
    expect(notes).toEqual([]);
    const session = coverage.operations.find(({ operationId }) => operationId === 'openLiveSession');
    expect(session?.statuses).toEqual({ 101: 1 });
  });
});
