import { getOrInsert } from '../model/maps.js';
import { HttpError } from '../http/http-error.js';
import type { Violation } from '../http/messages.js';
import { DecodeError } from '../http/request/decode-error.js';
import { parseJson } from '../http/request/parse-json.js';
import { memberRenamer } from '../http/request/snake-case-names.js';
import type { Api } from '../model/api.js';
import { type Schema, refTo } from '../model/schema-types.js';
import { membersOf } from '../schema/facts/members.js';
import { type ValidationError, compileValidator } from '../schema/compile-validator.js';
import { type GeneratedValue, generateValue } from '../schema/generate-value.js';
import type { ValueLimits } from '../schema/sample/context.js';

/** A JSON Schema (2020-12) as a plain object. References to named schemas are `#/$defs/<name>`. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema at work: it validates values, makes some, and reads texts. */
export interface SchemaHandle {
  /** The errors of a value, each with its place; empty if the value is valid. Default direction: `request`. */
  validate(value: unknown, direction?: 'request' | 'response'): readonly ValidationError[];
  /** A realistic valid value for a response, the same for the same seed; or the reason why none can be made. */
  sample(seed: number): GeneratedValue;
  /**
   * Reads a JSON text from outside, such as a message of a WebSocket: member names are accepted in the spellings that
   * the API accepts, and the value is valid.
   *
   * @throws HttpError 400 with violations
   */
  parse(text: string): unknown;
  /** Names of the members that the schema describes. */
  readonly memberNames: ReadonlySet<string>;
  /** Those of them that only responses have (`readOnly`). */
  readonly readOnlyMembers: ReadonlySet<string>;
}

const handles = new WeakMap<Api, Map<string, SchemaHandle>>();

/** The handle of a schema of an API: of a named one, or of any other that may refer to named ones. */
export function openSchema(api: Api, schema: string | JsonSchema): SchemaHandle {
  if (typeof schema !== 'string') return createHandle(api, schema);
  const known = getOrInsert(handles, api, () => new Map<string, SchemaHandle>());
  return getOrInsert(known, schema, () => createHandle(api, { $ref: refTo(schema) }));
}

function createHandle(api: Api, schema: JsonSchema, limits: Partial<ValueLimits> = {}): SchemaHandle {
  // A schema that is written by hand is taken as it is: unknown keywords have no effect.
  const target: Schema = schema;
  let members: readonly { readonly name: string; readonly isReadOnly: boolean }[] | undefined;
  // Behaviours ask for each item of a request.
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

/** A schema that comes with a request must not need more values than this: each takes some microseconds. */
const MOST_STEPS = 4_000;

/**
 * The handle of a schema that belongs to no API, such as one that came with a request.
 *
 * @param definitions - the schemas that it refers to as `#/$defs/<name>`.
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
    const value = parseJson(text);
    return memberRenamer(api)?.(value, schema) ?? value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw refuseBody([error]);
  }
}

function refuseBody(errors: readonly { readonly pointer: string; readonly message: string }[]): HttpError {
  const violations = errors.map(({ pointer, message }): Violation => ({ in: 'body', pointer, message }));
  return new HttpError(400, 'The message does not match the specification.', { violations });
}
