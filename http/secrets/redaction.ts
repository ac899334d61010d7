import type { Api } from '../../model/api.js';
import { type HeaderMap, readHeader } from '../messages.js';
import { redactUrl, redactUrls, redactFields } from './redact-url.js';
import { findSecretNames, type MessageSide, type SecretNames, type SecretMembers } from './secret-names.js';
import { isRecord, mapRecord } from '../../model/document/records.js';
import { parseMediaType, kindOf } from '../media-type.js';

/** Where a body comes from. */
export interface BodyOrigin {
  readonly operationId: string | undefined;
  readonly side: MessageSide;
  readonly headers: HeaderMap;
}

/** Takes credentials out of what journals, recordings and logs keep. */
export interface Redact {
  readonly headers: (headers: HeaderMap) => HeaderMap;
  /** Path and query, or a URL. */
  readonly target: (target: string) => string;
  readonly body: (body: unknown, origin: BodyOrigin) => unknown;
  /** The text of a body as it was sent. */
  readonly text: (text: string, origin: BodyOrigin) => string;
}

/** Redacts by the {@link SecretNames} of an API. */
export function createRedact(api: Api): Redact {
  const names = findSecretNames(api);
  const secretsOf = ({ operationId, side, headers }: BodyOrigin): BodySecrets => ({
    names,
    members: names.membersOf(operationId, side),
    contentType: readHeader({ headers }, 'content-type') ?? '',
  });
  const text: Redact['text'] = (shown, origin) => redactText(shown, secretsOf(origin));
  return {
    headers: (headers) => redactHeaders(headers, names),
    target: (target) => redactUrl(target, names),
    text,
    body: (body, origin) => (typeof body === 'string' ? text(body, origin) : redactValue(body, secretsOf(origin))),
  };
}

function redactHeaders(headers: HeaderMap, names: SecretNames): HeaderMap {
  let changed: Record<string, HeaderMap[string]> | undefined;
  for (const [name, value] of Object.entries(headers)) {
    const shown = names.hasHeader(name) ? hide(value) : redactUrlsIn(value, names);
    if (shown === value) continue;
    // The copy has the name as a member of its own already, also where it is `__proto__`.
    changed ??= { ...headers };
    changed[name] = shown;
  }
  return changed ?? headers;
}

