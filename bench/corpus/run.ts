import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { packageRoot } from '../../model/package-info.js';
import { CORPUS } from './documents.js';
import { type Examined, examine, findDocument } from './examine.js';
import { printTable } from './print-table.js';

/** `npm run corpus [-- PART...]`: examines the documents whose names contain a part, or all, and writes docs/corpus.md. */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'max-time': { type: 'string', default: '8s' }, keep: { type: 'boolean', default: false } },
});
const folder = mkdtempSync(path.join(tmpdir(), 'specmill-corpus-'));
const wanted = (name: string): boolean => positionals.length === 0 || positionals.some((part) => name.includes(part));

const results: Examined[] = [];
for (const [packageName, files] of Object.entries(CORPUS)) {
  for (const file of files) {
    const document = `${packageName} ${file}`;
    if (!wanted(document)) continue;
    const found = findDocument(packageName, file);
    if (found === undefined) {
      process.stderr.write(`${document} is not installed: npm ci --prefix bench/specs\n`);
      continue;
    }
    const out = path.join(folder, String(results.length));
    const result = await examine(found, { document, out, maxTime: values['max-time'] });
    results.push(result);
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
}
const typeErrors = typeCheck(folder);
process.stdout.write(typeErrors === '' ? 'All outputs type-check.\n' : typeErrors);
if (positionals.length === 0)
  writeFileSync(path.join(packageRoot, 'docs/corpus.md'), printTable(results, new Set(typeErrors.match(/^\d+/gm))));
if (!values.keep) rmSync(folder, { recursive: true, force: true });

/** The errors of the compiler for all outputs; empty if they compile. */
function typeCheck(at: string): string {
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    module: 'nodenext',
    types: [],
    strict: true,
  };
  writeFileSync(path.join(at, 'package.json'), '{"type":"module"}');
  writeFileSync(
    path.join(at, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true } }),
  );
  try {
    execFileSync(path.join(packageRoot, 'node_modules/.bin/tsc'), ['-p', at], {
      cwd: at,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return '';
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}
