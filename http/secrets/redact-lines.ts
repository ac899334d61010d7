/** The text that replaces a credential. */
const REDACTED = 'REDACTED';

type IsSecret = (name: string) => boolean;

/** A member of YAML, in block or flow style. */
const MEMBER = /(?<![\w.$-])([\w.$-]+)["']? {0,9}:(?=\s|$)/g;

/** Redacts the members of a YAML text, which may be cut off, with all lines that belong to them. */
export function redactYaml(text: string, isSecret: IsSecret): string {
  /** Lines that are indented more belong to a secret member. */
  let indent = Infinity;
  const lines = text.split('\n').flatMap((line): string[] => {
    const own = line.search(/[^\s-]/);
    if (own === -1 ? indent !== Infinity : own > indent) return [];
    indent = Infinity;
    const member = [...line.matchAll(MEMBER)].find(([, name = '']) => isSecret(name));
    if (member === undefined) return [line];
    const start = member.index + member[0].length;
    const isFlow = line.slice(0, member.index).includes('{');
    if (!isFlow) indent = own;
    return [`${line.slice(0, start)} ${REDACTED}${isFlow ? ' }' : ''}`];
  });
  return lines.join('\n');
}

/** Redacts the columns of a CSV text by the names in its first record. */
export function redactCsv(text: string, isSecret: IsSecret): string {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  const delimiter = first.includes(',') ? ',' : (/[;\t|]/.exec(first)?.[0] ?? ',');
  let [column, isFirst] = [0, true];
  const secret = new Set<number>();
  // A value in quotes may have line breaks and delimiters.
  const shown = text.replaceAll(/"(?:[^"]|"")*"?|[^",;\t|\r\n]+|[,;\t|\r\n]/g, (piece) => {
    if (piece === '\n' || piece === '\r') [column, isFirst] = [0, false];
    else if (piece === delimiter) column += 1;
    else if (isFirst && isSecret(piece.replaceAll('"', '').trim())) secret.add(column);
    else if (!isFirst && secret.has(column)) return REDACTED;
    return piece;
  });
  return secret.size === 0 ? text : shown;
}
