import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'esbuild';

import type { GeneratedFile } from '../../generator/emitter.js';
import { UNCHECKED } from '../../generator/split-output.js';
import { TSC } from './compiler.js';

/** The flags under which output must type-check: those of tsconfig.json, and nothing of Node. */
export const STRICTEST: Readonly<Record<string, unknown>> = {
  target: 'ES2023',
  lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  module: 'nodenext',
  types: [],
  strict: true,
  isolatedDeclarations: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  erasableSyntaxOnly: true,
  declaration: true,
  noEmit: true,
  // The library of the compiler, which takes it three times as long as a small output, is not what is tested.
  skipDefaultLibCheck: true,
};

/** Generated files in a temporary folder, where they can be type-checked and run. */
export class OutputFolder implements Disposable {
  readonly folder: string = mkdtempSync(path.join(tmpdir(), 'specmill-output-'));
  #packages: 'bundle' | 'external' = 'bundle';

  constructor() {
    this.write('package.json', '{"type":"module"}');
    this.write('tsconfig.json', JSON.stringify({ compilerOptions: STRICTEST, include: ['**/*.ts'] }));
  }

  write(file: string, text: string): void {
    const place = path.join(this.folder, file);
    mkdirSync(path.dirname(place), { recursive: true });
    // The compiler checks every file here.
    writeFileSync(place, text.replace(UNCHECKED, ''));
  }

  async writeFiles(files: readonly GeneratedFile[], under = '.'): Promise<void> {
    for (const { path: file, contents } of files)
      this.write(path.join(under, file), typeof contents === 'string' ? contents : await contents());
  }

  /** Lets the files import packages that are installed here. */
  linkPackages(): void {
    this.#packages = 'external';
    symlinkSync(path.resolve('node_modules'), path.join(this.folder, 'node_modules'));
  }

  /** What the compiler says: nothing where all is right. */
  typeCheck(): string {
    try {
      execFileSync(TSC, ['-p', this.folder], { encoding: 'utf8', stdio: 'pipe' });
      return '';
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  }

  /** The code of a module and all that it imports, minified. Linked packages are not part of it. */
  async bundle(entry: string): Promise<string> {
    const { outputFiles } = await build({
      entryPoints: [path.join(this.folder, entry)],
      bundle: true,
      packages: this.#packages,
      minify: true,
      format: 'esm',
      target: 'es2022',
      write: false,
      logLevel: 'silent',
    });
    return outputFiles[0]?.text ?? '';
  }

  /** Runs a module of the folder and gives its exports. */
  async run<Exports>(entry: string): Promise<Exports> {
    const file = entry.replace(/\.ts$/, '.bundle.mjs');
    this.write(file, await this.bundle(entry));
    return (await import(pathToFileURL(path.join(this.folder, file)).href)) as Exports;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
