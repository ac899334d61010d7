/** Escapes characters that would not be shown or would change the reading order. Keeps tabs and line feeds. */
export function toShownText(text: string): string {
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Cf}/gu, unicodeEscape);
}

/** Returns a character as an escape: `\u200b`. */
export function unicodeEscape(char: string): string {
  return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

/**
 * Makes text that may come from a spec safe for a terminal. Escapes control characters, which could move the cursor or
 * forge output, and characters that change the reading order. Keeps line feeds with `lines`.
 */
export function toTerminalText(text: string, options: { readonly lines: boolean } = { lines: false }): string {
  return text.replaceAll(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\uFEFF]/g,
    (char) => {
      if (char === '\n') return options.lines ? char : ' ';
      return unicodeEscape(char);
    },
  );
}
