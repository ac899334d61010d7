import { parseExactJson, stringifyExactJson } from '../../../runtime/json-integers.js';
import type { Clock as ClockView, ClockChange } from '../../../generated/control/types.js';
import type { Fault, JournalEntry } from '../../sandbox/sandbox.js';
import type { SandboxSummary } from '../../sandbox/sandbox-registry.js';
import type { ApiView, OperationView } from '../views.js';

/** A snapshot of the state, as in the control API. */
export type State = Readonly<Record<string, unknown>>;

export interface JobView {
  readonly name: string;
  readonly dueAt: string;
}

export interface ActionView {
  readonly name: string;
  readonly description?: string;
  readonly input: unknown;
}

/** The mock refused a request to its control API. The message is the mock's. */
class ControlFailure extends Error {
  override readonly name: string = 'ControlFailure';
}

export class ControlClient {
  readonly sandbox: string;

  constructor(sandbox: string) {
    this.sandbox = sandbox;
  }

  getApi(): Promise<ApiView> {
    return this.#get('/page/api.json');
  }

  getOperation(id: string): Promise<OperationView> {
    return this.#get(`/page/operation.json?id=${encodeURIComponent(id)}`);
  }

  listJobs(): Promise<readonly JobView[]> {
    return this.#get('/page/jobs.json');
  }

  /** Returns the violations of a request before it is sent. */
  checkRequest(request: {
    readonly method: string;
    readonly target: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  }): Promise<{ readonly violations: JournalEntry['violations'] }> {
    return this.#send('POST', '/page/check', request);
  }

  listRequests(): Promise<readonly JournalEntry[]> {
    return this.#get('/requests');
  }

  async clearRequests(): Promise<void> {
    await this.#send('DELETE', '/requests');
  }

  getState(): Promise<State> {
    return this.#get('/state');
  }

  async putState(state: unknown): Promise<void> {
    await this.#send('PUT', '/state', state);
  }

  getClock(): Promise<ClockView> {
    return this.#get('/clock');
  }

  putClock(change: ClockChange): Promise<ClockView> {
    return this.#send('PUT', '/clock', change);
  }

  listFaults(): Promise<readonly Fault[]> {
    return this.#get('/faults');
  }

  async putFaults(faults: readonly Fault[]): Promise<void> {
    await this.#send('PUT', '/faults', faults);
  }

  listActions(): Promise<readonly ActionView[]> {
    return this.#get('/actions');
  }

  runAction(name: string, input: unknown): Promise<unknown> {
    return this.#send('POST', `/actions/${encodeURIComponent(name)}`, input);
  }

  listSandboxes(): Promise<readonly SandboxSummary[]> {
    return this.#get('/sandboxes');
  }

  async dropSandbox(name: string): Promise<void> {
    await this.#send('DELETE', `/sandboxes/${encodeURIComponent(name)}`);
  }

  async reset(): Promise<void> {
    await this.#send('POST', '/reset');
  }

  /** Calls `onChange` for every change of the sandbox until the returned function is called. */
  watch(onChange: (change: unknown) => void): () => void {
    const source = new EventSource(`/__specmill/events?sandbox=${encodeURIComponent(this.sandbox)}`);
    source.addEventListener('message', ({ data }) => onChange(JSON.parse(String(data))));
    return () => source.close();
  }

  #get<T>(path: string): Promise<T> {
    return this.#send('GET', path);
  }

  async #send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`/__specmill${path}`, {
      method,
      headers: {
        'x-specmill-sandbox': this.sandbox,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: stringifyExactJson(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new ControlFailure(readProblem(text) ?? `The mock responded with ${response.status}.`);
    return (text === '' ? undefined : parseExactJson(text)) as T;
  }
}

function readProblem(text: string): string | undefined {
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem !== 'object' || problem === null || !('detail' in problem)) return undefined;
    return String(problem.detail);
  } catch {
    return undefined;
  }
}
