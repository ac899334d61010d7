import { DecodeError } from './decode-error.js';
import { type Fields, NO_FIELDS, parseCookies, parseFields } from './fields.js';
import { type DecodeParameter, createParameterDecoder } from './parameter-decoder.js';
import { type ParsedMediaType, findMediaType, parseMediaType } from './parsed-media-type.js';
import { appendPointer } from './pointer.js';
import { round } from './round-integers.js';
import { ServerError } from './server-error.js';
import type { BodyReader, ServerCall, ServerOperation, ServerParameter, Violation } from './server-types.js';
import { setMember } from './json-integers.js';
import { readShape } from './text-shape.js';
import type { ValidationError } from './validation.js';

const GROUPS = { path: 'path', query: 'query', querystring: 'query', header: 'headers', cookie: 'cookies' } as const;
const PLACES = { path: 'path', query: 'query', headers: 'header', cookies: 'cookie', body: 'body' } as const;

/** The most bytes of a body that is read whole, and of one with files. */
const BODY_LIMIT = 1 << 20;
const FILES_LIMIT = 1 << 24;

/** Reads and checks the request of one operation. @throws ServerError */
export type ReadRequest = (call: ServerCall, path: ReadonlyMap<string, string>) => Promise<unknown> | unknown;

interface Reader {
  readonly group: (typeof GROUPS)[keyof typeof GROUPS];
  readonly place: Violation['in'];
  readonly name: string;
  readonly decode: DecodeParameter;
}

type Values = Record<string, unknown>;

/** Makes the reader of an operation's requests. */
export function createRequestReader(operation: ServerOperation, bodyLimit: number | undefined): ReadRequest {
  const { parameters = [], body } = operation;
  const readers = parameters.map((one) => createReader(one, parameters));
  const needsQuery = readers.some(({ place }) => place === 'query');
  const needsCookies = readers.some(({ place }) => place === 'cookie');
  const groups = [...new Set(readers.map(({ group }) => group))];
  const content = (body?.content ?? []).flatMap(([mediaType, reader]) => {
    const parsed = parseMediaType(mediaType);
    return parsed === undefined ? [] : [{ mediaType, reader, parsed }];
  });
  const readParameters = (call: ServerCall, path: ReadonlyMap<string, string>, violations: Violation[]): Values => {
    const { header, query } = call;
    const fields = needsQuery ? refuseBroken(() => parseFields(query)) : NO_FIELDS;
    const cookies = needsCookies ? parseCookies(header('cookie') ?? '') : NO_FIELDS;
    const values: Values = {};
    const own: Record<string, Values> = {};
    for (const group of groups) values[group] = own[group] = {};
    for (const { group, place, name, decode } of readers) {
      const given: Fields = place === 'cookie' ? cookies : fields;
      try {
        const value = decode({ path, query, header, fields: given });
        if (value !== undefined) setMember<unknown>(own[group] ?? {}, name, value);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        violations.push({ in: place, pointer: appendPointer('', name), message: error.message });
      }
    }
    return values;
  };
  if (body === undefined)
    return (call, path) => {
      const violations: Violation[] = [];
      return finish(operation, readParameters(call, path, violations), violations);
    };
  const kept = new Map<string | undefined, GivenBody>();
  return async (call, path) => {
    const given = chooseBody(content, call.header('content-type'), kept);
    const { entry } = given;
    const violations: Violation[] = [];
    const values = readParameters(call, path, violations);
    await readBody(values, violations, { call, given, required: body.required === true, bodyLimit, operation });
    if (values['body'] !== undefined && content.length > 1) values['contentType'] = entry.mediaType;
    return finish(operation, values, violations, entry.reader);
  };
}

function createReader(parameter: ServerParameter, all: readonly ServerParameter[]): Reader {
  const { name, in: place, shape } = parameter;
  const style = parameter.style ?? (place === 'path' || place === 'header' ? 'simple' : 'form');
  const taken = new Set(all.filter((one) => one.in === place).map((one) => one.name));
  const rule = { allowEmptyValue: false, explode: style === 'form' || style === 'cookie', ...parameter, style };
  return {
    ...{ name, group: GROUPS[place], place: place === 'querystring' ? 'query' : place },
    decode: createParameterDecoder(rule, readShape(shape), taken),
  };
}

