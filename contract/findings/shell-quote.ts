/** Characters that a terminal or a page would not show as they are: controls, and those that change the reading order. */
const UNSHOWN = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/**
 * A text as one word of a shell (bash, zsh, ksh) in which nothing is read as anything but itself. Characters that cannot be
 * shown are written as bytes, so that no locale matters.
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
