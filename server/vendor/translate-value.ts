import { isRecord, setMember } from '../../model/document/records.js';
import { appendPointer, splitPointer } from '../../model/document/pointer.js';
import { parseJson } from '../../http/request/parse-json.js';
import { translateTarget } from './translate-target.js';
import type { Words } from './translation.js';

/** What a translation goes by. */
export interface Wording {
  readonly words: Words;
  /** The host that the mock was called by: its own URLs begin with it. */
  readonly host: string | undefined;
  /** Refusals have sentences and pointers of the mock in them. */
  readonly isFailure: boolean;
}

/** Members of a refusal that hold a sentence of the mock. */
const SENTENCES: ReadonlySet<string> = new Set([
  'message',
  'detail',
  'description',
  'error_description',
  'errorMessage',
]);

/**
 * A JSON value with the words of the other side: names of members, values that the API names, and URLs of the mock
 * itself. Data of the user stays, and what has no word in it is the same value, not a copy.
 *
 * @param key - the member that has the value; empty where there is none.
 */
export function translateValue(value: unknown, wording: Wording, key = ''): unknown {
  if (typeof value === 'string') return translateText(value, wording, key);
  const kind = wording.words.opaque.get(key);
  if (typeof value !== 'object' || value === null || kind === 'data') return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => translateValue(item, wording, key));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return isRecord(value) && !ArrayBuffer.isView(value) ? translateObject(value, wording, kind === 'map') : value;
}

function translateObject(
  value: Readonly<Record<string, unknown>>,
  wording: Wording,
  keepsNames: boolean,
): Readonly<Record<string, unknown>> {
  const out: Record<string, unknown> = {};
  let changed = false;
  for (const [name, member] of Object.entries(value)) {
    const real = keepsNames ? name : (wording.words.members.get(name) ?? name);
    // Where both spellings stand side by side, each stays what it is.
    const key = real !== name && Object.hasOwn(value, real) ? name : real;
    const translated = translateValue(member, wording, !keepsNames && isNamed(name, wording) ? name : '');
    changed ||= key !== name || translated !== member;
    setMember(out, key, translated);
  }
  return changed ? out : value;
}

/** Whether the name is one of the API, or what the mock calls the parts of a refusal. */
function isNamed(name: string, { words, isFailure }: Wording): boolean {
  return words.names.has(name) || (isFailure && (name === 'pointer' || SENTENCES.has(name)));
}

function translateText(text: string, wording: Wording, key: string): string {
  const { words, host, isFailure } = wording;
  if (isFailure && key === 'pointer') return translatePointer(text, words);
  if (isFailure && SENTENCES.has(key)) return words.sentence(text);
  if (words.opaque.get(key) === 'data') return text;
  const known = words.values.get(text);
  if (known?.under.has(key) === true) return known.to;
  return words.hasTargets && host !== undefined ? translateOwnUrl(text, words, host) : text;
}

/** Names of members and headers in a JSON pointer. */
export function translatePointer(pointer: string, { members, headers, queries }: Words): string {
  return splitPointer(pointer)
    .map((segment) => members.get(segment) ?? headers.get(segment) ?? queries.get(segment) ?? segment)
    .reduce((all, segment) => appendPointer(all, segment), '');
}

/** A text that is a URL of the mock itself. */
function translateOwnUrl(text: string, words: Words, host: string): string {
  const origin = /^(?:https?|wss?):\/\/[^/?#]*/.exec(text)?.[0];
  if (origin === undefined || !origin.endsWith(`://${host}`)) return text;
  return origin + translateTarget(text.slice(origin.length), words);
}

/** A document of JSON as text. What is no JSON is left for others to refuse. */
export function translateJson(text: string, wording: Wording): string {
  if (!mayHoldWord(text, wording)) return text;
  try {
    const value = parseJson(text);
    const translated = translateValue(value, wording);
    return translated === value ? text : JSON.stringify(translated);
  } catch {
    return text;
  }
}

/** Bodies are large, and most have no word in them. Letters may be escaped, too. */
function mayHoldWord(text: string, { words, host, isFailure }: Wording): boolean {
  if (isFailure || /\\u00[4-7]/i.test(text)) return true;
  if (words.hasTargets && host !== undefined && text.includes(`://${host}`)) return true;
  for (const word of words.members.keys()) if (text.includes(`"${word}"`)) return true;
  for (const word of words.values.keys()) if (text.includes(`"${word}"`)) return true;
  return false;
}
