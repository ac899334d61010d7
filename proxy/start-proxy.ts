import { randomBytes } from 'node:crypto';

import type { Api } from '../model/api.js';
import { createRenderError } from '../http/errors/render-error.js';
import { JournalRing } from '../http/journal/journal.js';
import { type Redact, createRedact } from '../http/journal/redaction.js';
import type { JournalEntry } from '../server/sandbox/sandbox.js';
import type { ObserveCall } from './exchange/exchange.js';
import { reportOnce } from '../schema/report-once.js';
import type { Mock, MockRequests } from '../server/start/mock.js';
import { readSource } from '../server/start/load-source.js';
import { createChecker } from './checks/check-exchange.js';
import { toHarEntry } from './har/har-entry.js';
import { HarFile } from './har/har-file.js';
import { createProxyControl } from './proxy-control.js';
import { openProxyDoor } from './proxy-server.js';
import { type ProxyOptions, type ResolvedProxyOptions, resolveProxyOptions } from './proxy-options.js';
import { type ProxyReport, ReportCollector } from './proxy-report.js';
import { Upstream } from './wire/upstream.js';
import { toJournalDraft } from './journal-entry.js';

/** A proxy that serves. */
export interface ValidationProxy extends AsyncDisposable {
  /** Where it serves, without a slash at the end. */
  readonly url: string;
  readonly api: Api;
  /** The calls that went through. */
  readonly requests: MockRequests;
  /** Everything it has seen since it started, by causes. */
  report(): ProxyReport;
  /**
   * Takes no more calls, lets those that are under way come to their end for a moment, and puts the recording in its place.
   *
   * @throws InputError where the recording cannot be written.
   */
  close(): Promise<void>;
}

/**
 * Starts a proxy in front of a server: it passes calls on as they come, and holds both directions against the spec.
 *
 * @param source - the name of an API (in the configuration, else one of those that come with specmill), or an API that was loaded.
 * @throws InputError where there is no such API, or an option makes no sense.
 * @throws SpecError where its spec cannot be used.
 * @throws PortBusyError where the port is taken.
 * @example
 * const proxy = await startProxy('signing', { upstream: 'https://staging.example.com' });
 * const client = createSigningClient({ baseUrl: proxy.url, credentials });
 * proxy.report().violations; // [{ direction: 'response', operationId: 'getcase', pointer: '/body/Status', ... }]
 * await proxy.close();
 */
export async function startProxy(source: string | Api, options: ProxyOptions): Promise<ValidationProxy> {
  const resolved = resolveProxyOptions(options);
  const { name, api } = await readSource(source, resolved.source);
  const redact = createRedact(api);
  const journal = new JournalRing(redact);
  const collector = new ReportCollector({ api: name, upstream: resolved.upstream.href.replace(/\/$/, '') });
  const upstream = new Upstream(resolved.upstream);
  const mock = resolved.mockMissing ? await startFallback(source, resolved) : undefined;
  const file = resolved.record === undefined ? undefined : new HarFile(resolved.record);
  const door = await openProxyDoor({
    host: resolved.host,
    port: resolved.port,
    control: createProxyControl({ name, title: api.title, journal, boundHost: resolved.host }),
    calls: {
      upstream,
      check: createChecker(api, reportOnce(api, resolved.onDiagnostic)),
      renderError: createRenderError(api),
      observe: createObserver({ journal, collector, file, redact, onCall: resolved.onCall }),
      settings: resolved.calls,
      mock: mock?.fetch,
      // Unlike that of any other proxy, so that calls that come round are known.
      pseudonym: `specmill-${randomBytes(4).toString('hex')}`,
    },
  }).catch(async (error: unknown) => {
    file?.discard();
    await mock?.close();
    throw error;
  });
  const close = async (): Promise<void> => {
    await door.close();
    upstream.close();
    await mock?.close();
    file?.close();
  };
  return showProxy({ url: door.url, api, journal, collector, close });
}

interface ProxyParts {
  readonly url: string;
  readonly api: Api;
  readonly journal: JournalRing;
  readonly collector: ReportCollector;
  readonly close: () => Promise<void>;
}

function showProxy({ url, api, journal, collector, close: closeParts }: ProxyParts): ValidationProxy {
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= closeParts());
  return {
    url,
    api,
    requests: Object.assign(async (choice: { readonly violations?: boolean } = {}) => journal.entries(choice), {
      clear: async () => journal.clear(),
    }),
    report: () => collector.report(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A mock costs memory and time to load, so only those who want one have it. */
async function startFallback(source: string | Api, { mock }: ResolvedProxyOptions): Promise<Mock<object>> {
  const { startMock } = await import('../server/start-mock.js');
  return typeof source === 'string' ? startMock(source, mock) : startMock(source, mock);
}

interface Observers {
  readonly journal: JournalRing;
  readonly collector: ReportCollector;
  readonly file: HarFile | undefined;
  readonly redact: Redact;
  readonly onCall: ResolvedProxyOptions['onCall'];
}

function createObserver({ journal, collector, file, redact, onCall }: Observers): ObserveCall {
  const tell = (entry: JournalEntry | undefined): void => {
    if (entry === undefined) return;
    collector.add(entry);
    onCall(entry);
  };
  return async (call) => {
    journal.add(await toJournalDraft(call));
    tell(journal.last());
    // What was refused before is no traffic of the server.
    if (file !== undefined && call.url !== undefined) file.add(await toHarEntry(call, call.url, redact));
  };
}
