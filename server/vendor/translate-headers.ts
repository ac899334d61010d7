import type { HeaderMap } from '../../http/messages.js';
import { translateList, translateTarget } from './translate-target.js';
import type { Words } from './translation.js';

const MEDIA: ReadonlySet<string> = new Set(['accept', 'content-type', 'accept-patch', 'accept-post']);
const TARGETS: ReadonlySet<string> = new Set(['location', 'content-location']);
/** Headers that speak of names of the API. */
const SENTENCES: ReadonlySet<string> = new Set(['vary', 'www-authenticate', 'warning']);

/** Headers with the words of the other side: their names, media types, URLs of the mock, and values that the API names. */
export function translateHeaders(
  headers: HeaderMap,
  words: Words,
  host: string | undefined,
): Record<string, HeaderMap[string]> {
  const out: Record<string, HeaderMap[string]> = {};
  for (const [name, value] of Object.entries(headers)) {
    const real = words.headers.get(name) ?? name;
    // Where both names are sent, the first of them counts.
    if (Object.hasOwn(out, real)) continue;
    const change = (text: string): string => translateHeader(name, text, { words, host });
    out[real] = typeof value === 'string' ? change(value) : value?.map(change);
  }
  return out;
}

interface HeaderWording {
  readonly words: Words;
  readonly host: string | undefined;
}

function translateHeader(name: string, text: string, { words, host }: HeaderWording): string {
  if (MEDIA.has(name)) return translateMedia(text, words);
  if (SENTENCES.has(name)) return words.sentence(text);
  if (name === 'cookie') return translateCookies(text, words);
  const value = translateList(text, name, words);
  if (!words.hasTargets) return value;
  if (TARGETS.has(name) && value.startsWith('/')) return translateTarget(value, words);
  return host === undefined ? value : translateOwnUrls(value, words, host);
}

/** Media types with their parameters, one or several. */
function translateMedia(text: string, { mediaTypes }: Words): string {
  if (mediaTypes.size === 0) return text;
  return text
    .split(',')
    .map((part) => {
      const essence = (part.split(';', 1)[0] ?? '').trim();
      const real = findMedia(essence.toLowerCase(), mediaTypes);
      return real === undefined ? part : part.replace(essence, () => real);
    })
    .join(',');
}

/** A media type, or one that names a version or a format of it: `application/vnd.acme.v3+json` for `application/vnd.acme+json`. */
function findMedia(essence: string, mediaTypes: Words['mediaTypes']): string | undefined {
  const known = mediaTypes.get(essence);
  if (known !== undefined) return known;
  for (const [from, to] of mediaTypes) {
    const [name = '', real = ''] = [from.split('+', 1)[0], to.split('+', 1)[0]];
    if (essence.startsWith(`${name}.`)) return real + essence.slice(name.length);
  }
  return undefined;
}

function translateCookies(text: string, { cookies }: Words): string {
  if (cookies.size === 0) return text;
  return text
    .split(';')
    .map((part) => {
      const name = (part.split('=', 1)[0] ?? '').trim();
      const real = cookies.get(name);
      return real === undefined ? part : part.replace(name, () => real);
    })
    .join(';');
}

/** URLs of the mock, alone or among others as in `Link`. */
function translateOwnUrls(text: string, words: Words, host: string): string {
  if (!text.includes(`://${host}`)) return text;
  return text.replaceAll(/(?:https?|wss?):\/\/[^\s"<>,;]+/g, (url) => {
    const origin = /^[a-z]+:\/\/[^/?#]*/.exec(url)?.[0] ?? '';
    return origin.endsWith(`://${host}`) ? origin + translateTarget(url.slice(origin.length), words) : url;
  });
}
