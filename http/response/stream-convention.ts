import type { Operation } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';

/** What the spec says of the events of a stream that are no items, by its extension `x-streaming`. */
export interface StreamWords {
  /** The member by which an event is an error: such a one may end the stream. */
  readonly error: string | undefined;
  /** Data that marks the end. */
  readonly end: string | undefined;
}

/** @example readStreamWords(operation) // of `x-streaming: { error: { pointer: /error }, end: '[DONE]' }` */
export function readStreamWords({ extensions }: Operation): StreamWords {
  const streaming = extensions['x-streaming'] as
    | { readonly error?: { readonly pointer?: string }; readonly end?: string }
    | undefined;
  return { error: streaming?.error?.pointer?.slice(1), end: streaming?.end };
}

export function isErrorEvent(data: unknown, { error }: StreamWords): boolean {
  return error !== undefined && isRecord(data) && Object.hasOwn(data, error);
}
