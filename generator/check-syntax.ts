import { InputError } from '../model/diagnostics/input-error.js';
import { toLiteral } from '../model/identifiers.js';
import { loadTsMorph } from './ts-morph-files.js';

/** The names of files that the compiler parses. */
const CODE = /\.[cm]?[jt]sx?$/;

/**
 * Parses the text of a custom emitter's file, if it is TypeScript or JavaScript.
 *
 * @throws InputError if it does not parse.
 */
export function checkSyntax(emitter: string, path: string, text: string): void {
  if (!CODE.test(path)) return;
  const { ts } = loadTsMorph();
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  // The parser's own list, which is no part of its types, tells in advance whether a program would find anything.
  const { parseDiagnostics } = source as { readonly parseDiagnostics?: readonly unknown[] };
  if (!/\.[cm]?jsx?$/.test(path) && parseDiagnostics?.length === 0) return;
  const program = ts.createProgram({
    rootNames: [path],
    options: { allowJs: true, noLib: true, noResolve: true, types: [] },
    host: {
      ...ts.createCompilerHost({}),
      getSourceFile: (name) => (name === path ? source : undefined),
      fileExists: (name) => name === path,
    },
  });
  const [first] = program.getSyntacticDiagnostics(source);
  if (first === undefined) return;
  const { line, character } = source.getLineAndCharacterOfPosition(first.start ?? 0);
  const reason = ts.flattenDiagnosticMessageText(first.messageText, ' ');
  throw new InputError(
    `The emitter ${toLiteral(emitter)} made a file that does not parse: ${path}:${line + 1}:${character + 1}: ${reason}`,
  );
}