/** The scheme stays: which kind of credential was sent is what one looks for. */
function hide(value: HeaderMap[string]): HeaderMap[string] {
  if (value === undefined) return value;
  const scheme = typeof value === 'string' ? /^(basic|bearer|token|digest) /i.exec(value)?.[1] : undefined;
  return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`;
}

function redactUrlsIn(value: HeaderMap[string], names: SecretNames): HeaderMap[string] {
  if (value === undefined) return value;
  if (typeof value === 'string') return redactUrls(value, names);
  const shown = value.map((text) => redactUrls(text, names));
  return shown.every((text, index) => text === value[index]) ? value : shown;
}

/** The text that replaces a credential. */
const REDACTED = 'REDACTED';

/** How to find the credentials of one body. */
interface BodySecrets {
  readonly names: Pick<SecretNames, 'hasField'>;
  readonly members: SecretMembers;
  /** `Content-Type`. */
  readonly contentType: string;
}

/** A copy of a parsed value without its credentials, or the value itself where it has none. */
function redactValue(value: unknown, { names, members, contentType }: BodySecrets): unknown {
  if (members.isWhole(contentType)) return value === undefined ? undefined : REDACTED;
  const kind = kindOfText(contentType);
  const isForm = kind === 'form' || kind === 'multipart';
  const isSecret = (name: string, depth: number): boolean =>
    members.has(name) || (depth === 0 && (isForm ? names.hasField(name) : name === 'token'));
  return hasSecret(value, isSecret, 0) ? copy(value, isSecret, 0) : value;
}

type IsSecret = (name: string, depth: number) => boolean;

function hasSecret(value: unknown, isSecret: IsSecret, depth: number): boolean {
  if (Array.isArray(value)) return value.some((item) => hasSecret(item, isSecret, depth + 1));
  if (!isPlain(value)) return false;
  return Object.entries(value).some(
    ([name, member]) =>
      (isSecret(name, depth) && member !== null && member !== undefined) || hasSecret(member, isSecret, depth + 1),
  );
}

function copy(value: unknown, isSecret: IsSecret, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, isSecret, depth + 1));
  if (!isPlain(value)) return value;
  return mapRecord(value, (member, name) => {
    if (isSecret(name, depth)) return member === null || member === undefined ? member : REDACTED;
    return copy(member, isSecret, depth + 1);
  });
}

/** Bytes and files are no records. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && !(value instanceof Uint8Array) && !(value instanceof Blob);
}

/** A body as text without its credentials. It may be cut off or broken: what cannot be read as a whole is read as far as it goes. */
function redactText(text: string, secrets: BodySecrets): string {
  const { names, members, contentType } = secrets;
  if (members.isWhole(contentType)) return text === '' ? text : REDACTED;
  switch (kindOfText(contentType)) {
    case 'form':
      return redactFields(text, (name) => names.hasField(name) || members.has(name));
    case 'multipart':
      return redactMultipart(text, contentType, (name) => names.hasField(name) || members.has(name));
    default:
      return redactElements(redactJsonText(text, members, /json/i.test(contentType)), members);
  }
}

function kindOfText(contentType: string): string {
  const parsed = parseMediaType(contentType);
  return parsed === undefined ? 'text' : kindOf(parsed);
}

/** Members of JSON, of a stream of JSON and of JSON that is cut off, without a change of what is around them. Reads each character once. */
function redactJsonText(text: string, members: SecretMembers, isDocument: boolean): string {
  let shown = '';
  let kept = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (char !== '"') continue;
    const end = endOfString(text, index);
    const value = valueAfter(text, end);
    const name = value === undefined ? undefined : nameIn(text.slice(index, end));
    index = end - 1;
    if (value === undefined || name === undefined) continue;
    if (!members.has(name) && !(isDocument && depth === 1 && name === 'token')) continue;
    const last = endOfValue(text, value);
    if (text.slice(value, last).trim() === 'null') continue;
    shown += `${text.slice(kept, value)}"${REDACTED}"`;
    kept = last;
    index = last - 1;
  }
  return kept === 0 ? text : shown + text.slice(kept);
}

/** Behind the closing quote. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') return index + 1;
  }
  return text.length;
}

/** Where the value of a member begins whose name ends here; `undefined` if it is not a name. */
function valueAfter(text: string, end: number): number | undefined {
  let index = skipBlanks(text, end);
  if (text[index] !== ':') return undefined;
  index = skipBlanks(text, index + 1);
  return index;
}

function skipBlanks(text: string, start: number): number {
  let index = start;
  while (text[index] === ' ' || text[index] === '\t' || text[index] === '\n' || text[index] === '\r') index += 1;
  return index;
}

function nameIn(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const char = text[index];
    if (char === '"') index = endOfString(text, index) - 1;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === ',' || char === '}' || char === ']' || char === '\n') {
      if (depth === 0) return index;
      if (char === '}' || char === ']') depth -= 1;
    }
    if (depth === 0 && (char === '"' || char === '}' || char === ']')) return index + 1;
  }
  return text.length;
}

/** Elements of XML: `<password>…</password>`. */
function redactElements(text: string, members: SecretMembers): string {
  if (!text.includes('<')) return text;
  return text.replaceAll(/<([A-Za-z_][\w.:-]*)((?:\s[^<>]*)?)>([^<]+)/g, (all, name: string, rest: string) =>
    members.has(name.slice(name.indexOf(':') + 1)) && !rest.endsWith('/') ? `<${name}${rest}>${REDACTED}` : all,
  );
}

/** Fields of a form in parts, each ended by the boundary. The text has a character for each byte, or is decoded. */
function redactMultipart(text: string, contentType: string, isSecret: (name: string) => boolean): string {
  const boundary = parseMediaType(contentType)?.parameters.get('boundary');
  if (boundary === undefined || boundary === '') return text;
  return text
    .split(`--${boundary}`)
    .map((part) => redactPart(part, isSecret))
    .join(`--${boundary}`);
}

function redactPart(part: string, isSecret: (name: string) => boolean): string {
  const end = part.indexOf('\r\n\r\n');
  if (end === -1) return part;
  const name = /\bname="?([^";\r\n]*)/i.exec(part.slice(0, end))?.[1];
  if (name === undefined || !isSecret(name)) return part;
  return `${part.slice(0, end)}\r\n\r\nREDACTED${part.endsWith('\r\n') ? '\r\n' : ''}`;
}
