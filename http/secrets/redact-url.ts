import type { SecretNames, SecretPath } from './secret-names.js';

type IsSecret = (name: string) => boolean;

const REDACTED = 'REDACTED';

/** Redacts `name=value` pairs of a query, fragment or form. */
export function redactFields(text: string, isSecret: IsSecret): string {
  const pairs = text.split('&');
  // A code is common, but a credential beside other parameters of OAuth (RFC 6749, section 4.1).
  const hasGrant = pairs.some((pair) => isGrant(pair.slice(0, Math.max(0, pair.indexOf('=')))));
  return pairs
    .map((pair) => {
      const [name] = new URLSearchParams(pair).keys();
      return name !== undefined && (isSecret(name) || (hasGrant && name === 'code'))
        ? `${pair.split('=', 1)[0] ?? ''}=${REDACTED}`
        : pair;
    })
    .join('&');
}

/** Whether a parameter of OAuth shows that a `code` beside it is a credential. */
export function isGrant(name: string): boolean {
  return /^(?:grant_type|code_verifier|redirect_uri|state|client_id)$/.test(name);
}

/** Redacts the URLs in the text of a body, such as signed ones. */
export function redactLinks(text: string, names: UrlNames): string {
  if (!text.includes('://')) return text;
  return text.replaceAll(/\bhttps?:\/\/[^\s"'<>\\]+/g, (url) => {
    // In XML, the parameters of a URL are separated by an entity.
    const shown = redactUrl(url.replaceAll('&amp;', '&'), names);
    return url.includes('&amp;') ? shown.replaceAll('&', '&amp;') : shown;
  });
}

type UrlNames = Pick<SecretNames, 'hasField'> & Partial<Pick<SecretNames, 'secretPaths'>>;

/** Removes user information from a URL or reference, and redacts credentials in its query and fragment. */
export function redactUrl(url: string, { hasField, secretPaths = [] }: UrlNames): string {
  const [head = '', ...rest] = withoutUserInfo(url).split('#');
  const fragment = rest.join('#');
  const start = head.indexOf('?') + 1;
  const path = redactPath(start === 0 ? head : head.slice(0, start - 1), secretPaths);
  const clean = start === 0 ? path : `${path}?${redactFields(head.slice(start), hasField)}`;
  // OAuth's implicit flow sends tokens in the fragment.
  return rest.length === 0 ? clean : `${clean}#${fragment.includes('=') ? redactFields(fragment, hasField) : fragment}`;
}

/** Redacts the parameters of a path that are credentials, below any base path. */
function redactPath(path: string, secretPaths: readonly SecretPath[]): string {
  if (secretPaths.length === 0) return path;
  const parts = path.split('/');
  for (const template of secretPaths) {
    const start = parts.length - template.length;
    if (start < 1 || !template.every((part, index) => fits(part, parts[start + index] ?? ''))) continue;
    for (const [index, part] of template.entries()) if (part === undefined) parts[start + index] = REDACTED;
  }
  return parts.join('/');
}

function fits(template: string | undefined, part: string): boolean {
  return template === undefined || template === '{}' || template.toLowerCase() === part.toLowerCase();
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
  if (names.secretPaths?.length !== 0 && text.includes('/')) return redactPieces(text, names);
  if (!text.includes('://') && !text.includes('?') && !text.includes('#')) return text;
  return redactPieces(text, names);
}

function redactPieces(text: string, names: UrlNames): string {
  // Splits at characters that no URL contains, so that each piece is read once.
  return text
    .split(/([\s<>"',;]+)/)
    .map((piece) => redactUrl(piece, names))
    .join('');
}
