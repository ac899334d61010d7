/** A line of generated code. */
export interface Statement {
  readonly kind: 'statement';
  text: string;
  /** The local variable that it sets, if that is all it does. */
  readonly sets: string | undefined;
  /** The local variables that it reads. */
  reads: readonly string[];
}

/** `if`, `for` or `else` with its body. */
export interface Block {
  readonly kind: 'block';
  head: string;
  reads: readonly string[];
  body: CodeNode[];
  /** The `else` that follows. */
  next: Block | undefined;
}

export type CodeNode = Statement | Block;

/** The local variables of ajv that can turn out to be needless. Strings are masked, so a match is an identifier. */
const LOCALS = /(?<![.\w$])(?:_?valid|_errs|data|len|missing|passing|ifClause|tag|props|items|found|twins)\d+/g;
const ASSIGNMENT = /^(?:(?:const|let|var) )?(_?[a-zA-Z]+\d+)(?: = (.*))?;$/s;
const NONE: readonly string[] = [];

/** Reads code that ajv has written with `lines: true` (each statement and each brace on a line of its own). */
export function parseCode(code: string): CodeNode[] {
  const lines = code.split('\n');
  let at = 0;
  const readNodes = (): CodeNode[] => {
    const nodes: CodeNode[] = [];
    for (; at < lines.length; at += 1) {
      const line = lines[at] ?? '';
      if (line === '}') return nodes;
      if (line === '') continue;
      if (line.endsWith('{')) nodes.push(readBlock(line));
      else nodes.push(readStatement(line));
    }
    return nodes;
  };
  const readBlock = (head: string): Block => {
    at += 1;
    const block: Block = { kind: 'block', head, reads: head.match(LOCALS) ?? NONE, body: readNodes(), next: undefined };
    const follower = lines[at + 1];
    if (follower?.startsWith('else ')) {
      at += 1;
      block.next = readBlock(follower);
    }
    return block;
  };
  return readNodes();
}

function readStatement(text: string): Statement {
  const assignment = ASSIGNMENT.exec(text);
  const [, sets, value] = assignment ?? [];
  return { kind: 'statement', text, sets, reads: (assignment === null ? text : (value ?? '')).match(LOCALS) ?? NONE };
}

/** Writes the code again. */
export function printCode(nodes: readonly CodeNode[]): string {
  return nodes.map((node) => (node.kind === 'statement' ? node.text : printBlock(node))).join('\n');
}

function printBlock({ head, body, next }: Block): string {
  if (next === undefined) return `${head.slice(0, -1).trimEnd()}${printBody(body)}`;
  if (body.length === 0 && next.head === 'else {') return `${negate(head)}${printBody(next.body)}`;
  return `${head}\n${printCode(body)}\n}\n${printBlock(next)}`;
}

/** Braces are left out where an `else` cannot go astray. */
function printBody(body: readonly CodeNode[]): string {
  const [first] = body;
  const isSingle = body.length === 1 && first?.kind === 'statement' && !/^(?:const|let) /.test(first.text);
  return isSingle ? ` ${first.text}` : `{\n${printCode(body)}\n}`;
}

function negate(head: string): string {
  const condition = conditionOf(head);
  const isCall = /^!?[\w.]+\([\w.]+\)$/.test(condition);
  if (isCall && condition.startsWith('!')) return `if(${condition.slice(1)})`;
  return isCall ? `if(!${condition})` : `if(!(${condition}))`;
}

/** `a` of `if(a){`. */
export function conditionOf(head: string): string {
  return head.slice(head.indexOf('(') + 1, -2);
}
