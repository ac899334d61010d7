import { InputError } from '../model/diagnostics/input-error.js';
import type { Api } from '../model/api.js';
import { createDiagnostic } from '../model/diagnostics/create-diagnostic.js';
import { findUnparsed, findUnsendable } from '../http/routing/find-unreachable.js';
import { findPrefix } from '../config/mounts.js';
import { isRecord, withoutUndefined } from '../model/document/records.js';
import { toFileName } from '../model/identifiers.js';
import { createControl } from './control/create-control.js';
import type { ControlHost } from './control/control-host.js';
import { guardControl } from '../http/wire/host-guard.js';
import type { ActionMap, DefinedMock } from './define-mock.js';
import type { TransportOptions } from './transport/dispatch.js';
import type { Listening } from '../http/wire/listen.js';
import type { OpenSocket } from './pipeline/create-socket-pipeline.js';
import { BytesVault } from './sandbox/bytes-vault.js';
import { redirectToPage } from './page/page-routes.js';
import type { HandleRequest } from './sandbox/sandbox.js';
import { openBackend } from './stores/replicated/open-backend.js';
import type { StateBackend } from './stores/replicated/state-backend.js';
import { DEFAULT_SANDBOX, SandboxRegistry } from './sandbox/sandbox-registry.js';
import { type Served, createServed } from './start/assemble.js';
import { findPagingGaps } from '../resources/find-paging-gaps.js';
import { checkInBackground, isSmall, reportOnce } from '../http/startup-diagnostics.js';
import { type LocalTransport, createLocalHandle, createLocalTransport } from './start/local-transport.js';
import { type MockOptions, type ResolvedMockOptions, resolveMockOptions } from './start/mock-options.js';
import type { ActionsOf, CallsOf, LocalSandboxHandle, Mock } from './start/mock.js';
import { type LoadedSource, type MockSource, loadSource } from './start/load-source.js';
import { watchFiles } from './watch-files.js';

/**
 * Starts a mock.
 *
 * @param source - the name of an API (from the configuration, or else a built-in one), the path or URL of a spec, a
 *   loaded API, or the result of `defineMock`.
 * @throws InputError if there is no such API or an option is invalid.
 * @throws SpecError if its spec cannot be used.
 * @throws PortBusyError if the port is taken.
 * @example
 * const mock = await startMock('signing', { port: 0, seed: 1 });
 * const client = createSigningClient({ baseUrl: mock.url, credentials, fetch: mock.fetch });
 * await mock.close();
 */
export async function startMock<Name extends string>(
  source: Name,
  options?: MockOptions,
): Promise<Mock<ActionsOf<Name>>>;
export async function startMock<Actions extends ActionMap>(
  source: DefinedMock<Actions>,
  options?: MockOptions,
): Promise<Mock<CallsOf<Actions>>>;
export async function startMock(source: Api, options?: MockOptions): Promise<Mock>;
export async function startMock(source: MockSource, options: MockOptions = {}): Promise<Mock> {
  if (!isSource(source))
    throw new InputError('A mock needs the name of an API, the path or URL of a spec, or an API that was loaded.');
  const resolved = await resolveMockOptions(options);
  const loaded = await loadSource(source, resolved);
  const prefix = findPrefix(resolved.mounts, typeof source === 'string' ? [loaded.name, source] : [loaded.name]);
  const backend = resolved.keep === undefined ? undefined : await openBackend(resolved.keep, loaded.name);
  const running = new RunningMock(source, resolved, { loaded, backend, prefix });
  return running.open();
}

/** Only JavaScript allows another source. */
function isSource(source: unknown): boolean {
  if (isRecord(source) && 'definition' in source) return isSource(source['api']);
  return typeof source === 'string' || (isRecord(source) && 'operations' in source);
}

interface RunningParts {
  readonly loaded: LoadedSource;
  readonly backend: StateBackend | undefined;
  readonly prefix: string | undefined;
}

/** The implementation of a mock; {@link Mock} is its public interface. */
class RunningMock {
  readonly #source: MockSource;
  readonly #options: ResolvedMockOptions;
  readonly #sandboxes: SandboxRegistry;
  readonly #closing = new AbortController();
  readonly #backend: StateBackend | undefined;
  /** The path below which the API is mounted; `undefined` if it has the server for itself. */
  readonly #prefix: string | undefined;
  #served: Served;

  constructor(source: MockSource, options: ResolvedMockOptions, { loaded, backend, prefix }: RunningParts) {
    this.#source = source;
    this.#options = options;
    this.#backend = backend;
    this.#prefix = prefix;
    this.#served = this.#serve(loaded);
    this.#sandboxes = new SandboxRegistry(this.#served.host);
  }

  #serve(loaded: LoadedSource, vault: BytesVault = new BytesVault()): Served {
    const { api } = loaded;
    const report = reportOnce(api, (diagnostic) => {
      this.#options.onDiagnostic(diagnostic);
      // Large specs are checked on use, so the diagnostic is recorded in the journal as well.
      if (!isSmall(api)) this.#sandboxes.get(DEFAULT_SANDBOX).note('/__specmill/diagnostics', diagnostic.message);
    });
    return createServed(loaded, this.#options, { vault, report, backend: this.#backend });
  }

  #checkSchemas(): void {
    if (isSmall(this.#served.api)) void this.#checkSlowly();
  }

  async #checkSlowly(): Promise<void> {
    const { api, report } = this.#served;
    await checkInBackground(api, report, this.#closing.signal);
    for (const { operation, gap } of findPagingGaps(api))
      report(createDiagnostic('pages-lead-nowhere', operation.source, gap));
  }

  #reportUnreachable({ operations }: Api, hasSockets: boolean): void {
    const found = [...findUnsendable(operations), ...(hasSockets ? findUnparsed(operations) : [])];
    for (const { source, sentence } of found)
      this.#options.onDiagnostic(createDiagnostic('operation-unreachable', source, sentence));
  }

