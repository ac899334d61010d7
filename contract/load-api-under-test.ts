import type { Api } from '../model/api.js';
import { BUILT_IN_APIS, findBuiltInSpecs } from '../config/built-in-apis.js';
import type { ResolvedApi } from '../config/config-types.js';
import { resolveLoading } from '../config/option-checks.js';
import { findConfigured } from '../config/find-configured.js';
import { unknownApi } from '../config/resolve-config.js';
import { readApiWord, resolveAddress } from '../model/document/address.js';
import type { LoadOptions } from '../model/load-api.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { SpecError } from '../model/diagnostics/spec-error.js';
import { checkCorrections } from '../resources/check-corrections.js';
import { withItemLists } from './item-lists.js';
import type { ContractOptions, SpecSource } from './types.js';

/** The API under test. */
export interface Target {
  readonly name: string;
  readonly api: Api;
  /** As the user named it; empty for an API that was passed as an object. */
  readonly source: SpecSource;
  /** Absent if the configuration does not name the API. */
  readonly configured: ResolvedApi<unknown> | undefined;
}

/** The options that name an API and say how its spec is read. */
export type TargetOptions = Pick<
  ContractOptions,
  'api' | 'spec' | 'specHeaders' | 'allowRemote' | 'root' | 'vendor' | 'config' | 'cwd'
>;

/**
 * Finds and loads the API of a run: an API object, a spec, or an API by name, first in the configuration.
 *
 * @throws InputError if there is no such API.
 * @throws SpecError if the spec cannot be used.
 */
export async function findTarget(options: TargetOptions): Promise<Target> {
  const { api, cwd = process.cwd() } = options;
  if (typeof api === 'object') return { name: api.title, api: withItemLists(api), source: {}, configured: undefined };
  const { name, spec = [] } = nameTarget(api, options.spec);
  const specs = [spec].flat();
  if (name === undefined && specs.length === 0) throw new InputError('Say which API it is, or give its spec.');
  const { configured, known } =
    name === undefined
      ? { configured: undefined, known: undefined }
      : await findConfigured(name, { cwd, configFile: options.config });
  const files =
    specs.length > 0
      ? specs.map((file) => resolveAddress(cwd, file))
      : (configured?.specs ?? findBuiltInSpecs(name ?? ''));
  if (files === undefined) throw unknownApi(name ?? '', { configured: known, packaged: BUILT_IN_APIS });
  const { specHeaders, allowRemote, root } = options;
  const given = {
    ...(specHeaders === undefined ? {} : { headers: specHeaders }),
    ...(allowRemote === undefined ? {} : { allowRemote }),
    ...(root === undefined ? {} : { root }),
  };
  const loaded = await loadSpecs(files, {
    ...(specs.length > 0 ? {} : configured?.load),
    ...resolveLoading(given, cwd),
    vendor: options.vendor ?? configured?.vendor,
  });
  const source = { ...(name === undefined ? {} : { api: name }), ...(specs.length === 0 ? {} : { spec: specs }) };
  return { name: name ?? loaded.title, api: withItemLists(loaded), source, configured };
}

function nameTarget(
  api: string | undefined,
  spec: ContractOptions['spec'],
): { readonly name?: string; readonly spec?: string | readonly string[] } {
  if (spec !== undefined) return { ...(api === undefined ? {} : { name: api }), spec };
  return api === undefined ? {} : readApiWord(api);
}

async function loadSpecs(files: readonly string[], options: LoadOptions): Promise<Api> {
  const { loadApi } = await import('../model/load-api.js');
  const loaded = await checkCorrections(await loadApi(files, options));
  const errors = loaded.diagnostics.filter(({ severity }) => severity === 'error');
  if (loaded.operations.length > 0) return loaded;
  if (errors.length > 0) throw new SpecError(errors);
  throw new InputError('The spec describes no operation, so there is nothing to send.');
}
