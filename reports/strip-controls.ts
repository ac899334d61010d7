/**
 * Text for a reader: characters that would not be shown, or would change the reading order around them, as escapes. Tabs and
 * line feeds stay.
 */
export function toShownText(text: string): string {
  return text.replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Cf}/gu,
    (letter) => `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
