import path from 'node:path';

import { isWithin, resolveAddress } from '../model/document/address.js';
import { toPointer } from '../model/document/pointer.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import type { SourceLocation } from '../model/diagnostics/diagnostic.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { withoutUndefined } from '../model/document/records.js';
import { parseVendor } from '../model/rename-vendor.js';
import type { SpecLimits } from '../model/document/source-document.js';
import { readMilliseconds, resolvePath } from './option-checks.js';
import { applyDefaults } from './read-options.js';
import type {
  ApiConfig,
  ApiLoadOptions,
  ImportExtension,
  ResolvedApi,
  ResolvedSelection,
  Selection,
  SpecmillConfig,
} from './config-types.js';

/** How a configuration is resolved: where it is, and the command line values that override it. */
export interface ResolveOptions {
  /** Its file, for the places of errors; absent if it was passed as a value. */
  readonly file?: string | undefined;
  /** The APIs to use, in this order; empty for all. */
  readonly names: readonly string[];
  readonly only?: readonly string[] | undefined;
  readonly output?: string | undefined;
  readonly vendor?: string | undefined;
  readonly importExtension?: ImportExtension | undefined;
}

/**
 * Applies all defaults and makes paths absolute. No other code does. `folder`: the base of relative paths.
 *
 * @throws InputError if there is no API, a name is not configured, two APIs would write into each other's folder, or a
 * vendor is malformed.
 */
export function resolveApis<TEmitter>(
  config: SpecmillConfig<TEmitter>,
  folder: string,
  options: ResolveOptions,
): ResolvedApi<TEmitter>[] {
  const known = Object.keys(config.apis);
  if (known.length === 0 && options.names.length === 0) throw noApis();
  const names = options.names.length === 0 ? known : [...new Set(options.names)];
  const apis = names.map((name) => {
    const api = Object.hasOwn(config.apis, name) ? config.apis[name] : undefined;
    if (api === undefined) throw unknownApi(name, { configured: known, packaged: [] });
    return resolveApi(name, api, { folder, options });
  });
  refuseSharedFolders(apis);
  return apis;
}

export function noApis(): InputError {
  return new InputError('The configuration has no APIs; name one in its member "apis".');
}

/** The names that a user could have meant. */
interface KnownApis {
  /** Those of the configuration; absent: there is no configuration. */
  readonly configured: readonly string[] | undefined;
  /** Those that come with specmill, where these can be used. */
  readonly packaged: readonly string[];
}

/** The error for a name that no API has. */
export function unknownApi(name: string, { configured, packaged }: KnownApis): InputError {
  const suggestion = suggestName(name, [...(configured ?? []), ...packaged]);
  const start =
    configured === undefined
      ? 'There is no configuration here, and no API named'
      : 'The configuration has no API named';
  const help =
    configured === undefined
      ? '"specmill init" writes a configuration; the path or URL of a spec needs none.'
      : 'A spec is also named by its path or URL, such as ./openapi.yaml.';
  return new InputError(`${start} ${JSON.stringify(name)}.${suggestion || listApis({ configured, packaged })} ${help}`);
}

function listApis({ configured, packaged }: KnownApis): string {
  const listed = configured ?? packaged;
  const own = ` There is ${listed.length === 0 ? 'none' : listed.join(', ')}.`;
  const others = packaged.filter((name) => !listed.includes(name));
  return others.length === 0 ? own : `${own} With specmill come ${others.join(', ')}.`;
}

interface ResolveContext {
  readonly folder: string;
  readonly options: ResolveOptions;
}

function resolveApi<TEmitter>(
  name: string,
  given: ApiConfig<TEmitter>,
  { folder, options }: ResolveContext,
): ResolvedApi<TEmitter> {
  const api = applyDefaults('ApiConfiguration', given);
  const { dates, int64, ids } = api;
  const only = options.only ?? api.only;
  const vendor = options.vendor ?? api.vendor;
  if (vendor !== undefined) parseVendor(vendor);
  const placeOf = (member: string): SourceLocation => ({
    file: options.file ?? '',
    pointer: toPointer(['apis', name, member]),
  });
  return {
    name,
    specs: [api.spec].flat().map((spec) => resolveAddress(folder, spec)),
    load: {
      ...resolveLoading(api, folder),
      ...(api.helpers === undefined ? {} : { helpersAt: placeOf('helpers') }),
      ...(api.resources === undefined ? {} : { resourcesAt: placeOf('resources') }),
    },
    output: path.resolve(folder, options.output ?? api.output),
    exclude: resolveSelection(api.exclude ?? []),
    emitters: api.emitters ?? [],
    runsOwnEmitters: options.only === undefined,
    importExtension: options.importExtension ?? api.importExtension,
    types: { dates, int64, ids },
    contract: api.contract ?? {},
    data: [api.data ?? []].flat().map((file) => path.resolve(folder, file)),
    scenarios: [api.scenarios ?? []].flat().map((file) => path.resolve(folder, file)),
    ...withoutUndefined({
      include: api.include && resolveSelection(api.include),
      only,
      mock: resolvePath(folder, api.mock),
      vendor,
      header: api.header,
      group: api.group,
      names: api.names,
    }),
  };
}

function resolveLoading<TEmitter>(
  { headers, overlays, helpers, resources, root, specLimits, formats }: ApiConfig<TEmitter>,
  folder: string,
): ApiLoadOptions {
  return withoutUndefined({
    headers,
    overlays: overlays?.map((overlay) => resolveAddress(folder, overlay)),
    helpers,
    resources,
    root: resolvePath(folder, root),
    specLimits: resolveLimits(specLimits),
    formats,
  });
}

function resolveLimits(limits: ApiConfig['specLimits']): SpecLimits | undefined {
  if (limits === undefined) return undefined;
  const { time, ...counts } = limits;
  return { ...counts, ...(time === undefined ? {} : { time: readMilliseconds('specLimits.time', time) }) };
}

function resolveSelection(selection: Selection): ResolvedSelection {
  if (!isList(selection)) {
    return { tags: selection.tags ?? [], paths: selection.paths ?? [], operations: selection.operations ?? [] };
  }
  const names = selection.filter((item) => !item.startsWith('/'));
  return { tags: names, paths: selection.filter((item) => item.startsWith('/')), operations: names };
}

function isList(selection: Selection): selection is readonly string[] {
  return Array.isArray(selection);
}

/** Refuses output folders that are equal or nested: each run deletes stale files in its folder. */
function refuseSharedFolders(apis: readonly ResolvedApi<unknown>[]): void {
  for (const [index, api] of apis.entries()) {
    for (const other of apis.slice(index + 1)) {
      if (isWithin(api.output, other.output) || isWithin(other.output, api.output)) {
        throw new InputError(`The APIs ${api.name} and ${other.name} cannot share the output folder ${api.output}.`);
      }
    }
  }
}
