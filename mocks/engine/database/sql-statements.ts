/** A statement of a script that makes or changes a table. */
export interface SqlStatement {
  readonly text: string;
  /** Place of its first character in the script. */
  readonly line: number;
  readonly column: number;
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** How many parentheses are open before it. */
  readonly depth: number;
}

/** Words, quoted names, texts, comments and marks of all dialects. Dollar quotes only occur around code. */
const TOKEN =
  /--[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]\n]*\]|[\p{L}\p{N}_@#$]+|[^\s]/gu;

/** Words that begin a statement of a script without semicolons. */
const BEGINNINGS: ReadonlySet<string> = new Set(
  'CREATE ALTER INSERT DROP USE EXEC EXECUTE PRINT GRANT TRUNCATE MERGE BEGIN COMMIT GO DECLARE COMMENT COPY'.split(
    ' ',
  ),
);

/**
 * Finds the statements of a script that create tables or add constraints to them. Everything else of the script, such as
 * rows, views and settings, is skipped.
 */
export function findTableStatements(script: string): readonly SqlStatement[] {
  const tokens = readTokens(script);
  const found: SqlStatement[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    if (!isTableStatement(tokens, index)) continue;
    const last = findEnd(tokens, index);
    const [start, end] = [tokens[index]?.start ?? 0, tokens[last]?.end ?? script.length];
    found.push({
      text: toCommonSql(tokens.slice(index, last + 1), script.slice(start, end)),
      ...placeOf(script, start),
    });
    index = last;
  }
  return found;
}

function readTokens(script: string): readonly Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const { 0: text, index } of script.matchAll(TOKEN)) {
    if (text.startsWith('--') || text.startsWith('/*')) continue;
    if (text === ')') depth = Math.max(0, depth - 1);
    tokens.push({ text, start: index, end: index + text.length, depth });
    if (text === '(') depth += 1;
  }
  return tokens;
}

function wordAt(tokens: readonly Token[], index: number): string {
  return tokens[index]?.text.toUpperCase() ?? '';
}

function isTableStatement(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.depth !== 0) return false;
  if (wordAt(tokens, index) === 'ALTER') return wordAt(tokens, index + 1) === 'TABLE';
  if (wordAt(tokens, index) !== 'CREATE') return false;
  // CREATE [GLOBAL] [TEMPORARY] [UNLOGGED] TABLE
  return [1, 2, 3].some((step) => wordAt(tokens, index + step) === 'TABLE' && !isAfterMark(tokens, index, step));
}

function isAfterMark(tokens: readonly Token[], index: number, step: number): boolean {
  return tokens.slice(index + 1, index + step).some(({ text }) => !/^[A-Za-z]+$/.test(text));
}

/** The index of the last token of a statement: before a semicolon, or before a word that begins the next one. */
function findEnd(tokens: readonly Token[], first: number): number {
  for (let index = first + 1; index < tokens.length; index += 1) {
    const { depth = 0, text = '' } = tokens[index] ?? {};
    if (depth !== 0) continue;
    const word = text.toUpperCase();
    const isNext = BEGINNINGS.has(word) || (word === 'IF' && wordAt(tokens, index - 1) === ')');
    if (text === ';' || isNext) return index - 1;
  }
  return tokens.length - 1;
}

/**
 * Replaces by spaces what the parser does not know and what says nothing about columns: the storage options of T-SQL. All
 * other characters keep their places.
 */
function toCommonSql(tokens: readonly Token[], text: string): string {
  const characters = text.split('');
  const offset = tokens[0]?.start ?? 0;
  const blank = (from: number, to: number): void => {
    for (let at = (tokens[from]?.start ?? 0) - offset; at < (tokens[to]?.end ?? 0) - offset; at += 1)
      if (characters[at] !== '\n') characters[at] = ' ';
  };
  for (let index = 1; index < tokens.length; index += 1) {
    const end = endOfStorage(tokens, index);
    if (end !== undefined) blank(index, end);
    else if (isComputed(tokens, index)) {
      const last = closing(tokens, index + 1);
      blank(index, wordAt(tokens, last + 1) === 'PERSISTED' ? last + 1 : last);
      characters.splice((tokens[index]?.start ?? 0) - offset, 3, ...'ANY');
    }
  }
  return characters.join('');
}

/** The last token of a storage option that starts at an index. */
function endOfStorage(tokens: readonly Token[], index: number): number | undefined {
  const [before, word, next] = [wordAt(tokens, index - 1), wordAt(tokens, index), wordAt(tokens, index + 1)];
  if (word === 'CLUSTERED' || word === 'NONCLUSTERED' || word === 'ROWGUIDCOL' || word === 'SPARSE') return index;
  if (word === 'WITH' && next === 'CHECK') return index + 1;
  if (word === 'WITH' && next === '(' && before === ')') return closing(tokens, index + 1);
  if ((word === 'ON' || word === 'TEXTIMAGE_ON') && /^["[]|^PRIMARY$/.test(next)) return index + 1;
  if (word === 'FOREIGN' && next === 'KEY' && wordAt(tokens, index + 2) === 'REFERENCES') return index + 1;
  if (word === 'NOT' && next === 'FOR' && wordAt(tokens, index + 2) === 'REPLICATION') return index + 2;
  return undefined;
}

/** Whether an index starts the expression of a computed column: `total AS (a * b)`. */
function isComputed(tokens: readonly Token[], index: number): boolean {
  return wordAt(tokens, index) === 'AS' && wordAt(tokens, index + 1) === '(' && tokens[index]?.depth === 1;
}

/** The index of the parenthesis that closes the one at an index. */
function closing(tokens: readonly Token[], open: number): number {
  const depth = tokens[open]?.depth ?? 0;
  for (let index = open + 1; index < tokens.length; index += 1)
    if (tokens[index]?.text === ')' && tokens[index]?.depth === depth) return index;
  return tokens.length - 1;
}

function placeOf(script: string, start: number): { readonly line: number; readonly column: number } {
  const before = script.slice(0, start);
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
