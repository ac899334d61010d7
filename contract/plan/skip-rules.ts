import type { Operation } from '../../model/api.js';
import type { ContractSkip } from '../../config/contract-config.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { CHECKS, type CheckName } from '../types.js';

/** The rules of the user for what to skip. */
export class SkipRules {
  readonly #rules: readonly { readonly operation: RegExp; readonly check: string | undefined }[];

  /** @throws InputError if a rule is about no operation, or no check: a misspelt one would let through what it names. */
  constructor(skips: readonly ContractSkip[], operations: readonly Operation[]) {
    this.#rules = skips.map(({ operation = '*', check }) => {
      const pattern = new RegExp(`^${operation.split('*').map(escape).join('.*')}$`, 'su');
      if (!operations.some(({ id }) => pattern.test(id)))
        throw new InputError(
          `There is no operation ${JSON.stringify(operation)} to skip.${suggestName(
            operation,
            operations.map(({ id }) => id),
          )}`,
        );
      if (check !== undefined && !CHECKS.some((known) => known === check))
        throw new InputError(`There is no check ${JSON.stringify(check)} to skip.${suggestName(check, CHECKS)}`);
      return { operation: pattern, check };
    });
  }

  /** Whether an operation must not be called at all. */
  hasOperation({ id }: Operation): boolean {
    return this.#rules.some(({ operation, check }) => check === undefined && operation.test(id));
  }

  /** Whether the findings of a check are ignored at an operation. */
  hasCheck(check: CheckName, { id }: Operation): boolean {
    return this.#rules.some((rule) => rule.check === check && rule.operation.test(id));
  }
}

function escape(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
