import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { startMock } from '../../entry/mock.js';

const folder = mkdtempSync(path.join(tmpdir(), 'specmill-full-disk-'));

/** A disk of 2 MB: only the superuser of Linux may have one. */
const isMounted = ((): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

afterAll(() => {
  if (isMounted) execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

const HEADERS = { authorization: `Basic ${btoa('key:secret')}`, 'content-type': 'application/json' };

describe.skipIf(!isMounted)('a state on a full disk', () => {
  it('responds 507 to a write, loses nothing and takes writes again after a reset', async () => {
    const state = path.join(folder, 'state');
    const create = async (url: string): Promise<Response> =>
      fetch(`${url}/api/v2/createcase`, {
        method: 'POST',
        headers: HEADERS,
        body: JSON.stringify({ Name: 'A case', Description: 'x'.repeat(40_000) }),
      });
    const read = async (url: string, id: string): Promise<number> =>
      (await fetch(`${url}/api/v2/getcase?id=${id}`, { headers: HEADERS })).status;
    const ids: string[] = [];
    let refused: Response | undefined;
    await using mock = await startMock('signing', { port: 0, state, noRateLimit: true });
    for (let count = 0; count < 300 && refused === undefined; count += 1) {
      const response = await create(mock.url);
      if (response.status === 200) ids.push(((await response.json()) as { readonly Id: string }).Id);
      else refused = response;
    }
    expect(refused?.status).toBe(507);
    expect(await refused?.text()).toContain('no space left');
    expect(new Set(await Promise.all(ids.map((id) => read(mock.url, id))))).toEqual(new Set([200]));
    await mock.reset();
    expect((await create(mock.url)).status).toBe(200);
  });
});
