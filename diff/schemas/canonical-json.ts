/** A value as a JSON text in which the order of members does not show: equal values have the same text. */
export function stableText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isPlainObject(inner) ? sortMembers(inner) : inner)) ?? '';
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Object.fromEntries` defines members, so a key such as `__proto__` stays data. */
function sortMembers(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
