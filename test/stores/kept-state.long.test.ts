import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { connectMock } from '../../entry/mock.js';
import { startKillableMock } from '../support/killable-mock.js';
import { isBuilt, runSpecmill } from '../support/specmill-process.js';
import { tempFolder } from '../support/temp-folder.js';

const HEADERS = {
  authorization: `Basic ${Buffer.from('key:secret').toString('base64')}`,
  'content-type': 'application/json',
};

async function createCase(url: string, name: string): Promise<string> {
  const response = await fetch(`${url}/api/v2/createcase`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ Name: name }),
  });
  if (response.status !== 200) throw new Error(`createcase: ${response.status}`);
  return ((await response.json()) as { readonly Id: string }).Id;
}

async function readCase(url: string, id: string): Promise<Response> {
  return fetch(`${url}/api/v2/getcase?id=${id}`, { headers: HEADERS });
}

describe.skipIf(!isBuilt)('a mock with --state', () => {
  it('a mock with --state loses no confirmed write after SIGKILL, and assigns no id twice', async () => {
    const state = tempFolder();
    const ids: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      await using mock = await startKillableMock('signing', '--state', state);
      const create = async (worker: number): Promise<void> => {
        for (let count = 0; ; count += 1) ids.push(await createCase(mock.url, `${round} ${worker} ${count}`));
      };
      const workers = [1, 2, 3, 4].map((worker) => create(worker).catch(() => {}));
      await vi.waitUntil(() => ids.length > 15 * (round + 1), { timeout: 30_000 });
      await mock.kill();
      await Promise.all(workers);
    }
    expect(new Set(ids).size).toBe(ids.length);
    await using mock = await startKillableMock('signing', '--state', state);
    const read = await Promise.all(ids.map((id) => readCase(mock.url, id)));
    expect(new Set(read.map(({ status }) => status))).toEqual(new Set([200]));
    const snapshot = await connectMock(mock.url).state.get();
    const cases = snapshot.accounts?.['key']?.['cases'] ?? snapshot.collections['cases'] ?? [];
    // One case may have been stored for each worker whose response was lost.
    expect(cases.length).toBeGreaterThanOrEqual(ids.length);
    expect(cases.length).toBeLessThanOrEqual(ids.length + 12);
  });

  it('a mock with --state keeps the clock, faults with their count, and jobs, which run in order after the start', async () => {
    const state = tempFolder();
    const first = await startKillableMock('signing', '--state', state);
    const control = connectMock(first.url);
    await control.faults.put([{ status: 503, times: 3 }]);
    expect((await readCase(first.url, 'x')).status).toBe(503);
    await control.clock.set('2030-01-01T00:00:00Z');
    const frozen = await control.clock.freeze();
    await first.kill();
    await using second = await startKillableMock('signing', '--state', state);
    const again = connectMock(second.url);
    expect(await again.clock.get()).toEqual(frozen);
    expect(await again.faults.get()).toEqual([{ status: 503, times: 2 }]);
    await again.reset();
    expect((await again.clock.get()).frozen).toBe(false);
  });

  it('a mock with --state works beside another process on the same directory', async () => {
    const state = tempFolder();
    await using one = await startKillableMock('signing', '--state', state);
    await using other = await startKillableMock('signing', '--state', state);
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) => createCase(index % 2 === 0 ? one.url : other.url, `case ${index}`)),
    );
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) {
      expect((await readCase(one.url, id)).status).toBe(200);
      expect((await readCase(other.url, id)).status).toBe(200);
    }
  });

  describe('whose process has ended', () => {
    const whole = mkdtempSync(path.join(tmpdir(), 'specmill-state-'));
    beforeAll(async () => {
      const mock = await startKillableMock('signing', '--state', whole);
      for (let count = 0; count < 20; count += 1) await createCase(mock.url, 'a case');
      await mock.stop();
    });
    afterAll(() => rmSync(whole, { recursive: true }));

    it.each([
      ['cut off', (file: string) => truncateSync(file, 9_000)],
      ['no database', (file: string) => writeFileSync(file, 'not a database\n'.repeat(2_000))],
      ['overwritten in the middle', (file: string) => overwrite(file, 8_192, readFileSync(file).length)],
      ['empty pages', (file: string) => overwrite(file, 0, 8_192)],
    ])('a mock refuses a damaged directory with one sentence and does not change it: %s', async (_name, damage) => {
      const state = tempFolder();
      cpSync(whole, state, { recursive: true });
      const file = path.join(state, 'signing', 'state.mdb');
      damage(file);
      const before = readFileSync(file);
      const { status, err } = await runSpecmill('mock', 'signing', '--port', '0', '--state', state);
      expect(status).toBe(2);
      expect(err).toMatch(
        /^specmill: The state directory .* is damaged and was left as it is\.[^\n]* mv \S+ \S+\.damaged\n$/i,
      );
      expect(readFileSync(file).equals(before)).toBe(true);
    });
  });

  it('a mock refuses a --state that is not a directory, with one sentence', async () => {
    const folder = tempFolder({ file: 'text' });
    const { status, err } = await runSpecmill('mock', 'signing', '--port', '0', '--state', path.join(folder, 'file'));
    expect(status).toBe(2);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

function overwrite(file: string, from: number, to: number): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xa5, from, to));
}
