import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { TSC } from './support/compiler.js';

const root = path.join(import.meta.dirname, '..');
const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string; default: string }>;
};
const entries = Object.entries(exports).flatMap(([name, entry]) =>
  typeof entry === 'string' ? [] : [[name, entry] as const],
);

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["']([\w@./:-]+)["']/g;

/** All that a declaration leads to: our own files, and the names of packages. */
function reachable(entry: string): { files: readonly string[]; packages: readonly string[] } {
  const files = new Set([path.join(root, entry)]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (specifier.startsWith('.')) files.add(path.resolve(path.dirname(file), specifier.replace(/\.js$/, '.d.ts')));
      // An entry point of our own is checked by itself.
      else if (!/^(node:|specmill\/)/.test(specifier)) packages.add(specifier);
    }
  }
  return { files: [...files], packages: [...packages] };
}

describe.each(entries)('the entry point %s', (name, entry) => {
  it(`the package contains the files of the entry point ${name}`, () =>
    expect([entry.types, entry.default].filter((file) => !existsSync(file))).toEqual([]));

  // Not all packages that we stand on bring types, and who checks libraries too would have to add them. ts-morph, whose
  // files emitters get, brings its own.
  it(`the declarations of the entry point ${name} need no other package`, () => {
    const { files, packages } = reachable(entry.types);
    expect(files.length).toBeGreaterThan(5);
    const own = name === './msw' ? ['ts-morph', 'msw'] : ['ts-morph'];
    expect(packages.filter((one) => !own.includes(one))).toEqual([]);
  });
});

it('the package exports the matcher for responses as specmill/vitest', () => {
  const script = "import('specmill/vitest').then((names) => console.log(Object.keys(names)))";
  expect(execFileSync('node', ['-e', script], { cwd: root, encoding: 'utf8' })).toBe("[ 'toMatchSpec' ]\n");
});

it('the declarations type the actions of built-in mocks and of a mock that augments `ActionsByApi`', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-user-'));
  try {
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(root, path.join(folder, 'node_modules/specmill'));
    writeFileSync(path.join(folder, 'program.mts'), PROGRAM_WITH_ACTIONS);
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
    const types = ['--typeRoots', path.join(root, 'node_modules/@types'), '--types', 'node'];
    const run = spawnSync(TSC, [...flags, ...types, 'program.mts'], { cwd: folder, encoding: 'utf8' });
    expect(run.stdout).toBe('');
    expect(run.status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const PROGRAM_WITH_ACTIONS = `
import { type Action, type BuiltInActions, type CallsOf, startMock } from 'specmill/mock';

type TasksActions = { readonly reopen: Action<{ readonly id: string }, number> };
declare module 'specmill/mock' {
  interface ActionsByApi {
    readonly tasks: CallsOf<TasksActions>;
  }
}

const signing = await startMock('signing');
(await signing.actions.sign({ caseId: 'a', partyId: 'b' })).Status satisfies string | undefined;
// @ts-expect-error - a party is asked for.
await signing.actions.reject({ caseId: 'a' });
const tasks = await startMock('tasks');
(await tasks.actions.reopen({ id: '1' })) satisfies number;
// @ts-expect-error - there is no such action.
await tasks.actions.close({ id: '1' });
'generation' satisfies keyof BuiltInActions;
// @ts-expect-error - no built-in API.
'tasks' satisfies keyof BuiltInActions;
`;

describe('the scripts of packages', () => {
  it('npm runs the scripts of this package, so that a package that is packed in a fresh clone has a build', () => {
    expect(readFileSync(path.join(root, '.npmrc'), 'utf8')).not.toContain('ignore-scripts');
  });

  it('npm runs no script of a dependency', () => {
    const { packages } = readJson('package-lock.json') as {
      packages: Readonly<Record<string, { hasInstallScript?: true }>>;
    };
    const { allowScripts } = readJson('package.json') as { allowScripts: Readonly<Record<string, boolean>> };
    const names = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([folder]) => folder.replace(/^.*node_modules\//, ''));

    expect(names.filter((name) => allowScripts[name] !== false)).toEqual([]);
  });
});

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}
