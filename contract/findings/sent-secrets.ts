import type { Redact } from '../../http/secrets/redaction.js';
import { decodeLeniently } from '../../model/document/pointer.js';
import type { WireRequest } from '../types.js';

/** A credential that a request has sent, and the name of its place. */
export type SentSecret = readonly [value: string, name: string];

/** Finds the credentials in the URL, the headers and the body of a request. */
export function findSentSecrets(
  { url, headers, body }: WireRequest,
  redact: Redact,
  operationId: string,
): readonly SentSecret[] {
  const shown = redact.headers(headers);
  return [
    ...hiddenParts(url, redact.target(url)),
    ...Object.entries(headers).flatMap(([name, value]) => hiddenParts(value, String(shown[name] ?? ''), name)),
    ...(body === undefined ? [] : hiddenParts(body, redact.text(body, { operationId, side: 'request', headers }))),
  ];
}

/** Compares a text with its redacted form, and returns what is missing there. */
function hiddenParts(text: string, redacted: string, place: string = 'secret'): readonly SentSecret[] {
  if (text === redacted) return [];
  const [first = '', ...kept] = redacted.split(/"?REDACTED"?/);
  const found: SentSecret[] = [];
  let [at, before] = [first.length, first];
  for (const [index, literal] of kept.entries()) {
    const isLast = index === kept.length - 1;
    const next = isLast ? text.length - literal.length : text.indexOf(literal, at);
    const end = next < at ? text.length : next;
    const name = nameBefore(before) ?? place;
    for (const value of valuesOf(text.slice(at, end))) found.push([value, name]);
    [at, before] = [end + literal.length, literal];
  }
  return found;
}

/** The name that a value belongs to: the last word of the text before it. */
function nameBefore(text: string): string | undefined {
  return text
    .slice(-80)
    .split(/[^\w]+/)
    .findLast((word) => /^[A-Za-z]/.test(word));
}

/** The texts in a hidden part: it may be a list or an object of JSON, a section of XML, lines of YAML, or a name with a password. */
function valuesOf(part: string): readonly string[] {
  const bare = part.replace(/^<!\[CDATA\[/, '').replace(/\]\]>$/, '');
  const lines = bare.includes('\n') ? bare.split('\n').map((line) => line.trim()) : [];
  const texts = /^\s*["[{]/.test(bare) ? bare.split(/["[\]{},:\s]+/) : [bare.trim(), ...lines];
  const passwords = texts.map((text) => text.slice(text.indexOf(':') + 1));
  return [...new Set([...texts, ...passwords].flatMap((text) => [text, decodeLeniently(text)]))].filter(
    (text) => text !== '',
  );
}
