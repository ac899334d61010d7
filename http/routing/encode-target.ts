/** All characters that may be unescaped in a path or query (RFC 3986), including the `%` of an encoding. */
const REST = /(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9a-f]{2})+|./giu;

/** A target as it came, with what no URI can hold encoded: clients send brackets and bars as they are. */
export function encodeTarget(target: string): string {
  return target.replace(REST, (piece) =>
    /^[\w\-.~!$&'()*+,;=:@/?%]/.test(piece) && piece !== '%' ? piece : encode(piece),
  );
}

/** Bytes beyond ASCII come as one character each. Half a pair of surrogates has no encoding. */
function encode(character: string): string {
  return encodeURIComponent(/[\ud800-\udfff]/.test(character) && character.length === 1 ? '\ufffd' : character);
}
