import * as formats from '../runtime/formats.js';

type Test<Value> = (value: Value) => boolean;

/** The tests of a format by type of the value. Values of other types are not checked. */
export interface FormatTests {
  readonly string?: Test<string>;
  readonly number?: Test<number>;
}

/** All formats that are checked. Functions are named as in the exports of `runtime/formats.ts`. */
export const FORMATS: ReadonlyMap<string, FormatTests> = new Map<string, FormatTests>([
  ['date', { string: formats.date }],
  ['time', { string: formats.time }],
  ['date-time', { string: formats.dateTime }],
  ['date-time-local', { string: formats.dateTimeLocal }],
  ['duration', { string: formats.duration }],
  ['uri', { string: formats.uri }],
  ['uri-reference', { string: formats.uriReference }],
  ['uri-template', { string: formats.uriTemplate }],
  ['url', { string: formats.url }],
  ['hostname', { string: formats.hostname }],
  ['email', { string: formats.email }],
  ['ipv4', { string: formats.ipv4 }],
  ['ipv6', { string: formats.ipv6 }],
  ['uuid', { string: formats.uuid }],
  ['byte', { string: formats.byte }],
  ['regex', { string: formats.regex }],
  ['json-pointer', { string: formats.jsonPointer }],
  ['relative-json-pointer', { string: formats.relativeJsonPointer }],
  ['int32', { number: formats.int32 }],
  ['uint32', { number: formats.uint32 }],
  ['int64', { number: formats.int64, string: formats.int64String }],
  ['uint64', { number: formats.uint64, string: formats.uint64String }],
]);

/** Formats that inform readers but are not checked. */
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
