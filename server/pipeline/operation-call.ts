import type { Operation } from '../../model/api.js';
import type { Call, OperationTypes, HandlerResponse } from '../handler-api.js';
import type { AnswerBody, HeaderMap } from '../../http/messages.js';
import { NO_HEADERS, RequestVisit, type VisitParts, lowerCaseNames } from './request-visit.js';

type AnyTypes = OperationTypes[string];

const BODY_MEMBERS = ['value', 'text', 'bytes', 'chunks', 'events'] as const;
const BODY_KINDS: ReadonlySet<unknown> = new Set(['json', 'text', 'bytes', 'stream', 'events']);

export interface CallParts extends VisitParts {
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A call of an operation, as behaviour sees it. */
export class OperationCall extends RequestVisit implements Call<AnyTypes> {
  readonly #operation: Operation;
  readonly #input: CallParts['input'];

  constructor(parts: CallParts) {
    super(parts);
    this.#operation = parts.operation;
    this.#input = parts.input;
  }

  override get operation(): Operation {
    return this.#operation;
  }
  get input(): Call<AnyTypes>['input'] {
    return this.#input;
  }

  respond(status: number, body: unknown, headers: HeaderMap = NO_HEADERS): HandlerResponse {
    return { status, body: toAnswerBody(body), headers: lowerCaseNames(headers), refusal: false };
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
  return Object.keys(body).length === 2 && BODY_MEMBERS.some((name) => Object.hasOwn(body, name));
}
