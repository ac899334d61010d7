import type { Api } from '../../model/api.js';
import { type HeaderMap, readHeader } from '../messages.js';
import { isGrant, redactFields, redactLinks, redactUrl, redactUrls } from './redact-url.js';
import { findSecretNames, type MessageSide, type SecretNames, type SecretMembers } from './secret-names.js';
import { isRecord, mapRecord } from '../../model/document/records.js';
import { parseMediaType, kindOf } from '../../runtime/parsed-media-type.js';

/** The message that a body belongs to. */
export interface BodyOrigin {
  readonly operationId: string | undefined;
  readonly side: MessageSide;
  readonly headers: HeaderMap;
}

/** Removes credentials from data for journals, recordings and logs. */
export interface Redact {
  readonly headers: (headers: HeaderMap) => HeaderMap;
  /** Redacts path and query, or a URL. */
  readonly target: (target: string) => string;
  readonly body: (body: unknown, origin: BodyOrigin) => unknown;
  /** Redacts the text of a body. */
  readonly text: (text: string, origin: BodyOrigin) => string;
}

/** Creates redaction by the {@link SecretNames} of an API. */
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
    const isProtocol = name.toLowerCase() === 'sec-websocket-protocol';
    const shown = names.hasHeader(name) ? hide(value) : isProtocol ? hideProtocol(value) : redactUrlsIn(value, names);
    if (shown === value) continue;
    // Safe even for `__proto__`, because the copy already has the name as an own member.
    changed ??= { ...headers };
    changed[name] = shown;
  }
  return changed ?? headers;
}

