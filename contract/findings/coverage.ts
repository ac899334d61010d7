import { wireMethod } from '../../model/http-method.js';
import type { Api, Operation } from '../../model/api.js';
import { getOrInsert } from '../../model/maps.js';
import type { Reach, UnreachedOperation } from '../../reports/contract/contract-report.js';
import { checkedPlace } from './fold-causes.js';
import type { Case, ContractReport, Exchange, OperationCoverage } from '../types.js';

const TURNED_AWAY: ReadonlySet<number> = new Set([0, 401, 403, 404, 429]);

/** Statuses that say nothing about a credential. */
const INDIFFERENT: ReadonlySet<number> = new Set([0, 404, 405, 429]);

function likelyReason(status: number): string {
  if (status === 401) return 'a valid credential is needed: --header or the hook before gives one';
  if (status === 403)
    return 'access is forbidden: --header gives another credential, headersFor of the configuration that of another role';
  if (status === 404) return 'nothing is there: is the base path of --url right, or is there no item to call it on';
  if (status === 429) return 'the limit of the server is reached';
  if (status === 0) return 'the server does not respond';
  if (status >= 500) return 'the server fails';
  return 'no request that could be made up was accepted; parameters of the configuration give known values';
}

/** The statuses seen for an operation with their counts, and the documented ones. */
export function describeCoverage(operation: Operation, seen: ReadonlyMap<number, number>): OperationCoverage {
  const isSeen = (status: string): boolean =>
    [...seen.keys()].some((one) => status === String(one) || status.toLowerCase() === `${Math.floor(one / 100)}xx`);
  return {
    operationId: operation.id,
    method: wireMethod(operation.method),
    path: operation.path,
    requests: [...seen.values()].reduce((sum, count) => sum + count, 0),
    statuses: Object.fromEntries([...seen].sort(([one], [other]) => one - other)),
    unseen: operation.responses.map(({ status }) => status).filter((status) => status !== 'default' && !isSeen(status)),
  };
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !TURNED_AWAY.has(status);
}

function count(statuses: Map<string, Map<number, number>>, operationId: string, status: number): void {
  const seen = getOrInsert(statuses, operationId, () => new Map<number, number>());
  seen.set(status, (seen.get(status) ?? 0) + 1);
}

/** Counts what a run has exercised. */
export class Coverage {
  readonly #statuses = new Map<string, Map<number, number>>();
  /** The statuses of responses that ask to wait: their requests were sent again, so nothing was tested. */
  readonly #limited = new Map<string, Map<number, number>>();
  /** The statuses of valid requests with the credential of the run. */
  readonly #ofCredential = new Map<string, Set<number>>();
  /** The places in requests at which an invalid value was refused, by operation. */
  readonly #refused = new Map<string, Set<string>>();
  /** Operations with a success, also of an invalid request. */
  readonly #succeeded = new Set<string>();
  /** How often an operation succeeded, as long as each success was that of an invalid request. */
  readonly #onlyInvalid = new Map<string, number>();
  /** By keyword: the places where it can be broken, and whether it was. */
  readonly #keywords = new Map<string, Map<string, boolean>>();

  /** Registers the keywords that known cases break, sent or not. */
  plan(cases: readonly Case[]): void {
    for (const one of cases) this.#addPlace(one, false);
  }

