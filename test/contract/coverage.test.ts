import path from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { type CoverageReport, measureCoverage } from '../../entry/contract.js';
import { type Mock, startMock } from '../../entry/mock.js';
import { runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';

const SPEC = path.join(import.meta.dirname, 'specs/library.yaml');
const HEADERS = { authorization: 'Bearer t', 'content-type': 'application/json' };

/** A mock that four calls went to: a list, a creation, a refused creation, and one to no operation. */
async function startCalled(): Promise<Mock> {
  const mock = await startMock('library', { spec: SPEC, port: 0 });
  onTestFinished(() => mock.close());
  const post = (body: unknown): Promise<Response> =>
    fetch(`${mock.url}/v1/books`, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });
  await fetch(`${mock.url}/v1/books?limit=0&sort=title`, { headers: HEADERS });
  await post({ title: 'Kytice', pages: 180, tags: ['old'] });
  await post({ pages: 0, shelf: {} });
  await fetch(`${mock.url}/v1/authors`, { headers: HEADERS });
  return mock;
}

function statusesOf(report: CoverageReport, id: string): Readonly<Record<string, number>> | undefined {
  return report.operations.find(({ operationId }) => operationId === id)?.statuses;
}

function placesOf(report: CoverageReport, operationId: string): string[] {
  return report.notExercised
    .filter((one) => one.operationId === operationId)
    .map((one) => `${one.place} ${one.keyword}`);
}

const har = (entries: readonly object[]): string => JSON.stringify({ log: { version: '1.2', entries } });

describe('the coverage of a journal', () => {
  test('the coverage of a journal counts statuses by operation, documented statuses that were not seen, and calls of no operation', async () => {
    const mock = await startCalled();
    const report = await measureCoverage({ spec: SPEC, journal: await mock.requests() });
    expect(report.calls).toBe(4);
    expect(statusesOf(report, 'listBooks')).toEqual({ 400: 1 });
    expect(statusesOf(report, 'createBook')).toEqual({ 201: 1, 400: 1 });
    expect(report.operations.find(({ operationId }) => operationId === 'createBook')?.unseen).toEqual(['401', '415']);
    expect(report.unknown).toEqual([{ call: 'GET /v1/authors', count: 1 }]);
  });

  test('the coverage of a journal counts the places of each keyword that values reached, and those that requests broke', async () => {
    const mock = await startCalled();
    const report = await measureCoverage({ spec: SPEC, journal: await mock.requests() });
    // The limit of the list, the pages of three bodies, the offset, and rows of shelves: below 1 were the limit and the pages.
    expect(report.keywords['minimum']).toEqual({ places: 8, exercised: 2, broken: 2 });
    // The title is missing in the second body, and the room of its shelf.
    expect(report.keywords['required']).toMatchObject({ broken: 2 });
    expect(placesOf(report, 'listBooks')).toEqual(['query offset type', 'query offset minimum']);
    expect(placesOf(report, 'createBook')).toContain('body/isbn pattern');
    expect(placesOf(report, 'createBook')).not.toContain('body/tags/* minLength');
  });

  test('the coverage of a journal is the same from a URL, with the header of a sandbox, and from a file', async () => {
    const mock = await startCalled();
    const journal = await mock.requests();
    const folder = tempFolder({ 'journal.json': JSON.stringify(journal) });
    const expected = await measureCoverage({ spec: SPEC, journal });
    expect(await measureCoverage({ spec: SPEC, journal: 'journal.json', cwd: folder })).toEqual(expected);
    expect(await measureCoverage({ spec: SPEC, journal: mock.url })).toEqual(expected);
    const other = { 'x-specmill-sandbox': 'other' };
    expect((await measureCoverage({ spec: SPEC, journal: mock.url, headers: other })).calls).toBe(0);
  });

  test('the coverage of a journal tells 10,000 unknown calls apart, and counts the rest together', async () => {
    const journal = Array.from({ length: 10_003 }, (_, index) => {
      return { method: 'GET', path: `/unknown/${index}`, status: 404, request: { headers: {} } };
    });
    const { unknown } = await measureCoverage({ spec: SPEC, journal });
    expect([unknown.length, unknown.at(-1)]).toEqual([10_001, { call: 'GET (other paths)', count: 3 }]);
  });

  test('the coverage of a journal ignores failures of the mock itself, such as those of callbacks', async () => {
    const entry = { path: '/v1/authors', request: { headers: {} } };
    const journal = [
      { ...entry, method: 'MOCK', status: 500 },
      { ...entry, method: 'GET', status: 404 },
    ];
    const report = await measureCoverage({ spec: SPEC, journal });
    expect(report).toMatchObject({ calls: 1, unknown: [{ call: 'GET /v1/authors', count: 1 }] });
  });

  test('the coverage of a journal is read from a HAR file, whose bodies are texts and whose URLs are absolute', async () => {
    const request = {
      method: 'POST',
      url: 'https://library.example.com/v1/books',
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      postData: { mimeType: 'application/json', text: '{"title":"","pages":1}' },
    };
    const folder = tempFolder({ 'traffic.har': har([{ request, response: { status: 400 } }]) });
    const report = await measureCoverage({ spec: SPEC, journal: 'traffic.har', cwd: folder });
    expect(statusesOf(report, 'createBook')).toEqual({ 400: 1 });
    expect(report.keywords['minLength']).toMatchObject({ exercised: 1, broken: 1 });
  });

  test.each([
    ['{"log":{}}', 'Expected a journal (JSON array of calls) or a HAR file.'],
    ['no json', 'The journal is not JSON: a value is expected here, not "no".'],
    ['[{"method":"GET"}]', 'An entry is not a recorded call'],
  ])('the coverage of a journal is refused if the file holds %s', async (text, message) => {
    const folder = tempFolder({ 'journal.json': text });
    await expect(measureCoverage({ spec: SPEC, journal: 'journal.json', cwd: folder })).rejects.toThrow(message);
  });
});

