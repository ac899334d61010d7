import type { Api } from '../../model/api.js';
import type { Case, ContractReport, Exchange, OperationCoverage } from '../types.js';

/** Counts what a run has reached. */
export class Coverage {
  readonly #statuses = new Map<string, Map<number, number>>();
  /** By keyword: the places where it can be broken, and whether it was. */
  readonly #keywords = new Map<string, Map<string, boolean>>();

  /** Takes in cases that are known, sent or not. */
  plan(cases: readonly Case[]): void {
    for (const one of cases) this.#addPlace(one, false);
  }

  add(tried: Case, { status }: Exchange): void {
    const { call } = tried;
    const seen = this.#statuses.get(call.operation.id) ?? new Map<number, number>();
    seen.set(status, (seen.get(status) ?? 0) + 1);
    this.#statuses.set(call.operation.id, seen);
    this.#addPlace(tried, true);
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
      operations: operations.map((operation): OperationCoverage => {
        const seen = this.#statuses.get(operation.id) ?? new Map<number, number>();
        const isSeen = (status: string): boolean =>
          [...seen.keys()].some(
            (one) => status === String(one) || status.toLowerCase() === `${Math.floor(one / 100)}xx`,
          );
        return {
          operationId: operation.id,
          method: operation.method.toUpperCase(),
          path: operation.path,
          requests: [...seen.values()].reduce((sum, count) => sum + count, 0),
          statuses: Object.fromEntries([...seen].sort(([one], [other]) => one - other)),
          unseen: operation.responses
            .map(({ status }) => status)
            .filter((status) => status !== 'default' && !isSeen(status)),
        };
      }),
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
