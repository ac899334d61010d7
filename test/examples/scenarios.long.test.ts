import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it, onTestFinished } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const folder = path.join(root, 'examples/scenarios');
const spec = createRequire(import.meta.url).resolve('@readme/oas-examples/3.1/json/train-travel.json');
const run = promisify(execFile);
const cli = path.join(root, 'dist/cli/main.js');

const DECLINED = '00000000-0000-4000-8000-000000000042';
const PAID = '00000000-0000-4000-8000-000000000041';
const SOURCE = {
  object: 'card',
  name: 'J. Doe',
  number: '4242424242424242',
  cvc: 123,
  exp_month: 12,
  exp_year: 2030,
  address_country: 'gb',
};

/** Starts the command of the guide, and returns the URL of the mock. */
async function runMock(): Promise<string> {
  const flags = ['--data', 'bookings.csv', '--scenarios', 'scenarios.yaml', '--port', '0', '--json'];
  const child = spawn(process.execPath, [cli, 'mock', spec, ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill());
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return (JSON.parse(line.toString()) as { mocks: { url: string }[] }).mocks[0]?.url ?? '';
}

describe.skipIf(!existsSync(cli))('the files of examples/scenarios', () => {
  it('steer a mock of a public spec: 50 bookings, a declined payment, a slow third call', async () => {
    const url = await runMock();
    const headers = { 'content-type': 'application/json', authorization: 'Bearer any' };
    const pay = (id: string): Promise<Response> =>
      fetch(`${url}/bookings/${id}/payment`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ amount: 49.99, currency: 'gbp', source: SOURCE }),
      });
    const data = (await (await fetch(`${url}/__specmill/data`)).json()) as Record<string, object[]>;
    expect(data['/bookings']).toHaveLength(50);
    const declined = await pay(DECLINED);
    expect([declined.status, await declined.json()]).toEqual([
      402,
      { title: 'Card declined', detail: `Booking ${DECLINED} is not paid: 49.99 was refused.` },
    ]);
    expect((await pay(PAID)).status).toBe(200);
    const chosen = await fetch(`${url}/__specmill/scenarios`, { method: 'PUT', headers, body: '{"active":["slow"]}' });
    expect(chosen.status).toBe(204);
    const delays: boolean[] = [];
    for (let call = 0; call < 4; call += 1) {
      const start = performance.now();
      expect((await fetch(`${url}/bookings`, { headers })).status).toBe(200);
      // Only the lower bound says something on a busy machine.
      delays.push(performance.now() - start >= 1_990);
    }
    expect(delays[2]).toBe(true);
    const journal = (await (await fetch(`${url}/__specmill/requests`)).json()) as { notes?: string[] }[];
    const named = journal.flatMap(({ notes = [] }) => notes).filter((note) => note.includes('third call'));
    expect(named).toEqual(['The fault "slow: third call" happened.']);
  }, 60_000);

  it('the module of examples/scenarios runs as the guide shows it', async () => {
    const text = await readFile(path.join(folder, 'steer.mjs'), 'utf8');
    expect(await readFile(path.join(root, 'docs/scenarios.md'), 'utf8')).toContain(text);
    const own = await mkdtemp(path.join(tmpdir(), 'steer-'));
    onTestFinished(() => rm(own, { recursive: true }));
    await copyFile(spec, path.join(own, 'train-travel.json'));
    for (const file of ['bookings.csv', 'scenarios.yaml'])
      await copyFile(path.join(folder, file), path.join(own, file));
    const { stdout } = await run(process.execPath, [path.join(folder, 'steer.mjs')], { cwd: own });
    expect(stdout).toBe('503 51\n');
  }, 60_000);
});
