import { SCHEMAS } from '../generated/options/schemas.js';
import type { ValidationError } from '../generated/options/validators.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import { appendPointer, splitPointer } from '../model/document/pointer.js';

/** The part of JSON Schema that `config/options.schema.json` uses, and its extensions. */
export interface OptionSchema {
  readonly $ref?: string;
  readonly title?: string;
  /** The first sentence is the help of the flag. */
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly not?: object;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly allOf?: readonly OptionSchema[];
  /** An object or a constant. */
  readonly oneOf?: readonly OptionSchema[];
  readonly properties?: OptionSchemas;
  readonly propertyNames?: OptionSchema;
  readonly additionalProperties?: boolean | OptionSchema;
  readonly items?: OptionSchema;
  /** `--name VALUE`, and ` ...` if it may be repeated. Default: a switch with the member's name. */
  readonly 'x-flag'?: string;
  /** The member has no flag, and no place in a JSON or YAML file if it is a function. */
  readonly 'x-function-only'?: boolean;
  /** The default in words, if it is not a constant. */
  readonly 'x-default'?: string;
  /** What a wrong value must be, in words. */
  readonly 'x-expected'?: string;
  /** Markdown after the description in the tables of the guides. */
  readonly 'x-docs'?: string;
  /** What a missing required option is. */
  readonly 'x-missing'?: string;
  /** The function that takes these options, as the subject of a sentence. */
  readonly 'x-owner'?: string;
  readonly 'x-command'?: CommandSchema;
}

/** What the help of a command says besides its options. */
export interface CommandSchema {
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  /** The arguments in the help, such as `[api...]`. */
  readonly usage: string;
  /** The number of arguments. */
  readonly least: number;
  readonly most: number;
  /** Lines of the help after the options. */
  readonly notes: readonly string[];
  readonly examples: readonly string[];
}

export type OptionSchemas = Readonly<Record<string, OptionSchema>>;

/** All schemas of `config/options.schema.json` by name. */
export const OPTION_SCHEMAS: OptionSchemas = SCHEMAS;

/** The members of a schema and of those that it extends, in the order in which they are written. */
export function optionsOf(schema: OptionSchema, schemas: OptionSchemas = OPTION_SCHEMAS): OptionSchemas {
  const whole = resolveRef(schema, schemas);
  const parts = Object.entries(whole).flatMap(([keyword]) => {
    if (keyword === 'properties') return Object.entries(whole.properties ?? {});
    if (keyword !== 'allOf' && keyword !== 'oneOf') return [];
    return (whole[keyword] ?? []).flatMap((part) => Object.entries(optionsOf(part, schemas)));
  });
  return Object.fromEntries(parts.map(([name, member]) => [name, resolveRef(member, schemas)]));
}

/** A schema with the keywords of the one that it refers to. Its own win. */
function resolveRef(schema: OptionSchema, schemas: OptionSchemas): OptionSchema {
  const { $ref, ...own } = schema;
  const target = $ref === undefined ? undefined : schemas[$ref.replace('#/$defs/', '')];
  return target === undefined ? own : { ...resolveRef(target, schemas), ...own };
}

/** An option on the command line. */
export interface Flag {
  /** The name of the option in functions. */
  readonly member: string;
  readonly name: string;
  /** The name of its value, such as `FILE`; absent for a switch. */
  readonly value?: string;
  readonly isRepeated: boolean;
  readonly schema: OptionSchema;
}

/** The flags of a command, or of the options of a function. */
export function flagsOf(name: string, schemas: OptionSchemas = OPTION_SCHEMAS): readonly Flag[] {
  return Object.entries(optionsOf(schemas[name] ?? {}, schemas)).flatMap(([member, schema]) => {
    const flag = readFlag(member, schema);
    return flag === undefined ? [] : [flag];
  });
}

function readFlag(member: string, schema: OptionSchema): Flag | undefined {
  const form = schema['x-flag'];
  if (form !== undefined) {
    const [, name = '', value = ''] = /^--(\S+) (.*?)(?: \.\.\.)?$/.exec(form) ?? [];
    return { member, name, value, isRepeated: form.endsWith(' ...'), schema };
  }
  if (schema.type !== 'boolean' || schema['x-function-only'] === true) return undefined;
  const name = member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return { member, name, isRepeated: false, schema };
}

/** The default of a member in words; empty for none. */
export function describeDefault(schema: OptionSchema): string {
  if (schema['x-default'] !== undefined) return schema['x-default'];
  const { default: value = false } = schema;
  return value === false || Array.isArray(value) ? '' : String(value);
}

