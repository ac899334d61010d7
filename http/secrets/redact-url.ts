import type { SecretNames } from './secret-names.js';

type IsSecret = (name: string) => boolean;

const REDACTED = 'REDACTED';

/** Redacts `name=value` pairs of a query, fragment or form. */
export function redactFields(text: string, isSecret: IsSecret): string {
  return text
    .split('&')
    .map((pair) => {
      const [name] = new URLSearchParams(pair).keys();
      return name !== undefined && isSecret(name) ? `${pair.split('=', 1)[0] ?? ''}=${REDACTED}` : pair;
    })
    .join('&');
}

/** Removes user information from a URL or reference, and redacts credentials in its query and fragment. */
export function redactUrl(url: string, { hasField }: Pick<SecretNames, 'hasField'>): string {
  const [head = '', ...rest] = withoutUserInfo(url).split('#');
  const fragment = rest.join('#');
  const start = head.indexOf('?') + 1;
  const clean = start === 0 ? head : head.slice(0, start) + redactFields(head.slice(start), hasField);
  // OAuth's implicit flow sends tokens in the fragment.
  return rest.length === 0 ? clean : `${clean}#${fragment.includes('=') ? redactFields(fragment, hasField) : fragment}`;
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
export function redactUrls(text: string, names: Pick<SecretNames, 'hasField'>): string {
  if (!text.includes('://') && !text.includes('?') && !text.includes('#')) return text;
  // Splits at characters that no URL contains, so that each piece is read once.
  return text
    .split(/([\s<>"',;]+)/)
    .map((piece) => redactUrl(piece, names))
    .join('');
}
