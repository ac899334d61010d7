import path from 'node:path';
import { runInNewContext } from 'node:vm';

import { describe, expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { plantMutant } from './mutants.js';

const SPEC = path.join(import.meta.dirname, 'specs/depot.yaml');
const URL_OF_DEPOT = 'http://depot.localhost';

interface Crate {
  readonly size: number;
  bytes: string;
  isSealed: boolean;
}

const FAULTS = [
  'no address',
  'any offset is taken',
  'refused bytes are kept',
  'the count is wrong',
  'pieces are refused',
  'never final',
  'final too early',
  'no file',
] as const;

type Fault = (typeof FAULTS)[number];

/** A server by hand, with its own names for everything, and at most one fault. */
function serveDepot(fault?: Fault): typeof fetch {
  const crates = new Map<string, Crate>();
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    const wrong = (status: number): Response => new Response(null, { status });
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    if (pathname === '/crates') {
      const [size, type] = [request.headers.get('crate-size'), request.headers.get('crate-type')];
      if (size === null || !/^\d+$/.test(size) || (type ?? '') === '') return wrong(400);
      const key = `c${crates.size + 1}`;
      crates.set(key, { size: Number(size), bytes: '', isSealed: false });
      const headers = fault === 'no address' ? {} : { 'crate-at': `${URL_OF_DEPOT}/fill?crate=${key}` };
      return new Response(null, { status: 201, headers });
    }
    if (pathname !== '/fill' || !searchParams.has('crate')) return wrong(pathname === '/fill' ? 400 : 404);
    const command = request.headers.get('crate-do') ?? '';
    const offset = request.headers.get('crate-from');
    if (!['put', 'seal', 'ask'].includes(command) || (offset !== null && !/^\d+$/.test(offset))) return wrong(400);
    const crate = crates.get(searchParams.get('crate') ?? '');
    if (crate === undefined) return wrong(404);
    const sent = await request.text();
    if (command !== 'ask') {
      const isThere = Number(offset) === crate.bytes.length && !crate.isSealed;
      if (isThere || fault === 'any offset is taken' || fault === 'refused bytes are kept') crate.bytes += sent;
      if (!isThere && fault !== 'any offset is taken') return wrong(409);
      if (fault === 'pieces are refused' && command === 'put') return wrong(409);
      if (command === 'seal' && crate.bytes.length !== crate.size) return wrong(409);
      crate.isSealed = command === 'seal';
    }
    const isFinal = fault === 'final too early' || (crate.isSealed && fault !== 'never final');
    const headers = {
      'crate-is': isFinal ? 'sealed' : 'open',
      'crate-has': String(crate.bytes.length + (fault === 'the count is wrong' ? 1 : 0)),
    };
    return Response.json(crate.isSealed && fault !== 'no file' ? { crate: { size: crate.size } } : {}, { headers });
  };
}

async function findWith(fault?: Fault): Promise<Awaited<ReturnType<typeof runContract>>['findings']> {
  const options = { spec: SPEC, url: URL_OF_DEPOT, fetch: serveDepot(fault), phases: ['stateful'] as const };
  return (await runContract(options)).findings;
}

async function runTest(code: string, send: typeof fetch): Promise<void> {
  let body: (() => Promise<void>) | undefined;
  const define = (_name: string, run: () => Promise<void>): void => void (body = run);
  runInNewContext(code, { test: define, expect, fetch: send, process });
  await body?.();
}

describe('a resumable upload', () => {
  test('a resumable upload that behaves as its helper describes gives no finding', async () => {
    expect(await findWith()).toEqual([]);
  });

  test.each(FAULTS)('finds a resumable upload with the fault: %s', async (fault) => {
    const findings = await findWith(fault);
    const own = findings.filter(({ check }) => check === 'resumable upload');
    expect(own.length).toBeGreaterThan(0);
    for (const { test: code } of own) {
      await expect(runTest(code, serveDepot(fault)), code).rejects.toThrow('expected');
      await expect(runTest(code, serveDepot()), code).resolves.toBeUndefined();
    }
  });

  test('a resumable upload of our own API is followed to its end, and a gap in it is found', async () => {
    await using mock = await startMock('generation', { noRateLimit: true });
    const commands = new Set<string>();
    const run = async (isFaulty: boolean): Promise<string[]> => {
      await mock.reset();
      const watched = plantMutant(
        {
          name: 'offsets do not matter',
          respond: async ({ request, pass, memory }) => {
            const command = request.headers.get('x-vendor-upload-command') ?? '';
            commands.add(command);
            const response = await pass();
            if (!isFaulty || response.ok || command !== 'upload') return response;
            memory.set('faulty', command);
            return Response.json({}, { headers: { 'x-vendor-upload-status': 'active' } });
          },
        },
        mock.fetch,
      );
      const { findings } = await runContract({
        api: 'generation',
        url: mock.url,
        fetch: watched,
        phases: ['stateful'],
      });
      return findings.map(({ check, operationId }) => `${check} ${operationId}`);
    };
    expect(await run(false)).toEqual([]);
    expect([...commands]).toEqual(expect.arrayContaining(['start', 'upload', 'query', 'upload, finalize']));
    expect(await run(true)).toContain('resumable upload uploadFileBytes');
  });
});
