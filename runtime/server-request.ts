import { DecodeError } from './decode-error.js';
import { NO_FIELDS, parseFields } from './fields.js';
import { setMember } from './json-integers.js';
import type { DecodeParameter } from './parameter-decoder.js';
import { type ParsedMediaType, findMediaType, parseMediaType } from './parsed-media-type.js';
import { appendPointer } from './pointer.js';
import { ServerError } from './server-error.js';
import type { BodyReader, ServerCall, ServerOperation, Violation } from './server-types.js';
import type { ValidationError } from './validation.js';

const GROUPS = { path: 'path', query: 'query', querystring: 'query', header: 'headers', cookie: 'cookies' } as const;

/** Reads and checks the request of one operation. @throws ServerError */
export type ReadRequest = (call: ServerCall, path: ReadonlyMap<string, string>) => Promise<unknown> | unknown;

type Values = Record<string, unknown>;

interface RequestScope {
  readonly operation: ServerOperation;
  readonly bodyLimit: number | undefined;
  readonly readers: readonly {
    readonly name: string;
    readonly group: (typeof GROUPS)[keyof typeof GROUPS];
    readonly decode: DecodeParameter;
  }[];
  readonly content: readonly BodyEntry[];
}

interface BodyEntry {
  readonly mediaType: string;
  readonly reader: BodyReader;
  readonly parsed: ParsedMediaType;
}

/** Makes the reader of an operation's requests. */
export function createRequestReader(operation: ServerOperation, bodyLimit: number | undefined): ReadRequest {
  const { parameters = [], body } = operation;
  const scope: RequestScope = {
    operation,
    bodyLimit,
    readers: parameters.map((one) => ({
      name: one.name,
      group: GROUPS[one.in],
      decode: one.decoder(one, parameters),
    })),
    content: (body?.content ?? []).flatMap(([mediaType, reader]) => {
      const parsed = parseMediaType(mediaType);
      return parsed === undefined ? [] : [{ mediaType, reader, parsed }];
    }),
  };
  return (call, path) => {
    if (body !== undefined) return readWithBody(scope, call, path);
    const violations: Violation[] = [];
    return finish(operation, readParameters(scope, call, path, violations), violations);
  };
}

function readParameters(
  { readers }: RequestScope,
  { header, query }: ServerCall,
  path: ReadonlyMap<string, string>,
  violations: Violation[],
): Values {
  let fields = NO_FIELDS;
  try {
    if (readers.some(({ group }) => group === 'query')) fields = parseFields(query);
  } catch (error) {
    throw invalid(400, [unreadable(error, 'query')]);
  }
  const values: Record<string, Values> = {};
  for (const { group, name, decode } of readers) {
    const own: Values = (values[group] ??= {});
    try {
      const value = decode({ path, query, header, fields });
      if (value !== undefined) setMember<unknown>(own, name, value);
    } catch (error) {
      violations.push(unreadable(error, placeOf(group), appendPointer('', name)));
    }
  }
  return values;
}

/** The part of a request that has a group of values. */
function placeOf(group: string): Violation['in'] {
  return /^(path|query|headers|cookies)$/.test(group) ? (group.replace(/s$/, '') as Violation['in']) : 'body';
}

/** The violation of a part that cannot be read; other errors are thrown again. */
function unreadable(error: unknown, place: Violation['in'], pointer?: string): Violation {
  if (!(error instanceof DecodeError)) throw error;
  return { in: place, pointer: pointer ?? error.pointer, message: error.message };
}

async function readWithBody(
  scope: RequestScope,
  call: ServerCall,
  path: ReadonlyMap<string, string>,
): Promise<unknown> {
  const { content, operation } = scope;
  const type = call.header('content-type');
  const parsed = type === undefined ? content[0]?.parsed : parseMediaType(type);
  const entry = parsed && findMediaType(content, parsed);
  if (entry === undefined) {
    const types = content.map(({ mediaType }) => mediaType).join(', ');
    const message = `must be ${content.length === 1 ? '' : 'one of '}${types}`;
    throw invalid(415, [{ in: 'header', pointer: '/content-type', message }]);
  }
  const violations: Violation[] = [];
  const values = readParameters(scope, call, path, violations);
  try {
    const given = { text: type, parameters: parsed?.parameters, bodyLimit: scope.bodyLimit };
    const read = entry.reader.read(call, { ...given, mediaType: entry.mediaType });
    const body = read instanceof Promise ? ((await read) as unknown) : read;
    if (body !== undefined) values['body'] = body;
    else if (operation.body?.required === true)
      violations.push({ in: 'body', pointer: '', message: 'must be present' });
  } catch (error) {
    const violation = unreadable(error, 'body');
    const isType = violation.pointer === '/content-type';
    violations.push(isType ? { ...violation, in: 'header' } : violation);
    const { status } = error as DecodeError;
    if (status !== undefined || violation.pointer === '')
      throw invalid(status ?? (documents(operation, 400) ? 400 : invalidStatus(operation)), violations);
  }
  if (values['body'] !== undefined && content.length > 1) values['contentType'] = entry.mediaType;
  return finish(operation, values, violations, entry.reader);
}

/** @throws ServerError if there are violations */
function finish(operation: ServerOperation, values: Values, violations: Violation[], reader?: BodyReader): unknown {
  const { check, converter } = operation;
  const rounded = (converter?.round(values) ?? values) as Values;
  if (reader?.checkItems !== undefined && check !== undefined) reader.checkItems(operation, values, rounded);
  else {
    const result = check?.(rounded);
    if (result?.ok === false) addErrors(result.errors, violations);
  }
  if (violations.length > 0) throw invalid(invalidStatus(operation), violations);
  return converter?.decode === undefined ? rounded : converter.decode(operation, values);
}

/** Adds the errors of a validator, except at places that could not be read and have a violation already. */
function addErrors(errors: readonly ValidationError[], violations: Violation[]): void {
  const broken = [...violations];
  for (const error of errors) {
    // The schema of a media type failed, whose own errors are listed.
    if (error.keyword === 'if' && error.pointer === '') continue;
    const violation = toViolation(error);
    const isBroken = (one: Violation): boolean =>
      one.in === violation.in && (one.in === 'body' || one.pointer === violation.pointer);
    if (!broken.some(isBroken)) violations.push(violation);
  }
}

/** The violation of an error of a validator. */
export function toViolation({ pointer, message, params }: ValidationError): Violation {
  const [, group = '', ...rest] = pointer.split('/');
  const { missingProperty } = params;
  if (group === '') return { in: missingProperty === 'body' ? 'body' : 'query', pointer: '', message };
  const place = placeOf(group);
  const isMissing = place !== 'body' && rest.length === 0 && typeof missingProperty === 'string';
  const own = rest.map((one) => `/${one}`).join('');
  return { in: place, pointer: isMissing ? appendPointer('', missingProperty) : own, message };
}

function documents({ responses }: ServerOperation, status: number): boolean {
  return responses[status] !== undefined;
}

/** 422 if the operation documents it, else 400. */
export function invalidStatus(operation: ServerOperation): number {
  return documents(operation, 422) ? 422 : 400;
}

/** The refusal of a request. Its message names the first violation and how many more there are. */
export function invalid(status: number, violations: readonly Violation[]): ServerError {
  const [first, ...others] = violations;
  const { in: place, pointer, message } = first as Violation;
  const name = pointer.slice(1).replace(/\//g, '.').replace(/~1/g, '/').replace(/~0/g, '~');
  const part = place === 'body' ? 'The body' : `The ${place} of the request`;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return new ServerError(status, `${name === '' ? part : name} ${message}${more}`, { violations });
}
