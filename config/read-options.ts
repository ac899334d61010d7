import { SCHEMAS } from '../generated/options/schemas.js';
import * as validators from '../generated/options/validators.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { isRecord, withoutUndefined } from '../model/document/records.js';
import { parseVendor } from '../model/rename-vendor.js';
import { findUnknownName } from './option-checks.js';
import { describeProblem, optionsOf, OPTION_SCHEMAS, type OptionSchemas } from './option-schema.js';

type Schemas = typeof SCHEMAS;

/** By `validate` and the name of the schema. */
const VALIDATORS: Readonly<Record<string, unknown>> = { ...validators };

/** The names of the options of functions: the schemas with an owner. */
export type OptionsName = {
  [Name in keyof Schemas]: Schemas[Name] extends { readonly 'x-owner': string } ? Name : never;
}[keyof Schemas];

/** The names of the schemas that a schema extends. */
type Parts<Name> = Name extends keyof Schemas
  ? Schemas[Name] extends { readonly allOf: readonly { readonly $ref: `#/$defs/${infer Part}` }[] }
    ? Name | Parts<Part>
    : Name
  : never;

type Defaulted<Properties> = {
  [Member in keyof Properties]: Properties[Member] extends { readonly default: unknown } ? Member : never;
}[keyof Properties];

/** The members of a schema that have a default. */
type DefaultedMember<Name> =
  Parts<Name> extends infer Part
    ? Part extends keyof Schemas
      ? Schemas[Part] extends { readonly properties: infer Properties }
        ? Defaulted<Properties>
        : never
      : never
    : never;

/** Options with the defaults of their schema: the members that have one, and `cwd`, are always there. */
export type WithDefaults<Options, Name> = Options & {
  readonly [Member in keyof Options & (DefaultedMember<Name> | 'cwd')]-?: Exclude<Options[Member], undefined>;
};

/**
 * Checks the options of a function and applies the defaults of their schema. No other code checks them.
 *
 * @param name - the schema of the options.
 * @throws InputError for an unknown option, which is most likely a typo, for a wrong value, and for a missing object of
 *   options, which only JavaScript allows.
 */
export function readOptions<Name extends OptionsName, Options extends object>(
  name: Name,
  options: Options,
): WithDefaults<Options, Name> {
  const schema = OPTION_SCHEMAS[name] ?? {};
  const owner = SCHEMAS[name]['x-owner'];
  if (!isRecord(options)) throw new InputError(`${owner} needs an object with its options.`);
  const members = optionsOf(schema);
  const unknown = findUnknownName(options, Object.keys(members));
  if (unknown !== undefined) throw new InputError(`${owner} has no option ${unknown}`);
  const given = withoutUndefined(options);
  const problem = describeProblem(findOptionErrors(name, given), name, (pointer) =>
    pointer === '' ? owner : `The option ${pointer.slice(1)}`,
  );
  if (problem !== undefined) throw new InputError(problem.message);
  if ('vendor' in given && typeof given.vendor === 'string') parseVendor(given.vendor);
  return { cwd: process.cwd(), ...applyDefaults(name, given as Options) };
}

/** Returns a value with the defaults of its schema. */
export function applyDefaults<Name extends keyof Schemas, Options extends object>(
  name: Name,
  given: Options,
  schemas: OptionSchemas = OPTION_SCHEMAS,
): WithDefaults<Options, Name> {
  const members = Object.entries(optionsOf(schemas[name] ?? {}, schemas));
  const defaults = members.flatMap(([member, { default: value }]) => (value === undefined ? [] : [[member, value]]));
  // Cast: the schema says which members have a default.
  return { ...Object.fromEntries(defaults), ...withoutUndefined(given) } as WithDefaults<Options, Name>;
}

/** The errors of a value by one of the schemas; for flags, whose command is known by name. */
export function findOptionErrors(schema: string, value: object): readonly validators.ValidationError[] {
  // Cast: each schema has a validator.
  const validate = VALIDATORS[`validate${schema}`] as typeof validators.validateConfiguration;
  const result = validate(value);
  return result.ok ? [] : result.errors;
}
