import path from 'node:path';

import { InputError } from '../model/diagnostics/input-error.js';

/** A module of the user, and the modules of ours that it may import by name. */
export interface ModuleKind {
  /** How messages speak of it, such as `The configuration`. */
  readonly subject: string;
  readonly virtualModules: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Loads a module of the user's. Node 20 does not run TypeScript, so jiti does; without its module cache, so that a module
 * that has changed is read anew, and without its cache of compiled files, which another user of the machine could write.
 *
 * @param file - absolute path.
 * @throws InputError if it cannot be loaded; with the place of a syntax error, which may be in a module that it imports.
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

/** The place at the end of the message of a syntax error, such as `/project/specmill.config.ts:2:9`; columns count from 0. */
function syntaxPlace(message: string): { file?: string; line?: number; column?: number } {
  if (!SYNTAX_ERROR.test(message)) return {};
  const place = message.split('\n').find((one) => /(?<!\d):\d+:\d+$/.test(one.trimEnd()));
  if (place === undefined) return {};
  const parts = place.trim().split(':');
  const [line, column] = parts.slice(-2);
  const file = parts.slice(0, -2).join(':');
  return { ...(path.isAbsolute(file) ? { file } : {}), line: Number(line), column: Number(column) + 1 };
}
