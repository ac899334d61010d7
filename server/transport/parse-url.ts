/** The target of an in-process request. The origin does not matter, but behaviour may need its host. */
export interface FetchTarget {
  readonly host: string;
  /** Path and query, as a URL has them. */
  readonly target: string;
}

/** @throws TypeError if it is no absolute URL */
export function readTarget(url: string): FetchTarget {
  const [, host = '', rest = ''] =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)([^#]*)/i.exec(url) ?? invalidUrl(url);
  return { host, target: encodeTarget(rest.startsWith('/') ? rest : `/${rest}`) };
}

function invalidUrl(url: string): never {
  throw new TypeError(`Failed to parse URL from ${url}`);
}

/** Encodes characters that a URL cannot contain, like `fetch`. */
function encodeTarget(target: string): string {
  if (/^[\x21-\x7e]*$/.test(target) && !/["<>`{}|\\^]|\/\.{1,2}(?:[/?]|$)/.test(target)) return target;
  const url = new URL(`http://mock${target}`);
  return url.pathname + url.search;
}
