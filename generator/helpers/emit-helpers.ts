import type { Api } from '../../model/api.js';
import { hashContent } from '../../model/content-hash.js';
import type { EmitOptions, GeneratedFile } from '../emitter.js';
import { clientTypeName } from '../type-names.js';
import { ERROR_MODULES, HABIT_ERRORS } from './helper-modules.js';
import { printExpiries, printHabits, printLimits } from './print-helpers.js';
import type { Habits } from './read-helpers.js';

/** `habits.ts`, `expiry.ts` and `limits.ts`, those that a spec asks for. */
export function emitHabits(habits: Habits, { apiName }: EmitOptions): GeneratedFile[] {
  const contextType = `${clientTypeName(apiName)}Context`;
  const { functions, expiries, limits } = habits;
  const files: GeneratedFile[] = [];
  if (functions.length > 0) {
    files.push({
      path: 'habits.ts',
      key: hashContent(JSON.stringify([functions, habits.imports, habits.schemaTypes, habits.namespace, contextType])),
      contents: () => printHabits(habits, contextType),
    });
  }
  if (expiries.views.length > 0) files.push({ path: 'expiry.ts', contents: () => printExpiries(expiries) });
  if (limits !== undefined) files.push({ path: 'limits.ts', contents: () => printLimits(limits, contextType) });
  return files;
}

/** The runtime modules that the habits of an API need. */
export function habitModules({ imports, functions, expiries, limits }: Habits): string[] {
  return [
    ...(functions.length === 0 ? [] : imports.map(({ module }) => module)),
    ...(expiries.views.length === 0 ? [] : ['expiry']),
    ...(limits === undefined ? [] : ['rate-limit']),
  ];
}

/** The errors that habits throw, with their modules, where no schema has their name. */
export function habitErrors(
  { imports, functions }: Habits,
  api: Api,
): { readonly name: string; readonly module: string }[] {
  const modules = functions.length === 0 ? [] : imports.map(({ module }) => module);
  const names = [...new Set(modules.flatMap((module) => HABIT_ERRORS[module] ?? []))].toSorted();
  return names.filter((name) => !api.schemas.has(name)).map((name) => ({ name, module: ERROR_MODULES[name] ?? '' }));
}
