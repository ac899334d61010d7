import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type RequestListener, createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import path from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { shardOperations } from '../../contract/plan/choose-operations.js';
import { type ContractReport, runContract, toAnnotations, toSarif, toText } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { loadApi } from '../../model/load-api.js';
import { runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';
import { LOCAL_TLS } from './local-tls.js';
import { album } from './servers/album/server.js';
import { testServer } from './servers/measure-servers.js';

const SPEC = path.join(import.meta.dirname, 'specs/library.yaml');
const BIN = path.join(import.meta.dirname, '../../dist/cli/main.js');

async function listen(server: Server, port = 0): Promise<number> {
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const crash: RequestListener = (_, response) =>
  response.writeHead(500, { 'content-type': 'text/plain' }).end('no, 100%');

/** A run against a server that fails at everything: one finding, and nothing that succeeded. */
async function findCrash(): Promise<ContractReport> {
  const send: typeof fetch = async () => new Response('no, 100%', { status: 500 });
  return runContract({ api: await loadApi(SPEC), url: 'http://127.0.0.1:9', fetch: send, phases: ['examples'] });
}

describe('shards', () => {
  test('shards are disjoint and complete, and the same each time', async () => {
    const { operations } = await loadApi(album.spec);
    const parts = [1, 2, 3].map((part) => [...shardOperations(operations, `${part}/3`)]);
    expect(
      parts
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(operations.map(({ id }) => id).toSorted());
    expect(parts).toEqual([1, 2, 3].map((part) => [...shardOperations(operations, `${part}/3`)]));
    const counts = await Promise.all(
      ['1/2', '2/2'].map(
        async (shard) => (await testServer(album, undefined, { shard, phases: ['examples'] })).operations,
      ),
    );
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(operations.length);
  });

  test.each(['3/2', '0/2', 'half'])('the shard %s is refused', async (shard) => {
    await expect(testServer(album, undefined, { shard })).rejects.toThrow('A shard is written as 1/4');
  });
});

test('a run waits for a server that is not up yet, as long as the option wait says', async () => {
  const server = createServer(crash);
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  const options = { spec: SPEC, url: `http://127.0.0.1:${port}`, phases: ['examples'] } as const;
  await expect(runContract(options)).rejects.toThrow('does not respond');
  const late = createServer(crash);
  const started = new Promise<number>((resolve) => void setTimeout(() => resolve(listen(late, port)), 400));
  const { requests } = await runContract({ ...options, wait: '10s' });
  await started;
  expect(requests).toBeGreaterThan(0);
});

describe('a server with its own certificate', () => {
  const open = async (): Promise<string> => {
    const port = await listen(createSecureServer({ ...LOCAL_TLS }, crash));
    return `https://localhost:${port}`;
  };

  test('a server with its own certificate is refused with advice, and trusted with ca or insecure', async () => {
    const url = await open();
    const options = { spec: SPEC, url, phases: ['examples'] } as const;
    await expect(runContract(options)).rejects.toThrow(
      'Give the certificate of its authority with --ca FILE, or --insecure',
    );
    expect((await runContract({ ...options, ca: LOCAL_TLS.cert })).requests).toBeGreaterThan(0);
    expect((await runContract({ ...options, insecure: true })).requests).toBeGreaterThan(0);
  });

  test('a server with its own certificate is trusted on the command line with --ca', async () => {
    const folder = tempFolder({ 'ca.pem': LOCAL_TLS.cert });
    const argv = ['contract', '--spec', SPEC, '--url', await open(), '--phase', 'examples'];
    expect((await runCaptured(folder, ...argv, '--ca', 'ca.pem')).out).toContain('no server error');
    expect((await runCaptured(folder, ...argv)).out).toBe('');
  });
});

describe('reports for CI', () => {
  test('SARIF has a rule for each check, and a result with its operation for each finding', async () => {
    const report = await findCrash();
    const { version, runs } = JSON.parse(toSarif(report)) as {
      version: string;
      runs: { tool: { driver: { rules: { id: string }[] } }; results: Record<string, unknown>[] }[];
    };
    expect(version).toBe('2.1.0');
    expect(runs[0]?.tool.driver.rules).toEqual([
      { id: 'no server error', shortDescription: { text: 'no server error' } },
    ]);
    expect(runs[0]?.results).toHaveLength(report.findings.length);
    expect(runs[0]?.results[0]).toMatchObject({
      ruleIndex: 0,
      level: 'error',
      locations: [{ logicalLocations: [{ name: report.findings[0]?.operationId }] }],
    });
  });

  test('annotations escape the characters that would end them', async () => {
    const report = await findCrash();
    const lines = toAnnotations(report);
    expect(lines[0]).toMatch(/^::error title=Nothing was tested::/);
    expect(lines.find((line) => line.includes('no server error'))).toMatch(
      /^::error file=.*library\.yaml,line=\d+,col=\d+,title=\w+%3A no server error::The server failed with 500\.%0Aexpected: .*%0Aactual: 500 no, 100%25$/,
    );
    expect(lines.filter((line) => line.startsWith('::warning'))).toHaveLength(1);
    expect(lines.length).toBeLessThanOrEqual(10);
  });

  test('the command prints annotations, writes SARIF, and shows a limited number of findings in full', async () => {
    const folder = tempFolder();
    const url = `http://127.0.0.1:${await listen(createServer(crash))}`;
    const argv = ['--report', 'github', '--report', 'sarif=out/found.sarif', '--max-findings', '1'];
    const run = await runCaptured(folder, 'contract', '--spec', SPEC, '--url', url, '--phase', 'examples', ...argv);
    expect(run.status).toBe(2);
    expect(run.out).toContain('::error title=');
    expect(JSON.parse(readFileSync(`${folder}/out/found.sarif`, 'utf8'))).toMatchObject({ version: '2.1.0' });
    expect(toText(await findCrash(), { maxFindings: 0 }).join('\n')).toMatch(
      /… and (?:1 more finding|[2-9] more findings|\d\d+ more findings):/,
    );
  });

  test('operations that never succeeded fail the command with --fail-on-unreached', async () => {
    await using mock = await startMock('library', { spec: SPEC, port: 0 });
    const argv = ['contract', '--spec', SPEC, '--url', mock.url, '--phase', 'examples', '--read-only'];
    expect((await runCaptured('.', ...argv)).status).toBe(0);
    const strict = await runCaptured('.', ...argv, '--fail-on-unreached');
    expect({
      status: strict.status,
      warns: strict.out.startsWith('1 of 2 operations succeeded; 1 refused every request.'),
    }).toEqual({
      status: 1,
      warns: true,
    });
  });

  test('headers are read from a file, one on each line', async () => {
    const seen = new Set<string | undefined>();
    const port = await listen(
      createServer((request, response) => {
        seen.add(request.headers.authorization);
        crash(request, response);
      }),
    );
    const folder = tempFolder({ 'headers.txt': 'Authorization: Bearer from-file\n\nX-Other: 1\n' });
    const argv = ['--url', `http://127.0.0.1:${port}`, '--phase', 'examples', '--header', '@headers.txt'];
    const run = await runCaptured(folder, 'contract', '--spec', SPEC, ...argv);
    expect(seen.has('Bearer from-file')).toBe(true);
    expect(run.out).not.toContain('from-file');
  });
});

test('Ctrl-C ends a run, which prints and writes the findings so far and exits with 1', async () => {
  const folder = tempFolder();
  let requests = 0;
  const port = await listen(
    createServer((request, response) => {
      requests += 1;
      setTimeout(() => crash(request, response), requests > 10 ? 100 : 0);
    }),
  );
  const argv = ['contract', '--spec', SPEC, '--url', `http://127.0.0.1:${port}`, '--report', 'json=report.json'];
  const child = spawn(process.execPath, [BIN, ...argv], { cwd: folder });
  let out = '';
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await expect.poll(() => requests, { timeout: 20_000 }).toBeGreaterThan(10);
  child.kill('SIGINT');
  expect(await exit).toBe(1);
  expect(out).toContain('The run was interrupted.');
  expect(JSON.parse(readFileSync(`${folder}/report.json`, 'utf8'))).toMatchObject({ stopped: 'interrupted' });
}, 30_000);

test('calls the operation that ends the session after everything else', async () => {
  const called: string[] = [];
  await testServer(album, undefined, {
    phases: ['examples', 'negative'],
    beforeEach: ({ operationId }) => {
      called.push(operationId);
      return {};
    },
  });
  const first = called.indexOf('logOut');
  expect(first).toBeGreaterThan(called.findLastIndex((id) => id === 'listAlbums'));
});

test.each(['?tenant=a', '#top'])('refuses a URL that ends in %s and says how parameters are set', async (rest) => {
  const options = { spec: SPEC, url: `http://127.0.0.1:1/api${rest}` };
  await expect(runContract(options)).rejects.toThrow('no query and no fragment: "contract.parameters"');
});
