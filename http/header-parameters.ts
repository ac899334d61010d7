/** A value in quotes that has no end goes to the end of the text, so that each character is read once. */
const PARAMETER = /;\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\[^]?)*)("?)|([^;\s",]+))/g;

/** A parameter of a header such as `Content-Type` or `Content-Disposition`. */
export interface HeaderParameter {
  /** In lower case. */
  readonly name: string;
  /** With the backslashes of a value in quotes, whose meaning depends on the header. */
  readonly value: string;
}

/** The parameters behind the first semicolon, in their order. */
export function headerParameters(text: string): HeaderParameter[] {
  return [...text.matchAll(PARAMETER)].flatMap(([, name = '', quoted, end, token]) => {
    if (quoted !== undefined && end === '') return [];
    return [{ name: name.toLowerCase(), value: quoted ?? token ?? '' }];
  });
}
