import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

import { build } from 'esbuild';

import { packageRoot } from '../../model/package-info.js';

const app = path.join(packageRoot, 'server/page/app');
const out = path.join(packageRoot, 'dist/page');

/** Bundles the page into dist/page, from where mocks serve it. Run by the build. */
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await build({
  entryPoints: { app: path.join(app, 'main.tsx') },
  outdir: out,
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['es2022'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'eof',
});
await build({ entryPoints: { app: path.join(app, 'style.css') }, outdir: out, bundle: true, minify: true });
await copyFile(path.join(app, 'index.html'), path.join(out, 'index.html'));
