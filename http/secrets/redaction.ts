import type { Api } from '../../model/api.js';
import { type HeaderMap, readHeader } from '../messages.js';
import { redactCsv, redactYaml } from './redact-lines.js';
import { redactJsonText } from './redact-json.js';
import { redactMultipart } from './redact-multipart.js';
import { redactElements } from './redact-xml.js';
import { isGrant, isGrantCode, redactFields, redactLinks, redactUrl, redactUrls } from './redact-url.js';
import {
  findSecretNames,
  hasSharedName,
  isOpaque,
  type MessageSide,
  type SecretNames,
  type SecretMembers,
} from './secret-names.js';
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

/** Creates redaction by the {@link SecretNames} of an API. They are found on first use: a large API has thousands of parameters. */
export function createRedact(api: Api): Redact {
  let found: SecretNames | undefined;
  const names = (): SecretNames => (found ??= findSecretNames(api));
  const secretsOf = ({ operationId, side, headers }: BodyOrigin): BodySecrets => ({
    names: names(),
    members: names().membersOf(operationId, side),
    contentType: readHeader({ headers }, 'content-type') ?? '',
  });
  const text: Redact['text'] = (shown, origin) => redactText(shown, secretsOf(origin));
  return {
    headers: (headers) => redactHeaders(headers, names()),
    target: (target) => redactUrl(target, names()),
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
    (first !== -1 && index > first) || LABELLED_TOKEN.test(name) || name.trim().length > 30;
  return names.some(isToken)
    ? names.map((name, index) => (isToken(name, index) ? ` ${REDACTED}` : name)).join(',')
    : value;
}

/** Such as `base64url.bearer.authorization.k8s.io.TOKEN`, `openai-insecure-api-key.TOKEN` and `token=TOKEN`. */
const LABELLED_TOKEN = /(?:bearer|token|jwt|api-?key|authorization)[.:=]/i;

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
  readonly names: Pick<SecretNames, 'hasField' | 'secretPaths' | 'usesCode'>;
  readonly members: SecretMembers;
  /** `Content-Type`. */
  readonly contentType: string;
}

/** Copies a parsed value without its credentials. Returns the value itself if it has none. */
function redactValue(value: unknown, { names, members, contentType }: BodySecrets): unknown {
  if (members.isWhole(contentType)) return value === undefined ? undefined : REDACTED;
  const kind = kindOfText(contentType);
  const isForm = kind === 'form' || kind === 'multipart';
  const isGrantName = isForm ? isGrant : (name: string): boolean => /^(?:grant_type|code_verifier)$/.test(name);
  const code = isPlain(value) ? value['code'] : undefined;
  const hasCode =
    (isForm && typeof code === 'string' && isGrantCode(code, names)) ||
    (isPlain(value) && Object.keys(value).some(isGrantName));
  const isSecretAtTop = (name: string): boolean =>
    (isForm ? names.hasField(name) : name === 'token') || (hasCode && name === 'code');
  const isSecret = (name: string, member: unknown, depth: number): boolean =>
    members.has(name) ||
    (depth === 0 && isSecretAtTop(name)) ||
    (typeof member === 'string' && hasSharedName(name) && isOpaque(member));
  const secrets = { names, members, contentType: 'text/plain' };
  const rules = { isSecret, redactString: (text: string) => redactAny(text, secrets) };
  return hasSecret(value, rules, 0) ? copy(value, rules, 0) : value;
}

interface ValueRules {
  readonly isSecret: (name: string, member: unknown, depth: number) => boolean;
  readonly redactString: (text: string) => string;
}

function hasSecret(value: unknown, rules: ValueRules, depth: number): boolean {
  if (typeof value === 'string') return rules.redactString(value) !== value;
  if (Array.isArray(value)) return value.some((item) => hasSecret(item, rules, depth + 1));
  if (!isPlain(value)) return false;
  return Object.entries(value).some(
    ([name, member]) =>
      (rules.isSecret(name, member, depth) && member !== null && member !== undefined) ||
      hasSecret(member, rules, depth + 1),
  );
}

function copy(value: unknown, rules: ValueRules, depth: number): unknown {
  if (typeof value === 'string') return rules.redactString(value);
  if (Array.isArray(value)) return value.map((item) => copy(item, rules, depth + 1));
  if (!isPlain(value)) return value;
  return mapRecord(value, (member, name) => {
    if (rules.isSecret(name, member, depth)) return member === null || member === undefined ? member : REDACTED;
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
  const isSecret = (name: string): boolean => names.hasField(name) || members.has(name);
  switch (kindOfText(contentType)) {
    case 'form':
      return redactFields(text, { ...names, hasField: isSecret, redactValue: (value) => redactAny(value, secrets) });
    case 'multipart':
      return redactMultipart(text, contentType, {
        isSecret,
        redactContent: (content, type) => redactText(content, { ...secrets, contentType: type || 'text/plain' }),
      });
    default:
      if (/yaml/i.test(contentType)) return redactLinks(redactYaml(text, isSecret), names);
      if (/csv/i.test(contentType)) return redactLinks(redactCsv(text, isSecret), names);
      return redactAny(text, secrets);
  }
}

/** Redacts JSON, XML and URLs in a text. */
function redactAny(text: string, { names, members, contentType }: BodySecrets): string {
  const isDocument = /json/i.test(contentType);
  // A stream of JSON may be one of a tokenizer.
  const isOneDocument = kindOfText(contentType) === 'json';
  const hasCode = isDocument && /"(?:grant_type|code_verifier)"/.test(text);
  const isSecretAtTop = (name: string): boolean => (isOneDocument && name === 'token') || (hasCode && name === 'code');
  const json = text.includes('"') ? redactJsonText(text, { members, isSecretAtTop }) : text;
  return redactLinks(redactElements(json, members.has), names);
}

function kindOfText(contentType: string): string {
  const parsed = parseMediaType(contentType);
  return parsed === undefined ? 'text' : kindOf(parsed);
}
