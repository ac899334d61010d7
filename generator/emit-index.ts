import { toStringLiteral } from '../model/identifiers.js';
import type { GeneratedFile } from './emitter.js';

/** The modules that a user of the output imports from, in the order of the barrel. */
const PUBLIC_MODULES = ['types', 'client', 'operations', 'validators/index', 'fixtures/index'];

/** `index.ts`: all that the output exports, of the parts that were emitted. */
export function emitIndex(files: readonly GeneratedFile[]): GeneratedFile {
  const emitted = new Set(files.map(({ path }) => path));
  const exports = PUBLIC_MODULES.filter((name) => emitted.has(`${name}.ts`)).map(
    (name) => `export * from ${toStringLiteral(`./${name}.js`)};\n`,
  );
  return { path: 'index.ts', contents: exports.length === 0 ? 'export {};\n' : exports.join('') };
}
