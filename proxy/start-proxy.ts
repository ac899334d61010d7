import { randomBytes } from 'node:crypto';

import type { Api } from '../model/api.js';
import { basePaths } from '../model/base-url.js';
import { DeprecatedUses } from '../http/observations/deprecated-uses.js';
import { ObservationLog } from '../http/observations/observation-log.js';
import { writeOverlay } from '../http/observations/overlay-document.js';
import type { WrittenOverlay } from '../reports/written-overlay.js';
import { createRenderError } from '../http/errors/render-error.js';
import { type Redact, createRedact } from '../http/secrets/redaction.js';
import { type JournalDraft, JournalRing, type JournalPlace, type RecordedRequests } from '../http/journal/journal.js';
import type { ExchangeObserver, ForwardedExchange } from './exchange/forwarded-exchange.js';
import { reportOnce } from '../http/startup-diagnostics.js';
import { createExchangeCheck } from './check-exchange.js';
import { observeDeprecated, observeExchange } from './observe-exchange.js';
import { toHarEntry } from './har/har-entry.js';
import { HarFile } from './har/har-file.js';
import { openProxyServer } from './proxy-server.js';
import { createProxyControl } from './proxy-control.js';
import { type ProxyOptions, type ResolvedProxyOptions, resolveProxyOptions } from './proxy-options.js';
import { type ProxyReport, ReportCollector } from './report-collector.js';
import { Upstream } from './wire/upstream.js';
import { toJournalDraft } from './journal-draft.js';

export interface ValidationProxy extends AsyncDisposable {
  /** The proxy's URL without a trailing slash. */
  readonly url: string;
  readonly api: Api;
  /** The journal of the proxy. */
  readonly requests: RecordedRequests;
  /** Returns the violations and calls since the start, grouped by cause. */
  report(): ProxyReport;
  /**
   * Writes the overlay of the option `writeOverlay` as of now; `undefined` without that option. `close` writes it too.
   *
   * @throws InputError if it cannot be written.
   */
  writeOverlay(): Promise<WrittenOverlay | undefined>;
  /**
   * Stops serving, gives running calls some time to finish, and completes the recording.
   *
   * @throws InputError if the recording cannot be written.
   */
  close(): Promise<void>;
}

