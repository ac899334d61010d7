import type { Api } from '../../model/api.js';
import { isRecord, setMember } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { isOneSided, keepsUnknownMembers, membersOf } from '../../schema/facts/members.js';

interface Showing {
  readonly schema: Schema;
  readonly api: Api;
  /** Whether a whole response is valid. */
  readonly isKept: (response: unknown) => boolean;
}

/**
 * Copies the sent members into the generated response to a write, so that clients get back what they wrote. A member
 * that would make the response invalid keeps its generated value.
 */
export function showSent(made: unknown, sent: unknown, { schema, api, isKept }: Showing): unknown {
  if (!isRecord(made) || !isRecord(sent)) return made;
  const members = membersOf(schema, api);
  const shared = Object.keys(sent).filter(
    (name) => isShared(name, made, sent) && !isDecided(members.get(name)?.schema, api) && !hasFile(sent[name]),
  );
  if (shared.length === 0) return showInEnvelope(made, sent, { schema, api, isKept });
  const merged = shared.map((name) => [name, merge(made[name], sent[name], members.get(name)?.schema, api)] as const);
  const whole = withMembers(made, merged);
  if (isKept(whole)) return whole;
  let shown: Readonly<Record<string, unknown>> = made;
  for (const [name, value] of merged) {
    const before = shown;
    const within = (inner: unknown): Record<string, unknown> => withMembers(before, [[name, inner]]);
    const showing = {
      schema: members.get(name)?.schema ?? true,
      api,
      isKept: (inner: unknown) => isKept(within(inner)),
    };
    const kept = isRecord(value) ? showSent(made[name], sent[name], showing) : value;
    if (showing.isKept(kept)) shown = within(kept);
  }
  return shown;
}

/** Files are sent as bytes; JSON has no form for them. */
function hasFile(value: unknown): boolean {
  return value instanceof Blob || (Array.isArray(value) && value.some(hasFile));
}

function withMembers(
  value: Readonly<Record<string, unknown>>,
  members: readonly (readonly [name: string, value: unknown])[],
): Record<string, unknown> {
  const shown = { ...value };
  for (const [name, member] of members) setMember(shown, name, member);
  return shown;
}

/**
 * Copies the values of path parameters into members with their names: the generated response to `/rooms/{room_ref}` is
 * about that room. The name `id` may mean another thing.
 */
export function showPath(made: unknown, path: unknown, isKept: (response: unknown) => boolean): unknown {
  if (!isRecord(made) || !isRecord(path)) return made;
  const named = Object.entries(path).filter(([name]) => name.toLowerCase() !== 'id');
  const shownIn = (members: Readonly<Record<string, unknown>>): [string, unknown][] =>
    named
      .filter(([name]) => Object.hasOwn(members, name) && !isRecord(members[name]))
      .map(([name, value]) => [name, typeof members[name] === 'number' ? toNumber(value) : value]);
  const own = shownIn(made);
  const [inner, ...others] = Object.keys(made).filter((name) => isRecord(made[name]));
  if (own.length === 0 && (inner === undefined || others.length > 0)) return made;
  if (own.length > 0 || inner === undefined) {
    const shown = withMembers(made, own);
    return isKept(shown) ? shown : made;
  }
  const within = (value: unknown): Record<string, unknown> => withMembers(made, [[inner, value]]);
  const members = made[inner];
  const shown = isRecord(members) ? within(withMembers(members, shownIn(members))) : made;
  return isKept(shown) ? shown : made;
}

/** A path often takes as text what the body shows as a number. */
function toNumber(value: unknown): unknown {
  return typeof value === 'string' && String(Number(value)) === value ? Number(value) : value;
}

/** Whether a sent member may be copied: not a text that the response shows as an object, such as a PEM certificate. */
function isShared(
  name: string,
  made: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
): boolean {
  return Object.hasOwn(made, name) && (!isRecord(made[name]) || isRecord(sent[name]) || sent[name] === null);
}

function isDecided(schema: Schema | undefined, api: Api): boolean {
  return schema === undefined || isOneSided(schema, api);
}

/** Copies the sent members into the only object of the body, which may be the written item. */
function showInEnvelope(
  made: Readonly<Record<string, unknown>>,
  sent: unknown,
  { schema, api, isKept }: Showing,
): unknown {
  const [name, ...others] = Object.keys(made).filter((one) => isRecord(made[one]));
  const inner = name === undefined ? undefined : membersOf(schema, api).get(name)?.schema;
  if (name === undefined || inner === undefined || others.length > 0) return made;
  const within = (value: unknown): Record<string, unknown> => {
    const whole = { ...made };
    setMember(whole, name, value);
    return whole;
  };
  if (!Object.keys(sent as object).some((one) => Object.hasOwn(made[name] as object, one))) return made;
  return within(showSent(made[name], sent, { schema: inner, api, isKept: (value) => isKept(within(value)) }));
}

/** Overrides the members of a generated value with the sent ones. Adds members to maps only. */
function merge(made: unknown, sent: unknown, schema: Schema | undefined, api: Api): unknown {
  if (!isRecord(made) || !isRecord(sent)) return sent;
  const members = schema === undefined ? undefined : membersOf(schema, api);
  if (schema !== undefined && members?.size === 0 && keepsUnknownMembers(schema, api)) return sent;
  const merged = { ...made };
  for (const [name, value] of Object.entries(sent))
    if (Object.hasOwn(made, name)) setMember(merged, name, merge(made[name], value, members?.get(name)?.schema, api));
  return merged;
}
