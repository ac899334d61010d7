import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { generate, loadApi } from '../../entry/specmill.js';
import { generateValue } from '../../schema/generate-value.js';
import { writeTo } from '../support/temp-folder.js';

const MODULES = path.join(import.meta.dirname, 'node_modules');
const TRAIN = path.resolve('node_modules/@readme/oas-examples/3.1/yaml/train-travel.yaml');
const SEVEN = ['dictionary', 'engine', 'generation', 'notifications', 'rate-limits', 'signing', 'tables'];
const SPECS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SEVEN.map((name) => [name, path.resolve(`specs/${name}/openapi.yaml`)])),
  train: TRAIN,
};
const folder = mkdtempSync(path.join(tmpdir(), 'specmill-msw-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Calls the handler of every operation and checks its response by the validators of the same output. */
const PROGRAM = `
import { setupServer } from 'msw/node';
${Object.keys(SPECS)
  .map(
    (name, index) =>
      `import * as msw${index} from './${name}/msw.js';\nimport { responseValidators as check${index} } from './${name}/validators.js';`,
  )
  .join('\n')}
import { CALLS } from './calls.js';
const server = setupServer();
server.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' });
const parse = (text) => { try { return JSON.parse(text); } catch { return text; } };
const found = [];
const apis = [${Object.keys(SPECS)
  .map((_, index) => `[msw${index}, check${index}]`)
  .join(', ')}];
let count = 0;
for (const [index, [handlers, checks]] of apis.entries()) {
  const all = Object.entries(handlers).find(([name]) => name.endsWith('Handlers'))[1];
  server.resetHandlers(...all());
  for (const { op, method, target, status } of CALLS[index]) {
    const response = await fetch('https://api.test' + target, { method });
    const type = response.headers.get('content-type') ?? undefined;
    const text = await response.text();
    const isStream = /event-stream|jsonl|ndjson|json-seq/.test(type ?? '');
    const bodies = text === '' ? [] : isStream ? text.split(/\\n+/).filter(Boolean).map((line) => parse(line.replace(/^data: /, ''))) : [/json/.test(type) ? JSON.parse(text) : text];
    const errors = bodies.flatMap((data) => checks[op](response.status, type, data));
    if (errors.length > 0 || response.status !== status) found.push([op, response.status, type, errors, text.slice(0, 200)]);
    if (isStream && bodies.length === 0) found.push([op, 'has no items']);
    count += 1;
  }
}
server.close();
console.log(JSON.stringify({ count, found }));
`;

interface Call {
  readonly op: string;
  readonly method: string;
  readonly target: string;
  readonly status: number;
}

/** A call of each operation that has a handler, with valid values in its path. */
async function callsOf(spec: string): Promise<Call[]> {
  const api = await loadApi(spec);
  return api.operations
    .filter(({ extensions }) => extensions['x-websocket'] === undefined)
    .map((operation) => {
      const { name, method, parameters, responses } = operation;
      const target = operation.path.replaceAll(/\{([^{}]+)\}/g, (_match, parameter: string) => {
        const schema = parameters.find((one) => one.in === 'path' && one.name === parameter)?.schema ?? true;
        const made = generateValue(api, schema, { direction: 'request', seed: 1 });
        return encodeURIComponent(String(made.ok ? made.value : 'x'));
      });
      const success = responses.find(({ status }) => /^2\d\d$/.test(status));
      return { op: name, method: method.toUpperCase(), target, status: Number(success?.status ?? 200) };
    });
}

beforeAll(async () => {
  const apis = Object.fromEntries(
    Object.entries(SPECS).map(([name, spec]) => [name, { spec, output: name, only: ['types', 'msw'] }]),
  );
  const { apis: written } = await generate({ cwd: folder, config: { apis } });
  for (const { status, error } of written) if (status !== 'written') throw error ?? new Error(status);
  const calls = await Promise.all(Object.values(SPECS).map(callsOf));
  writeTo(folder, 'calls.js', `export const CALLS = ${JSON.stringify(calls)};`);
  writeTo(folder, 'package.json', '{"type":"module"}');
  writeTo(folder, 'program.js', PROGRAM);
  for (const name of ['msw-2', 'msw']) {
    const modules = path.join(folder, name, 'node_modules');
    mkdirSync(modules, { recursive: true });
    symlinkSync(path.join(MODULES, name), path.join(modules, 'msw'));
    await build({
      ...{ entryPoints: [path.join(folder, 'program.js')], outfile: path.join(folder, name, 'program.mjs') },
      ...{ bundle: true, format: 'esm', packages: 'external', logLevel: 'error' },
    });
  }
}, 120_000);

describe('handlers of the seven APIs and Train Travel', () => {
  it.each([
    ['MSW 2', 'msw-2', process.execPath],
    ['MSW 3', 'msw', path.join(MODULES, 'node-22/bin/node')],
  ])('in %s, every operation gets a response that the validators accept', (_version, name, node) => {
    const said = execFileSync(node, ['program.mjs'], { cwd: path.join(folder, name), encoding: 'utf8' });
    const { count, found } = JSON.parse(said.trimEnd().split('\n').at(-1) ?? '') as { count: number; found: unknown[] };
    expect(found).toEqual([]);
    expect(count).toBeGreaterThan(70);
  });
});

describe('the bundle of handlers', () => {
  const size = async (contents: string): Promise<number> => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: folder },
      ...{ bundle: true, minify: true, format: 'esm', packages: 'external', write: false },
    });
    return gzipSync(outputFiles[0]?.contents ?? '').length;
  };

  it('one handler takes at most 3 kB beside MSW', async () => {
    expect(await size("export { getBookingHandler } from './train/msw.js';")).toBeLessThan(3_000);
    expect(await size("export { lookupDictionaryHandler } from './dictionary/msw.js';")).toBeLessThan(3_000);
  });

  it('all handlers of the largest API of ours take at most 12 kB', async () => {
    expect(await size("export { signingHandlers } from './signing/msw.js';")).toBeLessThan(12_000);
  });
});
