/** What a client asks Prism's negotiator for, past all state. */
export interface Preference {
  readonly code?: number;
  readonly example?: string;
  readonly dynamic?: boolean;
}

/** Reads `Prefer: code=404, example=missing, dynamic=true` (RFC 7240). Nothing where none of the three is there. */
export function readPreference(header: string | undefined): Preference | undefined {
  if (header === undefined) return undefined;
  const values = new Map(
    [...header.matchAll(/([A-Za-z-]+)\s*=\s*(?:"([^"]*)"|([^\s,;]*))/g)].map(([, name = '', quoted, token]) => [
      name.toLowerCase(),
      quoted ?? token ?? '',
    ]),
  );
  const code = Number(values.get('code'));
  const example = values.get('example');
  const dynamic = values.get('dynamic');
  const preference: Preference = {
    ...(Number.isInteger(code) && code >= 100 && code <= 599 ? { code } : {}),
    ...(example === undefined || example === '' ? {} : { example }),
    ...(dynamic === undefined ? {} : { dynamic: dynamic.toLowerCase() === 'true' }),
  };
  return Object.keys(preference).length === 0 ? undefined : preference;
}
