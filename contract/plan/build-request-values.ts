import type { Api, MediaType, Operation, Parameter } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { isValidValue } from '../../schema/compile-validator.js';
import { membersOf } from '../../schema/facts/members.js';
import { holdingParts } from '../../schema/facts/parts.js';
import { generateValue } from '../../schema/generate-value.js';
import type { ValueVariant } from '../../schema/sample/sample-context.js';
import { credentialPlaces } from '../execute/http/made-up-credentials.js';
import { alternativeMessages } from './alternative-messages.js';
import { withEndsAhead } from './ends-ahead.js';
import { bodyKindOf } from '../../http/request/write-body.js';
import { unsendableLists } from '../../http/request/write-body.js';
import { hasForm } from '../../http/request/write-request.js';
import { firstPageOf, listPagesOf } from '../../resources/paging.js';
import { memberSchemas } from '../../schema/facts/members.js';
import type { IdPool } from '../execute/ids/id-pool.js';
import type { Call, CallBody } from '../types.js';
import { showJson } from '../../model/exact-json.js';

export interface CallContext {
  readonly api: Api;
  readonly pool: IdPool;
  /** Whether a request spares what was there before the run, or the user allows to change it. */
  readonly sparesExisting: (call: Call) => boolean;
  /** Does work that may take long; ends it when the time of the run is up. */
  readonly inTime: <Result>(work: () => Result) => Result;
}

export interface CallStyle {
  readonly variant: ValueVariant;
  readonly seed: number;
}

/** Parameters that change the response to a valid request. They have checks of their own. */
const CONDITIONS = /^(?:if-(?:match|none-match|modified-since|unmodified-since|range)|range|prefer)$/i;

/** The parameters that generated values fill. Credentials and conditions are added elsewhere. */
export function fillableParameters({ parameters, security }: Operation, api: Api): Parameter[] {
  const places = credentialPlaces(api);
  return parameters.filter((parameter) => {
    const { name, required } = parameter;
    // Without security, nothing else sends a key that the operation requires as a parameter.
    const isFree = required && security.length === 0;
    if (parameter.in === 'header')
      return (isFree || !places.headers.has(name.toLowerCase())) && (required || !CONDITIONS.test(name));
    return parameter.in !== 'query' || isFree || !places.query.has(name);
  });
}

/** Returns a valid call with generated values and ids of existing items; `undefined` if the spec allows none. */
export function makeCall(operation: Operation, style: CallStyle, context: CallContext): Call | undefined {
  const made = context.inTime(() => sampleCall(operation, style, context.api));
  return made === undefined ? undefined : context.pool.withIds(made);
}

/**
 * The body that an operation takes. The body of a GET has no meaning (RFC 9110, section 9.3.1), so it is sent only if
 * the spec requires it.
 */
export function bodyOf({ method, body }: Operation): Operation['body'] {
  if (method === 'head') return undefined;
  return method === 'get' && body?.required !== true ? undefined : body;
}

/** If a parameter of one variant cannot be written, the next variant is tried. */
const VARIANTS: readonly ValueVariant[] = ['full', 'typical', 'minimal'];

export function sampleCall(operation: Operation, style: CallStyle, api: Api): Call | undefined {
  const wanted = fillableParameters(operation, api).filter(({ required }) => required || style.variant === 'full');
  const parameters = new Map<Parameter, unknown>();
  for (const parameter of wanted) {
    const variants = [style.variant, ...VARIANTS];
    const value =
      pageNumber(operation, parameter, api) ??
      variants
        .map((variant) => parameterValue(parameter, { ...style, variant }, api))
        .find((one) => one !== undefined && hasForm(parameter, one));
    if (value !== undefined) parameters.set(parameter, value);
    else if (parameter.required) return undefined;
  }
  const described = bodyOf(operation);
  const [media] = described?.content ?? [];
  const wantsBody = media !== undefined && (described?.required === true || style.variant !== 'minimal');
  if (!wantsBody) return { operation, parameters };
  const body = makeBody(preferJson(described?.content ?? []) ?? media, style, api);
  if (body === undefined) return described?.required === true ? undefined : { operation, parameters };
  return { operation, parameters, body };
}

/** Prefers JSON, whose values can be broken on purpose. */
function preferJson(content: readonly MediaType[]): MediaType | undefined {
  return content.find(({ mediaType }) => bodyKindOf(mediaType) === 'json');
}