describe('specmill coverage', () => {
  test('prints operations, keywords and calls of no operation, and exits 0', async () => {
    const mock = await startCalled();
    const { status, out, err } = await runCaptured('.', 'coverage', '--spec', SPEC, '--journal', mock.url);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toContain('createBook   201×1 400×1  (not seen: 401 415)\n');
    expect(out).toContain('getBook      not reached  (not seen: 200 304 400 401 404)\n');
    expect(out).toMatch(/^ {2}minimum +8 +2 +2$/m);
    expect(out).toContain('Calls that match no operation:\n  GET /v1/authors\n');
    expect(out).toContain('Library: 2 of 6 operations in 4 calls;');
  });

  test('counts one call in the singular', async () => {
    const entry = { method: 'GET', path: '/v1/books', status: 200, request: { headers: {} } };
    const folder = tempFolder({ 'journal.json': JSON.stringify([entry]) });
    const { out } = await runCaptured(folder, 'coverage', SPEC, '--journal', 'journal.json');
    expect(out).toContain('1 of 6 operations in 1 call;');
  });

  test.each([
    [999, false],
    [1_000, true],
    [2_500, false],
  ])('notes for a journal with %d entries that earlier calls are not counted: %s', async (count, isFull) => {
    const entry = { method: 'GET', path: '/v1/books', status: 200, request: { headers: {} } };
    const folder = tempFolder({ 'journal.json': JSON.stringify(Array.from({ length: count }, () => entry)) });
    const { out } = await runCaptured(folder, 'coverage', SPEC, '--journal', 'journal.json');
    const note = 'The journal keeps the last 1,000 calls: earlier ones are not counted.\n';
    expect(out.endsWith(note)).toBe(isFull);
  });

  test('prints the report as JSON', async () => {
    const folder = tempFolder({ 'journal.json': '[]' });
    const { status, out } = await runCaptured(folder, 'coverage', SPEC, '--journal', 'journal.json', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      calls: 0,
      operations: [{ operationId: 'listBooks', requests: 0 }, {}, {}, {}, {}, {}],
    });
  });

  test.each([
    [['signing'], 'Missing --journal'],
    [['signing', '--journal', 'nothing.json'], 'The journal cannot be read: there is no such file.'],
    [['nothing', '--journal', 'nothing.json'], 'no API named "nothing"'],
  ])('exits 2 for %j', async (argv, message) => {
    const { status, err } = await runCaptured(tempFolder(), 'coverage', ...argv);
    expect({ status, isTold: err.includes(message) }).toEqual({ status: 2, isTold: true });
  });
});
