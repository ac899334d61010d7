import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { type ContractOptions, runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { loadApi } from '../../model/load-api.js';

const SPEC = path.join(import.meta.dirname, 'specs/library.yaml');

/** The bodies of one operation's requests that were accepted, and those of its negative cases. */
async function sentBodies(operationId: string, options: Partial<ContractOptions>): Promise<Record<string, unknown>[]> {
  const api = await loadApi(SPEC);
  await using mock = await startMock(api, { noRateLimit: true });
  const bodies: Record<string, unknown>[] = [];
  await runContract({
    api,
    url: mock.url,
    fetch: mock.fetch,
    maxExamples: 20,
    beforeEach: (request) => {
      const { body, phase } = request;
      if (request.operationId === operationId && phase !== 'negative' && body?.startsWith('{') === true)
        bodies.push(JSON.parse(body) as Record<string, unknown>);
      return {};
    },
    ...options,
  });
  return bodies;
}

describe('values of the configuration for members of bodies', () => {
  test('values of the configuration are sent in the bodies of every operation that has the member', async () => {
    const bodies = await sentBodies('createBook', { phases: ['examples'], parameters: { 'body.title': 'Babička' } });
    expect(new Set(bodies.map(({ title }) => title))).toEqual(new Set(['Babička']));
  });

  test('values of the configuration for one operation are added to its bodies, even if the member is missing or nested', async () => {
    const parameters = { 'createBook.body.shelf.room': 'B2' };
    const bodies = await sentBodies('createBook', { phases: ['examples'], parameters });
    expect(bodies.length).toBeGreaterThan(1);
    expect(bodies.filter(({ shelf }) => (shelf as { room?: unknown } | undefined)?.room === 'B2')).not.toEqual([]);
    expect(await sentBodies('replaceBook', { phases: ['examples'], parameters })).not.toEqual([]);
  });

  test('a function of the configuration gives a new value for each request', async () => {
    let count = 0;
    const parameters = { 'createBook.body.title': () => `Kniha ${(count += 1)}` };
    const bodies = await sentBodies('createBook', { phases: ['examples'], parameters });
    expect(bodies.every(({ title }) => /^Kniha \d+$/.test(String(title)))).toBe(true);
    expect(count).toBeGreaterThan(1);
  });

  test('negative requests still break values of the configuration', async () => {
    const api = await loadApi(SPEC);
    await using mock = await startMock(api, { noRateLimit: true });
    const parameters = { 'body.title': 'Babička' };
    const { findings, coverage } = await runContract({ api, url: mock.url, fetch: mock.fetch, parameters });
    expect(findings).toEqual([]);
    expect(coverage.keywords['minLength']?.broken).toBeGreaterThan(0);
  });

  test.each([
    [{ 'body.titel': 'x' }, /No operation has a body with the member "body\.titel"\. Did you mean body\.title\?/],
    [{ 'createBook.body.shelf.rom': 'x' }, /"createBook\.body\.shelf\.rom"/],
    [{ 'body.pages': 'many' }, /the member "body\.pages" does not fit the spec: it must be integer/],
  ])('the values %j of the configuration for members of bodies are refused', async (parameters, message) => {
    await expect(sentBodies('createBook', { parameters })).rejects.toThrow(message);
  });
});

test('texts that often break servers are sent in members with free text', async () => {
  const bodies = await sentBodies('createBook', { phases: ['boundary'], maxExamples: 60 });
  const titles = bodies.map(({ title }) => String(title));
  for (const part of ['%_\'"`\\', 'שלום', '\u0000', '👩‍👩‍👧'])
    expect(titles.filter((title) => title.includes(part))).not.toEqual([]);
});

test('an unknown option of a run is refused by its name', async () => {
  const options = { url: 'http://127.0.0.1:9', spec: SPEC, maxExample: 5 };
  await expect(runContract(options)).rejects.toThrow(
    'A contract run has no option "maxExample". Did you mean maxExamples?',
  );
});
