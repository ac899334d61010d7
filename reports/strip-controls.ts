/** Escapes characters that would not be shown, end a line or change the reading order. Keeps tabs and line feeds. */
export function toShownText(text: string): string {
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, unicodeEscape);
}

/** Returns a character as escapes of its UTF-16 units, as JSON has them: `\u200b`. */
function unicodeEscape(char: string): string {
  return char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/**
 * Makes text that may come from a spec safe for a terminal. Escapes control characters, which could move the cursor or
 * forge output, and characters that change the reading order. Keeps line feeds with `lines`.
 */
export function toTerminalText(text: string, options: { readonly lines: boolean } = { lines: false }): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, (char) => {
    if (char === '\n') return options.lines ? char : ' ';
    return unicodeEscape(char);
  });
}
