import { readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import { type BuildResult, type Metafile, type Plugin, build } from 'esbuild';

import { BUILT_IN_APIS, findBuiltInApi } from '../config/built-in-apis.js';
import { toLiteral } from '../model/identifiers.js';
import { packageRoot } from '../model/package-info.js';

const { exports: exported } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
};

/** The modules that the package exports for Node. The one for browsers imports nothing, so it stays as it is. */
const EXPORTED = Object.values(exported)
  .flatMap((conditions) => (typeof conditions === 'string' ? [] : Object.entries(conditions)))
  .flatMap(([condition, file]) => (condition === 'browser' ? [] : [file]))
  .flatMap((file) => /^\.\/dist\/([\w/-]+)\.js$/.exec(file)?.[1] ?? []);

/** The behaviours of our own APIs, which are loaded by path. */
const BEHAVIOURS = BUILT_IN_APIS.flatMap((name) => findBuiltInApi(name)?.mock ?? []);

/** As deep as the folders of the sources, because modules find files by their own place. */
const CHUNKS = 'chunks';

const dist = path.join(packageRoot, 'dist');

/** Chunks of at most so many bytes are joined: to find and read a file takes longer than to compile so little. */
const SMALL = 4_000;

/**
 * Bundles the package over the entries of dist: some 500 modules that were loaded one by one took most of the start.
 * What several entries use is in chunks that they share, so that each class exists once.
 *
 * @param common - modules that all chunks share; they become one chunk.
 */
function bundle(common: readonly string[], write: boolean): Promise<BuildResult<{ readonly metafile: true }>> {
  return build({
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
    write,
    logOverride: { 'ignored-bare-import': 'silent' },
    inject: common.length === 0 ? [] : [COMMON],
    plugins: [importsOf(common)],
  });
}

const COMMON = 'common-modules';

/** A module that imports others, for all that is bundled to share them. */
function importsOf(modules: readonly string[]): Plugin {
  const contents = modules.map((module) => `import ${toLiteral(`./${module}`)};`).join('\n');
  return {
    name: COMMON,
    setup(builder) {
      builder.onResolve({ filter: /^common-modules$/ }, () => ({ path: COMMON, namespace: COMMON }));
      builder.onLoad({ filter: /^/, namespace: COMMON }, () => ({ contents, resolveDir: packageRoot }));
    },
  };
}

/** The modules of small chunks that import only each other: one chunk of them leads to no other. */
function findCommon({ outputs }: Metafile): readonly string[] {
  const small = new Map(
    Object.entries(outputs).filter(([, { bytes, entryPoint }]) => bytes <= SMALL && entryPoint === undefined),
  );
  for (let size = -1; size !== small.size;) {
    size = small.size;
    for (const [name, { imports }] of small)
      if (imports.some((one) => one.kind !== 'import-statement' || (one.external !== true && !small.has(one.path))))
        small.delete(name);
  }
  return [...small.values()].flatMap(({ inputs }) => Object.keys(inputs));
}

const { metafile: separate } = await bundle([], false);
const { metafile } = await bundle(findCommon(separate), true);
const written = new Set(Object.keys(metafile.outputs).map((file) => path.basename(file)));
for (const old of readdirSync(path.join(dist, CHUNKS))) if (!written.has(old)) rmSync(path.join(dist, CHUNKS, old));
