import { uniqueEtag } from './etags.js';
import { fillServiceMembers, memberFacts } from './server-managed-fields.js';
import type { ResourceWrite } from '../resource-hooks.js';
import { isRecord, setMember } from '../../model/document/records.js';
import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import {
  isSameSchema,
  keepsUnknownMembers,
  keywordOf,
  membersOf,
  type FactsOf,
  perMember,
} from '../../schema/facts/members.js';
import { repairValue } from '../../schema/repair-value.js';
import { withPathValues } from './item-key.js';
import { itemPathOf, toAbsolute } from './item-links.js';
import { type Item, withMember, withoutMembers, projectItem, withValueAt } from './json-path.js';
import type { Scope } from './request-context.js';
import { bodySchemaOf } from '../../resources/success-response.js';

/** Returns the members of a body to store: declared ones, except those that only the server sets. */
export function readItemBody({ input, core, part, call }: Scope): Item {
  if (!isRecord(input.body)) return {};
  const { api } = call;
  const schema = bodySchemaOf(part.operation) ?? true;
  const [sent, kept] = [membersOf(schema, api), membersOf(core.schema, api)];
  const isOpen = keepsUnknownMembers(core.schema, api);
  const body = withoutMembers(input.body, (name) => {
    // The request's schema decides: it may allow a member that is readOnly in the item, such as a status in PATCH.
    const member = sent.get(name) ?? kept.get(name);
    return member?.isReadOnly === true || (!isOpen && !kept.has(name));
  });
  return dropReadOnly(body, schema, api);
}

/** Removes members that only the server sets, at any depth. */
function dropReadOnly(value: Item, schema: Schema, api: Api): Item {
  const members = membersOf(schema, api);
  let sent = withoutMembers(value, (name) => members.get(name)?.isReadOnly === true);
  for (const { name, schema: inner } of members.values()) {
    const known = sent[name];
    if (!Object.hasOwn(sent, name) || !isRecord(known)) continue;
    const kept = dropReadOnly(known, inner, api);
    if (kept !== known) sent = withMember(sent, name, kept);
  }
  return sent;
}

/** Creates an item, including the members that the server sets. */
export function buildItem(scope: Scope, body: Item, key: string): Item {
  const { core, call, parents } = scope;
  const { api } = call;
  const named = withPathValues(withDefaults(body, [bodySchemaOf(scope.part.operation), core.schema], scope), core, {
    key,
    parents,
    api,
  });
  // A name such as `boards/roadmap/cards/12` is complete; an address may need the origin of the mock.
  const isAddress = core.id?.isLink === true && /^(?:\/|https?:)/.test(core.id.prefix);
  const item = isAddress ? withValueAt(named, core.id.path, addressOf(scope, named, key)) : named;
  return fillServiceMembers(item, scope, key);
}

function addressOf(scope: Scope, item: Item, key: string): string {
  const path = itemPathOf(scope, item, key);
  const { schema = true } = scope.core.id ?? {};
  return keywordOf(schema, 'format', scope.call.api) === 'uri' ? toAbsolute(scope.call, path) : path;
}

/** Makes an item valid for its own schema and those of its lists, so that reads need not fill anything. */
function completeItem(item: Item, { core, call, assignment, state }: Scope, key: string): Item {
  const fitted = toItem(repairValue(call.api, core.schema, item, key), item);
  const additions: Record<string, unknown> = {};
  for (const { part } of state.finder.partsOf(assignment.group)) {
    const schema = part.list?.item;
    if (schema === undefined || isSameSchema(schema, core.schema)) continue;
    const shown = toItem(repairValue(call.api, schema, projectItem(fitted, schema, call.api), key), {});
    for (const name of Object.keys(shown)) if (!Object.hasOwn(fitted, name)) setMember(additions, name, shown[name]);
  }
  if (Object.keys(additions).length === 0) return fitted;
  return toItem(repairValue(call.api, core.schema, { ...additions, ...fitted }, key), fitted);
}

function toItem(value: unknown, fallback: Item): Item {
  return isRecord(value) ? value : fallback;
}

/** Adds the defaults of missing members, unless the hooks of a mock say otherwise. */
export function withDefaults(item: Item, schemas: readonly (Schema | undefined)[], { hooks, call }: Scope): Item {
  return hooks?.hasDefaults === false ? item : addDefaults(item, schemas, call.api);
}

/** Adds the defaults of missing members, also in nested objects. Earlier schemas come first. */
export function addDefaults(item: Item, schemas: readonly (Schema | undefined)[], api: Api): Item {
  let completed = item;
  for (const schema of schemas) {
    if (schema === undefined) continue;
    for (const { name, schema: inner, standard } of defaultsOf(schema, api)) {
      const value = completed[name];
      if (value === undefined && standard !== undefined && standard !== null)
        completed = withMember(completed, name, standard);
      else if (isRecord(value)) completed = withMember(completed, name, addDefaults(value, [inner], api));
    }
  }
  return completed;
}

interface MemberDefault {
  readonly name: string;
  readonly schema: Schema;
  readonly standard: unknown;
}

const defaultsOf: FactsOf<MemberDefault> = perMember(({ name, schema }, api) => [
  { name, schema, standard: keywordOf(schema, 'default', api) },
]);

/** Sets a new etag and the time of the last change. */
export function touchItem(item: Item, scope: Scope): Item {
  const { api, clock, random } = scope.call;
  let touched = item;
  for (const { member, time, writeTime, isEtag } of memberFacts(scope.core.schema, api)) {
    if (time === 'updated') touched = withMember(touched, member.name, writeTime(clock.now()));
    if (isEtag) touched = withMember(touched, member.name, uniqueEtag(random));
  }
  return touched;
}

type Write = Omit<ResourceWrite<Item>, 'call'>;

/** Runs the hooks before a write and returns the item to store. @throws HttpError if a hook refuses */
export function prepareWrite(scope: Scope, write: Write): Item {
  const { hooks, call, members } = scope;
  if (write.kind === 'delete') {
    hooks?.validate?.({ ...write, call });
    return write.item;
  }
  const item = members === undefined ? write.item : { ...write.item, ...members };
  hooks?.validate?.({ ...write, item, call });
  const stored = hooks?.beforeWrite?.({ ...write, item, call });
  return completeItem(isRecord(stored) ? stored : item, scope, write.id);
}

/** Runs the hook after a write. Returns `undefined` if there is nothing to await. */
export function followWrite({ hooks, call }: Scope, write: Write): Promise<void> | undefined {
  return hooks?.afterWrite?.({ ...write, call }) ?? undefined;
}
