import type { Operation } from '../../model/api.js';
import { decodeJson } from '../../runtime/decode-json.js';
import { DecodeError } from '../../runtime/decode-error.js';
import { isTextKind, kindOf, parseMediaType } from '../../runtime/parsed-media-type.js';
import { type HeaderMap, readHeader } from '../messages.js';

/** The body of a response. `unknown`: it was not kept, or is no text. */
export type ObservedBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string };

/** A request of an operation, and the response of the server. */
export interface ObservedCall {
  readonly operation: Operation;
  readonly status: number;
  /** Whether the request is valid. The response to another one counts only if it is a documented refusal. */
  readonly isValid: boolean;
  /** The headers of the response, by lower-case name. */
  readonly headers: HeaderMap;
  readonly body: ObservedBody;
  /** Whether the method is HEAD, so that the response has no body. */
  readonly isHead: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The JSON body of the request. */
  readonly sent?: unknown;
}

/** Reads the text of a body: JSON as a value, other texts as they are. */
export function observeText(text: string, headers: HeaderMap): ObservedBody {
  if (text === '') return { kind: 'none' };
  const parsed = parseMediaType(readHeader({ headers }, 'content-type') ?? '');
  const kind = parsed === undefined ? 'text' : kindOf(parsed);
  if (kind !== 'json') return isTextKind(kind) ? { kind: 'text', text } : { kind: 'unknown' };
  try {
    return { kind: 'json', value: decodeJson(text) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { kind: 'unknown' };
  }
}
