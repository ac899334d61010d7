/** The target of an in-process request. The origin is ignored, but handlers may need its host. */
export interface FetchTarget {
  readonly host: string;
  /** Path and query of the URL. */
  readonly target: string;
}

/** @throws TypeError if the URL is not absolute */
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
