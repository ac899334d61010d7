import type { Api } from '../model/api.js';
import { isRecord } from '../model/document/records.js';
import type { Schema } from '../model/schema-types.js';
import { keywordOf } from '../schema/facts/members.js';
import { stringifyExactJson } from '../runtime/json-integers.js';
import { isSameJson } from '../model/exact-json.js';

/** Whether a list must come back in the order in which it was sent, or may be kept as a set. */
export type Order = 'kept' | 'any';

/** How a response may show a sent value: evaluated here and printed for the test of a finding, from the same rule. */
interface Rule {
  readonly applies: (sent: unknown) => boolean;
  readonly isShown: (sent: unknown, shown: unknown, order: Order) => boolean;
  /** An `expect` call. `shown`, `wanted`: code for both values; `sent`: the value when it was last sent. */
  readonly print: (code: { readonly shown: string; readonly wanted: string }, sent: unknown, order: Order) => string;
}

/** The first rule that applies to a sent value decides. */
const RULES: readonly Rule[] = [
  {
    // An empty value may be left out, or shown as another empty one. All of them are '' as text.
    applies: isEmpty,
    isShown: (_sent, shown) => isEmpty(shown),
    print: ({ shown }) => `expect(String(${shown} ?? '')).toBe('');`,
  },
  {
    // Members of objects are compared one by one; what was not shown before need not be shown now.
    applies: isRecord,
    isShown: (sent, shown) =>
      isRecord(sent) &&
      isRecord(shown) &&
      Object.entries(sent).every(([name, value]) => !Object.hasOwn(shown, name) || isShownAs(value, shown[name])),
    // The type of null and of lists is 'object' as well.
    print: ({ shown }) => `expect(Object.prototype.toString.call(${shown})).toBe('[object Object]');`,
  },
  {
    // A server may change the objects of a list.
    applies: (sent) => Array.isArray(sent) && sent.some((item) => typeof item === 'object' && item !== null),
    isShown: (sent, shown) => Array.isArray(sent) && Array.isArray(shown) && sent.length === shown.length,
    print: ({ shown }, sent) => `expect(${shown}).toHaveLength(${(sent as readonly unknown[]).length});`,
  },
  {
    // A set may be reordered, and lose what was sent twice.
    applies: Array.isArray,
    isShown: (sent, shown, order) =>
      Array.isArray(sent) &&
      Array.isArray(shown) &&
      isSameJson(readList(shown, sent, order), readList(sent, sent, order)),
    print: ({ shown, wanted }, sent, order) => {
      const items = sent as readonly unknown[];
      const code = (list: string): string =>
        listCode(`[...${list}].map((one) => ${formOf(items).code('one')})`, items, order);
      return `expect(${code(`(${shown} ?? [])`)}).toEqual(${code(wanted)});`;
    },
  },
  {
    // Servers store times to the second or better.
    applies: isMoment,
    isShown: (sent, shown) => Math.abs(Date.parse(String(sent)) - Date.parse(String(shown))) < 1_000,
    print: ({ shown, wanted }) => `expect(Math.abs(Date.parse(${shown}) - Date.parse(${wanted}))).toBeLessThan(1_000);`,
  },
  {
    // Amounts may be rounded to cents, and no number is more precise than a double.
    applies: isFraction,
    isShown: (sent, shown) => isScalar(shown) && Math.abs(Number(shown) - Number(sent)) <= precisionOf(Number(sent)),
    print: ({ shown, wanted }, sent) =>
      `expect(Math.abs(${shown} - ${wanted})).toBeLessThanOrEqual(${precisionOf(Number(sent))});`,
  },
  {
    // An amount that is sent as text may be shown as a number, which has no zeros around it: '020.0' as 20.
    applies: isAmountText,
    isShown: (sent, shown, order) =>
      typeof shown === 'number'
        ? isShownAs(Number(sent), shown, order)
        : isScalar(shown) && formOf([sent]).read(shown) === formOf([sent]).read(sent),
    print: ({ shown, wanted }, sent) => {
      const { code } = formOf([sent]);
      const text = `typeof ${shown} === 'number' ? String(Number(${wanted})) : ${code(wanted)}`;
      return `expect(${code(shown)}).toBe(${text});`;
    },
  },
  {
    applies: (sent) => typeof sent === 'string',
    isShown: (sent, shown) => isScalar(shown) && formOf([sent]).read(shown) === formOf([sent]).read(sent),
    print: ({ shown, wanted }, sent) => {
      const { code } = formOf([sent]);
      return `expect(${code(shown)}).toBe(${code(wanted)});`;
    },
  },
  {
    // A number as text breaks the schema, which is a finding of its own.
    applies: () => true,
    isShown: (sent, shown) => isScalar(shown) && String(sent) === String(shown),
    print: ({ shown, wanted }) => `expect(${shown}).toEqual(${wanted});`,
  },
];

