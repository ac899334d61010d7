import { ObservationLog } from '../../http/observations/observation-log.js';
import { observeText } from '../../http/observations/observed-call.js';
import { parseExactText } from '../../model/exact-json.js';
import type { Api } from '../../model/api.js';
import type { HeaderMap } from '../../http/messages.js';
import type { Case, Exchange } from '../types.js';
import type { Redaction } from './hide-given-secrets.js';

/** The most values of accepted invalid requests that are remembered. */
const MOST_PLANTED = 10_000;

/** What the responses to valid requests of a run show against its spec. */
export class RunObservations {
  readonly log: ObservationLog;
  /** Texts and numbers of invalid requests that the server accepted: it may show them again. */
  readonly #planted = new Set<unknown>();

  constructor(api: Api, secrets: Redaction) {
    this.log = new ObservationLog(api, {
      hide: (text) => secrets.hide(text),
      isPlanted: (value) => this.#planted.has(value),
    });
  }

  add({ call, expectation }: Case, exchange: Exchange): void {
    const { status, request, text, isCut } = exchange;
    if (status === 0 || isCut === true) return;
    if (expectation.kind === 'invalid' && status < 400) this.#plant(parseExactText(request.body ?? ''));
    const isOwn = call.isAnonymous !== true && call.isOther !== true && call.method === undefined;
    if (
      !isOwn ||
      (expectation.kind !== 'valid' && expectation.kind !== 'unknown item' && expectation.kind !== 'invalid')
    )
      return;
    const headers = readHeaders(exchange);
    this.log.add({
      operation: call.operation,
      isValid: expectation.kind !== 'invalid',
      status,
      headers,
      body: observeText(text, headers),
      isHead: request.method === 'HEAD',
      at: Date.now(),
      sent: parseExactText(request.body ?? ''),
    });
  }

  #plant(value: unknown): void {
    if (this.#planted.size >= MOST_PLANTED) return;
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) this.#plant(part);
    else if (typeof value === 'string' || typeof value === 'number') this.#planted.add(value);
  }
}

function readHeaders({ headers }: Exchange): HeaderMap {
  return Object.fromEntries([...headers.keys()].map((name) => [name, headers.get(name) ?? undefined]));
}
