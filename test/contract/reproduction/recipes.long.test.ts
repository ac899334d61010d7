import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { type Finding, checkResponse, runContract } from '../../../entry/contract.js';
import { startMock } from '../../../entry/mock.js';
import { loadApi } from '../../../model/load-api.js';
import { runPastedTest } from '../../support/run-pasted-test.js';
import { runShellLines } from '../../support/run-shell-lines.js';
import { serveFetch } from '../../support/serve-fetch.js';
import { tempFolder } from '../../support/temp-folder.js';
import { type Mutant, findMutant, plantMutant } from '../mutants.js';

const SPEC = path.join(import.meta.dirname, '../specs/library.yaml');
const PARCELS = path.join(import.meta.dirname, '../specs/parcels.yaml');

async function runTest(code: string, send: typeof fetch): Promise<void> {
  await runPastedTest(code, { fetch: send, checkResponse, process });
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

describe('the requests of a finding', () => {
  test('the requests of a finding are as few as possible', async () => {
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

  test('the requests of a finding are marked if repeating them does not show it again', async () => {
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

describe('a hostile id', () => {
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

  test('a hostile id stays an id in the shell and in the test', async () => {
    const folder = tempFolder();
    await using faulty = await serveFetch(serveParcels(true), 'http://parcels.test');
    await using clean = await serveFetch(serveParcels(false), 'http://parcels.test');
    const { findings } = await runContract({ spec: PARCELS, url: faulty.url, phases: ['stateful'] });
    const lost = findings.find(({ check, pointer }) => check === 'read back equal' && pointer === '/label');
    expect(lost).toBeDefined();
    expect(await runShellLines(lost?.curl ?? '', folder)).toMatch(/^HTTP\/1\.1 200[^]*"label":"lost"/);
    expect(await readdir(folder)).toEqual([]);
    await expect(runTest(lost?.test ?? '', fetch)).rejects.toThrow("expected 'lost' to be 'Unbranded");
    await runTest((lost?.test ?? '').replaceAll(faulty.url, clean.url), fetch);
  });
});
