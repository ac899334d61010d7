import type { Api, Operation, Parameter } from '../../model/api.js';
import { listPagesOf } from '../../resources/paging.js';
import { successSchema } from '../../resources/success-response.js';
import { membersOf } from '../../schema/facts/members.js';
import type { Schema } from '../../model/schema-types.js';
import { boundaryValues } from '../../schema/boundary-values.js';
import { MARKUP } from '../expectations/response-kinds.js';
import { resolvePointer, splitPointer, toPointer } from '../../model/document/pointer.js';
import type { Call, CallBody, Case } from '../types.js';
import { type CallContext, fillableParameters, makeBody } from './build-request-values.js';
import { hasForm } from '../../http/request/write-request.js';
import { compileValidator, isValidValue } from '../../schema/compile-validator.js';
import { generateValue } from '../../schema/generate-value.js';
import { type ValueSite, valueSites } from '../../schema/value-sites.js';
import { setAt } from '../../schema/value-path.js';

/** Valid calls at the edges of the spec, made from an accepted call. */
export function boundaryCases(base: Call, context: CallContext): Case[] {
  const calls = [
    ...nastyCalls(base, context),
    ...longEmojiCalls(base, context),
    ...parameterCalls(base, context),
    ...bodyCalls(base, context),
  ];
  return calls.map(({ about, judged, neighbours, ...call }) => ({
    phase: 'boundary',
    call,
    expectation: {
      kind: 'valid',
      about,
      ...(judged === undefined ? {} : { judged }),
      ...(neighbours === undefined ? {} : { neighbours }),
      base,
    },
  }));
}

interface EdgeCall extends Call {
  readonly about: string;
  /** The place where a refusal would be wrong, because only the schema decides there. */
  readonly judged?: () => string | undefined;
  readonly neighbours?: () => readonly Call[];
}

function parameterCalls(base: Call, context: CallContext): EdgeCall[] {
  const { api } = context;
  return fillableParameters(base.operation, api).flatMap((parameter): EdgeCall[] => {
    // The id of an existing item is worth more than a value at an edge of its schema.
    if (context.pool.isKnown(base.operation, parameter)) return [];
    const value = base.parameters.get(parameter) ?? firstValue(parameter, context);
    if (value === undefined) return [];
    const edges = boundaryValues(parameter.schema, value, { api, direction: 'request' }).filter((edge) =>
      hasForm(parameter, edge.value),
    );
    const left =
      parameter.required || !base.parameters.has(parameter)
        ? []
        : [withParameter(base, parameter, undefined, 'left out')];
    const isFree =
      (typeof value === 'string' && !hasChoices(parameter.schema)) || isFromResponses(parameter, base.operation, api);
    const judged = (): string | undefined =>
      isFree || hasRule(valueSites(parameter.schema, value, { api, direction: 'request' }))
        ? undefined
        : `/${parameter.name}`;
    return [
      ...left,
      ...edges.map((edge) => ({
        ...withParameter(base, parameter, edge.value, edge.edge),
        judged,
        neighbours: () =>
          (isFree ? [] : valueNeighbours(edge.value, edge.edge)).map((near) => ({
            ...base,
            parameters: new Map([...base.parameters, [parameter, near]]),
          })),
      })),
    ];
  });
}

/**
 * Whether a parameter takes a value that responses show, such as `links.next` or a cursor: a made-up one may be refused.
 */
function isFromResponses({ name, description = '' }: Parameter, operation: Operation, api: Api): boolean {
  const { token, back } = listPagesOf(operation, api).parameters;
  if (token?.name === name || back?.name === name) return true;
  const texts = description.split(/[^\w.-]/).map((text) => (text.endsWith('.') ? text.slice(0, -1) : text));
  const words = new Set(texts.filter((text) => /[_.][\w-]|[a-z][A-Z]/.test(text)));
  if (words.size === 0) return false;
  const named = (schema: Schema, around: string, depth: number): boolean =>
    [...membersOf(schema, api)].some(
      ([member, { schema: inner }]) =>
        words.has(`${around}${member}`) || (depth > 0 && named(inner, `${around}${member}.`, depth - 1)),
    );
  return named(successSchema(operation), '', 1);
}

