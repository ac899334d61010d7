import type { Api } from '../model/api.js';
import type { Case, ContractReport, Exchange, OperationCoverage } from './types.js';

/** Counts what a run has reached. */
export class Coverage {
  readonly #statuses = new Map<string, Map<number, number>>();
  readonly #keywords = new Map<string, number>();

  add({ call, expectation }: Case, { status }: Exchange): void {
    const seen = this.#statuses.get(call.operation.id) ?? new Map<number, number>();
    seen.set(status, (seen.get(status) ?? 0) + 1);
    this.#statuses.set(call.operation.id, seen);
    if (expectation.kind !== 'invalid') return;
    this.#keywords.set(expectation.keyword, (this.#keywords.get(expectation.keyword) ?? 0) + 1);
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
      keywords: Object.fromEntries([...this.#keywords].sort(([one], [other]) => (one < other ? -1 : 1))),
    };
  }
}
