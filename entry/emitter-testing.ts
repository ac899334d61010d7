import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type * as TsMorph from 'ts-morph';

import type { ApiConfig } from '../config/config-types.js';
import type { EmitterDefinition } from '../generator/emitter-kit/contract.js';
import type { EmitterEntry } from '../generator/emitter-kit/load-emitters.js';
import { loadTsMorph } from '../generator/ts-morph-files.js';
import { generate } from '../generator/generate.js';
import { SpecError } from '../model/diagnostics/spec-error.js';

/** A file of an output with its text. */
export interface EmittedFile {
  /** Path relative to the output folder, with `/`. */
  readonly path: string;
  readonly contents: string;
}

/** How an emitter is tested: the options of the emitter, and the members of an API in a configuration. */
export interface EmitTestOptions<Options extends object = object> extends Omit<
  Partial<ApiConfig<EmitterEntry>>,
  'spec' | 'output' | 'emitters'
> {
  /** Name of the API. Default: `shop`. */
  readonly apiName?: string;
  /** The options of the emitter. */
  readonly options?: Partial<Options>;
}

/** A spec: its path or URL, or the document itself. */
export type TestSpec = string | Readonly<Record<string, unknown>>;

/**
 * Runs an emitter as `specmill generate` does, and returns all files of the output.
 *
 * @throws InputError or SpecError if the emitter fails, its options are wrong, or the spec is broken.
 * @example
 * const files = await emitFiles(valibot, 'openapi.yaml', { options: { suffix: 'Schema' } });
 * expect(await compileFiles(files)).toEqual([]);
 */
export async function emitFiles<Options extends object>(
  emitter: EmitterDefinition<Options>,
  spec: TestSpec,
  { apiName = 'shop', options = {}, ...api }: EmitTestOptions<Options> = {},
): Promise<readonly EmittedFile[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-emitter-'));
  try {
    const file = typeof spec === 'string' ? spec : path.join(folder, 'spec.json');
    if (typeof spec !== 'string') writeFileSync(file, JSON.stringify(spec));
    const source = /^\w+:\/\//.test(file) ? file : path.resolve(file);
    const output = path.join(folder, 'output');
    // Cast: the options are checked by the declaration of the emitter.
    const emitters = [[emitter as unknown as EmitterDefinition<never>, options] as const];
    const config = { apis: { [apiName]: { ...api, spec: source, output, emitters } } };
    const [result] = (await generate({ cwd: folder, config })).apis;
    if (result?.status === 'failed') throw result.error ?? new SpecError(result.diagnostics);
    return readFiles(output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readFiles(folder: string): EmittedFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => ({
      path: path.relative(folder, file).split(path.sep).join('/'),
      contents: readFileSync(file, 'utf8'),
    }));
}

/**
 * The text of the file that an emitter makes. If it makes several, each text follows a line with its path.
 *
 * @throws InputError or SpecError as {@link emitFiles}.
 */
export async function emitText<Options extends object>(
  emitter: EmitterDefinition<Options>,
  spec: TestSpec,
  options: EmitTestOptions<Options> = {},
): Promise<string> {
  const own = new Set<string>();
  const watched: EmitterDefinition<Options> = {
    ...emitter,
    emit: async (api, kit) => {
      const file: typeof kit.file = (name) => kit.file((own.add(name), name));
      const returned = await emitter.emit(api, { ...kit, file });
      for (const { path: name } of returned ?? []) own.add(name);
      return returned;
    },
  };
  const files = (await emitFiles(watched, spec, options)).filter((file) => own.has(file.path));
  if (files.length === 1) return files[0]?.contents ?? '';
  return files.map((file) => `// ${file.path}\n${file.contents}`).join('\n');
}

/** Type-checks files strictly, with the packages that are installed for the current folder. Returns the errors. */
export async function compileFiles(files: readonly EmittedFile[]): Promise<readonly string[]> {
  const { ModuleKind, ModuleResolutionKind, Project, ScriptTarget, ts } = loadTsMorph();
  const project = new Project({
    compilerOptions: {
      target: ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
      module: ModuleKind.ESNext,
      moduleResolution: ModuleResolutionKind.Bundler,
      ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
      ...{ noUnusedLocals: true, skipLibCheck: true, noEmit: true, types: [] },
    },
  });
  // The files are not written: their folder only decides which packages they find.
  const folder = path.resolve('.specmill-emitter-testing');
  for (const { path: name, contents } of files)
    if (/\.[cm]?tsx?$/.test(name)) project.createSourceFile(path.join(folder, name), contents);
  return Promise.resolve(project.getPreEmitDiagnostics().map((problem) => describeProblem(problem, { folder, ts })));
}

function describeProblem(
  problem: TsMorph.Diagnostic,
  { folder, ts }: { readonly folder: string; readonly ts: typeof TsMorph.ts },
): string {
  const file = problem.getSourceFile()?.getFilePath() ?? folder;
  const reason = ts.flattenDiagnosticMessageText(problem.compilerObject.messageText, ' ');
  return `${path.relative(folder, file).split(path.sep).join('/')}:${problem.getLineNumber() ?? 1}: ${reason}`;
}

/** Whether files type-check; see {@link compileFiles} for the errors. */
export async function compiles(files: readonly EmittedFile[]): Promise<boolean> {
  return (await compileFiles(files)).length === 0;
}
