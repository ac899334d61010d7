export { setMember } from '../../runtime/json-integers.js';

/** A plain object of a parsed document. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** Whether a value of a parsed document is an object (not an array, not null). */
export function isRecord(value: unknown): value is RawRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Maps the own members of an object. A key such as `__proto__` stays data. */
export function mapRecord<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}

type UndefinedMembers<Members> = {
  [Name in keyof Members]: undefined extends Members[Name] ? Name : never;
}[keyof Members];

/** An object without the members that are `undefined`. */
export function withoutUndefined<Members extends object>(
  members: Members,
): Omit<Members, UndefinedMembers<Members>> & {
  [Name in UndefinedMembers<Members>]?: Exclude<Members[Name], undefined>;
} {
  const defined = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as ReturnType<typeof withoutUndefined<Members>>;
}

/** The strings in a list, without its other items. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
