import type { Api } from '../../model/api.js';
import { compileValidator } from '../../schema/compile-validator.js';
import type { IdMember } from '../../resources/resource.js';
import { keywordOf, typesOf } from '../../schema/facts/members.js';
import { generatedId, numberAt, withoutPrefix } from './item-key.js';
import type { AnyCall } from './request-context.js';

export interface IdRequest {
  readonly id: IdMember;
  readonly api: Api;
  /** The name of the collection's counter. */
  readonly counter: string;
  /** Keys in the spec's examples; new keys look like them. */
  readonly shown: readonly string[];
  readonly isFree: (key: string) => Promise<boolean>;
}

const ATTEMPTS = 200;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A candidate for the key of a new item. */
interface Candidate {
  readonly key: string;
  /** Whether the key is already known to be free. */
  readonly isFree: boolean;
}

const NONE: Candidate = { key: '', isFree: false };

/**
 * Makes a new key that fits the id's schema and format, or else looks like those in examples, or else is a UUID.
 * Returns `undefined` if no free key is found.
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

/** Returns the next number that is free, because examples may use some. */
async function nextFreeNumber(call: AnyCall, request: IdRequest): Promise<Candidate> {
  let next = NONE;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    next = await nextNumber(call, request);
    if (await request.isFree(next.key)) return { key: next.key, isFree: true };
  }
  return next;
}

type TextKind = 'shown' | 'prefixed' | 'uuid' | 'short' | 'generated' | 'number' | 'long';

/** The kinds of text to try for an id without format and pattern; the first valid one is used. */
const PLAIN_ORDER: readonly TextKind[] = ['shown', 'uuid', 'short', 'generated', 'number', 'long'];
/** The kinds of text to try for an id with a format or a pattern. */
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

/** For a pattern that is only a prefix, such as `^thg_`, returns the prefix with a random end. */
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
