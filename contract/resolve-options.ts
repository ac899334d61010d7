import path from 'node:path';

import type { Api } from '../model/api.js';
import { BUILT_IN_APIS, findBuiltInSpecs } from '../model/config/built-in-specs.js';
import { hasConfig, loadConfig } from '../model/config/load-config.js';
import { resolveApis, unknownApi } from '../model/config/resolve-config.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { SpecError } from '../model/diagnostics/spec-error.js';
import { type ContractOptions, PHASES, type Phase } from './types.js';

/** The options with every default applied. */
export interface ResolvedOptions {
  readonly name: string;
  readonly api: Api;
  readonly url: URL;
  readonly phases: readonly Phase[];
  readonly seed: number;
  readonly maxExamples: number;
  readonly maxTimeMs: number;
  readonly timeLimitMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly onProgress: NonNullable<ContractOptions['onProgress']>;
}

/**
 * Applies every default: the one place that does.
 *
 * @throws InputError where an option makes no sense or there is no such API.
 * @throws SpecError where the spec cannot be used.
 */
export async function resolveOptions(options: ContractOptions): Promise<ResolvedOptions> {
  const { seed = 1, maxExamples = 60, maxTime = 60_000, timeLimit = 10_000, phases = PHASES } = options;
  if (!Number.isSafeInteger(seed)) throw new InputError('The seed must be a whole number.');
  if (!Number.isSafeInteger(maxExamples) || maxExamples < 1)
    throw new InputError('The option max-examples must be a whole number above 0.');
  const unknown = phases.find((phase) => !PHASES.includes(phase));
  if (unknown !== undefined || phases.length === 0)
    throw new InputError(`There is no phase ${JSON.stringify(unknown ?? '')}; the phases are ${PHASES.join(', ')}.`);
  const url = readUrl(options.url);
  const headers = Object.fromEntries(
    Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const api = await findApi(options);
  return {
    name: typeof options.api === 'string' ? options.api : api.title,
    api,
    url,
    phases: PHASES.filter((phase) => phases.includes(phase)),
    seed,
    maxExamples,
    maxTimeMs: readDuration(maxTime),
    timeLimitMs: timeLimit,
    headers,
    fetch: options.fetch ?? fetch,
    onProgress: options.onProgress ?? (() => {}),
  };
}

function readUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:/i.test(text))
    throw new InputError('The url must be the http or https address of the server.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new InputError('The url must have no credentials in it: give them with --header.');
  return url;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function readDuration(duration: number | string): number {
  const { amount, unit = 'ms' } =
    /^(?<amount>\d+(?:\.\d+)?)(?<unit>ms|s|m|h)?$/.exec(String(duration).trim())?.groups ?? {};
  const length = Number(amount) * (UNITS[unit] ?? 1);
  if (!Number.isFinite(length) || length <= 0)
    throw new InputError('The option max-time must be a duration such as 60s.');
  return length;
}

async function findApi({ api, spec, config, cwd = process.cwd() }: ContractOptions): Promise<Api> {
  if (typeof api === 'object') return api;
  const files =
    spec === undefined ? await findSpecs(api, cwd, config) : [spec].flat().map((file) => path.resolve(cwd, file));
  const { loadApi } = await import('../model/load-api.js');
  const loaded = await loadApi(files);
  const errors = loaded.diagnostics.filter(({ severity }) => severity === 'error');
  if (loaded.operations.length > 0) return loaded;
  if (errors.length > 0) throw new SpecError(errors);
  throw new InputError('The spec describes no operation, so there is nothing to send.');
}

async function findSpecs(
  name: string | undefined,
  cwd: string,
  config: string | undefined,
): Promise<readonly string[]> {
  if (name === undefined) throw new InputError('Say which API it is, or give its spec.');
  const { configured, known } = await findConfigured(name, cwd, config);
  const specs = configured ?? findBuiltInSpecs(name);
  if (specs === undefined) throw unknownApi(name, [...new Set([...known, ...BUILT_IN_APIS])]);
  return specs;
}

async function findConfigured(
  name: string,
  cwd: string,
  configFile: string | undefined,
): Promise<{ readonly configured: readonly string[] | undefined; readonly known: readonly string[] }> {
  if (configFile === undefined && !hasConfig(cwd)) return { configured: undefined, known: [] };
  const { file, config } = await loadConfig({
    cwd,
    file: configFile,
    isEmitter: (value): value is unknown => value !== undefined,
    exports: { defineConfig: (value: unknown) => value },
  });
  const known = Object.keys(config.apis);
  if (!known.includes(name)) return { configured: undefined, known };
  const [resolved] = resolveApis(config, path.dirname(file), { names: [name] });
  return { configured: resolved?.specs, known };
}
