import type { Parameter } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { boundaryValues } from '../../schema/boundary-values.js';
import { MARKUP } from '../checks/judge-status.js';
import { resolvePointer, splitPointer, toPointer } from '../../model/document/pointer.js';
import type { Call, CallBody, Case } from '../types.js';
import { type CallContext, fillableParameters, makeBody } from './build-request-values.js';
import { hasForm } from '../execute/http/serialize-parameter.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { generateValue } from '../../schema/generate-value.js';
import { type ValueSite, valueSites } from '../../schema/value-sites.js';
import { setAt } from '../../schema/value-path.js';

/** Valid calls at the edges of what a spec allows, each beside a call that is accepted. */
export function boundaryCases(base: Call, context: CallContext): Case[] {
  const calls = [...markupCalls(base, context), ...parameterCalls(base, context), ...bodyCalls(base, context)];
  return calls.map(({ about, judged, neighbours, ...call }) => ({
    phase: 'boundary',
    call,
    expectation: {
      kind: 'valid',
      about,
      ...(judged === undefined ? {} : { judged }),
      ...(neighbours === undefined ? {} : { neighbours }),
    },
  }));
}

interface EdgeCall extends Call {
  readonly about: string;
  /** Where a refusal would be wrong: nothing but the schema decides there. */
  readonly judged?: () => string | undefined;
  readonly neighbours?: () => readonly Call[];
}

function parameterCalls(base: Call, context: CallContext): EdgeCall[] {
  const { api } = context;
  return fillableParameters(base.operation, api).flatMap((parameter): EdgeCall[] => {
    // The id of an item that is there is worth more than one at an edge of its schema.
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
    const isFree = typeof value === 'string' && !hasChoices(parameter.schema);
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
          valueNeighbours(edge.value, edge.edge).map((near) => ({
            ...base,
            parameters: new Map([...base.parameters, [parameter, near]]),
          })),
      })),
    ];
  });
}

/** A text of a parameter is often a token or a name of something, unless the schema lists what it can be. */
function hasChoices(schema: Schema): boolean {
  return (
    typeof schema === 'object' &&
    (schema.enum !== undefined || schema.$ref !== undefined || schema.maxLength !== undefined)
  );
}

/** Whether something beside the keywords decides what is valid in some of these places: a rule in words, or the time. */
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
  const ids = new Set(pool.bodySlots(base.operation).map((name) => toPointer([name])));
  const references = pool.references.of(base.operation).map(({ path }) => path);
  const isReference = (pointer: string): boolean => {
    const keys = splitPointer(pointer);
    return references.some(
      (path) => path.length === keys.length && path.every((name, at) => name === '*' || name === keys[at]),
    );
  };
  const edges = boundaryValues(body.media.schema ?? true, body.value, { api, direction: 'request' }).filter(
    ({ pointer }) => !ids.has(pointer) && !isReference(pointer),
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
    // Part of an item is valid or not by what else the item has.
    judged: () =>
      base.operation.method === 'patch' || edge === 'branch' || isRuledAt(pointer, value) ? undefined : pointer,
  }));
  return [...media, ...values];
}

/** Markup wherever free text goes, to see whether a page shows it as it is. */
function markupCalls(base: Call, { api }: CallContext): EdgeCall[] {
  const parameters = fillableParameters(base.operation, api)
    .filter(({ in: place }) => place === 'query' || place === 'path')
    .filter(({ schema }) => compileValidator(api, schema, { direction: 'request' })(MARKUP).length === 0)
    .map((parameter) => withParameter(base, parameter, MARKUP, 'markup'));
  const { body } = base;
  if (body === undefined) return parameters;
  const validate = compileValidator(api, body.media.schema ?? true, { direction: 'request' });
  const value = valueSites(body.media.schema ?? true, body.value, { api, direction: 'request' })
    .filter((site) => typeof site.value === 'string' && site.path.length > 0)
    .reduce<unknown>((made, { path }) => {
      const marked = setAt(made, path, MARKUP);
      return validate(marked).length === 0 ? marked : made;
    }, body.value);
  return [...parameters, { ...base, body: { ...body, value }, about: 'body: markup' }];
}

interface BodyEdge {
  readonly value: unknown;
  readonly pointer: string;
  readonly edge: string;
}

/** The same call one step inside of an edge of its body. */
function bodyNeighbours(base: Call, body: CallBody, { value, pointer, edge }: BodyEdge): Call[] {
  const path = splitPointer(pointer);
  return valueNeighbours(resolvePointer(value, pointer), edge).map((near) => ({
    ...base,
    body: { ...body, value: setAt(value, path, near) },
  }));
}

/** What is one step inside of an edge. */
function valueNeighbours(value: unknown, edge: string): unknown[] {
  if (typeof value === 'number') return edge === 'maximum' ? [value - 1] : edge === 'minimum' ? [value + 1] : [];
  if (typeof value === 'string') {
    if (edge === 'maxLength') return [value.slice(0, -1)];
    return edge === 'minLength' && value !== '' ? [`${value}${value.at(-1) ?? 'a'}`] : [];
  }
  return Array.isArray(value) && edge === 'maxItems' ? [value.slice(0, -1)] : [];
}