  async open(): Promise<Mock> {
    const sandboxes = this.#sandboxes;
    const served = (): Served => this.#served;
    const { name } = served();
    const host: ControlHost = { name, served, sandboxes };
    const parts: TransportParts = {
      handle: (request, sandbox) => {
        const redirect = request.target === '/' ? redirectToPage(request, served().api) : undefined;
        return redirect === undefined ? this.#handle(request, sandbox) : Promise.resolve(redirect);
      },
      sandboxOf: (sandbox) => sandboxes.get(sandbox),
      control: createControl(host),
      origins: () => served().origins,
    };
    const openSocket: OpenSocket = async (request, sandbox) =>
      served().openSocket(request, (await sandbox.openForSocket?.()) ?? sandbox);
    await this.#startSandboxes();
    const server = await this.#openServer(parts, openSocket);
    this.#reportUnreachable(served().api, server !== undefined);
    this.#checkSchemas();
    void this.#followFiles();
    const prefix = this.#prefix ?? '';
    const scheme = this.#options.tls === undefined ? 'http' : 'https';
    const url = server?.url ?? `${scheme}://${toFileName(name)}.mock${prefix}`;
    // The URL is known only now; behaviours need it for the URLs that their actions return.
    Object.assign(this.#options.behaviour, { url });
    const transport = createLocalTransport({
      host,
      parts,
      openSocket,
      closed: this.#closing.signal,
      base: { scheme, prefix },
    });
    return this.#show(transport, { url, close: async () => server?.close() });
  }

  #handle: HandleRequest = (request, sandbox) => {
    const { handle } = this.#served;
    return sandbox.serve === undefined ? handle(request, sandbox) : sandbox.serve(request, handle);
  };

  /** Runs the jobs that became due while no process was running, before the first request. */
  async #startSandboxes(): Promise<void> {
    try {
      await this.#sandboxes.start();
    } catch (error) {
      await this.#backend?.close();
      throw error;
    }
  }

  /** Loads and opens the server if there is a port. */
  async #openServer(parts: TransportParts, sockets: OpenSocket): Promise<Listening | undefined> {
    const { port, host, allowedHosts, tls } = this.#options;
    if (port === undefined) return undefined;
    const { openHttpServer } = await import('./transport/http-server.js');
    const hosts = { boundHost: host, allowedHosts };
    return openHttpServer({
      ...parts,
      hosts,
      control: guardControl(parts.control, hosts),
      compression: () => this.#served.prepared.compression ?? 'none',
      host,
      port,
      ...withoutUndefined({ mount: this.#prefix, tls }),
      ...(mayOpenSockets(this.#served) ? { sockets } : {}),
    });
  }

  #show(transport: LocalTransport, server: Listening): Mock {
    const closeAll = async (): Promise<void> => {
      this.#closing.abort();
      // Event streams never end by themselves; the server would wait for them.
      this.#sandboxes.endWatches();
      await server.close();
      await this.#sandboxes.close();
      await this.#backend?.close();
    };
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => (closed ??= closeAll());
    // Accessors are kept: a spread would read them once, before the first reload.
    const accessors = { api: { get: () => this.#served.api }, files: { get: () => this.#served.files } };
    const sandbox = (name: string): LocalSandboxHandle => {
      const own = Object.getOwnPropertyDescriptors(createLocalHandle(name, transport));
      const handle = { sandbox };
      return Object.defineProperties(handle, {
        ...own,
        url: { value: server.url, enumerable: true },
        ...accessors,
      }) as unknown as LocalSandboxHandle;
    };
    const lifecycle = { reload: () => this.#reload(), close, [Symbol.asyncDispose]: close };
    const own = sandbox(DEFAULT_SANDBOX);
    return Object.defineProperties(own, Object.getOwnPropertyDescriptors(lifecycle)) as unknown as Mock;
  }

  /**
   * Reloads when a file of the behaviour changes, such as the configuration of the engine. A version that cannot be
   * loaded is noted in the journal, and the old one keeps running.
   */
  async #followFiles(): Promise<void> {
    const { signal } = this.#closing;
    let since = Date.now();
    let files = this.#served.prepared.files ?? [];
    while (files.length > 0 && (await watchFiles({ files: new Set(files), since, signal, isIdle: true }))) {
      since = Date.now();
      try {
        await this.#reload();
        files = this.#served.prepared.files ?? [];
      } catch (error) {
        // A mock that was closed during the reload has no journal any more.
        if (signal.aborted) return;
        const sentence = error instanceof Error ? error.message : String(error);
        this.#sandboxes.get(DEFAULT_SANDBOX).note('/__specmill/reload', sentence);
      }
    }
  }

  async #reload(): Promise<void> {
    const loaded = await loadSource(this.#source, this.#options);
    const served = this.#serve(loaded, this.#served.host.vault);
    await this.#sandboxes.adopt(served.host);
    this.#served = served;
    this.#checkSchemas();
  }
}

type TransportParts = Required<Omit<TransportOptions, 'hosts'>>;

/** Also true if only the spec has WebSockets, because a reload can add their handlers. */
function mayOpenSockets({ api, definition }: Served): boolean {
  return (
    Object.keys(definition.sockets ?? {}).length > 0 ||
    api.operations.some(({ extensions }) => extensions['x-websocket'] !== undefined)
  );
}