/** The schema of the value at a pointer. */
function findSchema(root: OptionSchema, pointer: string, schemas: OptionSchemas): OptionSchema {
  return splitPointer(pointer).reduce(
    (schema: OptionSchema, step) => {
      const { items, additionalProperties } = schema;
      const others = typeof additionalProperties === 'object' ? additionalProperties : {};
      const members = optionsOf(schema, schemas);
      const own = Object.hasOwn(members, step) ? members[step] : undefined;
      return resolveRef(own ?? (/^\d+$/.test(step) && items !== undefined ? items : others), schemas);
    },
    resolveRef(root, schemas),
  );
}

/** A problem of a value: a plain sentence and a JSON pointer. */
export interface OptionProblem {
  readonly pointer: string;
  readonly message: string;
}

/**
 * Returns the first problem of a value, or `undefined` if there is none.
 *
 * @param name - the schema of the value.
 * @param subject - names the value at a pointer, as the start of a sentence.
 */
export function describeProblem(
  errors: readonly ValidationError[],
  name: string,
  subject: (pointer: string) => string,
  schemas: OptionSchemas = OPTION_SCHEMAS,
): OptionProblem | undefined {
  const [first] = withoutAlternatives(errors);
  if (first === undefined) return undefined;
  const missing = first.params['missingProperty'];
  const isClearer = ({ pointer, params }: ValidationError): boolean => {
    if (pointer !== first.pointer) return false;
    // If a required member is misspelt, reports the typo instead of the missing member.
    if (typeof missing === 'string') return suggestName(unknownName(params) ?? '', [missing]) !== '';
    // The error of a name comes before the one that says which name it is.
    return first.keyword === 'pattern' && 'propertyName' in params;
  };
  return describeError(errors.find(isClearer) ?? first, schemas[name] ?? {}, { subject, schemas });
}

/** Keeps what is wrong inside of a value that may also be a constant; else that it is neither. */
function withoutAlternatives(errors: readonly ValidationError[]): readonly ValidationError[] {
  const alternatives = errors.filter(({ keyword }) => keyword === 'oneOf');
  if (alternatives.length === 0) return errors;
  const pointers = new Set(alternatives.map(({ pointer }) => pointer));
  const inside = errors.filter(
    ({ pointer, keyword }) => !pointers.has(pointer) || !['oneOf', 'const', 'type'].includes(keyword),
  );
  return inside.length > 0 ? inside : alternatives;
}

function unknownName(params: ValidationError['params']): string | undefined {
  const name = params['additionalProperty'] ?? params['unevaluatedProperty'];
  return typeof name === 'string' ? name : undefined;
}

function describeError(
  { pointer, params }: ValidationError,
  root: OptionSchema,
  { subject, schemas }: { readonly subject: (pointer: string) => string; readonly schemas: OptionSchemas },
): OptionProblem {
  const schema = findSchema(root, pointer, schemas);
  const { missingProperty, propertyName } = params;
  const unknown = unknownName(params);
  if (typeof missingProperty === 'string')
    return { pointer, message: `${subject(pointer)} has no ${missingProperty}.` };
  if (typeof propertyName === 'string') {
    const { title = 'name', ...names } = resolveRef(schema.propertyNames ?? {}, schemas);
    const message = `The ${title} ${JSON.stringify(propertyName)} must ${names['x-expected']}.`;
    return { pointer: appendPointer(pointer, propertyName), message };
  }
  if (unknown === undefined) return { pointer, message: `${subject(pointer)} must be ${describeExpected(schema)}.` };
  const message = `${subject(pointer)} has no member ${unknown}.${suggestName(unknown, Object.keys(optionsOf(schema, schemas)))}`;
  return { pointer: appendPointer(pointer, unknown), message };
}

/** Says what a value must be, such as `a whole number from 0 to 65535`. */
function describeExpected(schema: OptionSchema): string {
  const { enum: choices, not, type, minLength = 0, minimum, maximum, properties } = schema;
  if (schema['x-expected'] !== undefined) return schema['x-expected'];
  if (choices !== undefined) return `one of ${choices.join(', ')}`;
  if (not !== undefined) return 'a function';
  if (Array.isArray(type)) return type.map((one: string) => describeExpected({ type: one })).join(' or ');
  switch (type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number${maximum === undefined ? (minimum === 1 ? ' above 0' : '') : ` from ${minimum} to ${maximum}`}`;
    case 'array':
      return 'a list';
    case 'object':
      return properties === undefined ? 'an object' : `an object with ${Object.keys(properties).join(', ')}`;
    case 'string':
      return minLength > 0 ? 'a text that is not empty' : 'a text';
    default:
      return `a ${String(type)}`;
  }
}
