import type { Api } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { lastPartOf } from '../../resources/extract-id.js';
import { foldName } from '../../resources/inflection.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { itemsOf, keywordOf, membersOf, requiredMembers, typesOf } from '../../schema/facts/members.js';
import { isFollowedBy } from '../plan/word-order.js';

/**
 * Whether a response can show a value in the form in which it was sent, by its schema. Some services take the name of a
 * place and show the whole place, or take ids and show the items.
 */
export function isComparable(sent: unknown, shownAs: Schema, api: Api): boolean {
  if (sent === null || sent === undefined) return true;
  const types = typesOf(shownAs, api);
  if (types.size === 0) return isRecord(sent) || membersOf(shownAs, api).size === 0;
  if (Array.isArray(sent)) {
    const items = itemsOf(shownAs, api);
    if (!types.has('array') || items === undefined) return types.has('array');
    return sent.every((one) => isComparable(one, items, api) && !(isRecord(one) && isCompleted(one, items, api)));
  }
  if (isRecord(sent)) return types.has('object');
  const scalars = [...types].filter((type) => type !== 'object' && type !== 'array' && type !== 'null');
  return scalars.length > 0 && !isForeign(sent, shownAs, { scalars, api });
}

/** Whether a response must show more members of an entry than were sent: the server makes an item of it. */
function isCompleted(sent: Readonly<Record<string, unknown>>, shownAs: Schema, api: Api): boolean {
  const missing = [...requiredMembers(shownAs, api)].filter((name) => !Object.hasOwn(sent, name));
  return missing.length > Object.keys(sent).length;
}

/**
 * Whether a response cannot show a sent value, because its schema allows the value in no form: a time for Unix seconds, a
 * number for words, one of other choices, a text that is too long.
 */
function isForeign(
  sent: unknown,
  shownAs: Schema,
  { scalars, api }: { readonly scalars: readonly string[]; readonly api: Api },
): boolean {
  const choices = keywordOf(shownAs, 'enum', api);
  // The case of a choice may differ.
  if (choices !== undefined) return !choices.some((one) => String(one).toLowerCase() === String(sent).toLowerCase());
  const findViolations = compileValidator(api, shownAs, { direction: 'response' });
  return formsOf(sent, scalars).every((form) => findViolations(form).length > 0);
}

/** A scalar value as it is, and in each other type that a response may show it in. */
function formsOf(sent: unknown, types: readonly string[]): unknown[] {
  const text = String(sent);
  const isNumeric = text.trim() !== '' && !Number.isNaN(Number(text));
  const isNumber = types.includes('number') || types.includes('integer');
  return [
    sent,
    ...(types.includes('string') ? [text] : []),
    ...(isNumber && isNumeric ? [Number(text)] : []),
    ...(types.includes('boolean') ? [text === 'true'] : []),
  ];
}

/**
 * Whether a member that was set to null may show a value: its default, or any if a response must show it and cannot show
 * null, or if its description says that null leaves it as it is.
 */
export function mayShowForNull(
  sent: unknown,
  shown: unknown,
  { schema, isRequired, api }: { readonly schema: Schema; readonly isRequired: boolean; readonly api: Api },
): boolean {
  if (sent !== null || shown === undefined) return false;
  const sentences = (keywordOf(schema, 'description', api) ?? '').split(/[.\n]/);
  if (sentences.some((one) => isFollowedBy(one, /\bnull\b/i, /\b(?:leaves|keeps)\b/i))) return true;
  const types = typesOf(schema, api);
  if (types.size === 0 || types.has('null')) return false;
  return isRequired || shown === keywordOf(schema, 'default', api);
}

const SET_BY_SERVER =
  /\b(?:set|assigned|generated|computed|calculated|determined|managed|maintained|controlled) by (?:the|this) (?:server|service|system|api|backend)\b|\bserver[- ](?:set|assigned|generated|computed|calculated|managed)\b|^(?:auto(?:matically)?[- ](?:set|assigned|generated|computed|calculated)|computed|calculated)\b|\bread[- ]only\b/i;

/** Whether the server sets a member by its description, although the spec does not say `readOnly`. */
export function isSetByServer(schema: Schema, api: Api): boolean {
  return SET_BY_SERVER.test(keywordOf(schema, 'description', api) ?? '');
}

/** Whether a member, or the last one of a pointer, is the time of the last change, which the server always sets. */
export function isServerTime(name: string): boolean {
  return /^(?:last)?(?:(?:updated|modified|changed)(?:at|on|date|time)?|(?:update|modification|change)(?:date|time|timestamp))$/.test(
    foldName(lastPartOf(name)),
  );
}

/** Names of members that each change sets: versions of the item, and times. */
const VERSION = /^(?:etag|version|revision|resourceversion|generation|lockversion|checksum|sequence|seq|serial)$/;

/** A member, and what the spec says of it. */
interface Described {
  readonly schema: Schema;
  readonly api: Api;
}

/** Whether any change of an item may change a member: its version, or a time. */
export function isMadeByChange(name: string, value: unknown, { schema, api }: Described): boolean {
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(value);
  return isServerTime(name) || isVersion(name) || isTime || isSetByServer(schema, api);
}

/** Whether a member names the version that a change is based on, which the server replaces. */
export function isCondition(name: string): boolean {
  return /^(?:etag|resourceversion|revision|lockversion)$/.test(foldName(lastPartOf(name)));
}

/** Whether a member is named like the version of its item. */
export function isVersion(name: string): boolean {
  return VERSION.test(foldName(lastPartOf(name)));
}
