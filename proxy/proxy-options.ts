import type { Given } from '../config/given.js';
import type { ProxyOptions as GeneratedOptions } from '../generated/options/types.js';
import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { withoutUndefined } from '../model/document/records.js';
import type { JournalEntry } from '../http/journal/journal.js';
import {
  readHostNames,
  readMilliseconds,
  resolveLoading,
  resolvePath,
  type SpecOptions,
} from '../config/option-checks.js';
import { readOptions } from '../config/read-options.js';
import type { ExchangeSettings } from './exchange/proxy-context.js';
import { readUpstream } from './wire/upstream.js';

/** Options of `startProxy`. The names are those of the flags of `specmill proxy`. */
export interface ProxyOptions extends Given<
  GeneratedOptions,
  {
    /**
     * The URL of the server, `http:` or `https:`. If it has a base path, that replaces the base path of the spec's
     * servers in requests. The proxy contacts no other host.
     */
    readonly upstream: string | URL;
    /** Called with the journal entry of each finished call. */
    readonly onCall?: (call: JournalEntry) => void;
    /** Called for schemas that cannot be checked exactly, on their first use. */
    readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  }
> {}

/** The options with every default applied. */
export interface ResolvedProxyOptions {
  readonly upstream: URL;
  readonly port: number;
  readonly host: string;
  /** Absolute path. */
  readonly record: string | undefined;
  /** Absolute path. */
  readonly writeOverlay: string | undefined;
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

/**
 * Applies every default.
 *
 * @throws InputError if an option is invalid.
 */
export function resolveProxyOptions(given: ProxyOptions): ResolvedProxyOptions {
  const options = readOptions('ProxyOptions', given);
  const { cwd, host, port, errors, mockMissing, maxBodyBytes, onCall, onDiagnostic = () => {} } = options;
  const load = resolveLoading(options, cwd);
  return {
    upstream: readUpstream(options.upstream),
    port,
    host,
    record: resolvePath(cwd, options.record),
    writeOverlay: resolvePath(cwd, options.writeOverlay),
    mockMissing,
    allowedHosts: readHostNames(options.allowedHost),
    mock: {
      cwd,
      ...withoutUndefined({ spec: options.spec, config: options.config, vendor: options.vendor }),
      ...load,
    },
    source: {
      spec: options.spec === undefined ? undefined : [options.spec].flat(),
      configFile: options.config,
      cwd,
      vendor: options.vendor,
      load,
    },
    calls: {
      errors,
      keepsBodies: options.record !== undefined || options.writeOverlay !== undefined || mockMissing,
      maxBodyBytes,
      patience: readMilliseconds('timeout', options.timeout),
    },
    onCall,
    onDiagnostic,
  };
}
