/** A plain object of a parsed document. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** Whether a value of a parsed document is an object (not an array, not null). */
export function isRecord(value: unknown): value is RawRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Maps the own members of an object. `Object.fromEntries` defines members, so a key such as `__proto__` stays data. */
export function mapRecord<T>(record: RawRecord, change: (value: unknown, key: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