  add(tried: Case, { status }: Exchange): void {
    const { call, expectation } = tried;
    count(this.#statuses, call.operation.id, status);
    if (expectation.kind === 'valid' && call.isAnonymous !== true && call.isOther !== true)
      getOrInsert(this.#ofCredential, call.operation.id, () => new Set()).add(status);
    const place = expectation.kind === 'invalid' && isRefusal(status) ? checkedPlace(expectation) : undefined;
    if (place !== undefined) getOrInsert(this.#refused, call.operation.id, () => new Set()).add(place);
    if (call.method === undefined && status >= 200 && status < 400) this.#addSuccess(tried);
    // A request that was refused before validation did not test any keyword.
    this.#addPlace(tried, !TURNED_AWAY.has(status));
  }

  /** Whether an operation has refused an invalid value at a place of its requests or below; anywhere, without one. */
  hasRefused(operationId: string, place?: string): boolean {
    const refused = [...(this.#refused.get(operationId) ?? [])];
    return place === undefined ? refused.length > 0 : refused.some((one) => `${one}/`.startsWith(`${place}/`));
  }

  /** Counts a response that says to come back later. */
  addLimited(operationId: string, status: number): void {
    count(this.#limited, operationId, status);
  }

  #addSuccess({ call: { operation }, expectation }: Case): void {
    const { id } = operation;
    const count = this.#succeeded.has(id) ? this.#onlyInvalid.get(id) : 0;
    this.#succeeded.add(id);
    if (expectation.kind !== 'invalid') this.#onlyInvalid.delete(id);
    else if (count !== undefined) this.#onlyInvalid.set(id, count + 1);
  }

  /** What became of each operation of a run. */
  reach(operations: readonly Operation[], whyNotSent: (operation: Operation) => string): Reach {
    const succeeded = operations.filter(({ id }) => this.#succeeded.has(id));
    const rest = operations.filter(({ id }) => !this.#succeeded.has(id));
    const notSent = rest.filter(({ id }) => !this.#statuses.has(id));
    return {
      succeeded: succeeded.map(({ id }) => id),
      refused: rest.filter(({ id }) => this.#statuses.has(id)).map(({ id }) => id),
      notSent: notSent.map(({ id }) => id),
      reasons: Object.fromEntries(notSent.map((operation) => [operation.id, whyNotSent(operation)])),
    };
  }

  /** Says which operations accepted invalid requests only. */
  *describeInvalidSuccesses(): Iterable<string> {
    for (const [id, count] of this.#onlyInvalid) {
      const successes =
        count === 1 ? 'one success was for an invalid request' : `${count} successes were for invalid requests`;
      yield `${id}: ${successes}, none for a valid one.`;
    }
  }

  /**
   * Says that a given credential was refused, if each operation that demands one refused it.
   *
   * @param demanding - the operations that demand a credential.
   */
  credentialRefused(demanding: readonly Operation[]): string | undefined {
    const telling = ({ id }: Operation): number[] =>
      [...(this.#ofCredential.get(id) ?? [])].filter((status) => !INDIFFERENT.has(status));
    const tried = demanding.filter((operation) => telling(operation).length > 0);
    const isRefused = (operation: Operation): boolean =>
      telling(operation).every((status) => status === 401 || status === 403);
    if (tried.length === 0 || !tried.every(isRefused)) return undefined;
    const subject = tried.length === 1 ? `${tried[0]?.id}, the only operation` : `all ${tried.length} operations`;
    return `The credential was refused: ${subject} that demand${tried.length === 1 ? 's' : ''} one responded with 401 or 403 only.`;
  }

  hasSucceeded({ id }: Operation): boolean {
    return this.#succeeded.has(id);
  }

  hasSeen({ id }: Operation, status: number): boolean {
    return this.#statuses.get(id)?.has(status) === true;
  }

  /** Operations that were called and never succeeded, each with the likely reason. */
  unreached(
    operations: readonly Operation[],
    reasonOf: (operation: Operation) => string | undefined,
  ): UnreachedOperation[] {
    return operations.flatMap((operation) => {
      const seen = this.#statuses.get(operation.id);
      if (seen === undefined || this.#succeeded.has(operation.id)) return [];
      const status = this.#usualStatus(operation);
      const counts = [...seen].map(([one, count]) => `${one === 0 ? 'no response' : one}×${count}`).join(' ');
      // An id that no item has gives 404.
      const reason = TURNED_AWAY.has(status) && status !== 404 ? undefined : reasonOf(operation);
      return [{ operationId: operation.id, reason: `${reason ?? likelyReason(status)} (${counts})` }];
    });
  }

  /** Whether most responses of an operation refuse the credential, or what it may do. */
  isForbidden(operation: Operation): boolean {
    return [401, 403].includes(this.#usualStatus(operation));
  }

  #usualStatus({ id }: Operation): number {
    const [status = 0] = [...(this.#statuses.get(id) ?? [])].toSorted(([, one], [, other]) => other - one)[0] ?? [];
    return status;
  }

  /**
   * Why nothing was tested, if no operation succeeded.
   *
   * @param isLimited - the server asked the run to wait for longer than it may take.
   */
  nothingTested(isLimited: boolean): string | undefined {
    if (this.#succeeded.size > 0) return undefined;
    if (isLimited) return 'no operation succeeded before the server asked to wait for longer than the run may take.';
    if (this.#statuses.size === 0) return undefined;
    const all = [...this.#statuses.values()].flatMap((seen) => [...seen]);
    const totals = new Map<number, number>();
    for (const [status, count] of all) totals.set(status, (totals.get(status) ?? 0) + count);
    const [status = 0] = [...totals].toSorted(([, one], [, other]) => other - one)[0] ?? [];
    return `no operation succeeded. Most responses are ${status === 0 ? 'missing' : status}: ${likelyReason(status)}.`;
  }

  #allStatuses({ id }: Operation): ReadonlyMap<number, number> {
    const all = new Map(this.#statuses.get(id));
    for (const [status, times] of this.#limited.get(id) ?? []) all.set(status, (all.get(status) ?? 0) + times);
    return all;
  }

  #addPlace({ call, expectation }: Case, isBroken: boolean): void {
    if (expectation.kind !== 'invalid') return;
    const places = this.#keywords.get(expectation.keyword) ?? new Map<string, boolean>();
    const place = `${call.operation.id} ${expectation.pointer}`;
    places.set(place, isBroken || places.get(place) === true);
    this.#keywords.set(expectation.keyword, places);
  }

  report({ operations }: Api): ContractReport['coverage'] {
    return {
      operations: operations.map((operation) => describeCoverage(operation, this.#allStatuses(operation))),
      keywords: Object.fromEntries(
        [...this.#keywords]
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([keyword, places]) => {
            const broken = [...places.values()].filter(Boolean).length;
            return [keyword, { broken, places: places.size }];
          }),
      ),
    };
  }
}
