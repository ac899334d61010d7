/**
 * Encodes the value of a query parameter with `allowReserved`: reserved characters and percent-encoded triples pass,
 * but for those that a query cannot hold (`[`, `]`, `#`) or that would end or change the value (`&`, `+`).
 */
export function encodeReserved(text: string): string {
  return encodeURI(text)
    .replace(/[#&+[\]]/g, encodeURIComponent)
    .replace(/%25([0-9a-f]{2})/gi, '%$1');
}

/** The same inside a path, where `?` would end it. */
export function encodeReservedInPath(text: string): string {
  return encodeReserved(text).replace(/\?/g, '%3F');
}
