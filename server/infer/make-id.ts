import type { Api } from '../../model/api.js';
import { compileValidator } from '../../schema/compile-validator.js';
import type { IdMember } from '../../resources/resource.js';
import { keywordOf, typesOf } from '../../schema/facts/members.js';
import { generatedId, numberAt, withoutPrefix } from './item-key.js';
import type { AnyCall } from './request-context.js';

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

/** A key that may become that of an item. */
interface Candidate {
  readonly key: string;
  /** It is known already that no item has it. */
  readonly isFree: boolean;
}

const NONE: Candidate = { key: '', isFree: false };

/**
 * A new key for an item: as its schema and format ask, else like the ones that the examples show, else a UUID. Nothing
 * where no key is found that is free: one that is in use is never given to a second item.
 */
export async function makeId(call: AnyCall, request: IdRequest): Promise<string | undefined> {
  const { id, api } = request;
  const validate = compileValidator(api, id.schema, { direction: 'response' });
  const types = typesOf(id.schema, api);
  const isNumber = types.size === 0 ? request.shown.every((key) => /^\d+$/.test(key)) : !types.has('string');
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { key, isFree } = isNumber ? await nextNumber(call, request) : await makeText(call, request, attempt);
    const value = isNumber ? Number(key) : id.prefix + key;
    if (key !== '' && validate(value).length === 0 && (isFree || (await request.isFree(key)))) return key;
  }
  return undefined;
}

function nextNumber(call: AnyCall, { id, api, counter }: IdRequest): Promise<Candidate> {
  return call.next(counter).then((count) => ({ key: numberAt(id, count - 1, api), isFree: false }));
}

/** The examples have their own numbers, so new keys have the same form. */
async function nextFreeNumber(call: AnyCall, request: IdRequest): Promise<Candidate> {
  let next = NONE;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    next = await nextNumber(call, request);
    if (await request.isFree(next.key)) return { key: next.key, isFree: true };
  }
  return next;
}

type TextKind = 'shown' | 'prefixed' | 'uuid' | 'short' | 'generated' | 'number' | 'long';

/** Texts of several kinds in turn: the first that fits the schema is taken. */
const PLAIN_ORDER: readonly TextKind[] = ['shown', 'uuid', 'short', 'generated', 'number', 'long'];
/** A schema that says more than its type is asked before the usual forms are tried. */
const ORDER: readonly TextKind[] = ['uuid', 'prefixed', 'generated', 'shown', 'short', 'number', 'long'];

function makeText(call: AnyCall, request: IdRequest, attempt: number): Candidate | Promise<Candidate> {
  const { id, api } = request;
  const isPlain =
    keywordOf(id.schema, 'format', api) === undefined && keywordOf(id.schema, 'pattern', api) === undefined;
  const order = isPlain ? PLAIN_ORDER : ORDER;
  const kind = order[attempt % order.length];
  if (kind === 'shown') return likeShown(call, request);
  if (kind === 'prefixed') return { key: withPatternPrefix(call, request), isFree: false };
  if (kind === 'number') return nextNumber(call, request);
  if (kind === 'uuid') return { key: call.random.uuid(), isFree: false };
  if (kind === 'generated') return { key: generatedId(id, call.random.integer(0, 0x7fffffff), api), isFree: false };
  const length = kind === 'short' ? 12 : (keywordOf(id.schema, 'maxLength', api) ?? 24);
  return { key: randomText(call, length), isFree: false };
}

function likeShown(call: AnyCall, request: IdRequest): Candidate | Promise<Candidate> {
  const shown = request.shown[0] ?? exampleOf(request);
  if (/^\d+$/.test(shown)) return nextFreeNumber(call, request);
  const prefix = /^[a-z]{1,12}[_-](?=[\w-]*\d)/i.exec(shown)?.[0];
  return prefix === undefined || /^[0-9a-f]{8}-/i.test(shown)
    ? NONE
    : { key: prefix + randomText(call, shown.length - prefix.length), isFree: false };
}

function exampleOf({ id, api }: IdRequest): string {
  return (keywordOf(id.schema, 'examples', api) ?? []).find((value) => typeof value === 'string') ?? '';
}

/** A pattern that says only how a text begins, such as `^thg_`, leaves room for an end that no other id has. */
function withPatternPrefix(call: AnyCall, { id, api }: IdRequest): string {
  const prefix = /^\^([\w:~-]+)(?:\.[*+])?$/.exec(keywordOf(id.schema, 'pattern', api) ?? '')?.[1];
  if (prefix === undefined) return '';
  return withoutPrefix(prefix + randomText(call, 16), id);
}

function randomText(call: AnyCall, length: number): string {
  return Array.from({ length: Math.max(1, Math.min(length, 64)) }, () =>
    ALPHABET.charAt(call.random.integer(0, ALPHABET.length - 1)),
  ).join('');
}
