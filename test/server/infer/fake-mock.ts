import type { Api, Operation } from '../../../model/api.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { inferBehaviour } from '../../../server/infer/infer-behaviour.js';
import type { Call, Collection, OperationTypes, HandlerResponse } from '../../../server/handler-api.js';
import type { HeaderMap } from '../../../http/messages.js';
import type { VersionedItem } from '../../../server/stores/store.js';
import { SeededRandom } from '../../../server/sandbox/seeded-random.js';
import { MemoryStore } from '../../../server/stores/memory-store.js';

type AnyCall = Call<OperationTypes[string]>;

/** The time of the clock when a test begins. */
export const START: number = Date.UTC(2026, 10, 20, 12);

export interface FakeRequest {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: HeaderMap;
  readonly body?: unknown;
}

export interface FakeResponse {
  readonly status: number;
  readonly headers: HeaderMap;
  readonly data: unknown;
  /** What is wrong with the response by the spec. */
  readonly problems: readonly string[];
}

/** Calls inferred behaviour without a pipeline: requests are taken as valid, responses are checked. */
export class FakeMock {
  readonly #api: Api;
  readonly #operations: Readonly<Record<string, unknown>>;
  readonly #random = new SeededRandom(1);
  readonly #memory = new Map<string, object>();
  readonly store: MemoryStore = new MemoryStore();
  now: number = START;

  constructor(api: Api) {
    this.#api = api;
    this.#operations = inferBehaviour(api).operations ?? {};
  }

  /** Whether an operation is handled from state. */
  isInferred(id: string): boolean {
    return this.#operations[this.#find(id).name] !== undefined;
  }

  async call(id: string, request: FakeRequest = {}): Promise<FakeResponse> {
    const operation = this.#find(id);
    const handler = this.#operations[operation.name] as ((call: AnyCall) => Promise<HandlerResponse>) | undefined;
    if (handler === undefined) throw new Error(`${id} is not inferred.`);
    const received = await handler(this.#createCall(operation, request));
    const data = received.body?.kind === 'json' ? received.body.value : undefined;
    return {
      status: received.status,
      headers: received.headers,
      data,
      problems: received.refusal ? [] : this.#check(operation, received, data),
    };
  }

  #find(id: string): Operation {
    const found = this.#api.operations.find((operation) => operation.id === id);
    if (found === undefined) throw new Error(`There is no operation ${id}.`);
    return found;
  }

  #createCall(operation: Operation, { path = {}, query = {}, headers = {}, body }: FakeRequest): AnyCall {
    const target = operation.path.replaceAll(/\{([^{}]+)\}/g, (_all, name: string) =>
      encodeURIComponent(String(path[name])),
    );
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
    const call: Partial<AnyCall> & Record<string, unknown> = {
      api: this.#api,
      operation,
      input: { path, query, body },
      request: {
        method: operation.method.toUpperCase(),
        target: `/base${target}${search === '' ? '' : `?${search}`}`,
        headers: { host: 'mock.test', ...headers },
      } as unknown as AnyCall['request'],
      clock: { now: () => this.now, schedule: async () => {}, cancel: async () => {} },
      random: this.#random,
      collection: <T>(name: string) => this.#collection<T>(name),
      next: async (counter: string) =>
        Number(await this.store.update('counters', counter, (count) => Number(count ?? 0) + 1)),
      memory: <T extends object>(key: string, make: () => T) => {
        const known = this.#memory.get(key) ?? make();
        this.#memory.set(key, known);
        return known as T;
      },
      respond: (status: number, value: unknown, more: HeaderMap = {}) => ({
        status,
        body: value as HandlerResponse['body'],
        headers: more,
        refusal: false,
      }),
      refuse: (status: number, message: string) => ({
        status,
        body: { kind: 'json', value: { message } },
        headers: {},
        refusal: true,
      }),
    };
    return call as unknown as AnyCall;
  }

  #collection<T>(name: string): Collection<T> {
    const { store } = this;
    return {
      get: async (id) => (await store.get(name, id))?.value as T | undefined,
      getVersioned: async (id) => (await store.get(name, id)) as VersionedItem<T> | undefined,
      put: async (id, value) => void (await store.put(name, id, value)),
      delete: (id) => store.delete(name, id),
      update: async (id, change) =>
        (await store.update(name, id, (value) => change(value as T | undefined))) as T | undefined,
      query: async (query = {}) => {
        const { items, total } = await store.query(name, query);
        return { items: items as readonly VersionedItem<T>[], total };
      },
    };
  }

  #check({ responses }: Operation, { status }: HandlerResponse, data: unknown): string[] {
    const response =
      responses.find((one) => one.status === String(status)) ?? responses.find((one) => one.status === 'default');
    if (response === undefined)
      return responses.some((one) => /^[23]/.test(one.status)) ? [`${status} is not documented`] : [];
    const schema = response.content.find(({ mediaType }) => mediaType.includes('json'))?.schema;
    if (schema === undefined) return data === undefined ? [] : ['a body that is not documented'];
    return compileValidator(this.#api, schema, { direction: 'response' })(data).map(
      ({ pointer, message }) => `${pointer} ${message}`,
    );
  }
}
