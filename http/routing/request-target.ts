/** A request target in its two parts, both as they came. */
export interface SplitTarget {
  readonly path: string;
  /** Without the question mark, or empty. */
  readonly query: string;
}

/** Splits `/path?query`, without making a URL object: `//x` is a path, not a host. An absolute target loses its origin. */
export function splitTarget(target: string): SplitTarget {
  const relative = target.startsWith('/') ? target : withoutOrigin(target);
  const hash = relative.indexOf('#');
  const clean = hash === -1 ? relative : relative.slice(0, hash);
  const mark = clean.indexOf('?');
  return mark === -1 ? { path: clean, query: '' } : { path: clean.slice(0, mark), query: clean.slice(mark + 1) };
}

function withoutOrigin(target: string): string {
  const rest = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/is.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
