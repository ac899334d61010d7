import type { Api } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { matchesLinear } from '../../schema/linear-pattern.js';
import type { Violation } from '../messages.js';
import { type DeclaredError, mergeErrorSchema } from './find-error-schema.js';
import { canonicalName, fittingCode, reasonPhrase } from './status-names.js';

/** What an error says. */
export interface ErrorFacts {
  readonly status: number;
  readonly message: string;
  readonly violations: readonly Violation[];
  readonly details: Readonly<Record<string, unknown>>;
}

type Members = Record<string, unknown>;

/**
 * Fills an error body of a declared schema: members with known names, and all required members. Violations and details
 * go into the member `error` if it is an object, else to the top level.
 */
export function fillError({ schema, examples }: DeclaredError, facts: ErrorFacts, api: Api): Members {
  const inner = mergeErrorSchema(schema.properties?.['error'], api);
  const isNested = inner?.properties !== undefined;
  // An example of this failure has the best code, except for violations, which get the general code.
  const sample = facts.violations.length > 0 ? undefined : examples.find(isRecord);
  const context = { facts, api, sample: isNested && isRecord(sample?.['error']) ? sample['error'] : sample, depth: 0 };
  const error = fillMembers(isNested ? inner : schema, context);
  Object.assign(error, facts.details, facts.violations.length > 0 ? { violations: facts.violations } : {});
  if (!isNested) return error;
  const outer = fillMembers(withoutMember(schema, 'error'), { facts, api, sample: undefined, depth: MOST_NESTED });
  return { error, ...outer };
}

/** Whether a body contains the message of an error. */
export function saysMessage(body: unknown, message: string): boolean {
  if (typeof body === 'string') return body.includes(message);
  return typeof body === 'object' && body !== null && Object.values(body).some((one) => saysMessage(one, message));
}

/** How many members of members are searched for a place for the message. */
const MOST_NESTED = 4;

interface FillContext {
  readonly facts: ErrorFacts;
  readonly api: Api;
  /** The error in an example, for its code. */
  readonly sample: Readonly<Record<string, unknown>> | undefined;
  /** How many objects contain the members. */
  readonly depth: number;
}

function withoutMember(schema: SchemaObject, name: string): SchemaObject {
  const properties = Object.entries(schema.properties ?? {}).filter(([key]) => key !== name);
  const required = (schema.required ?? []).filter((key) => key !== name);
  return { ...schema, properties: Object.fromEntries(properties), required };
}

function fillMembers({ properties = {}, required = [] }: SchemaObject, context: FillContext): Members {
  const members: Members = {};
  const inner = { ...context, depth: context.depth + 1 };
  for (const [name, schema] of Object.entries(properties)) {
    const value = fillMember(name, schema, inner, required.includes(name));
    if (value !== undefined) members[name] = value;
  }
  for (const name of required) if (!Object.hasOwn(properties, name)) members[name] = context.facts.message;
  return inner.depth > MOST_NESTED || saysMessage(members, context.facts.message)
    ? members
    : { ...members, ...fillOptional(properties, members, inner) };
}

/** Returns the first list or object that can contain the message, such as `errors` in `{ errors: [{ detail }] }`. */
function fillOptional(
  properties: Readonly<Record<string, Schema>>,
  members: Members,
  context: FillContext,
): Members | undefined {
  for (const [name, schema] of Object.entries(properties)) {
    const resolved = mergeErrorSchema(schema, context.api) ?? {};
    if (Object.hasOwn(members, name) || !(isOfType(resolved, 'object') || isOfType(resolved, 'array'))) continue;
    const value = anyValue(resolved, context);
    if (saysMessage(value, context.facts.message)) return { [name]: value };
  }
  return undefined;
}

function fillMember(name: string, schema: Schema, context: FillContext, isRequired: boolean): unknown {
  const resolved = mergeErrorSchema(schema, context.api) ?? {};
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const known = Object.hasOwn(WRITERS, plain) ? WRITERS[plain]?.(resolved, context, name) : undefined;
  if (known !== undefined) return known;
  return isRequired ? anyValue(resolved, context) : undefined;
}

