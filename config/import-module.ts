import path from 'node:path';

import { InputError } from '../model/diagnostics/input-error.js';

/** A user's module, and the modules of specmill that it may import by name. */
export interface ModuleKind {
  /** Its name in messages, such as `The configuration`. */
  readonly subject: string;
  readonly virtualModules: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Loads a user's module. Node 20 cannot run TypeScript, so jiti does. Its module cache is off, so that a changed module
 * is read again; so is its cache of compiled files, which another user of the machine could write.
 *
 * @param file - absolute path.
 * @throws InputError if it cannot be loaded, with the place of a syntax error, which may be in an imported module.
 */
export async function importModule(file: string, { subject, virtualModules }: ModuleKind): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const caches = { moduleCache: false, fsCache: false };
  const jiti = createJiti(import.meta.url, { ...caches, virtualModules: { ...virtualModules } });
  try {
    return await jiti.import(file);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [sentence = message] = message.replace(SYNTAX_ERROR, '').split('\n');
    throw new InputError(`${subject} cannot be loaded: ${sentence.trim()}`, { file, ...syntaxPlace(message) });
  }
}

const SYNTAX_ERROR = /^ParseError: /;

/**
 * Reads the place at the end of a syntax error message, such as `/project/specmill.config.ts:2:9`. Columns count from
 * 0.
 */
function syntaxPlace(message: string): { file?: string; line?: number; column?: number } {
  if (!SYNTAX_ERROR.test(message)) return {};
  const place = message.split('\n').find((one) => /(?<!\d):\d+:\d+$/.test(one.trimEnd()));
  if (place === undefined) return {};
  const parts = place.trim().split(':');
  const [line, column] = parts.slice(-2);
  const file = parts.slice(0, -2).join(':');
  return { ...(path.isAbsolute(file) ? { file } : {}), line: Number(line), column: Number(column) + 1 };
}
