import { randomBytes } from 'node:crypto';

import type { Api } from '../model/api.js';
import { basePaths } from '../http/base-url.js';
import { createRenderError } from '../http/errors/render-error.js';
import { type Redact, createRedact } from '../http/secrets/redaction.js';
import {
  type JournalDraft,
  JournalRing,
  type JournalPlace,
  type RecordedRequests,
  type Journal,
} from '../http/journal/journal.js';
import type { ExchangeObserver, ForwardedExchange } from './exchange/exchange.js';
import { reportOnce } from '../schema/report-once.js';
import { createExchangeCheck } from './check-exchange.js';
import { toHarEntry } from './har/har-entry.js';
import { HarFile } from './har/har-file.js';
import { openProxyServer } from './proxy-server.js';
import { type ProxyOptions, type ResolvedProxyOptions, resolveProxyOptions } from './proxy-options.js';
import { type ProxyReport, ReportCollector } from './proxy-report.js';
import { Upstream } from './wire/upstream.js';
import { toJournalDraft } from './journal-entry.js';
import { readPackageVersion } from '../model/package-info.js';
import { HttpError } from '../http/http-error.js';
import {
  CONTROL_NO_CONTENT,
  controlJson,
  controlProblem,
  type HandleControl,
  readBoolean,
} from '../http/wire/control-api.js';
import { guardControl, type HostRule } from '../http/wire/host-guard.js';
import { splitTarget } from '../http/routing/request-target.js';
import type { MockResponse, MockRequest } from '../http/messages.js';

export interface ValidationProxy extends AsyncDisposable {
  /** Where it serves, without a slash at the end. */
  readonly url: string;
  readonly api: Api;
  /** The calls that went through. */
  readonly requests: RecordedRequests;
  /** Everything it has seen since it started, by causes. */
  report(): ProxyReport;
  /**
   * Takes no more calls, lets those that are under way come to their end for a moment, and puts the recording in its place.
   *
   * @throws InputError if the recording cannot be written.
   */
  close(): Promise<void>;
}

/** A mock that responds where the server responds with 501. */
export interface FallbackMock {
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

/** The functions of other rooms that a proxy needs; the package's entry passes them. */
export interface ProxyParts {
  /** @throws InputError if there is no such API, SpecError where its spec cannot be used. */
  readonly readSource: (
    source: string | Api,
    options: ResolvedProxyOptions['source'],
  ) => Promise<{ readonly name: string; readonly api: Api }>;
  /** A mock costs memory and time to load, so it is started only where one is asked for. */
  readonly startMock: (source: string | Api, options: ResolvedProxyOptions['mock']) => Promise<FallbackMock>;
}

/** Starts a proxy in front of a server: forwards requests as they come and checks both directions against the spec. */
export async function startProxyWith(
  parts: ProxyParts,
  source: string | Api,
  options: ProxyOptions,
): Promise<ValidationProxy> {
  const resolved = resolveProxyOptions(options);
  const { name, api } = await parts.readSource(source, resolved.source);
  const redact = createRedact(api);
  const journal = new JournalRing(redact);
  const collector = new ReportCollector({ api: name, upstream: resolved.upstream.href.replace(/\/$/, '') });
  const upstream = new Upstream(resolved.upstream, servedBases(api));
  const mock = resolved.mockMissing ? await parts.startMock(source, resolved.mock) : undefined;
  const file = resolved.record === undefined ? undefined : new HarFile(resolved.record);
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
      observer: createObserver({ journal, collector, file, redact, onCall: resolved.onCall }),
      settings: resolved.calls,
      hostRule: { boundHost: resolved.host, allowedHosts: resolved.allowedHosts },
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
    await server.close();
    upstream.close();
    await mock?.close();
    file?.close();
  };
  return showProxy({ url: server.url, api, journal, collector, close });
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
  readonly close: () => Promise<void>;
}

function showProxy({ url, api, journal, collector, close: closeParts }: RunningProxy): ValidationProxy {
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

interface Observers {
  readonly journal: JournalRing;
  readonly collector: ReportCollector;
  readonly file: HarFile | undefined;
  readonly redact: Redact;
  readonly onCall: ResolvedProxyOptions['onCall'];
}

function createObserver({ journal, collector, file, redact, onCall }: Observers): ExchangeObserver {
  const tell = (call: ForwardedExchange, draft: JournalDraft, place: JournalPlace): void | Promise<void> => {
    collector.add(draft, () => place.entry());
    onCall?.(place.entry());
    // Refused requests are not traffic of the server.
    if (file !== undefined && call.url !== undefined)
      return toHarEntry(call, call.url, redact).then((entry) => file.add(entry));
    return undefined;
  };
  const add = (call: ForwardedExchange, draft: JournalDraft): void | Promise<void> =>
    tell(call, draft, journal.add(draft));
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
          await tell(call, draft, place);
        },
      };
    },
  };
}

/** The parts that the control interface of a proxy uses. */
interface ProxyControlHost {
  readonly name: string;
  readonly title: string;
  readonly journal: Journal;
  readonly hostRule: HostRule;
}

/** Paths, their methods, and what they do. */
type Routes = Readonly<Record<string, Readonly<Record<string, (query: URLSearchParams) => MockResponse>>>>;

/** The part of the control interface that a proxy has: its health and its journal. Never throws. */
function createProxyControl(host: ProxyControlHost): HandleControl {
  const { name, title, journal } = host;
  const routes: Routes = {
    '/__specmill/health': {
      // It has one journal for all callers.
      GET: () => controlJson(200, { status: 'ok', api: name, title, version: readPackageVersion(), sandboxes: 0 }),
    },
    '/__specmill/requests': {
      GET: (query) =>
        controlJson(200, journal.entries({ violations: readBoolean('violations', query.get('violations')) })),
      DELETE: () => {
        journal.clear();
        return CONTROL_NO_CONTENT;
      },
    },
  };
  return guardControl(async (request) => handleRoute(routes, request), host.hostRule);
}

function handleRoute(routes: Routes, { method, target }: MockRequest): MockResponse {
  try {
    const { path, query } = splitTarget(target);
    const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (methods === undefined)
      throw new HttpError(404, 'A proxy has /__specmill/health and /__specmill/requests, and nothing else here.');
    const response = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (response !== undefined) return response(new URLSearchParams(query));
    const allowed = Object.keys(methods).join(', ');
    throw new HttpError(405, `This path of the control interface takes ${allowed} only.`, {
      headers: { allow: allowed },
    });
  } catch (error) {
    return controlProblem(error);
  }
}
