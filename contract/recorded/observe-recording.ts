import type { Api, Operation } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { readHeader } from '../../http/messages.js';
import { ObservationLog } from '../../http/observations/observation-log.js';
import { type ObservedBody, observeText } from '../../http/observations/observed-call.js';
import type { RecordedExchange, RecordedMessage } from '../../http/recording/read-exchanges.js';
import { compileRequestReader, type RequestReader } from '../../http/request/read-request.js';
import { splitTarget } from '../../http/routing/router.js';
import { getOrInsert } from '../../model/maps.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** What the responses of recorded calls show against a spec. */
export class RecordedObservations {
  readonly log: ObservationLog;
  readonly #api: Api;
  readonly #readers = new Map<Operation, RequestReader>();

  constructor(api: Api) {
    this.#api = api;
    this.log = new ObservationLog(api);
  }

  add(operation: Operation, exchange: RecordedExchange, path: ReadonlyMap<string, string>): void {
    const { method, status, response, at } = exchange;
    if (status === 0) return;
    const headers = withoutLists(response);
    const sent = readBody(exchange.request, withoutLists(exchange.request));
    const time = at === undefined ? Number.NaN : Date.parse(at);
    this.log.add({
      operation,
      isValid: this.#isValid(operation, exchange, path),
      status,
      headers,
      body: readBody(response, headers),
      isHead: method === 'HEAD',
      at: Number.isNaN(time) ? Date.now() : time,
      ...(sent.kind === 'json' ? { sent: sent.value } : {}),
    });
  }

  /** Whether the request is valid, as far as the recording has it: credentials are redacted, bodies may be left out. */
  #isValid(operation: Operation, exchange: RecordedExchange, path: ReadonlyMap<string, string>): boolean {
    const { request, target } = exchange;
    const reader = getOrInsert(this.#readers, operation, () =>
      compileRequestReader(operation, { api: this.#api, report: undefined }),
    );
    const { query } = splitTarget(target);
    if (reader.checkParameters({ path, query, headers: request.headers }).length > 0) return false;
    const { text, isBase64, value } = request;
    const isBytes = isRecord(value) && Object.hasOwn(value, '$bytes');
    if (reader.readBody === undefined || isBytes || (text === '' && value === undefined)) return true;
    const bytes = isBase64
      ? Buffer.from(text, 'base64')
      : Buffer.from(value === undefined ? text : stringifyExactJson(value));
    return reader.readBody(bytes, withoutLists(request)).violations.length === 0;
  }
}

/** A recording has a list for each header. */
function withoutLists({ headers, mimeType }: RecordedMessage): Readonly<Record<string, string>> {
  const entries = Object.keys(headers).map((name) => [name, readHeader({ headers }, name) ?? ''] as const);
  const known: Record<string, string> = Object.fromEntries(entries);
  delete known['content-encoding'];
  return known['content-type'] === undefined && mimeType !== '' ? { ...known, 'content-type': mimeType } : known;
}

function readBody({ text, isBase64, value }: RecordedMessage, headers: Readonly<Record<string, string>>): ObservedBody {
  if (value !== undefined)
    return isRecord(value) && Object.hasOwn(value, '$bytes') ? { kind: 'unknown' } : { kind: 'json', value };
  // A recorder may leave out a body that was there.
  if (text === '')
    return headers['content-length'] === '0' || headers['content-type'] === undefined
      ? { kind: 'none' }
      : { kind: 'unknown' };
  return observeText(isBase64 ? Buffer.from(text, 'base64').toString('utf8') : text, headers);
}
