import { stringifyExactJson } from '../../runtime/json-integers.js';
import { hasSharedName, isOpaque, type SecretMembers } from './secret-names.js';

const REDACTED = 'REDACTED';
/** JSON in a text of JSON in a text. Each level doubles the backslashes. */
const MOST_LEVELS = 3;

/** How the members of a JSON text are redacted. */
interface JsonRules {
  readonly members: Pick<SecretMembers, 'has'>;
  /** Members that are credentials only at the top of a document. */
  readonly isSecretAtTop: (name: string) => boolean;
}

/**
 * Redacts members in JSON, in streams of JSON and in cut-off JSON, and in JSON inside of its texts. Changes nothing else,
 * and reads each character once at each level.
 */
export function redactJsonText(text: string, rules: JsonRules, level = 1): string {
  const shown: string[] = [];
  let [kept, depth] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (char !== '"') continue;
    const end = endOfString(text, index);
    const value = valueAfter(text, end);
    if (value === undefined) {
      const inner = redactInner(text.slice(index, end), rules, level);
      if (inner !== undefined) {
        shown.push(text.slice(kept, index), inner);
        kept = end;
      }
    }
    const name = value === undefined ? undefined : textOf(text.slice(index, end));
    index = end - 1;
    if (value === undefined || name === undefined) continue;
    const isSecret = rules.members.has(name) || (depth === 1 && rules.isSecretAtTop(name));
    if (!isSecret && !(hasSharedName(name) && holdsOpaque(text, value))) continue;
    const last = endOfValue(text, value);
    if (text.slice(value, last).trim() === 'null') continue;
    shown.push(text.slice(kept, value), `"${REDACTED}"`);
    kept = last;
    index = last - 1;
  }
  return kept === 0 ? text : shown.join('') + text.slice(kept);
}

/** Whether a value is a text that may be a credential, also because it is cut off. */
function holdsOpaque(text: string, start: number): boolean {
  if (text[start] !== '"') return false;
  const content = textOf(text.slice(start, endOfString(text, start)));
  return content === undefined || isOpaque(content);
}

/** A text of JSON that is JSON itself, redacted; `undefined` if it shows no credential. */
function redactInner(literal: string, rules: JsonRules, level: number): string | undefined {
  if (level >= MOST_LEVELS || !/^"\s{0,99}[{[]/.test(literal)) return undefined;
  const text = textOf(literal) ?? textOf(`${literal}"`);
  if (text === undefined) return undefined;
  const shown = redactJsonText(text, rules, level + 1);
  return shown === text ? undefined : stringifyExactJson(shown);
}

/** Returns the index after the closing quote. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') return index + 1;
  }
  return text.length;
}

/** Returns the start of the member value after a name that ends at `end`; `undefined` if it is not a name. */
function valueAfter(text: string, end: number): number | undefined {
  let index = skipBlanks(text, end);
  if (text[index] !== ':') return undefined;
  index = skipBlanks(text, index + 1);
  return index;
}

function skipBlanks(text: string, start: number): number {
  let index = start;
  while (text[index] === ' ' || text[index] === '\t' || text[index] === '\n' || text[index] === '\r') index += 1;
  return index;
}

function textOf(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const char = text[index];
    if (char === '"') index = endOfString(text, index) - 1;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === ',' || char === '}' || char === ']' || char === '\n') {
      if (depth === 0) return index;
      if (char === '}' || char === ']') depth -= 1;
    }
    if (depth === 0 && (char === '"' || char === '}' || char === ']')) return index + 1;
  }
  return text.length;
}
