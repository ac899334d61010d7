/** RFC 4122, without `urn:uuid:`. */
export function uuid(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
}

/** Base64 of RFC 4648, padded, on one line. */
export function byte(text: string): boolean {
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
}

/** A regular expression of ECMA-262, with the `u` flag. */
export function regex(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** RFC 6901. */
export function jsonPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~0|~1)*)*$/.test(text);
}

/** A JSON pointer that starts from where it stands. */
export function relativeJsonPointer(text: string): boolean {
  return /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/.test(text);
}
