import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { withoutUndefined } from '../model/document/records.js';
import { parseVendor } from '../model/rename-vendor.js';
import type { JournalEntry } from '../http/journal/journal.js';
import {
  checkOptionNames,
  checkPort,
  readMilliseconds,
  resolveLoading,
  resolvePath,
  type SpecOptions,
} from '../config/option-checks.js';
import type { ExchangeSettings } from './exchange/context.js';
import { readUpstream } from './wire/upstream.js';

/** How a proxy is started: the names are those of the flags of `specmill proxy`. */
export interface ProxyOptions {
  /**
   * The server: `http:` or `https:`, with a base path where it has one, which replaces that of the spec's servers in
   * requests. No other host is ever contacted.
   */
  readonly upstream: string | URL;
  /** The port to serve on. Default: 0, any free one. */
  readonly port?: number;
  /** The address to listen on. Default: `127.0.0.1`. */
  readonly host?: string;
  /** Path or URL of the spec, or several of them, instead of the one that the configuration or specmill has for the name. */
  readonly spec?: string | readonly string[];
  /** Sent when the spec is fetched from a URL, beside those of the configuration. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Follow references to other hosts than that of the spec. Default: `false`. */
  readonly allowRemote?: boolean;
  /** The folder that references to local files may not leave. Default: the folder of the spec. */
  readonly root?: string;
  /** Stops requests and responses that break the spec: requests are refused, responses become 502. Default: `false`. */
  readonly errors?: boolean;
  /** A HAR file that the traffic is written to; it is in its place when the proxy is closed. */
  readonly record?: string;
  /** How long nothing may move before a response begins: milliseconds, or a duration such as `30s`. Default: 60 s. */
  readonly timeout?: number | string;
  /** Where the server responds with 501, the mock of the API responds instead. Default: `false`. */
  readonly mockMissing?: boolean;
  /** Real names that replace the words `vendor` and `engine`: `NAME[,header=NAME][,media=NAME][,engine=NAME]`. */
  readonly vendor?: string;
  /** The configuration file. Default: `specmill.config.ts` (or .js, .json, .yaml) in `cwd`, if there is one. */
  readonly config?: string;
  /** Called for each call when it is over, with its journal entry. */
  readonly onCall?: (call: JournalEntry) => void;
  /** Called for schemas that cannot be checked exactly, when they are first used. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /** The most bytes of a body that are kept and checked, as sent and expanded. Default: 10 MB. */
  readonly maxBodyBytes?: number;
  /** Names under which the proxy may be reached, beside the address that it listens on. */
  readonly allowedHost?: string | readonly string[];
  /** The base of relative paths in these options. Default: the working directory of the process. */
  readonly cwd?: string;
}

/** The options with every default applied. */
export interface ResolvedProxyOptions {
  readonly upstream: URL;
  readonly port: number;
  readonly host: string;
  /** Absolute path. */
  readonly record: string | undefined;
  readonly mockMissing: boolean;
  readonly allowedHosts: readonly string[];
  /** How the mock is started where it is needed. */
  readonly mock: Pick<ProxyOptions, 'spec' | 'config' | 'vendor' | 'cwd' | 'headers' | 'allowRemote' | 'root'>;
  readonly source: {
    readonly spec: readonly string[] | undefined;
    readonly configFile: string | undefined;
    readonly cwd: string;
    readonly vendor: string | undefined;
    readonly load: SpecOptions;
  };
  readonly calls: ExchangeSettings;
  readonly onCall: ((call: JournalEntry) => void) | undefined;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}

const OPTION_NAMES: Readonly<Record<keyof ProxyOptions, true>> = {
  upstream: true,
  port: true,
  host: true,
  spec: true,
  headers: true,
  allowRemote: true,
  root: true,
  errors: true,
  record: true,
  timeout: true,
  mockMissing: true,
  allowedHost: true,
  vendor: true,
  config: true,
  onCall: true,
  onDiagnostic: true,
  maxBodyBytes: true,
  cwd: true,
};

const DEFAULT_TIMEOUT = 60_000;
const MAX_BODY_BYTES = 10 * 1_024 * 1_024;

/**
 * Applies every default: the one place that does.
 *
 * @throws InputError if an option makes no sense.
 */
export function resolveProxyOptions(options: ProxyOptions): ResolvedProxyOptions {
  checkOptionNames(options, OPTION_NAMES, 'A proxy');
  if (options.vendor !== undefined) parseVendor(options.vendor);
  const { cwd = process.cwd(), host = '127.0.0.1', port = 0, onCall, onDiagnostic = () => {} } = options;
  return {
    upstream: readUpstream(options.upstream),
    port: checkPort(port),
    host,
    record: resolvePath(cwd, options.record),
    mockMissing: options.mockMissing ?? false,
    allowedHosts: [options.allowedHost ?? []].flat(),
    mock: {
      cwd,
      ...withoutUndefined({ spec: options.spec, config: options.config, vendor: options.vendor }),
      ...resolveLoading(options, cwd),
    },
    source: {
      spec: options.spec === undefined ? undefined : [options.spec].flat(),
      configFile: options.config,
      cwd,
      vendor: options.vendor,
      load: resolveLoading(options, cwd),
    },
    calls: {
      errors: options.errors ?? false,
      keepsBodies: options.record !== undefined || options.mockMissing === true,
      maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
      patience: readMilliseconds('timeout', options.timeout ?? DEFAULT_TIMEOUT),
    },
    onCall,
    onDiagnostic,
  };
}
