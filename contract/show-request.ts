import { type Secrets, variableOf } from './secrets.js';
import type { WireRequest } from './types.js';

/**
 * A request as a line for a shell. Secrets that the user gave stay out of it: `"$AUTHORIZATION"` stands in their place.
 *
 * @example toCurl({ method: 'GET', url: 'http://127.0.0.1/a', headers: {} }, new Secrets())
 * // curl -sS -i -g 'http://127.0.0.1/a'
 */
export function toCurl({ method, url, headers, body }: WireRequest, secrets: Secrets): string {
  const parts = ['curl', '-sS', '-i', '-g'];
  if (method !== 'GET' || body !== undefined) parts.push('-X', quote(method));
  parts.push(
    splitUrl(url, secrets)
      .map((part) => (part.isSecret ? `"$${part.text}"` : quote(part.text)))
      .join(''),
  );
  for (const [name, value] of Object.entries(headers)) {
    if (secrets.hasHeader(name, value)) parts.push('-H', `${quote(`${name}: `)}"$${variableOf(name)}"`);
    // Without a value curl would leave the header out.
    else parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`));
  }
  if (body !== undefined) parts.push('--data-raw', quote(body));
  return parts.join(' ');
}

/** A part of a url: text as it is, or the name of the variable that holds a secret. */
export interface UrlPart {
  readonly text: string;
  readonly isSecret: boolean;
}

/** A url, with the values of secret parameters taken out of it. */
export function splitUrl(url: string, secrets: Secrets): UrlPart[] {
  const [path = '', query] = url.split(/\?(.*)/s);
  const parts: UrlPart[] = [];
  let text = path;
  for (const [index, field] of (query === undefined ? [] : query.split('&')).entries()) {
    text += index === 0 ? '?' : '&';
    const [name = ''] = field.split('=', 1);
    if (!secrets.hasQuery(decode(name))) {
      text += field;
      continue;
    }
    parts.push({ text: `${text}${name}=`, isSecret: false }, { text: variableOf(decode(name)), isSecret: true });
    text = '';
  }
  return text === '' ? parts : [...parts, { text, isSecret: false }];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Characters that a terminal or a page would not show as they are: controls, and those that change the reading order. */
const UNSHOWN = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/** Single quotes keep a shell from reading anything; characters that cannot be shown are written as escapes. */
export function quote(text: string): string {
  if (!UNSHOWN.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll(new RegExp(UNSHOWN, 'gu'), (letter) => {
      const code = (letter.codePointAt(0) ?? 0).toString(16);
      return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
    });
  return `$'${escaped}'`;
}
