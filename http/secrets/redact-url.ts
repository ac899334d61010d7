import type { SecretNames } from './secret-names.js';

type IsSecret = (name: string) => boolean;

const REDACTED = 'REDACTED';

/** `name=value` pairs of a query, a fragment or a form. */
export function redactFields(text: string, isSecret: IsSecret): string {
  return text
    .split('&')
    .map((pair) => {
      const [name] = new URLSearchParams(pair).keys();
      return name !== undefined && isSecret(name) ? `${pair.split('=', 1)[0] ?? ''}=${REDACTED}` : pair;
    })
    .join('&');
}

/** A URL or a reference without user information, and without the credentials in its query and its fragment. */
export function redactUrl(url: string, { hasField }: Pick<SecretNames, 'hasField'>): string {
  const [head = '', ...rest] = withoutUserInfo(url).split('#');
  const fragment = rest.join('#');
  const start = head.indexOf('?') + 1;
  const clean = start === 0 ? head : head.slice(0, start) + redactFields(head.slice(start), hasField);
  // Tokens of the implicit flow of OAuth travel in the fragment.
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

/** A text with URLs in it, alone or in a list: `Location`, `Link`, `Referer`, `Refresh`. */
export function redactUrls(text: string, names: Pick<SecretNames, 'hasField'>): string {
  if (!text.includes('://') && !text.includes('?') && !text.includes('#')) return text;
  // Pieces end where no URL goes on, so that each is read once.
  return text
    .split(/([\s<>"',;]+)/)
    .map((piece) => redactUrl(piece, names))
    .join('');
}
