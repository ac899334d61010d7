import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { splitWords } from '../../resources/inflection.js';
import { type Member, keywordOf, typesOf } from '../../resources/schema-members.js';

/** What a time member tells of: when the thing came to be, or when it last changed. */
export type TimeKind = 'created' | 'updated';

const CREATED: ReadonlySet<string> = new Set([
  'created',
  'creation',
  'create',
  'inserted',
  'insert',
  'added',
  'uploaded',
]);
const UPDATED: ReadonlySet<string> = new Set(['updated', 'update', 'modified', 'modification', 'changed', 'edited']);
/** Words beside them that change nothing: `lastModifiedTime`, `date_created`. */
const AROUND: ReadonlySet<string> = new Set([
  'at',
  'on',
  'time',
  'date',
  'timestamp',
  'last',
  'utc',
  'datetime',
  'ms',
  'millis',
]);

/** What a member tells of, by its name: `createdAt`, `creation_time`, `lastModifiedTime`. */
export function timeKindOf({ name, schema }: Member, api: Api): TimeKind | undefined {
  const words = splitWords(name).filter((word) => !AROUND.has(word));
  const [word] = words;
  if (words.length !== 1 || word === undefined) return undefined;
  const kind = CREATED.has(word) ? 'created' : UPDATED.has(word) ? 'updated' : undefined;
  return kind !== undefined && canBeTime(schema, api) ? kind : undefined;
}

function canBeTime(schema: Schema, api: Api): boolean {
  const types = typesOf(schema, api);
  return types.has('string') || types.has('integer') || types.has('number');
}

/** A moment in the form that a member has: ISO 8601, a date, seconds or milliseconds, as a number or a text of digits. */
export function formatTime(now: number, { name, schema }: Member, api: Api): unknown {
  const types = typesOf(schema, api);
  const format = keywordOf(schema, 'format', api);
  if (types.has('string')) {
    if (format === 'date') return new Date(now).toISOString().slice(0, 10);
    if (format !== 'int64' && !isDigits(schema, api)) return new Date(now).toISOString();
  }
  const moment = isInMilliseconds(name, schema, api) ? now : Math.floor(now / 1000);
  return types.has('string') ? String(moment) : moment;
}

function isDigits(schema: Schema, api: Api): boolean {
  return /^\^\[?(\\d|0-9|1-9)/.test(keywordOf(schema, 'pattern', api) ?? '');
}

function isInMilliseconds(name: string, schema: Schema, api: Api): boolean {
  const description = keywordOf(schema, 'description', api) ?? '';
  if (/ms$|millis/i.test(name) || /\bms\b|millisecond/i.test(description)) return true;
  const shown = (keywordOf(schema, 'examples', api) ?? []).map(Number);
  return keywordOf(schema, 'format', api) === 'int64' && typesOf(schema, api).has('string')
    ? true
    : shown.some((value) => value > 1e11);
}
