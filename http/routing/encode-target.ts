/** All characters that may be unescaped in a path or query (RFC 3986), including the `%` of an encoding. */
const REST = /(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9a-f]{2})+|./giu;

/** Encodes characters that a URI cannot contain, because clients send brackets and bars unencoded. */
export function encodeTarget(target: string): string {
  return target.replace(REST, (piece) =>
    /^[\w\-.~!$&'()*+,;=:@/?%]/.test(piece) && piece !== '%' ? piece : encode(piece),
  );
}

/** Encodes one character. A lone surrogate has no encoding and becomes U+FFFD. */
function encode(character: string): string {
  return encodeURIComponent(/[\ud800-\udfff]/.test(character) && character.length === 1 ? '\ufffd' : character);
}
