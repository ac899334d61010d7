import { isRecord } from '../../model/document/records.js';
import type { HeaderMap } from '../../http/messages.js';
import type { RecordedExchange } from '../../http/recording/read-exchanges.js';

/** The request of a recorded call, and the status of its response. */
export interface RecordedCall {
  /** Upper case. */
  readonly method: string;
  /** Path and query, or a full URL. */
  readonly target: string;
  /** 0 if no response arrived. */
  readonly status: number;
  readonly headers: HeaderMap;
  /**
   * A parsed value if the recording has one, else text. Absent if the message had no body or the recording did not keep
   * it.
   */
  readonly body?: unknown;
}

export function toRecordedCall({ method, target, status, request }: RecordedExchange): RecordedCall {
  const { headers, text, isBase64, value } = request;
  const isBytes = isRecord(value) && Object.hasOwn(value, '$bytes');
  if (value !== undefined && !isBytes) return { method, target, status, headers, body: value };
  return { method, target, status, headers, ...(isBase64 || text === '' ? {} : { body: text }) };
}
