/**
 * Gives the declarations of json-schema-to-typescript the look of all the others: indented by depth, with semicolons,
 * without brackets around whole types, and without its notes. The text holds tokens for all that comes from
 * a document, so that a brace is a brace.
 */
export function tidyDeclarations(text: string): string {
  const open: ('interface' | 'type')[] = [];
  const lines: string[] = [];
  for (const line of joinComments(text).split('\n')) {
    const code = line.trim();
    if (code === '') continue;
    const closed = code.startsWith('}') ? open.pop() : undefined;
    const isDeclaration = open.length === 0 && closed === undefined;
    if (isDeclaration && lines.length > 0 && !isComment(lines.at(-1) ?? '')) lines.push('');
    lines.push('  '.repeat(open.length) + endLine(unwrapType(code), closed));
    if (code.endsWith('{')) open.push(code.startsWith('export interface') ? 'interface' : 'type');
  }
  return `${lines.join('\n')}\n`;
}

/** A comment becomes its token, on its own line; one without a token is a note about references. */
function joinComments(text: string): string {
  return text.replaceAll(
    /^[ ]*\/\*\*\n([^]*?)(?:\*\/$|(?![^]))/gm,
    (_match, body: string) => /\bspecmill\d+Doc\b/.exec(body)?.[0] ?? '',
  );
}

function isComment(line: string): boolean {
  return /^ *specmill\d+Doc$/.test(line);
}

function endLine(code: string, closed: 'interface' | 'type' | undefined): string {
  return isComment(code) || code.endsWith('{') || (closed === 'interface' && code === '}') ? code : `${code};`;
}

/** `name?: (A | B)` -> `name?: A | B`. */
function unwrapType(code: string): string {
  const [, start, type] = /^((?:export type \S+ =|\[k: string\]:|\S+:) )\((.*)\)$/.exec(code) ?? [];
  const plain = start === undefined || type === undefined || !isBalanced(type) ? code : `${start}${type}`;
  return plain.replaceAll('[k: string]', '[key: string]');
}

/** Whether every bracket that closes in a text was opened in it. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
