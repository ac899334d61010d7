import { isRecord } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { generateValue } from '../../schema/generate-value.js';
import { fitValue } from './fit-value.js';
import { isSelfLink, itemPathOf, toAbsolute } from './item-links.js';
import { withPathValues } from './item-key.js';
import { type Item, hashText, withMember, withoutMembers } from './item-values.js';
import { foldName, splitWords } from './names.js';
import { type Member, keepsUnknownMembers, keywordOf, membersOf, typesOf } from './schema-members.js';
import type { Scope } from './scope.js';
import { bodySchemaOf } from './success.js';
import { formatTime, timeKindOf } from './time-members.js';
import { projectItem } from './project-item.js';

/** Events that have not happened to a new thing, so the times and reasons of them are absent. */
const LATER_EVENTS =
  /^(deleted|delete|removed|archived|cancel\w*|closed|completed|ended|expire\w*|expiration|expiry|failed|failure|error|finished|revoked|suspended|disabled|locked|merged|used|read|seen|last|previous|next)$/;

/** What of a body is kept: declared members, without those that only the service sets. */
export function readBody({ input, core, part, call }: Scope): Item {
  if (!isRecord(input.body)) return {};
  const { api } = call;
  const schema = bodySchemaOf(part.operation) ?? true;
  const [sent, kept] = [membersOf(schema, api), membersOf(core.schema, api)];
  const isOpen = keepsUnknownMembers(core.schema, api);
  return withoutMembers(input.body, (name) => sent.get(name)?.isReadOnly === true || kept.get(name)?.isReadOnly === true || (!isOpen && !kept.has(name)));
}

/** A new item with all that the service sets, in a form that every answer about it can give. */
export function createItem(scope: Scope, body: Item, key: string): Item {
  const { core, call, parents } = scope;
  const { api } = call;
  const named = withPathValues(withDefaults(body, [bodySchemaOf(scope.part.operation), core.schema], scope), core, { key, parents, api });
  const filled = fillServiceMembers(named, scope, key);
  return completeItem(filled, scope, key);
}

/** Makes an item fit its own schema and those of the answers in which it is shown, so that no read has to fill anything. */
export function completeItem(item: Item, { core, call, assignment, state }: Scope, key: string): Item {
  const options = { seed: hashText(key), now: call.clock.now() };
  const fitted = toItem(fitValue(call.api, core.schema, item, options), item);
  let complete = fitted;
  for (const { part } of state.finder.partsOf(assignment.group)) {
    const schema = part.list?.item;
    if (schema === undefined) continue;
    const shown = toItem(fitValue(call.api, schema, projectItem(complete, schema, call.api), options), {});
    complete = { ...shown, ...complete };
  }
  return toItem(fitValue(call.api, core.schema, complete, options), fitted);
}

function toItem(value: unknown, fallback: Item): Item {
  return isRecord(value) ? value : fallback;
}

/** Defaults of members that the body leaves out, inside its objects too. */
export function withDefaults(item: Item, schemas: readonly (Schema | undefined)[], scope: Scope): Item {
  let completed = item;
  for (const schema of schemas) {
    if (schema === undefined) continue;
    for (const member of membersOf(schema, scope.call.api).values()) {
      const value = completed[member.name];
      const standard = keywordOf(member.schema, 'default', scope.call.api);
      if (value === undefined && standard !== undefined && standard !== null) completed = withMember(completed, member.name, standard);
      else if (isRecord(value)) completed = withMember(completed, member.name, withDefaults(value, [member.schema], scope));
    }
  }
  return completed;
}

/** Times by the clock, etag, links to the item, constants, and what is read-only. */
function fillServiceMembers(item: Item, scope: Scope, key: string): Item {
  const { api, clock } = scope.call;
  const made = generateValue(api, scope.core.schema, { direction: 'response', seed: hashText(key), variant: 'full', now: new Date(clock.now()) });
  const sample: Item = made.ok && isRecord(made.value) ? made.value : {};
  let filled = item;
  for (const member of membersOf(scope.core.schema, api).values()) {
    if (Object.hasOwn(filled, member.name)) continue;
    const value = serviceValue(member, scope, { key, sample, item });
    if (value !== undefined) filled = withMember(filled, member.name, value);
  }
  return filled;
}

interface Filling {
  readonly key: string;
  readonly sample: Item;
  readonly item: Item;
}

function serviceValue(member: Member, scope: Scope, { sample, key, item }: Filling): unknown {
  const { api, clock, random } = scope.call;
  if (timeKindOf(member, api) !== undefined) return formatTime(clock.now(), member, api);
  if (isEtag(member)) return makeEtag(random);
  if (isSelfLink(member, scope)) return toAbsolute(scope.call, itemPathOf(scope, item, key));
  const values = keywordOf(member.schema, 'enum', api);
  const constant = keywordOf(member.schema, 'const', api) ?? (values?.length === 1 ? values[0] : undefined);
  if (constant !== undefined && constant !== null) return constant;
  if (!member.isReadOnly || splitWords(member.name).some((word) => LATER_EVENTS.test(word))) return undefined;
  if (keywordOf(member.schema, 'deprecated', api) === true && !member.isRequired) return undefined;
  return readOnlyValue(member, sample, scope);
}

/** Scalars only: an optional object that nobody asked for says more about a new thing than is known. */
function readOnlyValue(member: Member, sample: Item, { call }: Scope): unknown {
  const types = typesOf(member.schema, call.api);
  if (types.has('object') || types.has('array')) return undefined;
  const first = keywordOf(member.schema, 'enum', call.api)?.find((value) => value !== null && !/unspecified|unknown/i.test(String(value)));
  if (first !== undefined) return first;
  if (/^(num|total)|count$/i.test(member.name)) return types.has('string') ? '0' : 0;
  return sample[member.name];
}

/** Whether a member is the entity tag of its item. */
export function isEtag({ name }: Pick<Member, 'name'>): boolean {
  return foldName(name) === 'etag';
}

/** An entity tag that no earlier state had. */
export function makeEtag(random: Scope['call']['random']): string {
  return Buffer.from(random.bytes(16)).toString('base64');
}

/** An item after a change: a new etag, and the time of the change. */
export function touchItem(item: Item, scope: Scope, key: string): Item {
  const { api, clock, random } = scope.call;
  let touched = item;
  for (const member of membersOf(scope.core.schema, api).values()) {
    if (timeKindOf(member, api) === 'updated') touched = withMember(touched, member.name, formatTime(clock.now(), member, api));
    if (isEtag(member)) touched = withMember(touched, member.name, makeEtag(random));
  }
  return completeItem(touched, scope, key);
}
