import { getOrInsert } from '../../model/maps.js';
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index));
/** Characters outside ASCII, one for each script and category that classes can name. */
const FURTHER = [
  ...'éüßñøÀÉÖçžşœþαωΩбжЯאبحकกあアー一中漢字가𝒜😀€£°µ¶§«»“”’…–—•′×÷½²₂Ⅳ٣\u00a0\u2028',
  '\t',
  '\n',
  '\r',
  '\0',
  '\u001b',
  '\u00ad',
  '\ufffd',
];
const LETTERS = /^[a-z]$/;
const PLAIN = /^[A-Za-z0-9]$/;

const cache = new Map<string, readonly string[]>();

/**
 * Returns characters that a class such as `[^a-z\d]` matches, tested with the regular expression engine. `isWide`: all
 * known ones; otherwise readable ones, if there are any.
 */
export function charsOf(source: string, flags: string, isWide: boolean): readonly string[] {
  const key = `${flags}${isWide ? '+' : '-'}${source}`;
  return getOrInsert(cache, key, () => {
    const all = findChars(source, flags);
    return isWide ? all : readable(source, all);
  });
}

function findChars(source: string, flags: string): string[] {
  const regexp = new RegExp(`^(?:${source})$`, flags);
  const found = [...new Set([...PRINTABLE, ...charsIn(source)])].filter((char) => regexp.test(char));
  const further = found.length >= 10 ? [] : FURTHER.filter((char) => regexp.test(char));
  const chars = [...found, ...further];
  // The class matches no known character; the text will not match, which a later check detects.
  return chars.length === 0 ? ['a'] : chars;
}

/** Prefers letters for an open class (`.`, `\S`, `[^/]`), and letters and digits for others. */
function readable(source: string, chars: readonly string[]): readonly string[] {
  const isOpen =
    source === '.' ||
    /^\\[SWDP]/.test(source) ||
    source.startsWith('[^') ||
    /\\[sSwW].*\\[sSwW]|\\[dD].*\\[dD]/.test(source);
  const letters = isOpen ? chars.filter((char) => LETTERS.test(char)) : [];
  if (letters.length > 0) return letters;
  const plain = chars.filter((char) => PLAIN.test(char));
  return plain.length > 0 ? plain : chars;
}

/** The characters that a class names, with those just inside its ranges. */
function charsIn(source: string): string[] {
  const codes: number[] = [];
  for (const match of source.matchAll(/\\u\{([0-9a-f]+)\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi)) {
    codes.push(Number.parseInt(match[1] ?? match[2] ?? match[3] ?? '', 16));
  }
  for (const char of source) codes.push(char.codePointAt(0) ?? 0);
  const near = codes.flatMap((code) => [code, code + 1, code + 2, code - 1]);
  const isScalar = (code: number): boolean => code >= 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff);
  return near.filter(isScalar).map((code) => String.fromCodePoint(code));
}
