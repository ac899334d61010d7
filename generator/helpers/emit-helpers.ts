import type { Api } from '../../model/api.js';
import { hashContent } from '../../model/content-hash.js';
import type { EmitOptions, GeneratedFile } from '../emitter.js';
import { clientTypeName } from '../type-names.js';
import { ERROR_MODULES, HELPER_ERRORS } from './helper-modules.js';
import { printExpiries, printHelpers, printLimits } from './print-helpers.js';
import type { Helpers } from './read-helpers.js';

/** `helpers.ts`, `expiry.ts` and `limits.ts`, those that a spec asks for. */
export function emitHelpers(helpers: Helpers, { apiName }: EmitOptions): GeneratedFile[] {
  const contextType = `${clientTypeName(apiName)}Context`;
  const { functions, expiries, limits } = helpers;
  const files: GeneratedFile[] = [];
  if (functions.length > 0) {
    files.push({
      path: 'helpers.ts',
      key: hashContent(
        JSON.stringify([functions, helpers.imports, helpers.schemaTypes, helpers.namespace, contextType]),
      ),
      contents: () => printHelpers(helpers, contextType),
    });
  }
  if (expiries.views.length > 0) files.push({ path: 'expiry.ts', contents: () => printExpiries(expiries) });
  if (limits !== undefined) files.push({ path: 'limits.ts', contents: () => printLimits(limits, contextType) });
  return files;
}

/** The runtime modules that the helpers of an API need. */
export function helperModules({ imports, functions, expiries, limits }: Helpers): string[] {
  return [
    ...(functions.length === 0 ? [] : imports.map(({ module }) => module)),
    ...(expiries.views.length === 0 ? [] : ['expiry']),
    ...(limits === undefined ? [] : ['rate-limit']),
  ];
}

/** The errors that helpers throw, with their modules, where no schema has their name. */
export function helperErrors(
  { imports, functions }: Helpers,
  api: Api,
): { readonly name: string; readonly module: string }[] {
  const modules = functions.length === 0 ? [] : imports.map(({ module }) => module);
  const names = [...new Set(modules.flatMap((module) => HELPER_ERRORS[module] ?? []))].toSorted();
  return names.filter((name) => !api.schemas.has(name)).map((name) => ({ name, module: ERROR_MODULES[name] ?? '' }));
}
