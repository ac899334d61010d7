import path from 'node:path';

import { OutputFolder, STRICTEST } from './output-folder.js';

/** The types that a test file may know: those of the browser and of Node, or those of Node alone. */
const LIBRARIES = [['ES2023', 'DOM', 'DOM.Iterable'], ['ES2023']];

/** What the compiler says about tests that are pasted into one file, under the strictest flags: nothing where all is right. */
export function checkPastedTypes(tests: readonly string[]): string {
  using folder = new OutputFolder();
  folder.linkPackages();
  folder.write('findings.test.ts', ["import { expect, test } from 'vitest';", ...tests, ''].join('\n\n'));
  return LIBRARIES.map((lib) => {
    const compilerOptions = {
      ...STRICTEST,
      lib,
      types: ['node'],
      skipLibCheck: true,
      noPropertyAccessFromIndexSignature: true,
      paths: { 'specmill/contract': [path.resolve('dist/entry/contract.d.ts')] },
    };
    folder.write('tsconfig.json', JSON.stringify({ compilerOptions }));
    return folder.typeCheck();
  }).join('');
}
