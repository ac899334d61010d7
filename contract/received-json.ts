import { bodyKindOf } from '../http/request/write-body.js';
import { DecodeError } from '../runtime/decode-error.js';
import { decodeJson } from '../runtime/decode-json.js';

/**
 * Returns the value of a JSON body; `undefined` for other bodies, and for those that {@link decodeJson} refuses: the
 * check of the body says why.
 */
export function receivedJson(text: string, contentType: string | null): unknown {
  if (contentType === null || bodyKindOf(contentType) !== 'json') return undefined;
  try {
    return decodeJson(text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return undefined;
  }
}
