import { readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import { build } from 'esbuild';

import { BUILT_IN_APIS, findBuiltInApi } from '../config/built-in-apis.js';
import { packageRoot } from '../model/package-info.js';

const { exports: exported } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
};

/** The modules that the package exports. */
const EXPORTED = Object.values(exported)
  .flatMap((conditions) => (typeof conditions === 'string' ? [] : Object.values(conditions)))
  .flatMap((file) => /^\.\/dist\/([\w/-]+)\.js$/.exec(file)?.[1] ?? []);

/** The behaviours of our own APIs, which are loaded by path. */
const BEHAVIOURS = BUILT_IN_APIS.flatMap((name) => findBuiltInApi(name)?.mock ?? []);

/** As deep as the folders of the sources, because modules find files by their own place. */
const CHUNKS = 'chunks';

const dist = path.join(packageRoot, 'dist');

/**
 * Bundles the package over the entries of dist: some 500 modules that were loaded one by one took most of the start.
 * What several entries use is in chunks that they share, so that each class exists once.
 */
const { metafile } = await build({
  absWorkingDir: packageRoot,
  entryPoints: [...new Set(['cli/main', ...EXPORTED, ...BEHAVIOURS])].map((file) => `${file}.ts`),
  outbase: '.',
  outdir: 'dist',
  chunkNames: `${CHUNKS}/[name]-[hash]`,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Also resolves `specmill/mock`, which behaviours import, to the sources.
  tsconfig: 'tsconfig.json',
  packages: 'external',
  metafile: true,
});
const written = new Set(Object.keys(metafile.outputs).map((file) => path.basename(file)));
for (const old of readdirSync(path.join(dist, CHUNKS))) if (!written.has(old)) rmSync(path.join(dist, CHUNKS, old));