/**
 * Whether a schema limits a text so much that refusing a valid one is wrong. Otherwise a parameter is often a token or
 * the name of something.
 */
function hasChoices(schema: Schema): boolean {
  return (
    typeof schema === 'object' &&
    (schema.enum !== undefined || schema.$ref !== undefined || schema.maxLength !== undefined)
  );
}

/** Whether a rule outside of the schema (`x-rule`, dates) may refuse these values. */
function hasRule(sites: readonly ValueSite[]): boolean {
  return sites.some(({ schemas }) =>
    schemas.some(
      (schema) =>
        schema['x-rule'] !== undefined ||
        /^(?:date|time|duration)/.test(schema.format ?? '') ||
        /duration/i.test(schema.title ?? ''),
    ),
  );
}

function firstValue(parameter: Parameter, { api }: CallContext): unknown {
  const made = generateValue(api, parameter.schema, { direction: 'request', seed: 3 });
  return made.ok ? made.value : undefined;
}

function withParameter(base: Call, parameter: Parameter, value: unknown, edge: string): EdgeCall {
  const others = [...base.parameters].filter(([other]) => other !== parameter);
  const parameters = new Map(value === undefined ? others : [...others, [parameter, value]]);
  return { ...base, parameters, about: `${parameter.in} ${parameter.name}: ${edge}` };
}

function bodyCalls(base: Call, { api, pool }: CallContext): EdgeCall[] {
  const { body } = base;
  if (body === undefined) return [];
  const edges = boundaryValues(body.media.schema ?? true, body.value, { api, direction: 'request' }).filter(
    ({ pointer }) => !namesItem(base.operation, splitPointer(pointer), pool),
  );
  const isRuledAt = (pointer: string, value: unknown): boolean =>
    hasRule(
      valueSites(body.media.schema ?? true, value, { api, direction: 'request', along: pointer }).filter(
        ({ path }) => path.length > 0,
      ),
    );
  const others = (base.operation.body?.content ?? []).filter((media) => media !== body.media);
  const media = others.flatMap((one): EdgeCall[] => {
    const made = makeBody(one, { variant: 'typical', seed: 1 }, api);
    return made === undefined
      ? []
      : [{ ...pool.withIds({ ...base, body: made }), about: `media type ${one.mediaType}` }];
  });
  const values = edges.map(({ value, pointer, edge }): EdgeCall => ({
    ...base,
    body: { ...body, value },
    about: `body ${pointer}: ${edge}`,
    neighbours: () => (isRuledAt(pointer, value) ? [] : bodyNeighbours(base, body, { value, pointer, edge })),
    // A patch is valid or not depending on the rest of its item.
    judged: () =>
      base.operation.method === 'patch' || edge === 'branch' || isRuledAt(pointer, value) ? undefined : pointer,
  }));
  return [...media, ...values];
}

/** Whether a place of a body has the id of an item, which is worth more than any other value. */
function namesItem(operation: Operation, keys: readonly (string | number)[], pool: CallContext['pool']): boolean {
  if (keys.length === 1 && pool.bodySlots(operation).includes(String(keys[0]))) return true;
  return pool.references
    .of(operation)
    .some(
      ({ path }) => path.length === keys.length && path.every((name, at) => name === '*' || name === String(keys[at])),
    );
}

/** Texts that servers carelessly insert into patterns, queries, pages and logs. Each has its name first. */
const NASTY_TEXTS: readonly (readonly [string, string])[] = [
  ['markup', MARKUP],
  ['special characters', '100%_\'"`\\;--${7*7}'],
  ['characters of patterns', '(a+b)*[c'],
  ['emoji and right-to-left', '👩‍👩‍👧 שלום مرحبا'],
  // Some databases cannot store it, so the server may refuse it.
  ['NUL', 'a\u0000b'],
];

