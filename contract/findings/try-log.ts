import type { Operation } from '../../model/api.js';
import { isSuccess } from '../../http/messages.js';
import type { ReportedTry } from '../../reports/contract/contract-report.js';
import type { Case, Exchange } from '../types.js';
import type { Redaction } from './hide-given-secrets.js';
import { serverSentence } from './refusals.js';

/** The most tries that are kept. */
const MAX_TRIES = 500;
/** The longest text of a request that is kept. */
const MAX_TEXT = 400;

/** The valid requests of a run that explains an operation, in their order. */
export class TryLog {
  readonly #secrets: Redaction;
  readonly #tries: ReportedTry[] = [];

  constructor(secrets: Redaction) {
    this.#secrets = secrets;
  }

  add({ call, expectation }: Case, exchange: Exchange): void {
    const isOwn = call.method === undefined && call.isAnonymous !== true && call.isOther !== true;
    if (!isOwn || expectation.kind !== 'valid' || this.#tries.length >= MAX_TRIES) return;
    const { request, status } = exchange;
    const { pathname, search } = new URL(request.url);
    const said = isSuccess(exchange) ? '' : serverSentence(exchange);
    const next = {
      operationId: call.operation.id,
      request: this.#show(`${request.method} ${pathname}${search}`),
      ...(request.body === undefined ? {} : { body: this.#show(request.body) }),
      status,
      ...(said === '' ? {} : { message: this.#show(said) }),
    };
    const same = this.#tries.find(
      (one) =>
        one.request === next.request && one.body === next.body && one.status === status && one.message === next.message,
    );
    if (same === undefined) this.#tries.push({ ...next, count: 1 });
    else same.count += 1;
  }

  /** The tries of some operations. */
  of(operations: readonly Pick<Operation, 'id'>[]): readonly ReportedTry[] {
    const ids = new Set(operations.map(({ id }) => id));
    return this.#tries.filter(({ operationId }) => ids.has(operationId));
  }

  #show(text: string): string {
    const hidden = this.#secrets.hide(text);
    return hidden.length > MAX_TEXT ? `${hidden.slice(0, MAX_TEXT - 1)}…` : hidden;
  }
}
