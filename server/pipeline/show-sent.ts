import type { Api } from '../../model/api.js';
import { isRecord, setMember } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { isOneSided, membersOf } from '../../schema/facts/members.js';

interface Showing {
  /** Of the response. */
  readonly schema: Schema;
  readonly api: Api;
  /** Whether a whole response keeps its schema. */
  readonly isKept: (response: unknown) => boolean;
}

/**
 * A made-up response to a write, with the members that were sent in it: a client that shows what it gets back sees
 * what it wrote. A member that the response cannot have as it was sent stays as it was made up.
 */
export function showSent(made: unknown, sent: unknown, { schema, api, isKept }: Showing): unknown {
  if (!isRecord(made) || !isRecord(sent)) return made;
  const members = membersOf(schema, api);
  const shared = Object.keys(sent).filter(
    (name) => isShared(name, made, sent) && !isDecided(members.get(name)?.schema, api),
  );
  if (shared.length === 0) return showInEnvelope(made, sent, { schema, api, isKept });
  const withMembers = (names: readonly string[]): Record<string, unknown> => {
    const shown = { ...made };
    for (const name of names) setMember(shown, name, merge(made[name], sent[name]));
    return shown;
  };
  const whole = withMembers(shared);
  if (isKept(whole)) return whole;
  return withMembers(shared.filter((name) => isKept(withMembers([name]))));
}

/** `{ certificate: 'PEM…' }` may be sent, and the certificate shown as an object. */
function isShared(
  name: string,
  made: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
): boolean {
  return Object.hasOwn(made, name) && (!isRecord(made[name]) || isRecord(sent[name]));
}

function isDecided(schema: Schema | undefined, api: Api): boolean {
  return schema === undefined || isOneSided(schema, api);
}

/** The only object of a body may be what was written. */
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

/** Members that were not sent stay. */
function merge(made: unknown, sent: unknown): unknown {
  if (!isRecord(made) || !isRecord(sent)) return sent;
  const merged = { ...made };
  for (const [name, value] of Object.entries(sent))
    if (Object.hasOwn(made, name)) setMember(merged, name, merge(made[name], value));
  return merged;
}
