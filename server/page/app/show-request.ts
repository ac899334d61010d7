import { curlLine } from '../../../http/request/curl-line.js';
import { toJsonLiteral, toLiteral, toPropertyKey, toShellWord } from '../../../model/identifiers.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';
import { toText } from '../../../runtime/serialize.js';
import type { DescribedOperation } from '../views.js';
import { bodyValue, type BuiltRequest, type FormValues, givenValues, hasDotSegments } from './build-request.js';

/**
 * The request as a line for a shell. Files are given by their names.
 *
 * @throws TypeError if curl cannot send the form.
 */
export function toCurl(request: BuiltRequest, origin: string, sandbox: string): string {
  const { method, target, headers, body, form } = request;
  const shown = Object.entries(sandbox === 'default' ? headers : { ...headers, 'x-specmill-sandbox': sandbox });
  const file = body instanceof File ? [`--data-binary ${toShellWord(`@${body.name}`)}`] : [];
  return curlLine(
    {
      method,
      url: origin + target,
      headers: shown.filter(([name]) => form === undefined || name !== 'content-type'),
      body: typeof body === 'string' ? body : undefined,
    },
    (text, before) => toShellWord(before + text),
    [...(hasDotSegments(target) ? ['--path-as-is'] : []), ...(form === undefined ? file : form.flatMap(formWords))],
  );
}

/** The parts of one member of a form, as `writeMultipart` of the runtime writes them. */
function formWords([name, member, type]: NonNullable<BuiltRequest['form']>[number]): string[] {
  if (name.includes('=')) throw new TypeError(`curl cannot send a form member with "=" in its name: ${name}`);
  return [member].flat().map((value: unknown) => {
    const own = type ?? (value instanceof File ? value.type : typeof value === 'object' ? 'application/json' : '');
    const suffix = own === '' ? '' : `;type=${own}`;
    if (value instanceof File) return `-F ${toShellWord(`${name}=@${inQuotes(value.name)}${suffix}`)}`;
    const isJson = typeof value === 'object' || /[/+]json\b/.test(own);
    const text = isJson ? stringifyExactJson(value) : toText(value);
    // With -F, a text may start with "@" or contain ";" only between double quotes.
    return suffix === ''
      ? `--form-string ${toShellWord(`${name}=${text}`)}`
      : `-F ${toShellWord(`${name}=${inQuotes(text)}${suffix}`)}`;
  });
}

function inQuotes(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
}

const GROUPS = { path: 'path', query: 'query', querystring: 'query', header: 'headers', cookie: 'cookies' } as const;

/** The call of the generated client. */
export function toClientCall(operation: DescribedOperation, values: FormValues): string {
  const groups = new Map<string, [string, unknown][]>();
  for (const [parameter, value] of givenValues(operation, values)) {
    const group = GROUPS[parameter.in];
    const known = groups.get(group);
    if (known === undefined) groups.set(group, [[parameter.name, value]]);
    else known.push([parameter.name, value]);
  }
  const parts = [...groups].map(([name, members]) => `${name}: ${objectCode(members)}`);
  const content = operation.body?.content ?? [];
  const chosen = content.find(({ mediaType }) => mediaType === values.mediaType);
  const body = chosen === undefined ? undefined : bodyValue(chosen, values);
  if (body !== undefined) parts.push(`body: ${isPlainObject(body) ? objectCode(Object.entries(body)) : toCode(body)}`);
  if (body !== undefined && content.length > 1) parts.push(`contentType: ${toLiteral(values.mediaType)}`);
  return `await client.${operation.name}(${parts.length === 0 ? '' : `{ ${parts.join(', ')} }`});`;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof File);
}

function objectCode(members: readonly (readonly [string, unknown])[]): string {
  const printed = members.map(
    ([name, value]) => `${name === '__proto__' ? '["__proto__"]' : toPropertyKey(name)}: ${toCode(value)}`,
  );
  return printed.length === 0 ? '{}' : `{ ${printed.join(', ')} }`;
}

/** A value as code; a file is opened by its name. */
function toCode(value: unknown): string {
  return value instanceof File
    ? `await openAsBlob(${toLiteral(value.name)})`
    : toJsonLiteral(stringifyExactJson(value));
}
