import type { Api, Operation } from '../model/api.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import { InputError } from '../model/diagnostics/input-error.js';
import type { Schema } from '../model/schema-types.js';
import { compileValidator } from '../schema/compile-validator.js';
import { memberSchemas } from '../schema/facts/members.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

/** The target of a value: a parameter, or a member of a body. */
interface Place {
  readonly name: string;
  readonly schema: Schema;
}

/**
 * Checks the user's values for parameters, by `name` or `operationId.name`, and for members of bodies, by `body.name`
 * or `operationId.body.name`.
 *
 * @throws InputError if there is no such parameter or member, or the value fits none with that name.
 */
export function checkParameters(
  given: Readonly<Record<string, unknown>>,
  operations: readonly Operation[],
  api: Api,
): void {
  for (const [name, value] of Object.entries(given)) {
    const isBody = /^(?:.+\.)?body\./.test(name);
    const places = operations.flatMap((operation) =>
      (isBody ? bodyPlaces(operation, name, api) : parameterPlaces(operation)).map((one) => ({ ...one, operation })),
    );
    const named = places.filter((one) => name === one.name || name === `${one.operation.id}.${one.name}`);
    if (named.length === 0) {
      const what = isBody ? 'body with the member' : 'parameter';
      const known = new Set(places.map((one) => one.name));
      throw new InputError(`No operation has a ${what} ${stringifyExactJson(name)}.${suggestName(name, known)}`);
    }
    // The result of a function is only known when a request is sent.
    if (typeof value === 'function') continue;
    const errors = named.map(({ schema }) => compileValidator(api, schema, { direction: 'request' })(value));
    if (errors.some((found) => found.length === 0)) continue;
    const message = errors[0]?.[0]?.message ?? 'is not valid';
    const what = isBody ? 'member' : 'parameter';
    throw new InputError(`The value of the ${what} ${stringifyExactJson(name)} does not fit the spec: it ${message}.`);
  }
}

function parameterPlaces({ parameters }: Operation): Place[] {
  return parameters.map(({ name, schema }) => ({ name, schema }));
}

/** The members next to a misspelt one, for the message. */
function bodyPlaces({ body }: Operation, name: string, api: Api): Place[] {
  const path = name
    .slice(name.search(/(?:^|\.)body\./))
    .replace(/^\.?body\./, '')
    .split('.');
  return (body?.content ?? []).flatMap(({ schema = true }) => {
    const places: Place[] = [];
    let here = memberSchemas(schema, api);
    let start = 'body';
    for (const step of path) {
      for (const [member, own] of here) places.push({ name: `${start}.${member}`, schema: own });
      here = memberSchemas(here.get(step) ?? true, api);
      start = `${start}.${step}`;
    }
    return places;
  });
}
