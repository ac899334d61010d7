import type { ValidationError } from '../../runtime/checks.js';
import type { Api } from '../../model/api.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import { isRecord, withoutUndefined } from '../../model/document/records.js';
import type { SchemaObject } from '../../model/schema-types.js';
import { type OptionSchema, describeProblem } from '../../config/option-schema.js';
import { compileValidator } from '../../schema/compile-validator.js';
import type { EmitterDefinition } from './contract.js';

/**
 * Checks the options of an emitter by their declarations and applies the defaults.
 *
 * @throws InputError for an unknown option, with the name that may be meant, and for a wrong value.
 */
export function readEmitterOptions({ name, options: declared = {} }: EmitterDefinition, given: unknown): object {
  const subject = `The emitter ${JSON.stringify(name)}`;
  if (!isRecord(given))
    throw new InputError(`${subject} needs an object with its options, not ${JSON.stringify(given)}.`);
  const known = Object.keys(declared);
  const unknown = Object.keys(given).find((option) => !known.includes(option));
  if (unknown !== undefined) {
    const listed = known.length === 0 ? ' It has no options.' : ` There are ${known.join(', ')}.`;
    throw new InputError(
      `${subject} has no option ${JSON.stringify(unknown)}.${suggestName(unknown, known) || listed}`,
    );
  }
  const values = withoutUndefined(given);
  const schema = { type: 'object', properties: declared } as SchemaObject & OptionSchema;
  const problem = describeProblem(
    findErrors(schema, values),
    name,
    (pointer) => `The option ${pointer.slice(1)} of the emitter ${JSON.stringify(name)}`,
    {
      [name]: schema,
    },
  );
  if (problem !== undefined) throw new InputError(problem.message);
  const defaults = Object.entries(declared).flatMap(([option, { default: value }]) =>
    value === undefined ? [] : [[option, value]],
  );
  return { ...Object.fromEntries(defaults), ...values };
}

function findErrors(schema: SchemaObject, value: object): readonly ValidationError[] {
  // The declarations refer to nothing, so no part of an API is read.
  const api = { schemas: new Map() } as unknown as Api;
  return compileValidator(api, schema, { direction: 'request' })(value);
}
