import { decodeLeniently } from '../../model/document/pointer.js';
import { type MockRequest, type ResponseMessage, readHeader } from '../../http/messages.js';
import { splitTarget } from '../../http/routing/request-target.js';
import { createRouter, type RouteMatch } from '../../http/routing/router.js';
import type { Redact } from '../../http/secrets/redaction.js';
import type { Api } from '../../model/api.js';
import { shapeOf } from './body-shape.js';
import type { RecordedCall } from './read-recording.js';

export interface RequestToReplay {
  readonly request: Pick<MockRequest, 'method' | 'target' | 'headers'>;
  readonly match: RouteMatch;
  /** The decompressed body. */
  readonly bytes: Uint8Array;
}

/** Returns the recorded response to a request; `undefined` if none was recorded. */
export type FindRecorded = (request: RequestToReplay) => ResponseMessage | undefined;

export interface RecordingIndex {
  readonly find: FindRecorded;
  /** The number of recorded calls of the API. */
  readonly count: number;
}

/**
 * Indexes a recording to find the first call with the same method, path, query and body shape as a request. Credentials
 * are ignored, because they are redacted on both sides.
 */
export function indexRecording(recording: readonly RecordedCall[], api: Api, redact: Redact): RecordingIndex {
  const findRoute = createRouter(api);
  const first = new Map<string, RecordedCall>();
  let count = 0;
  for (const call of recording) {
    const { method, url, shape } = call;
    const { path, query } = splitTarget(redact.target(url));
    const key = keyOf(findRoute(method, path), { method, query, shape });
    if (key === undefined) continue;
    count += 1;
    if (!first.has(key)) first.set(key, call);
  }
  const find: FindRecorded = ({ request: { method, target, headers }, match, bytes }) => {
    const { query } = splitTarget(redact.target(target));
    const shape = shapeOf(Buffer.from(bytes).toString(), readHeader({ headers }, 'content-type') ?? '');
    const key = keyOf(match, { method, query, shape });
    return key === undefined ? undefined : first.get(key)?.response;
  };
  return { find, count };
}

/** Makes the key of a call from its operation and path values, so that the recorded base path does not matter. */
function keyOf(
  match: RouteMatch,
  { method, query, shape }: { readonly method: string; readonly query: string; readonly shape: string },
): string | undefined {
  if (match.kind !== 'operation') return undefined;
  const values = [...match.values].map(([name, value]) => [name, decodeLeniently(value)]);
  const fields = [...new URLSearchParams(query)].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return JSON.stringify([method, match.operation.id, values, fields, shape]);
}