function ruleFor(sent: unknown): Rule {
  const rule = RULES.find(({ applies }) => applies(sent));
  if (rule === undefined) throw new Error('The last rule applies to any value.');
  return rule;
}

/**
 * Whether a response shows the value that was sent. Servers may change its form: trim text, change the case of a code
 * or an address, round an amount, write a time or a URL differently, or keep a list as a set.
 */
export function isShownAs(sent: unknown, shown: unknown, order: Order = 'any'): boolean {
  return Object.is(sent, shown) || ruleFor(sent).isShown(sent, shown, order);
}

/** Prints an `expect` call for what `isShownAs` decides. */
export function printShownAs(
  code: { readonly shown: string; readonly wanted: string },
  sent: unknown,
  order: Order = 'any',
): string {
  return ruleFor(sent).print(code, sent, order);
}

const ORDERED =
  /\bin (?:this|the|that|their) order\b|\border(?:ed|ing)?\b(?! (?:id|number))|\bsequence\b|\brank(?:ed|ing)?\b/i;

/** Whether the spec says that the order of a list matters: in words, by positions, or by a fixed length. */
export function orderOf(schema: Schema, api: Api): Order {
  if (keywordOf(schema, 'uniqueItems', api) === true) return 'any';
  if (keywordOf(schema, 'prefixItems', api) !== undefined) return 'kept';
  const length = keywordOf(schema, 'minItems', api);
  const isFixed = length !== undefined && length > 1 && length === keywordOf(schema, 'maxItems', api);
  return isFixed || ORDERED.test(keywordOf(schema, 'description', api) ?? '') ? 'kept' : 'any';
}

/** A form in which equal values are equal texts or numbers. */
interface Form {
  readonly read: (value: unknown) => unknown;
  /** The code that does the same. */
  readonly code: (value: string) => string;
}

const EXACT: Form = { read: String, code: (value) => `String(${value})` };

/** Texts without the spaces around them. `isFolded`: in any case. */
function textForm(sent: readonly string[], isFolded: boolean): Form {
  const isAscii = sent.every((one) => /^[\x20-\x7e]*$/.test(one));
  return {
    read: (value) => {
      const text = String(value).normalize('NFC').trim();
      return isFolded ? text.toLowerCase() : text;
    },
    code: (value) => `String(${value})${isAscii ? '' : ".normalize('NFC')"}.trim()${isFolded ? '.toLowerCase()' : ''}`,
  };
}

const MOMENT: Form = { read: (value) => Date.parse(String(value)), code: (value) => `Date.parse(${value})` };
const ROUNDED: Form = {
  read: (value) => Math.round(Number(value) * 100),
  code: (value) => `Math.round(Number(${value}) * 100)`,
};
const URL_FORM: Form = {
  read: (value) => hrefOf(String(value)).toLowerCase(),
  code: (value) => `new URL(String(${value}), 'http://localhost').href.toLowerCase()`,
};

/** The form in which sent values are compared. */
function formOf(sent: readonly unknown[]): Form {
  if (sent.every(isMoment)) return MOMENT;
  if (sent.some(isFraction)) return ROUNDED;
  if (!sent.every((one) => typeof one === 'string')) return EXACT;
  if (sent.every((one) => URL.canParse(one))) return URL_FORM;
  // A single word, such as an address or a code, may change its case; the case of a sentence has a meaning.
  return textForm(
    sent,
    sent.every((one) => !/\s/.test(one.trim())),
  );
}

function hrefOf(text: string): string {
  return URL.canParse(text, 'http://localhost') ? new URL(text, 'http://localhost').href : text;
}

function readList(list: readonly unknown[], sent: readonly unknown[], order: Order): readonly unknown[] {
  const read = list.map((one) => formOf(sent).read(one));
  const once = isUnique(sent) ? read : [...new Set(read)];
  return order === 'kept' ? once : once.sort((one, other) => (String(one) < String(other) ? -1 : 1));
}

/** The code for what `readList` does with the forms of items. */
function listCode(forms: string, sent: readonly unknown[], order: Order): string {
  const once = isUnique(sent) ? forms : `[...new Set(${forms})]`;
  return order === 'kept' ? once : `${once}.sort()`;
}

function isUnique(sent: readonly unknown[]): boolean {
  return new Set(sent.map((item) => stringifyExactJson(item))).size === sent.length;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function isScalar(value: unknown): value is string | number | boolean | bigint {
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
}

function isMoment(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]/i.test(value) && !Number.isNaN(Date.parse(value));
}

/** Whether a text is a number in digits. One of more than 15 may not be a double. */
function isAmountText(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value);
}

function isFraction(value: unknown): boolean {
  return typeof value === 'number' && !Number.isSafeInteger(value);
}

function precisionOf(sent: number): number {
  return Math.max(0.005, Math.abs(sent) * 1e-6);
}
