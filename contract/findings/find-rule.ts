import { mediaKind, statusKeys } from '../../runtime/media-type.js';
import type { Api, ApiResponse, MediaType, Operation } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { appendPointer, splitPointer } from '../../model/document/pointer.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import type { Problem, RuleName } from '../checks/problem.js';
import { type PlacedSchema, placedSchemasAt } from '../../schema/placed-schemas.js';

/** The rule of a spec that a server does not keep. */
export interface Rule {
  /** Where it is written; its pointer may go on beyond what the document has. */
  readonly at: SourceLocation;
  /** Where it is written if it is not there. */
  readonly or?: SourceLocation;
  /** The schema that states it. */
  readonly schema?: SchemaObject;
}

/** The part of a request or response that a problem is about. */
interface Part {
  readonly at: SourceLocation;
  readonly schema?: Schema;
  readonly schemaAt: SourceLocation;
  /** The path of the value in the part. */
  readonly path: readonly string[];
}

type RuleProblem = Pick<Problem, 'check' | 'pointer' | 'rule' | 'cause'>;

/** Finds the rule that a problem is about: the keyword of a schema if it names one, else a part of the operation. */
export function findRule(problem: RuleProblem, operation: Operation, status: number, api: Api): Rule {
  const { check, pointer, rule } = problem;
  const part = requestPart(pointer, operation);
  if (part !== undefined) return ruleIn(part, rule, api) ?? { at: part.at };
  if (CREDENTIAL_CHECKS.has(check))
    return { at: below(operation.source, 'security'), or: { file: operation.source.file, pointer: '/security' } };
  const known = ruleOfOperation(problem, operation, status);
  if (known !== undefined) return known;
  const parts = responseParts(pointer, operation, status);
  for (const one of pointer === '' && rule === undefined ? [] : parts) {
    const found = ruleIn(one, rule ?? NAMED[check], api);
    if (found !== undefined) return found;
  }
  const [first] = rule === undefined ? [] : parts;
  return { at: first?.at ?? operation.source };
}

/** Checks that a credential is demanded. */
export const CREDENTIAL_CHECKS: ReadonlySet<string> = new Set(['authentication required', 'wrong credential refused']);

/** Checks of several requests that are about one keyword. */
const NAMED: Readonly<Partial<Record<Problem['check'], RuleName>>> = {
  'default value': { keyword: 'default' },
  'read-only ignored': { keyword: 'readOnly' },
};

/** The rule of a check that is about no schema. */
function ruleOfOperation({ check, cause }: RuleProblem, operation: Operation, status: number): Rule | undefined {
  const { source } = operation;
  if (check === 'documented status') return { at: below(source, 'responses') };
  const response = responseOf(operation, status);
  if (check === 'content type') return { at: response === undefined ? source : below(response.source, 'content') };
  if (check !== 'response headers') return undefined;
  const header = response?.headers.find(({ name }) => cause === `${name} `);
  return { at: header?.source ?? response?.source ?? source };
}

function below({ file, pointer }: SourceLocation, ...steps: readonly string[]): SourceLocation {
  return { file, pointer: steps.reduce(appendPointer, pointer) };
}

/** The part of a request that a pointer such as `body/name` or `query size` begins with. */
function requestPart(pointer: string, { body, parameters }: Operation): Part | undefined {
  const parameter = parameters
    .filter((one) => `${pointer}/`.startsWith(`${one.in} ${one.name}/`))
    .toSorted((one, other) => other.name.length - one.name.length)[0];
  if (parameter !== undefined) {
    const { source, schema } = parameter;
    const path = splitPointer(pointer.slice(`${parameter.in} ${parameter.name}`.length));
    return { at: source, schema, schemaAt: below(source, 'schema'), path };
  }
  if (body === undefined || !/^body(?=\/|$)/.test(pointer)) return undefined;
  const media = mainMedia(body.content);
  return { ...partOf(media, body.source), at: body.source, path: splitPointer(pointer.slice('body'.length)) };
}

function partOf(media: MediaType | undefined, source: SourceLocation): Omit<Part, 'path'> {
  const at = media?.source ?? source;
  const schema = media?.schema ?? media?.sequence?.schema;
  return {
    at,
    schemaAt: below(at, media?.schema === undefined ? 'itemSchema' : 'schema'),
    ...(schema === undefined ? {} : { schema }),
  };
}

function mainMedia(content: readonly MediaType[]): MediaType | undefined {
  return content.find(({ mediaType }) => mediaKind(mediaType) === 'json') ?? content[0];
}

/** The body of the response, then that of the request: a value that was sent and is not shown. */
function responseParts(pointer: string, operation: Operation, status: number): Part[] {
  if (pointer !== '' && !pointer.startsWith('/')) return [];
  const path = splitPointer(pointer);
  const response = responseOf(operation, status);
  const bodies = [response, operation.body].filter((one) => one !== undefined);
  return bodies.map((one) => ({ ...partOf(mainMedia(one.content), one.source), path }));
}

function responseOf({ responses }: Operation, status: number): ApiResponse | undefined {
  return statusKeys(status)
    .map((wanted) => responses.find((one) => one.status.toLowerCase() === wanted.toLowerCase()))
    .find((one) => one !== undefined);
}

/** Parts of a request that are no keywords of a schema, and where the spec states them. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = { 'content type': ['content'], json: ['content'] };

function ruleIn({ at, schema, schemaAt, path }: Part, rule: RuleName | undefined, api: Api): Rule | undefined {
  const outside = rule === undefined ? undefined : OUTSIDE[rule.keyword];
  if (outside !== undefined) return { at: below(at, ...outside) };
  if (rule?.keyword === 'required' && rule.member === undefined && path.length === 0)
    return { at: below(at, 'required') };
  if (schema === undefined) return undefined;
  // A missing member is reported at its own place; the schema of the object around it demands it.
  const isOuter =
    rule?.member === undefined && (rule?.keyword === 'required' || rule?.keyword === 'additionalProperties');
  const [member, around] = isOuter ? [path.at(-1), path.slice(0, -1)] : [rule?.member, path];
  const states = placedSchemasAt(schema, schemaAt, around, api);
  const stated = states.find((one) => doesState(one, rule?.keyword, member));
  if (stated !== undefined && rule !== undefined) return { at: below(stated.at, rule.keyword), schema: stated.schema };
  const [first] = states;
  return first === undefined ? undefined : { at: first.at, schema: first.schema };
}

function doesState({ schema }: PlacedSchema, keyword: string | undefined, member: string | undefined): boolean {
  if (keyword === undefined || !Object.hasOwn(schema, keyword)) return false;
  return keyword !== 'required' || member === undefined || schema.required?.includes(member) === true;
}