/** Hides a credential, but shows its scheme, because users want to see which kind was sent. */
function hide(value: HeaderMap[string]): HeaderMap[string] {
  if (value === undefined) return value;
  const scheme = typeof value === 'string' ? /^(basic|bearer|token|digest) /i.exec(value)?.[1] : undefined;
  return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`;
}

/** Hides a token in the subprotocols of a WebSocket, the only header that browsers let a page set. */
function hideProtocol(value: HeaderMap[string]): HeaderMap[string] {
  const names = [value ?? []].flat().join(',').split(',');
  const first = names.findIndex((name) => /^\s*(?:bearer|token|auth\w*|access[-_]token|jwt|api-?key)\s*$/i.test(name));
  const isToken = (name: string, index: number): boolean =>
    (first !== -1 && index > first) || name.includes('bearer.') || name.trim().length > 30;
  return names.some(isToken)
    ? names.map((name, index) => (isToken(name, index) ? ` ${REDACTED}` : name)).join(',')
    : value;
}

function redactUrlsIn(value: HeaderMap[string], names: SecretNames): HeaderMap[string] {
  if (value === undefined) return value;
  if (typeof value === 'string') return redactUrls(value, names);
  const shown = value.map((text) => redactUrls(text, names));
  return shown.every((text, index) => text === value[index]) ? value : shown;
}

/** The text that replaces a credential. */
const REDACTED = 'REDACTED';

/** The rules to find credentials in one body. */
interface BodySecrets {
  readonly names: Pick<SecretNames, 'hasField' | 'secretPaths'>;
  readonly members: SecretMembers;
  /** `Content-Type`. */
  readonly contentType: string;
}

/** Copies a parsed value without its credentials. Returns the value itself if it has none. */
function redactValue(value: unknown, { names, members, contentType }: BodySecrets): unknown {
  if (members.isWhole(contentType)) return value === undefined ? undefined : REDACTED;
  const kind = kindOfText(contentType);
  const isForm = kind === 'form' || kind === 'multipart';
  const hasGrant = isForm && isPlain(value) && Object.keys(value).some(isGrant);
  const isFieldSecret = (name: string): boolean => names.hasField(name) || (hasGrant && name === 'code');
  const isSecret = (name: string, depth: number): boolean =>
    members.has(name) || (depth === 0 && (isForm ? isFieldSecret(name) : name === 'token'));
  const rules = { isSecret, redactString: (text: string) => redactLinks(text, names) };
  return hasSecret(value, rules, 0) ? copy(value, rules, 0) : value;
}

interface ValueRules {
  readonly isSecret: (name: string, depth: number) => boolean;
  readonly redactString: (text: string) => string;
}

function hasSecret(value: unknown, rules: ValueRules, depth: number): boolean {
  if (typeof value === 'string') return rules.redactString(value) !== value;
  if (Array.isArray(value)) return value.some((item) => hasSecret(item, rules, depth + 1));
  if (!isPlain(value)) return false;
  return Object.entries(value).some(
    ([name, member]) =>
      (rules.isSecret(name, depth) && member !== null && member !== undefined) || hasSecret(member, rules, depth + 1),
  );
}

function copy(value: unknown, rules: ValueRules, depth: number): unknown {
  if (typeof value === 'string') return rules.redactString(value);
  if (Array.isArray(value)) return value.map((item) => copy(item, rules, depth + 1));
  if (!isPlain(value)) return value;
  return mapRecord(value, (member, name) => {
    if (rules.isSecret(name, depth)) return member === null || member === undefined ? member : REDACTED;
    return copy(member, rules, depth + 1);
  });
}

/** Whether a value is an object other than bytes or a file. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && !(value instanceof Uint8Array) && !(value instanceof Blob);
}

/** Redacts the text of a body, even if it is cut off or broken. */
function redactText(text: string, secrets: BodySecrets): string {
  const { names, members, contentType } = secrets;
  if (members.isWhole(contentType)) return text === '' ? text : REDACTED;
  switch (kindOfText(contentType)) {
    case 'form':
      return redactFields(text, (name) => names.hasField(name) || members.has(name));
    case 'multipart':
      return redactMultipart(text, contentType, (name) => names.hasField(name) || members.has(name));
    default:
      return redactLinks(redactElements(redactJsonText(text, members, /json/i.test(contentType)), members), names);
  }
}

function kindOfText(contentType: string): string {
  const parsed = parseMediaType(contentType);
  return parsed === undefined ? 'text' : kindOf(parsed);
}

/**
 * Redacts members in JSON, in streams of JSON and in cut-off JSON. Changes nothing else, and reads each character once.
 */
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

/** Returns the index after the closing quote. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') return index + 1;
  }
  return text.length;
}

/** Returns the start of the member value after a name that ends at `end`; `undefined` if it is not a name. */
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

/** Redacts XML elements such as `<password>…</password>`, with all that is in them, and attributes. */
function redactElements(text: string, members: SecretMembers): string {
  if (!text.includes('<')) return text;
  let [shown, kept] = ['', 0];
  for (const tag of text.matchAll(/<([A-Za-z_][\w.:-]*)((?:\s[^<>]*)?)>/g)) {
    if (tag.index < kept) continue;
    const [all, name = '', rest = ''] = tag;
    const isSecret = members.has(localName(name)) && !rest.endsWith('/');
    shown += `${text.slice(kept, tag.index)}<${name}${redactAttributes(rest, members)}>${isSecret ? REDACTED : ''}`;
    kept = tag.index + all.length;
    if (isSecret) kept = endOfContent(text, kept, name);
  }
  return shown + text.slice(kept);
}

function redactAttributes(text: string, members: SecretMembers): string {
  if (!text.includes('=')) return text;
  return text.replaceAll(/(?<![\w.:-])([\w.:-]+)=("[^"]*"|'[^']*')/g, (all, name: string) =>
    members.has(localName(name)) ? `${name}="${REDACTED}"` : all,
  );
}

/** The index of the closing tag; the end of a text that is cut off. */
function endOfContent(text: string, start: number, name: string): number {
  let at = start;
  while (text.startsWith('<![CDATA[', at)) {
    const end = text.indexOf(']]>', at);
    if (end === -1) return text.length;
    at = end + 3;
  }
  const end = text.indexOf(`</${name}`, at);
  return end === -1 ? text.length : end;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Redacts the parts of a multipart form. The text is decoded, or has one character for each byte. */
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
