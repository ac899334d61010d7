/** Always the same positive number for a text (FNV-1a, 31 bits). */
export function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 1) + 1;
}
