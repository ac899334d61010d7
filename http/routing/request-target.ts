/** The two parts of a request target, both still encoded. */
export interface SplitTarget {
  readonly path: string;
  /** Without the question mark, or empty. */
  readonly query: string;
}

/** Splits `/path?query` and removes an origin. Does not use `URL`, because `//x` is a path and not a host. */
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
