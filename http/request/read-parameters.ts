import { appendPointer } from '../../model/document/pointer.js';
import { setMember } from '../../model/document/records.js';
import type { Api, Operation, Parameter, ParameterLocation } from '../../model/api.js';
import { findSchemaSource } from '../../model/schema-source.js';
import type { Schema } from '../../model/schema-types.js';
import { DecodeError } from '../../runtime/decode-error.js';
import { type Fields, NO_FIELDS, parseCookies, parseFields } from '../../runtime/fields.js';
import {
  type DecodeParameter,
  type ParameterSources,
  createParameterDecoder,
} from '../../runtime/parameter-decoder.js';
import { compileValidator, type ValidationError } from '../../schema/compile-validator.js';
import { hintsReader } from '../../schema/decode-hints.js';
import type { Diagnostic, SourceLocation } from '../../model/diagnostics/diagnostic.js';
import type { HeaderMap, Violation } from '../messages.js';

export interface ParameterSource {
  /** Raw values by name. */
  readonly path: ReadonlyMap<string, string>;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: HeaderMap;
}

export interface ReadGroup {
  readonly group: 'path' | 'query' | 'headers' | 'cookies';
  readonly values: Record<string, unknown>;
  readonly violations: readonly Violation[];
}

/** Reads and checks the parameters of one place, such as the query. */
export type ReadParameters = (source: ParameterSource) => ReadGroup;

const GROUPS = { path: 'path', query: 'query', querystring: 'query', header: 'headers', cookie: 'cookies' } as const;
const LOCATIONS: readonly ParameterLocation[] = ['path', 'query', 'querystring', 'header', 'cookie'];

export interface CompileContext {
  readonly api: Api;
  /** Called for schemas that cannot be checked exactly. */
  readonly report: ((diagnostic: Diagnostic) => void) | undefined;
}

export function compileParameterReaders(operation: Operation, context: CompileContext): ReadParameters[] {
  return LOCATIONS.flatMap((location) => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === location);
    return parameters.length === 0 ? [] : [compileGroup(location, parameters, context)];
  });
}

function compileGroup(
  location: ParameterLocation,
  parameters: readonly Parameter[],
  { api, report }: CompileContext,
): ReadParameters {
  const shapes = hintsReader(api);
  const taken = new Set(parameters.map(({ name }) => name));
  const readers = parameters.map((parameter) => {
    const key = location === 'header' ? parameter.name.toLowerCase() : parameter.name;
    return {
      key,
      name: parameter.name,
      source: findSchemaSource(parameter.schema) ?? parameter.source,
      decode: createParameterDecoder(parameter, shapes(parameter.schema), taken),
    };
  });
  const validate = compileValidator(api, groupSchema(location, parameters), {
    direction: 'request',
    ...(report === undefined ? {} : { report: (diagnostic) => report(placeAtParameter(diagnostic, readers)) }),
  });
  return ({ path, query, headers }) => {
    const sources = { path, query, header: headerOf(headers), fields: fieldsOf(location, query, headers) };
    const violations: Violation[] = [];
    const values: Record<string, unknown> = {};
    const checked: Record<string, unknown> = {};
    for (const { key, name, decode } of readers) {
      const value = decodeSafely(decode, sources, (message) =>
        violations.push({ in: placeOf(location), pointer: appendPointer('', key), message }),
      );
      if (value === undefined) continue;
      setMember(values, name, value);
      setMember(checked, key, value);
    }
    const errors = validate(checked);
    if (errors.length > 0) addErrors(errors, placeOf(location), violations);
    return { group: GROUPS[location], values, violations };
  };
}

/** Returns the `in` of a violation; `querystring` parameters are in the query. */
function placeOf(location: ParameterLocation): Violation['in'] {
  return location === 'querystring' ? 'query' : location;
}

/** Adds schema errors, except at places that could not be decoded and already have a violation. */
function addErrors(errors: readonly ValidationError[], place: Violation['in'], violations: Violation[]): void {
  const broken = new Set(violations.map(({ pointer }) => pointer));
  for (const { pointer, message, params } of errors) {
    const missing =
      pointer === '' && typeof params['missingProperty'] === 'string'
        ? appendPointer('', params['missingProperty'])
        : pointer;
    if (!broken.has(missing)) violations.push({ in: place, pointer: missing, message });
  }
}

function fieldsOf(location: ParameterLocation, query: string, headers: HeaderMap): Fields {
  if (location === 'query') return parseFields(query);
  const cookie = location === 'cookie' ? headers['cookie'] : undefined;
  return cookie === undefined ? NO_FIELDS : parseCookies([cookie].flat().join('; '));
}

function groupSchema(location: ParameterLocation, parameters: readonly Parameter[]): Schema {
  const keyOf = ({ name }: Parameter): string => (location === 'header' ? name.toLowerCase() : name);
  return {
    type: 'object',
    required: parameters.filter(({ required }) => required).map(keyOf),
    properties: Object.fromEntries(parameters.map((parameter) => [keyOf(parameter), parameter.schema])),
  };
}

/** Moves a diagnostic from the generated schema of a group to its parameter in the spec. */
function placeAtParameter(
  diagnostic: Diagnostic,
  parameters: readonly { readonly key: string; readonly source: SourceLocation }[],
): Diagnostic {
  for (const { key, source } of parameters) {
    const start = `/properties${appendPointer('', key)}`;
    if (!`${diagnostic.pointer}/`.startsWith(`${start}/`)) continue;
    return { ...diagnostic, file: source.file, pointer: source.pointer + diagnostic.pointer.slice(start.length) };
  }
  return diagnostic;
}

function decodeSafely(decode: DecodeParameter, sources: ParameterSources, tell: (message: string) => void): unknown {
  try {
    return decode(sources);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    tell(error.message);
    return undefined;
  }
}

/** A header that is sent several times is one value. */
function headerOf(headers: HeaderMap): (name: string) => string | undefined {
  return (name) => {
    const value = headers[name];
    return typeof value === 'string' || value === undefined ? value : value.join(',');
  };
}
