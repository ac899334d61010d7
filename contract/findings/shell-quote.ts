/** Characters that a terminal or page does not show: controls, and those that change the reading order. */
const UNSHOWN = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/**
 * Quotes a text as one literal word of a shell (bash, zsh, ksh). Characters that cannot be shown are written as bytes,
 * so the locale does not matter.
 */
export function quote(text: string): string {
  if (!UNSHOWN.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll(new RegExp(UNSHOWN, 'gu'), (letter) =>
      [...Buffer.from(letter)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
    );
  return `$'${escaped}'`;
}
