/** The length of a text in code points, as JSON Schema counts: a lone surrogate counts as one. */
export function ucs2Length(text: string): number {
  let length = 0;
  for (const _point of text) length += 1;
  return length;
}
