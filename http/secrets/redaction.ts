import type { Api } from '../../model/api.js';
import type { HeaderMap } from '../messages.js';
import { type BodySecrets, redactText, redactValue, REDACTED } from './redact-body.js';
import { redactUrl, redactUrls } from './redact-url.js';
import { findSecretNames, type MessageSide, type SecretNames } from './secret-names.js';

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
  /** A text, or a parsed value. */
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
    contentType: [headers['content-type'] ?? ''].flat().join(', '),
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
