/** Types as text. A text in quotes, brackets or comments is one piece; separators inside it are ignored. */

/** `A | B`, each once; `unknown` absorbs the rest, `never` adds nothing. */
export function union(types: readonly string[]): string {
  if (types.length === 1) return types[0] ?? 'never';
  const members = [...new Set(types)].filter((type) => type !== 'never');
  if (members.includes('unknown')) return 'unknown';
  if (members.length <= 1) return members[0] ?? 'never';
  return members.map((type) => (splitTopLevel(type, '&').length > 1 ? `(${type})` : type)).join(' | ');
}

/** An object with unknown members. */
export const OPEN_OBJECT = '{ [key: string]: unknown }';

/** `A & B`, each once, without types that add nothing to the others. */
export function intersection(types: readonly string[]): string {
  const flat = types.flatMap((type) => {
    const parts = splitTopLevel(type, '&');
    return parts.length > 1 && splitTopLevel(type, '|').length > 1 ? [type] : parts;
  });
  const members = [...new Set(flat)].filter((type) => type !== 'unknown');
  const specific = members.filter((type) => type !== OPEN_OBJECT);
  if (specific.length === 0) return members[0] ?? 'unknown';
  return specific.length === 1 ? (specific[0] ?? 'unknown') : specific.map(parenthesised).join(' & ');
}

export function listOf(item: string): string {
  return `${parenthesised(item)}[]`;
}

/** Parenthesises a type for use beside any operator. */
export function parenthesised(type: string): string {
  return splitTopLevel(type, '|').length > 1 || splitTopLevel(type, '&').length > 1 ? `(${type})` : type;
}

const MAX_WIDTH = 110;

/** Puts the members of a union that is too long for one line on their own lines. `taken` is the length of the text before it. */
export function layOut(type: string, indent: string, taken: number): string {
  if (indent.length + taken + type.length <= MAX_WIDTH || type.includes('\n')) return type;
  const members = splitTopLevel(type, '|');
  return members.length > 1 ? members.map((member) => `\n${indent}  | ${member}`).join('') : type;
}

/** Lays out a union in brackets beside other parts, on its own lines if needed. */
export function layOutBranches(type: string, indent: string): string {
  const members = splitTopLevel(type, '|');
  if (members.length === 1 || type.includes('\n') || type.length <= MAX_BRANCHES_WIDTH) return type;
  return `(${members.map((member) => `\n${indent}  | ${member}`).join('')}\n${indent})`;
}

const MAX_BRANCHES_WIDTH = 80;

/** Splits a type at an operator outside of all brackets, quotes and comments. */
function splitTopLevel(type: string, operator: '|' | '&'): string[] {
  if (!type.includes(` ${operator} `)) return [type];
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: piece, index } of type.matchAll(PIECES)) {
    if ('{([<'.includes(piece)) depth += 1;
    else if ('})]>'.includes(piece)) depth -= 1;
    else if (depth === 0 && piece[1] === operator && piece.length === 3 && piece[0] === ' ') {
      parts.push(type.slice(start, index));
      start = index + piece.length;
    }
  }
  return [...parts, type.slice(start)];
}

/** Whole literals and comments, brackets, and operators. */
const PIECES = /'(?:[^'\\]|\\[^]?)*'?|\/\*[^]*?(?:\*\/|$)|[{([<\])}>]| [|&] /g;
