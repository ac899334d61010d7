/** An unterminated quoted value extends to the end of the text, so that matching takes linear time. */
const PARAMETER = /;\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\[^]?)*)("?)|([^;\s",]+))/g;

/** A parameter of a header such as `Content-Type` or `Content-Disposition`. */
export interface HeaderParameter {
  /** In lower case. */
  readonly name: string;
  /** Keeps the backslashes of a quoted value, because their meaning depends on the header. */
  readonly value: string;
}

/** Returns the parameters after the first semicolon, in order. */
export function headerParameters(text: string): HeaderParameter[] {
  return [...text.matchAll(PARAMETER)].flatMap(([, name = '', quoted, end, token]) => {
    if (quoted !== undefined && end === '') return [];
    return [{ name: name.toLowerCase(), value: quoted ?? token ?? '' }];
  });
}
