import { fullFormats } from 'ajv-formats/dist/formats.js';

type Test<Value> = (value: Value) => boolean;

/** How a format is checked, by the type of the value. A type that is absent is not checked. */
export interface FormatTests {
  readonly string?: Test<string>;
  readonly number?: Test<number>;
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

/** A decimal string in a range. Leading zeros are no number of any API that we know. */
function isDecimal(text: string, min: bigint, max: bigint): boolean {
  return /^(?:0|-?[1-9]\d{0,19})$/.test(text) && BigInt(text) >= min && BigInt(text) <= max;
}

function isInteger(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

/** The last double below 2^63 and 2^64: the bounds themselves would round up, out of the range. */
const MAX_INT64_NUMBER = 2 ** 63 - 1024;
const MAX_UINT64_NUMBER = 2 ** 64 - 2048;

const OFFSET = /(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const LOCAL_PART = String.raw`(?:[a-z0-9!#$%&'*+/=?^_\x60{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_\x60{|}~-]+)*|"(?:[ !#-[\]-~]|\\[ -~])*")`;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const EMAIL = new RegExp(`^(?=.{3,254}$)${LOCAL_PART}@(?:${LABEL}(?:\\.${LABEL})*|\\[([^\\]]+)\\])$`, 'i');

/** Formats that ajv-formats does not have, or does not check as their RFC has them; docs/adr/0002-validators.md says where. */
const OWN: Readonly<Record<string, FormatTests>> = {
  time: { string: (text) => OFFSET.test(text) && builtIn('time', text) },
  'date-time': { string: isDateTime },
  'date-time-local': { string: isLocalTime },
  uri: { string: (text) => isUri('uri', text) },
  'uri-reference': { string: (text) => isUri('uri-reference', text) },
  email: { string: isEmail },
  uuid: { string: (text) => !/^urn/i.test(text) && builtIn('uuid', text) },
  byte: { string: (text) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text) },
  regex: { string: isRegex },
  int32: { number: (value) => isInteger(value, -(2 ** 31), 2 ** 31 - 1) },
  uint32: { number: (value) => isInteger(value, 0, 2 ** 32 - 1) },
  int64: {
    number: (value) => isInteger(value, -(2 ** 63), MAX_INT64_NUMBER),
    string: (text) => isDecimal(text, MIN_INT64, MAX_INT64),
  },
  uint64: {
    number: (value) => isInteger(value, 0, MAX_UINT64_NUMBER),
    string: (text) => isDecimal(text, 0n, MAX_UINT64),
  },
};

/** What nearly all times look like; leap seconds are for the full grammar. */
const USUAL_TIME = /^\d{4}-\d\d-\d\dt(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

function isDateTime(text: string): boolean {
  if (USUAL_TIME.test(text)) return builtIn('date', text.slice(0, 10));
  return /^[^ts\s]+t[^ts\s]+$/i.test(text) && OFFSET.test(text) && builtIn('date-time', text);
}

/** What nearly all URIs look like. The grammar of RFC 3986 takes ten times as long, and answers may have dozens of them. */
const USUAL_URI =
  /^[a-z][a-z0-9+.-]*:\/\/[\w.~-]+(?::\d+)?(?:\/[\w.~!$&'()*+,;=:@/-]*)?(?:\?[\w.~!$&'()*+,;=:@/?-]*)?$/i;

function isUri(name: 'uri' | 'uri-reference', text: string): boolean {
  return USUAL_URI.test(text) || builtIn(name, text);
}

/** Without an offset nobody can say where a leap second may be. */
function isLocalTime(text: string): boolean {
  const [, date = '', time = ''] = /^([^t]+)t(.+)$/i.exec(text) ?? [];
  return builtIn('date', date) && /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?$/.test(time);
}

function isEmail(text: string): boolean {
  const match = EMAIL.exec(text);
  if (match === null) return false;
  const literal = match[1];
  if (literal === undefined) return true;
  return literal.toLowerCase().startsWith('ipv6:') ? builtIn('ipv6', literal.slice(5)) : builtIn('ipv4', literal);
}

function isRegex(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** The formats of ajv-formats that are right, in its full mode. */
const BUILT_IN = [
  'date',
  'duration',
  'uri-template',
  'url',
  'hostname',
  'ipv4',
  'ipv6',
  'json-pointer',
  'relative-json-pointer',
] as const;

function builtIn(name: keyof typeof fullFormats, text: string): boolean {
  const format = fullFormats[name];
  if (format instanceof RegExp) return format.test(text);
  const check = typeof format === 'object' && 'validate' in format ? format.validate : format;
  if (check instanceof RegExp) return check.test(text);
  return typeof check === 'function' && (check as Test<string>)(text);
}

/** All formats that are checked. */
export const FORMATS: ReadonlyMap<string, FormatTests> = new Map([
  ...BUILT_IN.map((name): [string, FormatTests] => [name, { string: (text) => builtIn(name, text) }]),
  ...Object.entries(OWN),
]);

/** Formats that say something to a reader and nothing to a validator. */
export const UNCHECKED_FORMATS: ReadonlySet<string> = new Set([
  'binary',
  'password',
  'float',
  'double',
  'decimal',
  'char',
  'html',
  'commonmark',
  'media-range',
  'sf-string',
]);
