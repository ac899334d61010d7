/** The documented response that a client asks for, bypassing all state. */
export interface Preference {
  readonly code?: number;
  readonly example?: string;
  readonly dynamic?: boolean;
}

/**
 * Reads `Prefer: code=404, example=missing, dynamic=true` (RFC 7240), or Prism's query parameters `__code`, `__example`
 * and `__dynamic`. Returns `undefined` if none of the three is given.
 *
 * @param declared - names of the operation's query parameters, which are never read as a preference.
 */
export function readPreference(
  header: string | undefined,
  query: string,
  declared: (name: string) => boolean = () => false,
): Preference | undefined {
  const values = header === undefined ? new Map<string, string>() : readHeader(header);
  if (query.includes('__')) {
    const fields = new URLSearchParams(query);
    for (const name of ['code', 'example', 'dynamic']) {
      const value = fields.get(`__${name}`);
      if (value !== null && !declared(`__${name}`)) values.set(name, value);
    }
  }
  if (values.size === 0) return undefined;
  const code = Number(values.get('code'));
  const example = values.get('example');
  const dynamic = values.get('dynamic');
  const preference: Preference = {
    // A status below 200 is never final (RFC 9110, section 15.2).
    ...(Number.isInteger(code) && code >= 200 && code <= 599 ? { code } : {}),
    ...(example === undefined || example === '' ? {} : { example }),
    ...(dynamic === undefined ? {} : { dynamic: dynamic.toLowerCase() === 'true' }),
  };
  return Object.keys(preference).length === 0 ? undefined : preference;
}

/** The most items of a stream. */
const MAX_ITEMS = 10_000;

/** Reads the number of items of a stream from `Prefer: items=5`. This preference does not bypass state. */
export function readItemCount(header: string | undefined): number | undefined {
  if (header === undefined || !header.toLowerCase().includes('items')) return undefined;
  const text = readHeader(header).get('items');
  return text !== undefined && /^\d{1,9}$/.test(text) ? Math.min(Number(text), MAX_ITEMS) : undefined;
}

/** Reads the preferences by lower-case name. Continues after each `=`, so it always takes linear time. */
function readHeader(header: string): Map<string, string> {
  const values = new Map<string, string>();
  let end = 0;
  for (let equals = header.indexOf('='); equals !== -1; equals = header.indexOf('=', end)) {
    const name = lastWord(header.slice(end, equals));
    const value = readValue(header, equals + 1);
    values.set(name.toLowerCase(), value.text);
    end = value.end;
  }
  return values;
}

function lastWord(text: string): string {
  return (
    text
      .trimEnd()
      .split(/[\s,;]/)
      .at(-1) ?? ''
  );
}

function readValue(header: string, from: number): { readonly text: string; readonly end: number } {
  const rest = header.slice(from).trimStart();
  const start = header.length - rest.length;
  const close = rest.startsWith('"') ? rest.indexOf('"', 1) : -1;
  if (close !== -1) return { text: rest.slice(1, close), end: start + close + 1 };
  const stop = rest.search(/[\s,;]/);
  const length = stop === -1 ? rest.length : stop;
  return { text: rest.slice(0, length), end: start + length };
}