/** A mock that responds if the server responds 501. */
export interface FallbackMock {
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

/** The functions outside of this folder that a proxy needs. The package's entry passes them. */
export interface ProxyParts {
  /** @throws InputError if there is no such API, SpecError if its spec cannot be used. */
  readonly readSource: (
    source: string | Api,
    options: ResolvedProxyOptions['source'],
  ) => Promise<{ readonly name: string; readonly api: Api }>;
  /** Starts a mock. Called only if the option is set, because a mock needs memory and time to load. */
  readonly startMock: (source: string | Api, options: ResolvedProxyOptions['mock']) => Promise<FallbackMock>;
}

/**
 * Starts a proxy in front of a server. It forwards requests and checks both requests and responses against the spec.
 */
export async function startProxyWith(
  parts: ProxyParts,
  source: string | Api,
  options: ProxyOptions,
): Promise<ValidationProxy> {
  const resolved = resolveProxyOptions(options);
  const { name, api } = await parts.readSource(source, resolved.source);
  const redact = createRedact(api);
  const journal = new JournalRing(redact);
  const deprecated = new DeprecatedUses(api);
  const about = { api: name, upstream: resolved.upstream.href.replace(/\/$/, '') };
  const collector = new ReportCollector(about, deprecated);
  const upstream = new Upstream(resolved.upstream, servedBases(api));
  const mock = resolved.mockMissing ? await parts.startMock(source, resolved.mock) : undefined;
  const file = resolved.record === undefined ? undefined : new HarFile(resolved.record);
  const observations = resolved.writeOverlay === undefined ? undefined : new ObservationLog(api);
  const server = await openProxyServer({
    host: resolved.host,
    port: resolved.port,
    control: createProxyControl({
      name,
      title: api.title,
      journal,
      hostRule: { boundHost: resolved.host, allowedHosts: resolved.allowedHosts },
    }),
    calls: {
      upstream,
      check: createExchangeCheck(api, reportOnce(api, resolved.onDiagnostic)),
      renderError: createRenderError(api),
      observer: createObserver({ journal, collector, file, observations, deprecated, redact, onCall: resolved.onCall }),
      settings: resolved.calls,
      hostRule: { boundHost: resolved.host, allowedHosts: resolved.allowedHosts },
      mock: mock?.fetch,
      // Unique, so that the proxy recognises its own calls in a loop.
      pseudonym: `specmill-${randomBytes(4).toString('hex')}`,
    },
  }).catch(async (error: unknown) => {
    file?.discard();
    await mock?.close();
    throw error;
  });
  const overlay = async (): Promise<WrittenOverlay | undefined> =>
    resolved.writeOverlay === undefined || observations === undefined
      ? undefined
      : collector.noteOverlay(await writeOverlay(resolved.writeOverlay, observations));
  const close = async (): Promise<void> => {
    await server.close();
    upstream.close();
    await mock?.close();
    try {
      file?.close();
    } finally {
      await overlay();
    }
  };
  return showProxy({ url: server.url, api, journal, collector, overlay, close });
}

/** The base paths under which clients may call the operations of an API. */
function servedBases({ operations }: Api): string[] {
  return [...new Set(operations.flatMap(({ servers }) => basePaths(servers)))];
}

interface RunningProxy {
  readonly url: string;
  readonly api: Api;
  readonly journal: JournalRing;
  readonly collector: ReportCollector;
  readonly overlay: () => Promise<WrittenOverlay | undefined>;
  readonly close: () => Promise<void>;
}

function showProxy({ url, api, journal, collector, overlay, close: closeParts }: RunningProxy): ValidationProxy {
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= closeParts());
  return {
    url,
    api,
    requests: Object.assign(async (choice: { readonly violations?: boolean } = {}) => journal.entries(choice), {
      clear: async () => journal.clear(),
    }),
    report: () => collector.report(),
    writeOverlay: overlay,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Observers {
  readonly journal: JournalRing;
  readonly collector: ReportCollector;
  readonly file: HarFile | undefined;
  readonly observations: ObservationLog | undefined;
  readonly deprecated: DeprecatedUses;
  readonly redact: Redact;
  readonly onCall: ResolvedProxyOptions['onCall'];
}

function createObserver({
  journal,
  collector,
  file,
  observations,
  deprecated,
  redact,
  onCall,
}: Observers): ExchangeObserver {
  const notify = (call: ForwardedExchange, draft: JournalDraft, place: JournalPlace): void | Promise<void> => {
    collector.add(draft, () => place.entry());
    onCall?.(place.entry());
    // Refused requests never reached the server.
    const { url } = call;
    if (url === undefined) return undefined;
    const used = observeDeprecated(call, deprecated);
    if (file === undefined && observations === undefined) return used;
    return Promise.resolve(used).then(async () => record(call, url));
  };
  const record = async (call: ForwardedExchange, url: string): Promise<void> => {
    if (observations !== undefined) await observeExchange(call, observations);
    if (file !== undefined) file.add(await toHarEntry(call, url, redact));
  };
  const add = (call: ForwardedExchange, draft: JournalDraft): void | Promise<void> =>
    notify(call, draft, journal.add(draft));
  return {
    observe: (call) => {
      const draft = toJournalDraft(call);
      return draft instanceof Promise ? draft.then((known) => add(call, known)) : add(call, draft);
    },
    observeOpened: async (opened) => {
      const place = journal.add(await toJournalDraft(opened));
      return {
        update: async (call) => place.replace(await toJournalDraft(call)),
        finish: async (call) => {
          const draft = await toJournalDraft(call);
          place.replace(draft);
          await notify(call, draft, place);
        },
      };
    },
  };
}
