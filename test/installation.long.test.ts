import { type ChildProcess, type SpawnSyncReturns, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** An empty project with the package of this build, installed from its tarball as users do. */
const root = path.resolve(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'specmill-installed-'));
const modules = path.join(folder, 'node_modules');
let said = '';

const SPEC = `
openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /orders/{id}:
    get:
      operationId: getOrder
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: The order.
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
components:
  schemas:
    Order: { type: object, required: [id], properties: { id: { type: string } } }
`;

const OVERLAY = `
overlay: 1.0.0
info: { title: More, version: 1.0.0 }
actions: [{ target: $.info, update: { description: A shop. } }]
`;

const TRAFFIC = JSON.stringify({
  log: {
    version: '1.2',
    entries: [
      {
        startedDateTime: '2026-01-01T00:00:00.000Z',
        request: { method: 'GET', url: 'https://api.example.com/orders/1', headers: [] },
        response: {
          status: 200,
          headers: [{ name: 'Content-Type', value: 'application/json' }],
          content: { mimeType: 'application/json', text: '{"id":"1"}' },
        },
      },
    ],
  },
});

beforeAll(() => {
  const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const files = { 'shop.yaml': SPEC, 'more.yaml': OVERLAY, 'traffic.har': TRAFFIC, 'order.json': '{"id":"1"}' };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const tarball = path.join(folder, packed.trim());
  const install = spawnSync('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: folder, encoding: 'utf8' });
  said = install.stdout + install.stderr;
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function specmill(...args: string[]): SpawnSyncReturns<string> {
  const main = path.join(modules, 'specmill/dist/cli/main.js');
  return spawnSync(process.execPath, [main, ...args], { cwd: folder, encoding: 'utf8' });
}

/** Starts a server, and reads its address from the first lines that it prints. */
async function serve(...args: string[]): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const main = path.join(modules, 'specmill/dist/cli/main.js');
  const child = spawn(process.execPath, [main, ...args], { cwd: folder });
  let text = '';
  while (!/http:\/\/\S+:\d+/.test(text)) text += String((await once(child.stdout, 'data'))[0]);
  return { url: /http:\/\/[\w.]+:\d+/.exec(text)?.[0] ?? '', child };
}

/** All files and folders of the installation. */
function listPlaces(): string[] {
  return readdirSync(modules, { recursive: true, encoding: 'utf8' });
}

describe('an installation from the tarball', () => {
  it('the installation ends without a warning about install scripts', () => {
    expect(said).toContain('added ');
    expect(said).not.toMatch(/install.scripts|allowScripts/i);
  });

  it('the installation has at most 100 packages', () => {
    const packages = listPlaces().filter((place) =>
      /(?:^|[/\\]node_modules[/\\])(?:@[^/\\]+[/\\])?[^/\\@.][^/\\]*[/\\]package\.json$/.test(place),
    );
    expect(packages.length).toBeGreaterThan(20);
    expect(packages.length).toBeLessThanOrEqual(100);
  });

  it('the installation takes at most 100 MB on disk', () => {
    const bytes = listPlaces().reduce((sum, place) => sum + lstatSync(path.join(modules, place)).blocks * 512, 0);
    expect(bytes / 1_048_576).toBeLessThanOrEqual(100);
  });

  it('the licences of what is bundled are in the package', () => {
    const notices = readFileSync(path.join(modules, 'specmill/dist/prism/NOTICES.txt'), 'utf8');
    for (const name of ['@stoplight/prism-http', 'lodash', 'ajv', 'fp-ts', 'json-schema-faker'])
      expect(notices).toContain(`${name} `);
  });

  it.each([
    ['generate', ['generate', 'shop.yaml', '--out', 'api']],
    ['emitters', ['emitters']],
    ['validate', ['validate', 'shop.yaml#Order', 'order.json']],
    ['explain', ['explain', 'shop.yaml']],
    ['coverage', ['coverage', 'shop.yaml', '--journal', 'traffic.har']],
    ['apply-overlay', ['apply-overlay', 'shop.yaml', 'more.yaml']],
    ['diff', ['diff', 'shop.yaml', 'shop.yaml']],
    ['help', ['--help']],
    ['init', ['init', '--spec', 'shop.yaml']],
  ])('the command %s works', (_name, args) => {
    const { status, stdout, stderr } = specmill(...args);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).not.toBe('');
  });

  it('the command draft works', () => {
    const { status, stdout, stderr } = specmill('draft', 'traffic.har');
    expect([status, stdout]).toEqual([0, expect.stringContaining('openapi: ')]);
    expect(stderr).toContain('Drafted 1 operation from 1 call');
  });

  it.each([
    ['--state', ['--state', 'state'], 'lmdb'],
    ['--store', ['--store', 'redis://127.0.0.1:1'], '@redis/client'],
  ])('the option %s names its package if that is not installed', (option, args, name) => {
    const { status, stderr } = specmill('mock', 'shop.yaml', '--port', '0', ...args);
    expect(status).toBe(2);
    expect(stderr).toContain(
      `The option ${option} needs the package ${name}, which is not installed: npm install ${name}.`,
    );
  });

  it('a mock answers with the bundled mocker, and contract tests pass against it through the proxy', async () => {
    const mock = await serve('mock', 'shop.yaml', '--port', '0');
    const proxy = await serve('proxy', 'shop.yaml', '--upstream', mock.url, '--port', '0');
    const { url } = proxy;
    try {
      const response = await fetch(`${url}/orders/1`, { headers: { Prefer: 'code=200' } });
      expect([response.status, Object.keys((await response.json()) as object)]).toEqual([200, ['id']]);
      const { status, stdout } = specmill('contract', 'shop.yaml', '--url', url);
      expect([status, stdout]).toEqual([0, expect.stringContaining('0 findings')]);
    } finally {
      proxy.child.kill();
      mock.child.kill();
    }
  });
});
