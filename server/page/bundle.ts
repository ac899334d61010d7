import path from 'node:path';

import { context } from 'esbuild';

import { packageRoot } from '../../model/package-info.js';

const app = path.join(packageRoot, 'server/page/app');

/** Bundles the page into dist/page, from where mocks serve it; with `--watch` again after each change. */
const page = await context({
  entryPoints: [
    { in: path.join(app, 'main.tsx'), out: 'app' },
    { in: path.join(app, 'style.css'), out: 'app' },
    { in: path.join(app, 'index.html'), out: 'index' },
  ],
  outdir: path.join(packageRoot, 'dist/page'),
  loader: { '.html': 'copy' },
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['es2022'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'eof',
});
if (process.argv.includes('--watch')) {
  await page.watch();
  process.stdout.write('bundling the page after each change\n');
} else {
  await page.rebuild();
  await page.dispose();
}
