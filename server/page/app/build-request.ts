import { isForm, writeFormText, writeRequest, type WrittenParameter } from '../../../http/request/write-request.js';
import { parseExactJson } from '../../../runtime/json-integers.js';
import { mediaKind } from '../../../runtime/media-type.js';
import {
  type HeaderTarget,
  type RequestTarget,
  setHeader,
  writeAuthorization,
  writeBasic,
  writeKeyCookie,
  writeKeyQuery,
  writeMultipart,
} from '../../../runtime/serialize.js';
import type { DescribedContent, DescribedCredential, DescribedOperation, DescribedParameter } from '../views.js';

export interface FormValues {
  /** By place and name of the parameter, such as `query limit`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
  readonly mediaType: string | undefined;
  readonly body: string;
  /** Files of a form, by member name. An empty name stands for the whole body. */
  readonly files: Readonly<Record<string, File>>;
}

/** A request to send or to show as a command. */
export interface BuiltRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Blob;
  /** The members of a multipart body, and their documented content types. */
  readonly form?: readonly (readonly [name: string, value: unknown, contentType: string | undefined])[];
}

/** @throws TypeError if a value cannot be sent. */
export function buildRequest(operation: DescribedOperation, values: FormValues): BuiltRequest {
  const { path, query, headers, cookies } = writeRequest({ path: operation.route }, givenValues(operation, values));
  const written: HeaderTarget = {};
  const target: RequestTarget = { headers: written, query: [...query] };
  for (const [name, value] of Object.entries(headers)) setHeader(written, name, value);
  if (cookies.length > 0) setHeader(target.headers, 'cookie', cookies.join('; '));
  for (const scheme of operation.security) addCredential(scheme, values.credentials, target);
  const { contentType, ...body } = buildBody(operation, values);
  if (contentType !== undefined) setHeader(written, 'content-type', contentType);
  return {
    method: operation.method,
    target: path + (target.query.length === 0 ? '' : `?${target.query.join('&')}`),
    headers: Object.fromEntries(new Headers(written)),
    ...body,
  };
}

export function keyOf({ in: location, name }: Pick<DescribedParameter, 'in' | 'name'>): string {
  return `${location} ${name}`;
}

/** The filled-in parameters and their values. */
export function givenValues(
  { parameters }: DescribedOperation,
  values: Pick<FormValues, 'parameters'>,
): (readonly [WrittenParameter, unknown])[] {
  return parameters.flatMap((parameter) => {
    const text = values.parameters[keyOf(parameter)] ?? '';
    const { encoding, ...written } = parameter;
    return text === '' ? [] : [[{ ...written, encoding: new Map(encoding) }, readValue(parameter, text)] as const];
  });
}

/** Reads lists and objects as JSON; lists may also be separated by commas, and forms be written as in a URL. */
function readValue({ types, itemTypes = [], mediaType }: DescribedParameter, text: string): unknown {
  const kind = mediaType === undefined ? undefined : mediaKind(mediaType);
  if (kind === 'json') return readJson(text);
  if (kind === 'form' && !text.trim().startsWith('{')) return Object.fromEntries(new URLSearchParams(text));
  const isList = types.includes('array') && !types.includes('string');
  if (!isList || /^\s*\[/.test(text)) return readScalar(text, types);
  return text.split(',').map((item) => readScalar(item.trim(), itemTypes));
}

function readScalar(text: string, types: readonly string[]): unknown {
  const mayBeText = types.length === 0 || types.includes('string');
  if (mayBeText && !(types.includes('object') || types.includes('array'))) return text;
  const value = mayBeText && !/^\s*[[{]/.test(text) ? text : readJson(text);
  return typeof value === 'number' && String(value) !== text ? text : value;
}

/** Parses JSON; every other text is a value itself. */
export function readJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

function addCredential(scheme: DescribedCredential, given: FormValues['credentials'], target: RequestTarget): void {
  const { id, kind, name, in: location } = scheme;
  const secret = given[id] ?? '';
  const username = given[`${id} user`] ?? '';
  if (secret === '' && username === '') return;
  if (kind === 'basic') writeBasic({ username, password: secret }, target);
  else if (kind !== 'key') writeAuthorization(kind === 'bearer' ? 'Bearer' : name)(secret, target);
  else if (location === 'query') writeKeyQuery(name)(secret, target);
  else if (location === 'cookie') writeKeyCookie(name)(secret, target);
  else setHeader(target.headers, name, secret);
}

type BuiltBody = Pick<BuiltRequest, 'body' | 'form'> & { readonly contentType?: string | undefined };

/** The value of the body, with the chosen files in it; `undefined` if there is none. */
export function bodyValue(content: DescribedContent, { body, files }: FormValues): unknown {
  const { mediaType } = content;
  if (files[''] !== undefined) return files[''];
  if (isForm(mediaType) && (mediaKind(mediaType) === 'multipart' || body.trim().startsWith('{')))
    return { ...Object(body.trim() === '' ? {} : parseExactJson(body)), ...files };
  if (body === '') return undefined;
  return mediaKind(mediaType) === 'json' ? readJson(body) : body;
}

function buildBody(operation: DescribedOperation, values: FormValues): BuiltBody {
  const content = operation.body?.content.find(({ mediaType }) => mediaType === values.mediaType);
  if (content === undefined) return {};
  const { mediaType, contentType = mediaType, encoding = [] } = content;
  const value = bodyValue(content, values);
  if (value === undefined) return {};
  if (value instanceof File) return { body: value, contentType: mediaType.includes('*') ? value.type : contentType };
  if (!isForm(mediaType) || typeof value !== 'object' || value === null) return { body: values.body, contentType };
  if (mediaKind(mediaType) === 'form') return { body: writeFormText(new Map(encoding), value), contentType };
  const types = new Map(
    encoding.flatMap(([name, how]) => (how.contentType === undefined ? [] : [[name, how.contentType]])),
  );
  const form = Object.entries(value).map(([name, member]) => [name, member, types.get(name)] as const);
  const [body, type] = writeMultipart(value, mediaType, Object.fromEntries(types));
  return { body: body as Blob, contentType: type, form };
}

/**
 * The address of a request for `fetch`, which removes dot segments and changes backslashes: another path would be sent,
 * such as one of the control API.
 *
 * @throws TypeError if a browser cannot send the target as it is.
 */
export function addressOf(origin: string, target: string): string {
  if (!target.startsWith('/') || hasDotSegments(target) || target.includes('\\'))
    throw new TypeError('A browser cannot send this path as it is. Use the curl line.');
  return origin + target;
}

/** Whether the path of a target has segments that browsers and curl remove. */
export function hasDotSegments(target: string): boolean {
  const [path = ''] = target.split(/[?#]/, 1);
  return path.split(/[/\\]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}

/**
 * Gives the cookies of a request to the browser, which sends no others. Returns a function that removes them.
 *
 * @throws TypeError if two cookies have the same name.
 */
export function lendCookies({ headers }: Pick<BuiltRequest, 'headers'>): () => void {
  const pairs = (headers['cookie'] ?? '').split('; ').filter((pair) => pair !== '');
  const names = new Set(pairs.map((pair) => pair.split('=', 1)[0]));
  if (names.size < pairs.length)
    throw new TypeError('A browser cannot send two cookies of the same name. Use the curl line.');
  for (const pair of pairs) document.cookie = `${pair}; path=/; samesite=strict`;
  return () => {
    for (const name of names) document.cookie = `${name}=; path=/; max-age=0`;
  };
}