function refuseBroken<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DecodeError) throw invalid(400, [{ in: 'query', pointer: '', message: error.message }]);
    throw error;
  }
}

interface BodyEntry {
  readonly mediaType: string;
  readonly reader: BodyReader;
  readonly parsed: ParsedMediaType;
}

/** A body by its `Content-Type`. */
interface GivenBody {
  readonly entry: BodyEntry;
  /** Whether the request has the header. */
  readonly isTyped: boolean;
  readonly text: string;
  readonly charset: string | undefined;
  readonly boundary: string | undefined;
}

/** Requests have few different types, except for boundaries. */
const MAX_KEPT = 20;

/** @throws ServerError 415 */
function chooseBody(
  content: readonly BodyEntry[],
  type: string | undefined,
  kept: Map<string | undefined, GivenBody>,
): GivenBody {
  const known = kept.get(type);
  if (known !== undefined) return known;
  const parsed = type === undefined ? content[0]?.parsed : parseMediaType(type);
  const entry = parsed === undefined ? undefined : findMediaType(content, parsed);
  if (parsed === undefined || entry === undefined) {
    const types = content.map(({ mediaType }) => mediaType);
    const message = types.length === 1 ? `must be ${types[0]}` : `must be one of ${types.join(', ')}`;
    throw invalid(415, [{ in: 'header', pointer: '/content-type', message }]);
  }
  const { parameters } = parsed;
  const given = {
    ...{ entry, isTyped: type !== undefined, text: type ?? entry.mediaType },
    ...{ charset: parameters.get('charset'), boundary: parameters.get('boundary') },
  };
  if (kept.size < MAX_KEPT) kept.set(type, given);
  return given;
}

interface BodyScope {
  readonly call: ServerCall;
  readonly given: GivenBody;
  readonly required: boolean;
  readonly bodyLimit: number | undefined;
  readonly operation: ServerOperation;
}

async function readBody(values: Values, violations: Violation[], scope: BodyScope): Promise<void> {
  const { call, required, bodyLimit } = scope;
  const { entry, isTyped, text, charset, boundary } = scope.given;
  const { reader } = entry;
  // The signal is read on demand, because it costs much.
  const given = { text, charset, boundary, signal: () => call.signal };
  if (reader.stream !== undefined) {
    values['body'] = reader.stream(call.body.stream(), given);
    return;
  }
  if (call.body.parsed !== undefined && reader.isJson === true) {
    values['body'] = call.body.parsed;
    return;
  }
  const bytes = await call.body.bytes(bodyLimit ?? (reader.hasFiles === true ? FILES_LIMIT : BODY_LIMIT));
  if (bytes.length === 0 && (!isTyped || reader.isJson === true)) {
    if (required) violations.push({ in: 'body', pointer: '', message: 'must be present' });
    return;
  }
  try {
    const read = reader.whole?.(bytes, given);
    values['body'] = read instanceof Promise ? await read : read;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const place = error.pointer === '/content-type' ? 'header' : 'body';
    violations.push({ in: place, pointer: error.pointer, message: error.message });
    const status = error.status ?? (error.pointer === '' ? 400 : undefined);
    if (status !== undefined) throw invalid(status === 400 ? invalidStatus(scope.operation, 400) : status, violations);
  }
}

/** @throws ServerError if there are violations */
function finish(operation: ServerOperation, values: Values, violations: Violation[], reader?: BodyReader): unknown {
  const { check, codec } = operation;
  const body = values['body'];
  const rounded = roundValues(operation, values);
  if (reader?.hasItems === true && check !== undefined) {
    rounded['body'] = values['body'] = checkItems(body as AsyncIterable<unknown>, (item) => {
      const result = check({ ...rounded, body: [round(item)] });
      if (!result.ok) throw invalid(invalidStatus(operation, 422), result.errors.map(toViolation));
    });
  } else {
    const result = check?.(rounded);
    if (result?.ok === false) addErrors(result.errors, violations);
  }
  if (violations.length > 0) throw invalid(invalidStatus(operation, 422), violations);
  return codec === undefined ? rounded : decode(operation, values);
}

