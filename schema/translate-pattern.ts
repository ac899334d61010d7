const SPACE = String.raw`\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const ANY = String.raw`[\x{0}-\x{10ffff}]`;
const NOTHING = String.raw`[^\x{0}-\x{10ffff}]`;
const LINE = String.raw`[^\n\r\x{2028}\x{2029}]`;

/** One piece of a regular expression outside of a class. */
const TOKEN =
  /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|[\s\S])|\(\?(?:<[^=!>]+>|[\s\S])|\{\d+(?:,\d*)?\}|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/gu;
/** One piece inside a class. */
const MEMBER = /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|[\s\S])|[\s\S]/gu;

/** Translates an ECMAScript pattern to RE2 syntax with the same matches; `undefined` if RE2 lacks a construct. */
export function translatePattern(pattern: string, unicode: boolean): string | undefined {
  let translated = '';
  for (const [token] of pattern.matchAll(TOKEN)) {
    const piece = translateToken(token, unicode);
    if (piece === undefined) return undefined;
    translated += piece;
  }
  return translated;
}

function translateToken(token: string, unicode: boolean): string | undefined {
  if (token.startsWith('\\')) return translateEscape(token, unicode);
  if (token.startsWith('[') && token.length > 1) return translateClass(token, unicode);
  if (token.startsWith('(?'))
    return token === '(?:' ? token : token.startsWith('(?<') && token.length > 3 ? '(' : undefined;
  if (token.startsWith('{')) return token.length > 1 ? token : quote('{');
  if (token === '.') return LINE;
  if (token === '$') return String.raw`\z`;
  return /^[\^()|*+?]$/.test(token) ? token : quote(token);
}

function translateEscape(token: string, unicode: boolean): string | undefined {
  if (token === String.raw`\s`) return `[${SPACE}]`;
  if (token === String.raw`\S`) return `[^${SPACE}]`;
  if (/^\\[bB]$/.test(token)) return token;
  return translateShared(token, unicode);
}

/** Escapes that mean the same inside and outside of a class. */
function translateShared(token: string, unicode: boolean): string | undefined {
  if (/^\\[dDwWtnvfr]$/.test(token)) return token;
  // Only the short names of general categories are the same in both.
  if (/^\\[pP]\{/.test(token)) return unicode && /^\\[pP]\{[A-Z][a-z]?\}$/.test(token) ? token : undefined;
  if (/^\\[1-9k]/.test(token)) return undefined;
  const code = codeOf(token);
  return code === undefined ? undefined : quote(String.fromCodePoint(code));
}

function codeOf(token: string): number | undefined {
  const hex = /^\\(?:u\{([^}]+)\}|u(.{4})|x(.{2}))$/.exec(token);
  if (hex !== null) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16);
    // ECMAScript treats surrogates as code units; RE2 does not know them as characters.
    return code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff) ? code : undefined;
  }
  if (/^\\c./.test(token)) return (token[2] ?? '').toUpperCase().charCodeAt(0) - 64;
  return token === String.raw`\0` ? 0 : token.codePointAt(1);
}

function translateClass(token: string, unicode: boolean): string | undefined {
  const isNegated = token.startsWith('[^');
  const inner = token.slice(isNegated ? 2 : 1, -1);
  if (inner === '') return isNegated ? ANY : NOTHING;
  const members = [...inner.matchAll(MEMBER)].map(([member]) => translateMember(member, unicode));
  if (members.includes(undefined)) return undefined;
  const text = members.join('');
  if (!text.includes(String.raw`\S`)) return `[${isNegated ? '^' : ''}${text}]`;
  // With its opposite beside it, the class is everything; otherwise RE2 would have to subtract classes.
  if (!inner.includes(String.raw`\s`)) return undefined;
  return isNegated ? NOTHING : ANY;
}

function translateMember(member: string, unicode: boolean): string | undefined {
  if (member === String.raw`\s`) return SPACE;
  if (member === String.raw`\S`) return member;
  if (member === String.raw`\b`) return String.raw`\x{8}`;
  if (member.startsWith('\\')) return translateShared(member, unicode);
  return member === '-' ? member : quote(member);
}

function quote(char: string): string {
  return /^[A-Za-z0-9]$/.test(char) ? char : String.raw`\x{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}
