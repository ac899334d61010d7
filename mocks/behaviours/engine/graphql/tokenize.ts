import { type Place, RequestError } from './request-error.js';

export interface Token extends Place {
  readonly kind: 'sign' | 'name' | 'number' | 'text' | 'end';
  readonly text: string;
}

const TOKEN =
  /(?<ignored>[\s,\uFEFF]+|#[^\n\r]*)|(?<sign>\.\.\.|[!$()&:=@[\]{|}])|(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|"""(?<block>(?:\\"""|(?!""")[^])*)"""|(?<text>"(?:[^"\\\n\r]|\\.)*")/y;

/** The words and signs of a GraphQL document. @throws RequestError */
export function tokenize(document: string): readonly Token[] {
  const tokens: Token[] = [];
  const lineStarts = [0, ...[...document.matchAll(/\n/g)].map(({ index }) => index + 1)];
  let line = 0;
  const placeOf = (index: number): Place => {
    while ((lineStarts[line + 1] ?? Infinity) <= index) line += 1;
    return { line: line + 1, column: index - (lineStarts[line] ?? 0) + 1 };
  };
  for (let index = 0; index < document.length; index = TOKEN.lastIndex) {
    TOKEN.lastIndex = index;
    const found = TOKEN.exec(document)?.groups;
    const place = placeOf(index);
    if (found === undefined)
      throw new RequestError('SYNTAX_ERROR', `Unexpected character ${JSON.stringify(document[index])}.`, place);
    const { sign, name, number, block, text } = found;
    if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, ...place });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, ...place });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, ...place });
    else if (block !== undefined)
      tokens.push({ kind: 'text', text: block.replaceAll('\\"""', '"""').trim(), ...place });
    else if (text !== undefined) tokens.push({ kind: 'text', text: readText(text, place), ...place });
  }
  return [...tokens, { kind: 'end', text: 'the end', ...placeOf(document.length) }];
}

/** The escapes of GraphQL are those of JSON. */
function readText(text: string, place: Place): string {
  try {
    return String(JSON.parse(text));
  } catch {
    throw new RequestError('SYNTAX_ERROR', 'A text has an escape that cannot be read.', place);
  }
}