/** Whether a parameter may be an integer beyond the precision of numbers. */
function mayBeWide({ in: place, shape, mediaType }: ServerParameter): boolean {
  if (shape === undefined) return mediaType !== undefined;
  const isText = shape.types.every((type) => type === 'string' || type === 'boolean');
  return (
    !isText &&
    (place !== 'query' || shape.wide === true || !shape.types.every((type) => type !== 'object' && type !== 'array'))
  );
}

/** Rounds parameters; also the body if its long integers are read exactly. */
function roundValues({ codec, parameters = [] }: ServerOperation, values: Values): Values {
  if (codec === undefined && !parameters.some(mayBeWide)) return values;
  const { body, ...groups } = values;
  const rounded = round(groups) as Values;
  return body === undefined ? rounded : { ...rounded, body: codec === undefined ? body : round(body) };
}

/** Converts values to the types of the program. A text that is valid may still not be a date. */
function decode(operation: ServerOperation, values: Values): unknown {
  try {
    return operation.codec?.(values, 'decode');
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalid(invalidStatus(operation, 422), [{ in: 'body', pointer: '', message: error.message }]);
  }
}

async function* checkItems(
  items: AsyncIterable<unknown>,
  check: (item: unknown) => void,
): AsyncGenerator<unknown, void, undefined> {
  for await (const item of items) {
    check(item);
    yield item;
  }
}

/** Adds the errors of a validator, except at places that could not be read and have a violation already. */
function addErrors(errors: readonly ValidationError[], violations: Violation[]): void {
  const broken = new Set(violations.map((one) => `${one.in} ${one.pointer}`));
  const bodyIsBroken = violations.some((one) => one.in === 'body');
  for (const error of errors) {
    // The schema of a media type failed, whose own errors are listed.
    if (error.keyword === 'if' && error.pointer === '') continue;
    const violation = toViolation(error);
    if (broken.has(`${violation.in} ${violation.pointer}`) || (bodyIsBroken && violation.in === 'body')) continue;
    violations.push(violation);
  }
}

function toViolation({ pointer, message, params }: ValidationError): Violation {
  const [, group = '', ...rest] = pointer.split('/');
  const own = rest.length === 0 ? '' : `/${rest.join('/')}`;
  const { missingProperty } = params;
  if (group === '') return { in: missingProperty === 'body' ? 'body' : 'query', pointer: '', message };
  const place = Object.hasOwn(PLACES, group) ? PLACES[group as keyof typeof PLACES] : 'body';
  const isMissing = place !== 'body' && own === '' && typeof missingProperty === 'string';
  return { in: place, pointer: isMissing ? appendPointer('', missingProperty) : own, message };
}

/** 422 if the operation documents it, else 400; an unreadable body is 400 if that is documented. */
function invalidStatus({ responses }: ServerOperation, preferred: 400 | 422): number {
  const documents = (status: string): boolean => responses.some((one) => one.status === status);
  if (preferred === 400 && documents('400')) return 400;
  return documents('422') ? 422 : 400;
}

function invalid(status: number, violations: readonly Violation[]): ServerError {
  return new ServerError(status, describe(violations), { violations });
}

/** Names the first violation and how many more there are. */
function describe([first, ...others]: readonly Violation[]): string {
  if (first === undefined) return 'The request does not match the specification.';
  const name = first.pointer.slice(1).replace(/\//g, '.').replace(/~1/g, '/').replace(/~0/g, '~');
  const part = first.in === 'body' ? 'body' : `${first.in} of the request`;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `${name === '' ? `The ${part}` : name} ${first.message}${more}`;
}