/** Calls with each of these texts wherever free text is allowed. */
function nastyCalls(base: Call, context: CallContext): EdgeCall[] {
  return NASTY_TEXTS.flatMap(([name, text]) => textCalls(base, { name, text }, context));
}

/** The longest text of which an emoji is made: lengths count code points, not UTF-16 units. */
const MOST_EMOJI = 300;

/** Calls with a text of emoji that is as long as allowed, one for each text in the body. */
function longEmojiCalls(base: Call, { api, pool }: CallContext): EdgeCall[] {
  const { body } = base;
  if (body === undefined) return [];
  const { schema = true } = body.media;
  const validate = compileValidator(api, schema, { direction: 'request' });
  return valueSites(schema, body.value, { api, direction: 'request' }).flatMap(
    ({ value, path, schemas }): EdgeCall[] => {
      const longest = Math.min(...schemas.map(({ maxLength }) => maxLength ?? Infinity));
      const isText = typeof value === 'string' && path.length > 0 && longest > 1 && longest <= MOST_EMOJI;
      if (!isText || namesItem(base.operation, path, pool)) return [];
      const withText = (text: string): unknown => setAt(body.value, path, text);
      if (validate(withText('🦊'.repeat(longest))).length > 0) return [];
      return [
        {
          ...base,
          body: { ...body, value: withText('🦊'.repeat(longest)) },
          about: `body ${toPointer(path.map(String))}: emoji of maxLength`,
          neighbours: () => [{ ...base, body: { ...body, value: withText('a'.repeat(longest)) } }],
        },
      ];
    },
  );
}

function textCalls(
  base: Call,
  { name, text }: { readonly name: string; readonly text: string },
  { api, pool }: CallContext,
): EdgeCall[] {
  const parameters = fillableParameters(base.operation, api)
    .filter(({ in: place }) => place === 'query' || (place === 'path' && text === MARKUP))
    .filter(({ schema }) => isValidValue(text, schema, api))
    .map((parameter) => withParameter(base, parameter, text, name));
  const { body } = base;
  if (body === undefined) return parameters;
  const validate = compileValidator(api, body.media.schema ?? true, { direction: 'request' });
  const value = valueSites(body.media.schema ?? true, body.value, { api, direction: 'request' })
    .filter(({ value: old, path }) => typeof old === 'string' && path.length > 0)
    .filter(({ path }) => !namesItem(base.operation, path, pool))
    .reduce<unknown>((made, { path }) => {
      const changed = setAt(made, path, text);
      return validate(changed).length === 0 ? changed : made;
    }, body.value);
  // Without any free text, the call would be the base again.
  if (value === body.value && text !== MARKUP) return parameters;
  return [...parameters, { ...base, body: { ...body, value }, about: `body: ${name}` }];
}

interface BodyEdge {
  readonly value: unknown;
  readonly pointer: string;
  readonly edge: string;
}

/** The same call with the value one step inside the edge of its body. */
function bodyNeighbours(base: Call, body: CallBody, { value, pointer, edge }: BodyEdge): Call[] {
  const path = splitPointer(pointer);
  return valueNeighbours(resolvePointer(value, pointer), edge).map((near) => ({
    ...base,
    body: { ...body, value: setAt(value, path, near) },
  }));
}

/** The values one step inside a bound. */
function valueNeighbours(value: unknown, edge: string): unknown[] {
  if (typeof value === 'number') return edge === 'maximum' ? [value - 1] : edge === 'minimum' ? [value + 1] : [];
  if (typeof value === 'string') {
    if (edge === 'maxLength') return [value.slice(0, -1)];
    return edge === 'minLength' && value !== '' ? [`${value}${value.at(-1) ?? 'a'}`] : [];
  }
  return Array.isArray(value) && edge === 'maxItems' ? [value.slice(0, -1)] : [];
}
