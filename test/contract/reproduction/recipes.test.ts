import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';

import { beforeAll, describe, expect, test } from 'vitest';

import { type Finding, checkResponse, runContract } from '../../../entry/contract.js';
import { startMock } from '../../../entry/mock.js';
import { loadApi } from '../../../model/load-api.js';
import { packageRoot } from '../../../model/package-info.js';
import { serveFetch } from '../../support/serve-fetch.js';
import { tempFolder } from '../../support/temp-folder.js';
import { CONTROL, MUTANTS, type Mutant, plantMutant } from '../mutants.js';

const SPEC = path.join(import.meta.dirname, '../specs/library.yaml');
const PARCELS = path.join(import.meta.dirname, '../specs/parcels.yaml');
const run = promisify(execFile);

function findMutant(name: string): Mutant {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`There is no mutant ${name}.`);
  return mutant;
}

/** Runs the code of a finding's test as a test file would. */
async function runTest(code: string, send: typeof fetch): Promise<void> {
  let body: (() => Promise<void>) | undefined;
  const lines = code.split('\n').filter((line) => !line.startsWith('import '));
  const define = (_name: string, run: () => Promise<void>): void => void (body = run);
  runInNewContext(lines.join('\n'), { test: define, expect, fetch: send, checkResponse, process });
  await body?.();
}

let mock: Awaited<ReturnType<typeof startMock>>;

beforeAll(async () => {
  mock = await startMock(await loadApi(SPEC), { noRateLimit: true });
});

async function findWith(mutant: Mutant): Promise<readonly Finding[]> {
  await mock.reset();
  const faulty = plantMutant(mutant, mock.fetch);
  const phases = ['examples', 'stateful'] as const;
  return (await runContract({ spec: SPEC, url: mock.url, fetch: faulty, phases, maxExamples: 15 })).findings;
}

/** Faults that only a sequence of requests shows, and some that a request shows on an item of the run. */
const SEQUENCE_FAULTS = [
  'a created item is not available',
  'a creation that loses a member',
  'a stale read',
  'a lost update',
  'a replacement that only merges',
  'a ghost after delete',
  'a list without the newest',
  'an offset that is off by one',
  'a page that leaves one out',
  'page sizes are not obeyed',
  'conditions are not looked at',
  'a number of 64 bits loses digits',
  'a text is stored in upper case',
  'numbers are rounded',
  'a mistyped number',
  'no ETag',
  'a number out of bounds',
];

describe('the test of a finding is all that is needed', () => {
  test.each(SEQUENCE_FAULTS)(
    'the generated test of a finding fails with %s, and passes without the fault',
    async (name) => {
      const findings = await findWith(findMutant(name));
      expect(findings.length).toBeGreaterThan(0);
      for (const { test: code } of findings) {
        // A server that has never seen the run.
        await mock.reset();
        await expect(runTest(code, plantMutant(findMutant(name), mock.fetch)), code).rejects.toThrow(
          /expected|undefined|null/,
        );
        await mock.reset();
        await expect(runTest(code, mock.fetch), code).resolves.toBeUndefined();
      }
    },
  );
});

describe('the requests of a finding', () => {
  test('the requests of a finding are as few as show it', async () => {
    const findings = await findWith(findMutant('a ghost after delete'));
    const gone = findings.find(
      ({ operationId, check }) => operationId === 'deleteBook' && check === 'gone after delete',
    );
    expect(gone?.curl.match(/curl -sS .*?-g (?:-X '(?:POST|DELETE)' )?'/g)).toEqual([
      "curl -sS -g -X 'POST' '",
      "curl -sS -i -g -X 'DELETE' '",
      "curl -sS -i -g '",
    ]);
    // Nothing is created but what must be there.
    expect(gone?.curl).toMatch(/--data-raw '\{"title":"[^"]*","pages":\d+\}'/);
  });

  test('the requests of a finding are marked where repeating them does not show it again', async () => {
    let count = 0;
    const once: Mutant = {
      name: 'the first read fails',
      respond: async ({ path: at, request, pass }) => {
        const isRead = request.method === 'GET' && at.startsWith('/books/');
        return isRead && (count += 1) === 1 ? new Response('oops', { status: 500 }) : pass();
      },
    };
    const [finding] = await findWith(once);
    expect(finding).toMatchObject({ check: 'no server error', operationId: 'getBook' });
    expect(finding?.test).toContain('did not show it again');
    expect(finding?.curl).toContain('did not show it again');
  });

  test('the requests of a finding are the same with the same seed', async () => {
    const mutant = findMutant('a lost update');
    const texts = async (): Promise<string[]> => (await findWith(mutant)).map(({ curl }) => curl);
    // Ids of this server are made at random; they are in no request.
    expect(await texts()).toEqual(await texts());
  });
});

