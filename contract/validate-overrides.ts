import type { Api, Operation } from '../model/api.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { compileValidator } from '../schema/compile-validator.js';

/**
 * Checks values that the user knows for parameters, by `name` or `operationId.name`.
 *
 * @throws InputError where there is no such parameter, or the value fits none of that name.
 */
export function checkParameters(
  given: Readonly<Record<string, unknown>>,
  operations: readonly Operation[],
  api: Api,
): void {
  const all = operations.flatMap(({ id, parameters }) => parameters.map((parameter) => ({ id, parameter })));
  for (const [name, value] of Object.entries(given)) {
    const named = all.filter(({ id, parameter }) => name === parameter.name || name === `${id}.${parameter.name}`);
    if (named.length === 0) {
      const known = new Set(all.map(({ parameter }) => parameter.name));
      throw new InputError(`No operation has a parameter ${JSON.stringify(name)}.${suggestName(name, known)}`);
    }
    const errors = named.map(({ parameter }) =>
      compileValidator(api, parameter.schema, { direction: 'request' })(value),
    );
    if (errors.some((found) => found.length === 0)) continue;
    const message = errors[0]?.[0]?.message ?? 'is not valid';
    throw new InputError(`The value of the parameter ${JSON.stringify(name)} does not fit the spec: it ${message}.`);
  }
}
