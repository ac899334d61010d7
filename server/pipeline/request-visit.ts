import type { Api, Operation } from '../../model/api.js';
import type { HandlerContext, Caller, Collection, HandlerResponse, Visit } from '../handler-api.js';
import type { HeaderMap, MockRequest } from '../../http/messages.js';
import type { RenderError } from '../sandbox/sandbox.js';

export interface VisitParts {
  readonly context: HandlerContext;
  readonly operation: Operation | undefined;
  readonly request: MockRequest;
  readonly caller: Caller;
  readonly renderError: RenderError;
}

/** A request, as behaviour sees it that runs around every one. */
export class RequestVisit implements Visit {
  readonly #parts: VisitParts;

  constructor(parts: VisitParts) {
    this.#parts = parts;
  }

  get api(): Api {
    return this.#parts.context.api;
  }
  get clock(): HandlerContext['clock'] {
    return this.#parts.context.clock;
  }
  get random(): HandlerContext['random'] {
    return this.#parts.context.random;
  }
  get options(): HandlerContext['options'] {
    return this.#parts.context.options;
  }
  get realName(): HandlerContext['realName'] {
    return this.#parts.context.realName;
  }
  get operation(): Operation | undefined {
    return this.#parts.operation;
  }
  get request(): MockRequest {
    return this.#parts.request;
  }
  get caller(): Caller {
    return this.#parts.caller;
  }
  get sendCallback(): HandlerContext['sendCallback'] {
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

  refuse(status: number, message: string, details?: Readonly<Record<string, unknown>>): HandlerResponse {
    const { renderError, operation } = this.#parts;
    const { body, headers } = renderError({
      status,
      message,
      ...(operation === undefined ? {} : { operation }),
      ...(details === undefined ? {} : { details }),
    });
    return { status, body, headers: lowerCaseNames(headers), refusal: true };
  }
}

/** One object for all answers without headers of their own, so it cannot be changed. */
export const NO_HEADERS: HeaderMap = Object.freeze({});

export function lowerCaseNames(headers: HeaderMap): HeaderMap {
  if (headers === NO_HEADERS) return headers;
  const names = Object.keys(headers);
  if (names.every((name) => name === name.toLowerCase())) return headers;
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), headers[name]]));
}
