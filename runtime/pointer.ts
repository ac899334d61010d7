/** The JSON pointer of a member of the value that `pointer` refers to (RFC 6901). */
export function appendPointer(pointer: string, key: string | number): string {
  return `${pointer}/${typeof key === 'number' ? key : escapeSegment(key)}`;
}

function escapeSegment(segment: string): string {
  return segment.includes('~') || segment.includes('/') ? segment.replace(/~/g, '~0').replace(/\//g, '~1') : segment;
}

/** Decodes percent-encoded text. Returns malformed text unchanged. */
export function decodeLeniently(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
