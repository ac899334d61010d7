import type { Api, Operation } from '../../model/api.js';
import type { BehaviourContext, Call, Caller, Collection, OperationTypes, Reply } from '../seams/behaviour.js';
import type { AnswerBody, HeaderMap, MockRequest } from '../seams/http.js';
import type { RenderError } from '../seams/sandbox.js';

type AnyTypes = OperationTypes[string];

const BODY_KINDS: ReadonlySet<unknown> = new Set(['json', 'text', 'bytes', 'stream', 'events']);

export interface CallParts {
  readonly context: BehaviourContext;
  readonly operation: Operation;
  readonly request: MockRequest;
  readonly caller: Caller;
  readonly input: Readonly<Record<string, unknown>>;
  readonly renderError: RenderError;
}

/** A call of an operation, as behaviour sees it. */
export class OperationCall implements Call<AnyTypes> {
  readonly #parts: CallParts;

  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  get api(): Api {
    return this.#parts.context.api;
  }
  get clock(): BehaviourContext['clock'] {
    return this.#parts.context.clock;
  }
  get random(): BehaviourContext['random'] {
    return this.#parts.context.random;
  }
  get options(): BehaviourContext['options'] {
    return this.#parts.context.options;
  }
  get operation(): Operation {
    return this.#parts.operation;
  }
  get request(): MockRequest {
    return this.#parts.request;
  }
  get caller(): Caller {
    return this.#parts.caller;
  }
  get input(): Call<AnyTypes>['input'] {
    return this.#parts.input;
  }
  get sendCallback(): BehaviourContext['sendCallback'] {
    return (callback) => this.#parts.context.sendCallback(callback);
  }

  collection<T>(name: string): Collection<T> {
    return this.#parts.context.collection(name);
  }

  next(counter: string): Promise<number> {
    return this.#parts.context.next(counter);
  }

  memory<T extends object>(key: string, make: () => T): T {
    return this.#parts.context.memory(key, make);
  }

  reply(status: number, body: unknown, headers: HeaderMap = {}): Reply {
    return { status, body: toAnswerBody(body), headers: lowerCaseNames(headers), refusal: false };
  }

  refuse(status: number, message: string, details?: Readonly<Record<string, unknown>>): Reply {
    const { renderError, operation } = this.#parts;
    const { body, headers } = renderError({
      status,
      message,
      operation,
      ...(details === undefined ? {} : { details }),
    });
    return { status, body, headers: lowerCaseNames(headers), refusal: true };
  }
}

/** A body is what it says it is by its `kind`; bytes are bytes; all else is JSON, also text. */
export function toAnswerBody(body: unknown): AnswerBody | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return { kind: 'bytes', bytes: body };
  return isAnswerBody(body) ? body : { kind: 'json', value: body };
}

/** An object of the API may have a `kind` too: only one that has nothing else but what goes with it is a body. */
function isAnswerBody(body: unknown): body is AnswerBody {
  if (typeof body !== 'object' || body === null || !('kind' in body) || !BODY_KINDS.has(body.kind)) return false;
  const names = Object.keys(body);
  return names.length === 2 && ['value', 'text', 'bytes', 'chunks', 'events'].some((name) => names.includes(name));
}

export function lowerCaseNames(headers: HeaderMap): HeaderMap {
  const names = Object.keys(headers);
  if (names.every((name) => name === name.toLowerCase())) return headers;
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), headers[name]]));
}
