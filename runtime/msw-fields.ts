import type { ReadValues, RequestSource } from './msw.js';

/** The kind of a parameter that is sent as a text, or of the items of a list that repeats its name. */
type Kind = 'text' | 'number' | 'boolean';
type Kinds = Readonly<Record<string, Kind | readonly [Kind]>>;

/** Makes the reader of parameters that are plain values; `msw-parameters.ts` reads all others. */
export function readFields(
  kinds: Readonly<Partial<Record<'path' | 'query' | 'headers', Kinds>>>,
): (source: RequestSource) => ReadValues {
  const { path = {}, query = {}, headers = {} } = kinds;
  return ({ request, path: raw, query: text }) => {
    const fields = new URLSearchParams(text);
    const own = {
      path: pick(path, (name) => [raw.get(name) ?? '']),
      query: pick(query, (name) => fields.getAll(name)),
      headers: pick(headers, (name) => [request.headers.get(name) ?? []].flat()),
    };
    const values = Object.fromEntries(Object.entries(own).filter(([group]) => Object.hasOwn(kinds, group)));
    return { values, violations: [] };
  };
}

function pick(kinds: Kinds, read: (name: string) => readonly string[]): Record<string, unknown> {
  const found = Object.entries(kinds).flatMap(([name, kind]) => {
    const texts = read(name);
    const values = texts.map((text) => coerce(text, Array.isArray(kind) ? (kind[0] as Kind) : (kind as Kind)));
    return texts.length === 0 ? [] : [[name, Array.isArray(kind) ? values : values[values.length - 1]]];
  });
  return Object.fromEntries(found) as Record<string, unknown>;
}

/** A text that does not fit is kept, so that a validator can report it. */
function coerce(text: string, kind: Kind): unknown {
  if (kind === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  if (kind === 'boolean') return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
  return text;
}