describe('for real', () => {
  const NAMES = ['a ghost after delete', 'a lost update', 'a created item is not available', 'a mistyped number'];

  test('vitest runs the pasted tests, and a shell the lines', async () => {
    const folder = tempFolder();
    await mkdir(path.join(folder, 'node_modules'));
    await symlink(packageRoot, path.join(folder, 'node_modules/specmill'));
    await symlink(path.join(packageRoot, 'node_modules/vitest'), path.join(folder, 'node_modules/vitest'));
    await using clean = await serveFetch(plantMutant(CONTROL, mock.fetch), mock.url);
    for (const name of NAMES) {
      await using broken = await startMock(await loadApi(SPEC), { noRateLimit: true });
      await using server = await serveFetch(plantMutant(findMutant(name), broken.fetch), broken.url);
      const { findings } = await runContract({ spec: SPEC, url: server.url, phases: ['stateful'], maxExamples: 15 });
      expect(findings.length).toBeGreaterThan(0);
      // Servers that have never seen the run.
      const reset = async (): Promise<void> => void (await Promise.all([broken.reset(), mock.reset()]));
      for (const { curl, actual, expected } of findings.filter(
        (one) => one.pointer === '' && /^\d{3}$/.test(one.actual),
      )) {
        await reset();
        expect(await runLines(curl, folder)).toContain(`HTTP/1.1 ${actual}`);
        expect(await runLines(curl.replaceAll(server.url, clean.url), folder), curl).toContain(`HTTP/1.1 ${expected}`);
      }
      await reset();
      const code = findings.map((finding) => finding.test);
      expect(await runVitest(folder, code)).toBe(`0 passed, ${code.length} failed`);
      const there = code.map((one) => one.replaceAll(server.url, clean.url));
      expect(await runVitest(folder, there)).toBe(`${code.length} passed, 0 failed`);
    }
  }, 300_000);
});

/** What the last of some lines for a shell prints. */
async function runLines(lines: string, cwd: string): Promise<string> {
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', lines], { cwd });
  return stdout.slice(Math.max(0, stdout.lastIndexOf('HTTP/1.1 ')));
}

async function runVitest(folder: string, tests: readonly string[]): Promise<string> {
  const lines = tests.flatMap((code) => code.split('\n'));
  const imports = new Set(lines.filter((line) => line.startsWith('import ')));
  const code = lines.filter((line) => !line.startsWith('import '));
  const text = ["import { expect, test } from 'vitest';", ...imports, ...code, ''].join('\n');
  await writeFile(path.join(folder, 'findings.test.js'), text);
  const bin = path.join(packageRoot, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await run(process.execPath, [bin, 'run', '--reporter=json', '--root', folder], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  const { numPassedTests, numFailedTests } = JSON.parse(stdout) as { numPassedTests: number; numFailedTests: number };
  return `${numPassedTests} passed, ${numFailedTests} failed`;
}

describe('an id that would like to be more than an id', () => {
  const EVIL = 'it\'s "$(touch pwned)" `touch pwned` ${1}\\u0041 \\\' -- /é\u202e\n; touch pwned #';

  /** A server whose ids are hostile, and which forgets labels. */
  function serveParcels(isFaulty: boolean): typeof fetch {
    const parcels = new Map<string, unknown>();
    return async (input, init) => {
      const request = new Request(input, init);
      const body = (await request.json().catch(() => undefined)) as Record<string, unknown> | undefined;
      const { pathname } = new URL(request.url);
      if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
      if (pathname === '/createparcel') {
        if (typeof body?.['label'] !== 'string' || body['label'] === '') return new Response(null, { status: 400 });
        const id = `${EVIL}${parcels.size}`;
        parcels.set(id, { id, label: isFaulty ? 'lost' : body['label'] });
        return Response.json({ ...body, id }, { status: 201 });
      }
      const id = body?.['id'];
      if (typeof id !== 'string') return new Response(null, { status: 400 });
      if (!parcels.has(id)) return new Response(null, { status: 404 });
      if (pathname === '/getparcel') return Response.json(parcels.get(id));
      parcels.delete(id);
      return new Response(null, { status: 204 });
    };
  }

  test('stays one, in the shell and in the test', async () => {
    const folder = tempFolder();
    await using faulty = await serveFetch(serveParcels(true), 'http://parcels.test');
    await using clean = await serveFetch(serveParcels(false), 'http://parcels.test');
    const { findings } = await runContract({ spec: PARCELS, url: faulty.url, phases: ['stateful'] });
    const lost = findings.find(({ check, pointer }) => check === 'read back equal' && pointer === '/label');
    expect(lost).toBeDefined();
    expect(await runLines(lost?.curl ?? '', folder)).toMatch(/^HTTP\/1\.1 200[^]*"label":"lost"/);
    expect(await readdir(folder)).toEqual([]);
    await expect(runTest(lost?.test ?? '', fetch)).rejects.toThrow('to deeply equal');
    await runTest((lost?.test ?? '').replaceAll(faulty.url, clean.url), fetch);
  });
});
