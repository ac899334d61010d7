import type { Api } from '../../model/api.js';

/** An API without the order of its diagnostics and extensions, which is that in which its parts were read. */
export function comparableApi(api: Api): object {
  const diagnostics = api.diagnostics.map(({ code, pointer, message }) => `${pointer} ${code} ${message}`);
  return { ...api, diagnostics: diagnostics.toSorted(), extensionNames: api.extensionNames.toSorted() };
}
