/** Writes a value as JSON, whole numbers beyond the precision of doubles (`bigint`) included. */
export function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return writeExactly(value);
  }
}

/** The platform refuses to write a `bigint`. */
function writeExactly(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => writeExactly(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeExactly(member)}`).join(',')}}`;
}

/** Parses JSON, or `undefined` where it is none. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
