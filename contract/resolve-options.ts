import type { Api } from '../model/api.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { findTarget } from './find-target.js';
import { createSocketTransport } from './requests/socket-transport.js';
import { type Transport, createFetchTransport } from './requests/transport.js';
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
  readonly concurrency: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: Transport;
  readonly onProgress: NonNullable<ContractOptions['onProgress']>;
}

/**
 * Applies every default: the one place that does.
 *
 * @throws InputError where an option makes no sense or there is no such API.
 * @throws SpecError where the spec cannot be used.
 */
export async function resolveOptions(options: ContractOptions): Promise<ResolvedOptions> {
  const { seed = 1, maxExamples = 60, maxTime = 60_000, timeLimit = 10_000, concurrency = 4 } = options;
  if (!Number.isSafeInteger(seed)) throw new InputError('The seed must be a whole number.');
  const url = readUrl(options.url);
  const resolved = {
    url,
    seed,
    phases: readPhases(options.phases ?? PHASES),
    maxExamples: readCount('max-examples', maxExamples),
    concurrency: readCount('concurrency', concurrency),
    maxTimeMs: readDuration('max-time', maxTime),
    timeLimitMs: readDuration('time-limit', timeLimit),
    headers: lowerNames(options.headers ?? {}),
    onProgress: options.onProgress ?? (() => {}),
  };
  const { name, api } = await findTarget(options);
  const transport = options.fetch === undefined ? createSocketTransport(url) : createFetchTransport(options.fetch);
  return { ...resolved, name, api, transport };
}

/** Names of headers are the same in any case. */
function lowerNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function readPhases(phases: readonly Phase[]): readonly Phase[] {
  const unknown = phases.find((phase) => !PHASES.includes(phase));
  if (unknown !== undefined || phases.length === 0)
    throw new InputError(`There is no phase ${JSON.stringify(unknown ?? '')}; the phases are ${PHASES.join(', ')}.`);
  return PHASES.filter((phase) => phases.includes(phase));
}

function readUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:/i.test(text))
    throw new InputError('The url must be the http or https address of the server.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new InputError('The url must have no credentials in it: give them with --header.');
  return url;
}

function readCount(name: string, count: number): number {
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InputError(`The option ${name} must be a whole number above 0.`);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** In milliseconds, which a number without a unit is, too. */
function readDuration(name: string, duration: number | string): number {
  const { amount, unit = 'ms' } =
    /^(?<amount>\d+(?:\.\d+)?)(?<unit>ms|s|m|h)?$/.exec(String(duration).trim())?.groups ?? {};
  const length = Number(amount) * (UNITS[unit] ?? 1);
  if (!Number.isFinite(length) || length <= 0)
    throw new InputError(`The option ${name} must be a duration such as 60s.`);
  return length;
}
