import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { withoutUndefined } from '../model/document/records.js';
import { parseVendor } from '../model/rename-vendor.js';
import type { JournalEntry } from '../http/journal/journal.js';
import {
  checkOptionNames,
  checkPort,
  readHostNames,
  readMilliseconds,
  resolveLoading,
  resolvePath,
  type SpecOptions,
} from '../config/option-checks.js';
import type { ExchangeSettings } from './exchange/proxy-context.js';
import { readUpstream } from './wire/upstream.js';

/** Options of `startProxy`. The names are those of the flags of `specmill proxy`. */
export interface ProxyOptions {
  /**
   * The URL of the server, `http:` or `https:`. If it has a base path, that replaces the base path of the spec's servers
   * in requests. The proxy contacts no other host.
   */
  readonly upstream: string | URL;
  /** The port to serve on. Default: 0, any free one. */
  readonly port?: number;
  /** The address to listen on. Default: `127.0.0.1`. */
  readonly host?: string;
  /** Path or URL of the spec, or several. Overrides the spec that the configuration or specmill has for the name. */
  readonly spec?: string | readonly string[];
  /** Request headers for fetching the spec from a URL, added to those of the configuration. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Follow references to hosts other than the spec's. Default: `false`. */
  readonly allowRemote?: boolean;
  /** The folder that references to local files may not leave. Default: the folder of the spec. */
  readonly root?: string;
  /** Refuse requests that violate the spec, and replace such responses by a 502. Default: `false`. */
  readonly errors?: boolean;
  /** A HAR file for the traffic. It is complete when the proxy is closed. */
  readonly record?: string;
  /** The longest idle time before a response begins: milliseconds, or a duration such as `30s`. Default: 60 s. */
  readonly timeout?: number | string;
  /** Let the API's mock respond if the server responds 501. Default: `false`. */
  readonly mockMissing?: boolean;
  /** Real names that replace the words `vendor` and `engine`: `NAME[,header=NAME][,media=NAME][,engine=NAME]`. */
  readonly vendor?: string;
  /** The configuration file. Default: `specmill.config.ts` (or .js, .json, .yaml) in `cwd`, if there is one. */
  readonly config?: string;
  /** Called with the journal entry of each finished call. */
  readonly onCall?: (call: JournalEntry) => void;
  /** Called for schemas that cannot be checked exactly, on their first use. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /** The most bytes of a body, both as sent and decompressed, that are kept and checked. Default: 10 MB. */
  readonly maxBodyBytes?: number;
  /** More host names, besides the bound address, under which the proxy may be called. */
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
  /** The options of the mock, if it is needed. */
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
 * Applies every default.
 *
 * @throws InputError if an option is invalid.
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
    allowedHosts: readHostNames(options.allowedHost),
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
