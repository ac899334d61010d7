import type { Operation } from '../model/api.js';
import { wireMethod } from '../model/http-method.js';
import { KNOWN_EXTENSIONS } from '../model/known-extensions.js';
import type { SchemaType } from '../model/schema-types.js';
import { quoteAll } from '../reports/quote-text.js';
import { canonicalJson } from './schemas/canonical-json.js';
import type { ChangeKind } from './change-catalog.js';
import { showJson } from '../model/exact-json.js';

const SHOWN_LENGTH = 60;
const TITLE_LENGTH = 200;
const SHOWN_VALUES = 5;

/**
 * Text of a spec in a sentence: always a JSON string, so that every report knows where it begins and ends. Escapes
 * characters that could move a cursor, hide text or reverse its direction.
 */
export function quoteShort(text: string): string {
  return quoteAll(shorten(text, SHOWN_LENGTH));
}

/** {@link quoteShort} for names that readers must find: paths, schemas. */
export function quoteTitle(text: string): string {
  return quoteAll(shorten(text, TITLE_LENGTH));
}

/** The name of an operation in a sentence: `"GET /items"`. */
export function operationTitle({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return quoteTitle(`${wireMethod(method)} ${path}`);
}

/** A change without its places. */
export interface ChangeWords {
  readonly kind: ChangeKind;
  readonly message: string;
}

/** The words of a change of `deprecated`. */
export function describeDeprecation(title: string, isDeprecated: boolean): ChangeWords {
  return isDeprecated
    ? { kind: 'deprecated', message: `${title} is deprecated now` }
    : { kind: 'undeprecated', message: `${title} is not deprecated any more` };
}

/** The words of the change of one `x-` member; absent values are `undefined`. */
export function describeExtension(
  name: string,
  { was, is, title }: { readonly was: unknown; readonly is: unknown; readonly title: string },
): ChangeWords {
  const words = was === undefined ? 'is new' : 'has changed';
  return {
    kind: KNOWN_EXTENSIONS.has(name) ? 'helper-changed' : 'extension-changed',
    message: `${quoteShort(name)} of ${title} ${is === undefined ? 'is gone' : words}`,
  };
}

function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const chars = [...text];
  return chars.length > length ? `${chars.slice(0, length).join('')}…` : text;
}

/** A value of a spec in a sentence. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return quoteShort(value);
  if (typeof value === 'object' && value !== null) return quoteShort(canonicalJson(value));
  return showJson(value, 'none');
}

/** Some values of a spec in a sentence: `"a", "b" and 3 more`. */
export function showValues(values: readonly unknown[]): string {
  const shown = values.slice(0, SHOWN_VALUES).map(showValue);
  const more = values.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Describes a change of a value: `is 5, was 7`; `is 5, was not there`; `is gone, was 7`. */
export function describeChange(old: unknown, now: unknown): string {
  if (now === undefined) return `is gone, was ${showValue(old)}`;
  return `is ${showValue(now)}, was ${old === undefined ? 'not there' : showValue(old)}`;
}

const TYPE_WORDS: Readonly<Record<SchemaType, string>> = {
  null: 'null',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  number: 'a number',
  integer: 'an integer',
  string: 'a string',
};

/** `a string or an integer`; `of any type`. */
export function showTypes(types: ReadonlySet<SchemaType> | undefined, nullable: boolean): string {
  if (types === undefined) return 'of any type';
  const words = [...types].map((type) => TYPE_WORDS[type]);
  if (nullable && types.size === 0) words.push(TYPE_WORDS.null);
  return words.length === 0 ? 'impossible' : words.join(' or ');
}
