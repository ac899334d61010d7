import type { Api } from '../../model/api.js';
import type { EmitOptions, GeneratedFile } from '../emitter.js';
import { isItemStream } from '../media-kind.js';
import { contextTypeName } from '../type-names.js';
import { ERROR_MODULES, HELPER_ERRORS } from './helper-modules.js';
import { printHelpers } from './print-helpers.js';
import type { Helpers } from './read-helpers.js';

/** Emits `helpers.ts`, if the spec declares any helper. */
export function emitHelpers(helpers: Helpers, { apiName, emitters }: EmitOptions): GeneratedFile[] {
  const { functions, expiries, limits, webhooks } = helpers;
  if (functions.length + expiries.length === 0 && limits === undefined && webhooks === undefined) return [];
  const style = { contextType: contextTypeName(apiName), validates: emitters.has('validators') };
  return [{ path: 'helpers.ts', contents: () => printHelpers(helpers, style) }];
}

/** The runtime modules that the helpers of an API need. */
export function helperModules({ imports }: Helpers): string[] {
  return imports.map(({ module }) => module);
}

/** The errors that helpers and streams throw, with their modules, unless a schema has the same name. */
export function helperErrors(
  { imports, functions }: Helpers,
  api: Api,
): { readonly name: string; readonly module: string }[] {
  const hasItems = api.operations.some(({ responses }) => responses.some(({ content }) => content.some(isItemStream)));
  const modules = [
    ...(functions.length === 0 ? [] : imports.map(({ module }) => module)),
    ...(hasItems ? ['items'] : []),
  ];
  const names = [...new Set(modules.flatMap((module) => HELPER_ERRORS[module] ?? []))].toSorted();
  return names.filter((name) => !api.schemas.has(name)).map((name) => ({ name, module: ERROR_MODULES[name] ?? '' }));
}
