import type {
  Action,
  CheckRequestResponse,
  Clock,
  ClockChange,
  Fault,
  JournalEntry,
  ListJobsResponse,
  RequestToCheck,
  SandboxSummary,
} from '../../../generated/control/types.js';
import { parseExactJson, stringifyExactJson } from '../../../runtime/json-integers.js';
import type { DescribedForm, DescribedApi, DescribedOperation, DescribedResources } from '../views.js';

/** Items by the path of their collection. */
export type DataItems = Readonly<Record<string, readonly unknown[]>>;

interface ListedScenario {
  readonly name: string;
  readonly active: boolean;
}

/** Returns the URL of the API that the page belongs to, without a trailing slash: `http://localhost:4010/signing`. */
export function apiUrl(): string {
  return new URL('..', location.href).href.replace(/\/$/, '');
}

/**
 * The mock that serves the page: its control API, whose types are generated, and the data of the page. The generated
 * client is not used, because it would change the digits of large integers in a state.
 */
export class ControlClient {
  readonly sandbox: string;

  constructor(sandbox: string) {
    this.sandbox = sandbox;
  }

  readonly getApi = (): Promise<DescribedApi> => this.#send('GET', '/page/api.json');
  readonly getResources = (): Promise<DescribedResources> => this.#send('GET', '/page/resources.json');
  readonly getOperation = (id: string): Promise<DescribedOperation> =>
    this.#send('GET', `/page/operation.json?id=${encodeURIComponent(id)}`);
  readonly listJobs = (): Promise<ListJobsResponse['data']> => this.#send('GET', '/page/jobs.json');
  readonly checkRequest = (request: RequestToCheck): Promise<CheckRequestResponse['data']> =>
    this.#send('POST', '/page/check', request);
  readonly listRequests = (): Promise<readonly JournalEntry[]> => this.#send('GET', '/requests');
  readonly clearRequests = (): Promise<void> => this.#send('DELETE', '/requests');
  readonly getState = (): Promise<Readonly<Record<string, unknown>>> => this.#send('GET', '/state');
  readonly putState = (state: unknown): Promise<void> => this.#send('PUT', '/state', state);
  readonly getClock = (): Promise<Clock> => this.#send('GET', '/clock');
  readonly setClock = (change: ClockChange): Promise<Clock> => this.#send('PUT', '/clock', change);
  readonly listFaults = (): Promise<readonly Fault[]> => this.#send('GET', '/faults');
  readonly putFaults = (faults: readonly Fault[]): Promise<void> => this.#send('PUT', '/faults', faults);
  readonly getData = (): Promise<DataItems> => this.#send('GET', '/data');
  readonly putData = (data: DataItems): Promise<void> => this.#send('PUT', '/data', data);
  readonly addData = (data: DataItems): Promise<DataItems> => this.#send('POST', '/data', data);
  readonly getForms = (): Promise<{ readonly forms: readonly DescribedForm[] }> =>
    this.#send('GET', '/page/forms.json');
  readonly loadDataFile = (name: string, text: string): Promise<DataItems> =>
    this.#send('POST', '/page/data-file', { name, text });
  readonly listScenarios = (): Promise<readonly ListedScenario[]> => this.#send('GET', '/scenarios');
  readonly setScenarios = (active: readonly string[]): Promise<void> => this.#send('PUT', '/scenarios', { active });
  readonly listActions = (): Promise<readonly Action[]> => this.#send('GET', '/actions');
  readonly runAction = (name: string, input: unknown): Promise<unknown> =>
    this.#send('POST', `/actions/${encodeURIComponent(name)}`, input);
  readonly listSandboxes = (): Promise<readonly SandboxSummary[]> => this.#send('GET', '/sandboxes');
  readonly dropSandbox = (name: string): Promise<void> =>
    this.#send('DELETE', `/sandboxes/${encodeURIComponent(name)}`);
  readonly reset = (): Promise<void> => this.#send('POST', '/reset');

  /** Calls `onChange` for every change of the sandbox until the returned function is called. */
  watch(onChange: (change: unknown) => void): () => void {
    const source = new EventSource(`${apiUrl()}/__specmill/events?sandbox=${encodeURIComponent(this.sandbox)}`);
    source.addEventListener('message', ({ data }) => onChange(JSON.parse(String(data))));
    return () => source.close();
  }

  /** @throws Error with the message of the mock if it refuses the request. */
  async #send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${apiUrl()}/__specmill${path}`, {
      method,
      headers: { 'x-specmill-sandbox': this.sandbox, ...type },
      body: body === undefined ? null : stringifyExactJson(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(readProblem(text) ?? `The mock responded with ${response.status}.`);
    return (text === '' ? undefined : parseExactJson(text)) as T;
  }
}

function readProblem(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { readonly detail?: string } | null)?.detail;
  } catch {
    return undefined;
  }
}
