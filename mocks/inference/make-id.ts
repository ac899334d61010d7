import type { Api } from '../../model/api.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { generateValue } from '../../schema/generate-value.js';
import type { IdMember } from './resource.js';
import { keywordOf, typesOf } from './schema-members.js';
import type { AnyCall } from './scope.js';

/** What an id must be. */
export interface IdRequest {
  readonly id: IdMember;
  readonly api: Api;
  /** Name of the counter of the collection. */
  readonly counter: string;
  /** Keys that the spec's examples show: new ones look like them. */
  readonly shown: readonly string[];
  readonly isFree: (key: string) => Promise<boolean>;
}

const ATTEMPTS = 200;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A new key for an item: as its schema and format ask, else like the ones that the examples show, else a UUID. */
export async function makeId(call: AnyCall, request: IdRequest): Promise<string> {
  const { id, api } = request;
  const validate = compileValidator(api, id.schema, { direction: 'response' });
  const types = typesOf(id.schema, api);
  const isNumber = types.size === 0 ? request.shown.every((key) => /^\d+$/.test(key)) : !types.has('string');
  let last = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    last = isNumber ? String(await nextNumber(call, request)) : await makeText(call, request, attempt);
    const value = isNumber ? Number(last) : id.prefix + last;
    if (last !== '' && validate(value).length === 0 && (await request.isFree(last))) return last;
  }
  return last;
}

async function nextNumber(call: AnyCall, { id, api, counter }: IdRequest): Promise<number> {
  const minimum = keywordOf(id.schema, 'minimum', api) ?? 1;
  const step = keywordOf(id.schema, 'multipleOf', api) ?? 1;
  const count = await call.next(counter);
  return (Math.ceil(Math.max(minimum, 1) / step) + count - 1) * step;
}

/** The examples have numbers of their own: another form of key for who comes upon one would be odd. */
async function nextFreeNumber(call: AnyCall, request: IdRequest): Promise<string> {
  let key = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    key = String(await nextNumber(call, request));
    if (await request.isFree(key)) break;
  }
  return key;
}

/** Texts of several kinds in turn: the first that fits the schema is taken. */
async function makeText(call: AnyCall, request: IdRequest, attempt: number): Promise<string> {
  const makers = [
    () => likeShown(call, request),
    () => call.random.uuid(),
    () => randomText(call, 12),
    () => generate(call, request),
    async () => String(await nextNumber(call, request)),
    () => randomText(call, keywordOf(request.id.schema, 'maxLength', request.api) ?? 24).slice(0, 64),
  ];
  const isPlain =
    keywordOf(request.id.schema, 'format', request.api) === undefined &&
    keywordOf(request.id.schema, 'pattern', request.api) === undefined;
  // A schema that says more than its type is asked before the usual forms are tried.
  const order = isPlain ? makers : [makers[1], makers[3], makers[0], makers[2], makers[4], makers[5]];
  const make = order[attempt % order.length];
  return make === undefined ? '' : make();
}

async function likeShown(call: AnyCall, request: IdRequest): Promise<string> {
  const examples = (keywordOf(request.id.schema, 'examples', request.api) ?? []).filter(
    (value) => typeof value === 'string',
  );
  const [shown = ''] = [...request.shown, ...examples];
  if (/^\d+$/.test(shown)) return nextFreeNumber(call, request);
  const prefix = /^[a-z]{1,12}[_-](?=[\w-]*\d)/i.exec(shown)?.[0];
  return prefix === undefined || /^[0-9a-f]{8}-/i.test(shown)
    ? ''
    : prefix + randomText(call, shown.length - prefix.length);
}

function generate(call: AnyCall, { id, api }: IdRequest): string {
  const made = generateValue(api, id.schema, { direction: 'response', seed: call.random.integer(0, 0x7fffffff) });
  const text = made.ok && typeof made.value === 'string' ? made.value : '';
  return text.startsWith(id.prefix) ? text.slice(id.prefix.length) : text;
}

function randomText(call: AnyCall, length: number): string {
  return Array.from({ length: Math.max(1, Math.min(length, 64)) }, () =>
    ALPHABET.charAt(call.random.integer(0, ALPHABET.length - 1)),
  ).join('');
}
