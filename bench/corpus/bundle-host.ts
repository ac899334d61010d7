import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { build, type Plugin } from 'esbuild';

import { packageRoot } from '../../model/package-info.js';

/** Bundles the host of the corpus into a folder: its own modules, which import the package as it is built. */
export async function bundleHost(folder: string): Promise<string> {
  const outfile = path.join(folder, 'examine-host.mjs');
  await build({
    entryPoints: [path.join(import.meta.dirname, 'examine-host.ts')],
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' },
    outfile,
    plugins: [EXTERNALS],
  });
  return outfile;
}

/** Loading two thousand sources takes longer than a document; packages are not found from a temporary folder. */
const EXTERNALS: Plugin = {
  name: 'externals',
  setup: (run) => {
    run.onResolve({ filter: /^[a-z]/ }, ({ path: name, kind }) => {
      if (kind === 'entry-point' || name.startsWith('node:')) return undefined;
      return { path: pathToFileURL(createRequire(import.meta.url).resolve(name)).href, external: true };
    });
    run.onResolve({ filter: /^\.\.\/\.\./ }, ({ path: name, resolveDir }) => {
      const place = path.relative(packageRoot, path.resolve(resolveDir, name));
      return { path: pathToFileURL(path.join(packageRoot, 'dist', place)).href, external: true };
    });
  },
};
