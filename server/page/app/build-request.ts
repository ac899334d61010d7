import { toText } from '../../../runtime/serialize.js';
import type { CredentialView, OperationView, ParameterView } from '../views.js';

export interface FormValues {
  /** By place and name of the parameter, such as `query limit`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
  readonly mediaType: string | undefined;
  readonly body: string;
  /** Files of a form, by member name. */
  readonly files: Readonly<Record<string, File>>;
}

/** A request to send or to show as a command. */
export interface BuiltRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData | Blob;
}

/** @throws Error if a value cannot be written as the spec requires. */
export function buildRequest(operation: OperationView, values: FormValues): BuiltRequest {
  const headers: Record<string, string> = {};
  const query: string[] = [];
  let path = operation.route;
  for (const parameter of operation.parameters) {
    const text = values.parameters[keyOf(parameter)] ?? '';
    if (parameter.in === 'path') path = path.replaceAll(`{${parameter.name}}`, writePath(parameter, text));
    else if (text === '') continue;
    else if (parameter.in === 'query') query.push(...writeQuery(parameter, readValue(parameter, text)));
    else if (parameter.in === 'querystring') query.push(writeQueryString(parameter, text));
    else if (parameter.in === 'header') headers[parameter.name] = joinList(readValue(parameter, text));
    else headers['cookie'] = [headers['cookie'], `${parameter.name}=${text}`].filter(Boolean).join('; ');
  }
  addCredentials(operation.security, values.credentials, { headers, query });
  const body = buildBody(values);
  if (typeof body === 'string' && values.mediaType !== undefined) headers['content-type'] = values.mediaType;
  return {
    method: operation.method,
    target: path + (query.length === 0 ? '' : `?${query.join('&')}`),
    headers,
    ...(body === undefined ? {} : { body }),
  };
}

export function keyOf({ in: location, name }: Pick<ParameterView, 'in' | 'name'>): string {
  return `${location} ${name}`;
}

/** Reads lists and objects as JSON; lists may also be separated by commas. */
function readValue({ schema }: ParameterView, text: string): unknown {
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  const isList = typeof schema === 'object' && [schema.type].flat().includes('array');
  return isList ? text.split(',').map((item) => item.trim()) : text;
}

function writePath({ name, style, explode }: ParameterView, text: string): string {
  if (text === '') throw new Error(`The path parameter ${name} needs a value.`);
  const value = encodeURIComponent(text);
  if (style === 'label') return `.${value}`;
  return style === 'matrix' ? `;${explode ? '' : ''}${encodeURIComponent(name)}=${value}` : value;
}

const DELIMITERS: Readonly<Record<string, string>> = {
  form: ',',
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
  tabDelimited: '%09',
};

function writeQuery({ name, style, explode, mediaType }: ParameterView, value: unknown): string[] {
  const key = encodeURIComponent(name);
  const write = (item: unknown): string => encodeURIComponent(toText(item));
  if (mediaType !== undefined) return [`${key}=${write(value)}`];
  if (Array.isArray(value))
    return explode && style === 'form'
      ? value.map((item) => `${key}=${write(item)}`)
      : [`${key}=${value.map(write).join(DELIMITERS[style] ?? ',')}`];
  if (typeof value !== 'object' || value === null) return [`${key}=${write(value)}`];
  const members = Object.entries(value);
  if (style === 'deepObject')
    return members.map(([member, item]) => `${key}[${encodeURIComponent(member)}]=${write(item)}`);
  return explode
    ? members.map(([member, item]) => `${encodeURIComponent(member)}=${write(item)}`)
    : [`${key}=${members.flat().map(write).join(',')}`];
}

function writeQueryString({ mediaType = '' }: ParameterView, text: string): string {
  return mediaType.includes('form') && /^\s*\{/.test(text)
    ? new URLSearchParams(JSON.parse(text) as Record<string, string>).toString()
    : mediaType.includes('form')
      ? text
      : encodeURIComponent(text);
}

function joinList(value: unknown): string {
  return Array.isArray(value) ? value.map(toText).join(',') : toText(value);
}

function addCredentials(
  schemes: readonly CredentialView[],
  given: FormValues['credentials'],
  { headers, query }: { readonly headers: Record<string, string>; readonly query: string[] },
): void {
  for (const scheme of schemes) {
    const value = given[scheme.id] ?? '';
    if (scheme.kind === 'basic') {
      const user = given[`${scheme.id} user`] ?? '';
      if (user !== '' || value !== '') headers['authorization'] = `Basic ${toBase64(`${user}:${value}`)}`;
    } else if (value === '') continue;
    else if (scheme.kind === 'key' && scheme.in === 'query')
      query.push(`${encodeURIComponent(scheme.name)}=${encodeURIComponent(value)}`);
    else if (scheme.kind === 'key' && scheme.in === 'header') headers[scheme.name] = value;
    else if (scheme.kind === 'key')
      document.cookie = `${scheme.name}=${encodeURIComponent(value)}; path=/; samesite=strict`;
    else headers['authorization'] = scheme.kind === 'bearer' ? `Bearer ${value}` : `${scheme.name} ${value}`;
  }
}

function toBase64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

function buildBody({ mediaType, body, files }: FormValues): BuiltRequest['body'] {
  if (mediaType === undefined) return undefined;
  const names = Object.keys(files);
  if (mediaType.startsWith('multipart/form-data')) return buildForm(body, files);
  if (mediaType.startsWith('application/x-www-form-urlencoded'))
    return /^\s*\{/.test(body) ? new URLSearchParams(flatten(JSON.parse(body))).toString() : body;
  const [only] = names;
  return only === undefined ? body : files[only];
}

function buildForm(body: string, files: FormValues['files']): FormData {
  const form = new FormData();
  const members: unknown = body.trim() === '' ? {} : JSON.parse(body);
  for (const [name, text] of flatten(members)) if (files[name] === undefined) form.append(name, text);
  for (const [name, file] of Object.entries(files)) form.append(name, file, file.name);
  return form;
}

function flatten(value: unknown): [string, string][] {
  return Object.entries(value ?? {}).flatMap(([name, member]): [string, string][] =>
    [member].flat().map((item) => [name, toText(item)]),
  );
}
