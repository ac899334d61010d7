import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { afterEach, expect, test } from 'vitest';

import {
  type ContractReport,
  runContract,
  toAnnotations,
  toHtml,
  toJunit,
  toSarif,
  toText,
} from '../../entry/contract.js';
import { documentWith, loadDocument } from '../support/load-document.js';
import { tempFolder } from '../support/temp-folder.js';

const SERVER = path.join(import.meta.dirname, 'mortal-server.ts');
const JITI = path.resolve(import.meta.dirname, '../../node_modules/.bin/jiti');

const name = { type: 'string', enum: ['root'] };
const body = {
  required: true,
  content: { 'application/json': { schema: { type: 'object', required: ['name'], properties: { name } } } },
};
const responses = { 200: { description: 'Done.' }, 400: { description: 'Refused.' } };
const DOCUMENT = documentWith({
  '/role/add': { post: { operationId: 'addRole', requestBody: body, responses } },
  '/role/grant': { post: { operationId: 'grantRole', requestBody: body, responses } },
  '/version': { get: { operationId: 'getVersion', responses } },
});

let child: ChildProcess | undefined;
let stateFile = '';

afterEach(() => {
  child?.kill();
  if (existsSync(stateFile)) stop();
});

function readState(): { readonly port: number; readonly pid: number } {
  return JSON.parse(readFileSync(stateFile, 'utf8')) as { port: number; pid: number };
}

/** Stops the server that the restart command has started. */
function stop(): void {
  try {
    process.kill(readState().pid);
  } catch {
    // It has ended already.
  }
}

async function runOn(withRestart: boolean): Promise<ContractReport> {
  const folder = tempFolder();
  stateFile = path.join(folder, 'state.json');
  const files = [path.join(folder, 'roles.json'), stateFile];
  child = spawn(JITI, [SERVER, '0', ...files], { stdio: 'ignore' });
  await expect
    .poll(() => existsSync(stateFile) && readFileSync(stateFile, 'utf8') !== '', { timeout: 20_000 })
    .toBe(true);
  const { port } = readState();
  const restart = `rm -f '${files[0]}'; exec '${JITI}' '${SERVER}' ${port} '${files.join("' '")}'`;
  return runContract({
    api: await loadDocument(DOCUMENT),
    url: `http://127.0.0.1:${port}`,
    phases: ['examples', 'negative'],
    // The request that ends the server grants a role that the run need not have made.
    touchExisting: true,
    ...(withRestart ? { restart } : {}),
  });
}

const SENTENCE = 'The server ended during POST /role/grant.';

test('the first request without a response is the one that ended the server, and nothing later is a finding', async () => {
  const report = await runOn(false);
  expect(report.stopped).toBe('server-gone');
  expect(report.findings.filter(({ check }) => check === 'server responds')).toEqual([
    expect.objectContaining({ operationId: 'grantRole', message: SENTENCE }),
  ]);
  expect(report.findings[0]?.message).toBe(SENTENCE);
  expect(report.serverEnded?.steps).toEqual(['POST /role/add', 'POST /role/grant']);
  expect(report.serverEnded?.curl).toMatch(/\/role\/add.*\n.*\/role\/grant/);
  expect(report.reach.refused).toEqual(['grantRole']);
  expect(toText(report)[0]).toBe(SENTENCE);
  expect(toAnnotations(report)[0]).toContain(`::error title=The server ended::${SENTENCE}`);
  expect(toJunit(report)).toMatch(/<testcase [^>]*name="the server keeps running"/);
  expect(toHtml(report)).toContain(SENTENCE);
  expect(toSarif(report)).toContain(`"text": "${SENTENCE}`);
});

test(
  'a restart proves the end of the server, and the run goes on without the request that ended it',
  { timeout: 60_000 },
  async () => {
    const report = await runOn(true);
    expect(report.stopped).toBeUndefined();
    expect(report.serverEnded?.steps).toEqual(['POST /role/add', 'POST /role/grant']);
    expect(report.serverEnded?.curl).not.toContain('did not show again');
    expect(report.findings.filter(({ message }) => message.startsWith('The server ended'))).toHaveLength(1);
    expect(report.reach.succeeded).toEqual(['addRole', 'getVersion']);
  },
);
