import { getOrInsert } from '../model/maps.js';
import { HttpError } from '../http/http-error.js';
import type { Violation } from '../http/messages.js';
import { DecodeError } from '../runtime/decode-error.js';
import { decodeJson } from '../runtime/decode-json.js';
import { describeViolations } from '../http/request/refuse-request.js';
import { memberRenamer } from '../http/request/snake-case-names.js';
import type { Api } from '../model/api.js';
import { type Schema, refTo } from '../model/schema-types.js';
import { membersOf } from '../schema/facts/members.js';
import { type ValidationError, compileValidator } from '../schema/compile-validator.js';
import { type GeneratedValue, generateValue } from '../schema/generate-value.js';
import type { ValueLimits } from '../schema/sample/sample-context.js';

/** A JSON Schema (2020-12) as a plain object. References to named schemas are `#/$defs/<name>`. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Validates values, generates values and parses texts of one schema. */
export interface SchemaHandle {
  /** Returns the errors of a value, each with its place; empty if it is valid. Default direction: `request`. */
  validate(value: unknown, direction?: 'request' | 'response'): readonly ValidationError[];
  /** Generates a realistic valid value for a response, the same for the same seed, or the reason why there is none. */
  sample(seed: number): GeneratedValue;
  /**
   * Parses and validates JSON from outside, such as a WebSocket message. Member names may have any spelling that the
   * API accepts.
   *
   * @throws HttpError 400 with violations
   */
  parse(text: string): unknown;
  /** The names of the members that the schema describes. */
  readonly memberNames: ReadonlySet<string>;
  /** The names of the `readOnly` members. */
  readonly readOnlyMembers: ReadonlySet<string>;
}

const handles = new WeakMap<Api, Map<string, SchemaHandle>>();

/** Returns the handle of a named schema of an API, or of any schema, which may refer to named ones. */
export function openSchema(api: Api, schema: string | JsonSchema): SchemaHandle {
  if (typeof schema !== 'string') return createHandle(api, schema);
  const known = getOrInsert(handles, api, () => new Map<string, SchemaHandle>());
  return getOrInsert(known, schema, () => createHandle(api, { $ref: refTo(schema) }));
}

function createHandle(api: Api, schema: JsonSchema, limits: Partial<ValueLimits> = {}): SchemaHandle {
  // Schemas written by hand are not normalised: unknown keywords have no effect.
  const target: Schema = schema;
  let members: readonly { readonly name: string; readonly isReadOnly: boolean }[] | undefined;
  // Computed once, because behaviours read them for each item of a request.
  let memberNames: ReadonlySet<string> | undefined;
  let readOnlyMembers: ReadonlySet<string> | undefined;
  const readMembersOnce = (): NonNullable<typeof members> => (members ??= [...membersOf(target, api).values()]);
  return {
    validate: (value, direction = 'request') => compileValidator(api, target, { direction })(value),
    sample: (seed) => generateValue(api, target, { direction: 'response', seed, limits }),
    parse: (text) => {
      const value = readMembers(api, target, text);
      const errors = compileValidator(api, target, { direction: 'request' })(value);
      if (errors.length > 0) throw refuseBody(errors);
      return value;
    },
    get memberNames() {
      memberNames ??= new Set(readMembersOnce().map(({ name }) => name));
      return memberNames;
    },
    get readOnlyMembers() {
      readOnlyMembers ??= new Set(readMembersOnce().flatMap(({ name, isReadOnly }) => (isReadOnly ? [name] : [])));
      return readOnlyMembers;
    },
  };
}

/** The most steps to generate a value for a schema that comes with a request. Each takes a few microseconds. */
const MOST_STEPS = 4_000;

/**
 * Creates the handle of a schema outside of any API, such as one that came with a request.
 *
 * @param definitions - the schemas that it may refer to as `#/$defs/<name>`.
 */
export function compileSchema(
  schema: JsonSchema | boolean,
  definitions: Readonly<Record<string, JsonSchema | boolean>> = {},
): SchemaHandle {
  const source = { file: '', pointer: '' };
  const named = Object.entries(definitions).map(
    ([name, one]) => [name, { name, originalName: name, schema: one, source }] as const,
  );
  const api: Api = {
    ...{ dialect: 'json-schema', title: '', version: '', schemas: new Map(named), operations: [], webhooks: [] },
    ...{
      securitySchemes: new Map(),
      servers: [],
      tags: [],
      extensions: {},
      extensionNames: [],
      files: [],
      diagnostics: [],
    },
  };
  return createHandle(api, typeof schema === 'boolean' ? { allOf: [schema] } : schema, { maxSteps: MOST_STEPS });
}

function readMembers(api: Api, schema: Schema, text: string): unknown {
  try {
    const value = decodeJson(text);
    return memberRenamer(api)?.(value, schema) ?? value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw refuseBody([error]);
  }
}

function refuseBody(errors: readonly { readonly pointer: string; readonly message: string }[]): HttpError {
  const violations = errors.map(({ pointer, message }): Violation => ({ in: 'body', pointer, message }));
  return new HttpError(400, describeViolations(violations), { violations });
}
