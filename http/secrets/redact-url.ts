import type { SecretNames, SecretPath } from './secret-names.js';

const REDACTED = 'REDACTED';

/** How fields of a query, fragment or form are redacted. */
export interface FieldRules extends Pick<SecretNames, 'hasField'> {
  /** Whether a `code` is a usual name of the API, and a credential only beside other parameters of OAuth. */
  readonly usesCode?: boolean;
  /** Redacts documents and URLs inside of a value. */
  readonly redactValue?: (text: string) => string;
}

/** Redacts `name=value` pairs of a query, fragment or form. */
export function redactFields(text: string, rules: FieldRules): string {
  const pairs = text.split('&');
  const hasGrant = pairs.some((pair) => isGrant(nameOf(pair)));
  return pairs
    .map((pair) => {
      const name = nameOf(pair);
      const start = pair.indexOf('=') + 1;
      if (start === 0) return pair;
      const value = pair.slice(start);
      const isSecret = rules.hasField(name) || (name === 'code' && (hasGrant || isGrantCode(value, rules)));
      return pair.slice(0, start) + (isSecret ? REDACTED : redactInside(value, rules.redactValue));
    })
    .join('&');
}

/** A name that is written as it is. */
const PLAIN_NAME = /^[\w.-]+(?==)/;

function nameOf(pair: string): string {
  const plain = PLAIN_NAME.exec(pair)?.[0];
  if (plain !== undefined) return plain;
  return (new URLSearchParams(pair).keys().next().value ?? '').trim();
}

/** Redacts the JSON or the URL that the value of a field is. */
function redactInside(value: string, redactValue: FieldRules['redactValue']): string {
  if (redactValue === undefined || !/[:%{]/.test(value)) return value;
  const text = new URLSearchParams(`a=${value}`).get('a') ?? '';
  const shown = redactValue(text);
  return shown === text ? value : encodeURIComponent(shown);
}

/** Codes of countries, currencies and errors are shorter than those of OAuth. */
const SHORTEST_CODE = 6;

/** Whether a `code` without other parameters of OAuth (RFC 6749, section 4.1) may be a credential. */
export function isGrantCode(value: string, { usesCode = false }: Pick<FieldRules, 'usesCode'>): boolean {
  return !usesCode && value.length >= SHORTEST_CODE;
}

/** Whether a parameter of OAuth shows that a `code` beside it is a credential. */
export function isGrant(name: string): boolean {
  return /^(?:grant_type|code_verifier|redirect_uri|state|client_id)$/.test(name);
}

type UrlNames = FieldRules & Partial<Pick<SecretNames, 'secretPaths'>>;

const LINK = /(?<![\w+.-])[\w+.-]+:\\?\/\\?\/(?:[^\s"'<>\\]|\\\/)+/g;
/** A parameter anywhere in a text, such as one of a relative URL. JSON may escape `&` and `/`. */
const PAIR = /(^|[?&#]|\\u0026|&amp;)([\w.~%+[\]-]{1,80})=((?:[^\s&"'<>\\#]|\\\/)+)/g;

/** Redacts URLs and parameters in the text of a body, such as signed URLs. */
export function redactLinks(text: string, names: UrlNames): string {
  if (!text.includes('=') && !text.includes('/')) return text;
  const paths = names.secretPaths ?? [];
  const clean =
    paths.length === 0 || !text.includes('/') ? text : redactPieces(text, (piece) => redactPath(piece, paths));
  const links = clean.replaceAll(LINK, (url) => {
    const isEscaped = url.includes('\\/');
    const plain = isEscaped ? url.replaceAll('\\/', '/') : url;
    // In XML, the parameters of a URL are separated by an entity.
    const shown = redactUrl(plain.replaceAll('&amp;', '&'), names);
    const written = plain.includes('&amp;') ? shown.replaceAll('&', '&amp;') : shown;
    return isEscaped ? written.replaceAll('/', '\\/') : written;
  });
  return links.replaceAll(PAIR, (all, before: string, name: string, value: string) => {
    const [plain = ''] = new URLSearchParams(`${name}=`).keys();
    const isCode = plain === 'code' && before !== '' && isGrantCode(value, names);
    return isCode || names.hasField(plain) ? `${before}${name}=${REDACTED}` : all;
  });
}

/** Removes user information from a URL or reference, and redacts credentials in its query and fragment. */
export function redactUrl(url: string, rules: UrlNames): string {
  const { secretPaths = [] } = rules;
  const [head = '', ...rest] = withoutUserInfo(url).split('#');
  const fragment = rest.join('#');
  const start = head.indexOf('?') + 1;
  const path = redactPath(start === 0 ? head : head.slice(0, start - 1), secretPaths);
  const clean = start === 0 ? path : `${path}?${redactFields(head.slice(start), rules)}`;
  // OAuth's implicit flow sends tokens in the fragment.
  return rest.length === 0 ? clean : `${clean}#${fragment.includes('=') ? redactFields(fragment, rules) : fragment}`;
}

/** Redacts the parameters of a path that are credentials, wherever the words of its template are. */
function redactPath(path: string, secretPaths: readonly SecretPath[]): string {
  if (secretPaths.length === 0) return path;
  const parts = path.split('/');
  // Servers may ignore empty parts.
  const places = [...parts.keys()].filter((index) => parts[index] !== '');
  const words = places.map((index) => wordOf(parts[index] ?? ''));
  for (const template of secretPaths) {
    const last = places.length - template.length;
    // A template without a word of its own would fit everywhere.
    const first = template.some((part) => part !== undefined && part !== '{}') ? 0 : Math.max(0, last);
    for (let start = first; start <= last; start += 1) {
      if (!template.every((part, index) => part === undefined || part === '{}' || part === words[start + index]))
        continue;
      for (const [index, part] of template.entries())
        if (part === undefined) parts[places[start + index] ?? 0] = REDACTED;
    }
  }
  return parts.join('/');
}

/** A part of a path without differences that servers may ignore. */
function wordOf(part: string): string {
  try {
    return decodeURIComponent(part).toLowerCase();
  } catch {
    return part.toLowerCase();
  }
}

function withoutUserInfo(url: string): string {
  const start = url.indexOf('://') + 3;
  if (start === 2) return url;
  const path = url.slice(start).search(/[/?#]/);
  const authority = path === -1 ? url.slice(start) : url.slice(start, start + path);
  const at = authority.lastIndexOf('@');
  return at === -1 ? url : `${url.slice(0, start)}${REDACTED}${url.slice(start + at)}`;
}

/** Redacts URLs in a text, such as the value of `Location`, `Link`, `Referer` or `Refresh`. */
export function redactUrls(text: string, names: UrlNames): string {
  const isUrl = (names.secretPaths?.length !== 0 && text.includes('/')) || /:\/\/|[?#]/.test(text);
  return isUrl ? redactPieces(text, (piece) => redactUrl(piece, names)) : text;
}

/** Splits a text at characters that no URL contains, so that each piece is read once. */
function redactPieces(text: string, redact: (piece: string) => string): string {
  return text
    .split(/([\s<>"',]+)/)
    .map((piece) => redact(piece))
    .join('');
}