/** Returns the value of a member with a known name; `undefined` if its schema does not fit. */
type Writer = (schema: SchemaObject, context: FillContext, name: string) => unknown;

const writeText: Writer = (schema, { facts }) =>
  isOfType(schema, 'string') && schema.enum === undefined ? fitText(facts.message, schema) : undefined;

const writeStatus: Writer = (schema, { facts }) => {
  if (isOfType(schema, 'integer') || isOfType(schema, 'number')) return facts.status;
  if (schema.enum !== undefined) return fittingCode(schema.enum, facts.status);
  if (!isOfType(schema, 'string')) return undefined;
  const candidates = [canonicalName(facts.status), String(facts.status), reasonPhrase(facts.status)];
  return candidates.find((text) => matches(text, schema));
};

const writeCode: Writer = (schema, context, name) => {
  const { facts, sample } = context;
  const example = sample?.[name];
  if (typeof example === 'string' || typeof example === 'number') return example;
  if (schema.enum !== undefined) return fittingCode(schema.enum, facts.status);
  if (isOfType(schema, 'integer') || isOfType(schema, 'number')) return fitNumber(facts.status, schema);
  return writeStatus(schema, context, name);
};

const writeTitle: Writer = (schema, { facts }) =>
  isOfType(schema, 'string') && schema.enum === undefined ? reasonPhrase(facts.status) : undefined;

/** Writes `about:blank` for a URI, the type of a problem (RFC 9457), or else a code. */
const writeType: Writer = (schema, context, name) =>
  schema.format?.startsWith('uri') === true ? 'about:blank' : writeCode(schema, context, name);

const WRITERS: Readonly<Record<string, Writer>> = {
  message: writeText,
  detail: writeText,
  description: writeText,
  errordescription: writeText,
  errormessage: writeText,
  msg: writeText,
  error: writeText,
  status: writeStatus,
  statuscode: writeStatus,
  httpstatus: writeStatus,
  code: writeCode,
  errorcode: writeCode,
  errortype: writeCode,
  reason: writeCode,
  kind: writeCode,
  title: writeTitle,
  type: writeType,
};

/** Returns a number that begins with the status, such as 404000 if the schema requires six digits. */
function fitNumber(status: number, { minimum = -Infinity, maximum = Infinity }: SchemaObject): number {
  for (const factor of [1, 10, 100, 1_000, 10_000]) {
    if (status * factor >= minimum && status * factor <= maximum) return status * factor;
  }
  return Number.isFinite(minimum) ? minimum : status;
}

function fitText(text: string, { maxLength = Infinity }: SchemaObject): string {
  return text.length > maxLength ? text.slice(0, maxLength) : text;
}

function matches(text: string, { pattern, maxLength = Infinity }: SchemaObject): boolean {
  return text.length <= maxLength && (pattern === undefined || matchesLinear(pattern, text));
}

function isOfType({ type }: SchemaObject, wanted: string): boolean {
  return type === undefined ? wanted === 'string' : [type].flat().some((one) => one === wanted);
}

/** Returns a value for a required member with an unknown name. */
function anyValue(schema: SchemaObject, context: FillContext): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return fittingCode(schema.enum, context.facts.status);
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.properties !== undefined || isOfType(schema, 'object'))
    return context.depth > MOST_NESTED ? {} : fillMembers(schema, context);
  if (isOfType(schema, 'array')) return fillList(schema, context);
  if (isOfType(schema, 'boolean')) return false;
  if (isOfType(schema, 'integer') || isOfType(schema, 'number')) return fitNumber(context.facts.status, schema);
  if (schema.format === 'date-time') return new Date().toISOString();
  if (schema.format?.startsWith('uri') === true) return 'about:blank';
  return isOfType(schema, 'string') ? fitText(context.facts.message, schema) : null;
}

/** Fills a list of errors with one item. */
function fillList({ items, minItems = 0 }: SchemaObject, context: FillContext): unknown[] {
  const item = mergeErrorSchema(items, context.api);
  if (item === undefined) return minItems > 0 ? [context.facts.message] : [];
  return [item.properties === undefined ? anyValue(item, context) : fillMembers(item, context)];
}