/** Returns a body of a media type with a generated value. A typical one holds one of alternative messages. */
export function makeBody(media: MediaType, { variant, seed }: CallStyle, api: Api): CallBody | undefined {
  const options = { direction: 'request', seed, variant } as const;
  const [message] = variant === 'typical' ? alternativeMessages(media.schema ?? true, api) : [];
  const alone = message === undefined ? undefined : generateValue(api, message.schema, options);
  if (message !== undefined && alone?.ok === true) return { media, value: { [message.name]: alone.value } };
  const made = generateValue(api, media.schema ?? { type: 'string' }, options);
  if (!made.ok) return undefined;
  return withEndsAhead({ media, value: fillRequiredLists({ media, value: made.value }, { variant, seed }, api) }, api);
}

/** Puts an item into each list that a form needs and cannot carry without one. */
function fillRequiredLists(body: CallBody, { variant, seed }: CallStyle, api: Api): unknown {
  const empty = unsendableLists(body, api);
  if (empty.length === 0) return body.value;
  const schemas = memberSchemas(body.media.schema ?? true, api);
  const filled = empty.flatMap((name) => {
    const list = { allOf: [schemas.get(name) ?? true, { minItems: 1 }] };
    const made = generateValue(api, list, { direction: 'request', seed, variant });
    return made.ok ? [[name, made.value] as const] : [];
  });
  return { ...(body.value as object), ...Object.fromEntries(filled) };
}

/** The number of a page is that of the first one: the others may be empty. */
function pageNumber(operation: Operation, parameter: Parameter, api: Api): number | undefined {
  const { page } = parameter.in === 'query' ? listPagesOf(operation, api).parameters : {};
  if (page?.name !== parameter.name) return undefined;
  const first = firstPageOf(page, api);
  return isValidValue(first, parameter.schema, api) ? first : undefined;
}

function parameterValue({ schema, examples }: Parameter, { variant, seed }: CallStyle, api: Api): unknown {
  const example = examples.find(({ value }) => isValidExample(value, schema, api))?.value;
  if (example !== undefined && variant !== 'typical') return example;
  const made = generateValue(api, schema, { direction: 'request', seed, variant });
  return made.ok ? made.value : undefined;
}

/** An example of the spec as a call, and the place where a refusal would be wrong (see `Expectation`). */
export interface ExampleCall extends Call {
  readonly judged?: () => string;
}

/** A fixed time in an example may be in the past by now. */
function hasMoment(value: unknown): boolean {
  return /"\d{4}-\d\d-\d\dT/.test(showJson(value, ''));
}

/** A call for each example of the spec: of each body, and of each parameter. */
export function exampleCalls(operation: Operation, context: CallContext): ExampleCall[] {
  const base = makeCall(operation, { variant: 'minimal', seed: 1 }, context);
  if (base === undefined) return [];
  const bodies = (bodyOf(operation)?.content ?? []).flatMap((media) =>
    [...media.examples, ...rootExamples(media, context.api)]
      .filter(({ value }) => isValidExample(value, media.schema ?? true, context.api))
      .map(({ value }) => ({
        ...context.pool.withIds({ ...base, body: { media, value } }),
        // If the operation takes an item, the state of that item decides, and it is not the item of the example.
        ...(hasMoment(value) || context.pool.roles.takesItem(operation) ? {} : { judged: () => '*' }),
      })),
  );
  const parameters = fillableParameters(operation, context.api).flatMap((parameter) =>
    parameter.examples
      .filter(({ value }) => isValidExample(value, parameter.schema, context.api))
      .map(({ value }) => ({ ...base, parameters: new Map([...base.parameters, [parameter, value]]) })),
  );
  return [base, ...bodies, ...parameters];
}

/** Skips examples that do not fit their own schema. */
function isValidExample(value: unknown, schema: Schema, api: Api): boolean {
  return value !== undefined && isValidValue(value, schema, api);
}

/** The examples of a body's schema. Those with read-only members are examples of responses and left out. */
function rootExamples({ schema = true, examples }: MediaType, api: Api): { readonly value: unknown }[] {
  if (examples.length > 0) return [];
  const fixed = [...membersOf(schema, api).values()].filter(({ isReadOnly }) => isReadOnly);
  return holdingParts(schema, api)
    .flatMap((part) => part.examples ?? [])
    .filter((value) => fixed.every(({ name }) => !isRecord(value) || !Object.hasOwn(value, name)))
    .map((value) => ({ value }));
}
