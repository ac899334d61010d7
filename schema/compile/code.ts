import { appendPointer } from '../../model/document/pointer.js';
import { toLiteral } from '../../model/identifiers.js';

/** A statement, `if (condition) return true;`, or a block with its body. */
export type CodeNode = string | Guard | CodeBlock;

/** Stops the function if a condition holds. */
export interface Guard {
  readonly condition: string;
  /**
   * Whether the condition also holds for a value of another type than the keyword's, and then adds the error of `type`.
   */
  readonly seesType?: boolean;
}

export interface CodeBlock {
  /** The text before the brace, such as `if (a)`. */
  readonly head: string;
  readonly body: readonly CodeNode[];
  readonly otherwise?: readonly CodeNode[];
}

/** `if (condition) return true;` A last condition that always holds is omitted. */
export function guard(...conditions: readonly string[]): Guard {
  const needed = conditions.length > 1 && conditions.at(-1) === ALWAYS ? conditions.slice(0, -1) : conditions;
  return { condition: needed.join(' && ') };
}

/** A condition that always holds. */
export const ALWAYS = 'true';

/** `if (condition) { … }`, in its shortest form. */
export function when(condition: string, body: readonly CodeNode[], otherwise: readonly CodeNode[] = []): CodeNode[] {
  const [first] = body;
  if (otherwise.length === 0) {
    if (body.length === 0) return [];
    const isGuard = body.length === 1 && typeof first === 'object' && 'condition' in first;
    return isGuard ? [guard(condition, parenthesise(first.condition))] : [{ head: `if (${condition})`, body }];
  }
  return [{ head: `if (${condition})`, body, otherwise }];
}

/** Adds parentheses to a condition that needs them beside `&&`. */
export function parenthesise(condition: string): string {
  return condition.includes('||') ? `(${condition})` : condition;
}

/** The opposite of a condition. */
export function negate(condition: string): string {
  return condition.includes(' ') ? `!(${condition})` : `!${condition}`;
}

/**
 * A text literal, or a word outside of one. Also matches an unterminated literal, so that the search for its end is not
 * repeated.
 */
const LITERAL_OR_WORD = /"(?:[^"\\]|\\.)*"?|\w+/g;

export function usedVariables(code: string, names: readonly string[]): ReadonlySet<string> {
  const used = new Set<string>();
  const wanted = names.filter((name) => code.includes(name));
  if (wanted.length === 0) return used;
  for (const [word] of code.matchAll(LITERAL_OR_WORD)) {
    if (wanted.includes(word)) used.add(word);
    if (used.size === wanted.length) break;
  }
  return used;
}

/** Whether a node uses a variable, itself or in its body. */
export function isUsedIn(name: string, node: CodeNode): boolean {
  if (typeof node === 'object' && 'body' in node) {
    const { head, body, otherwise = [] } = node;
    return isUsedIn(name, head) || [...body, ...otherwise].some((inner) => isUsedIn(name, inner));
  }
  return usedVariables(typeof node === 'string' ? node : node.condition, [name]).size > 0;
}

/** Prints the body of a function that returns whether the check stops. */
export function printBody(nodes: readonly CodeNode[]): string {
  const last = nodes.at(-1);
  const before = printNodes(nodes.slice(0, -1));
  if (typeof last === 'object' && 'condition' in last) return `${before}  return ${last.condition};\n`;
  if (typeof last === 'object' && last.otherwise !== undefined) {
    const [only, ...others] = last.body;
    if (typeof only === 'object' && 'condition' in only && others.length === 0)
      return `${before}  ${last.head} return ${only.condition};\n${printBody(last.otherwise)}`;
  }
  return `${printNodes(nodes)}  return false;\n`;
}

/** Prints nodes, two spaces for each level. */
function printNodes(nodes: readonly CodeNode[], indent = '  '): string {
  return nodes.map((node) => printNode(node, indent)).join('');
}

function printNode(node: CodeNode, indent: string): string {
  if (typeof node === 'string') return `${indent}${node}\n`;
  if ('condition' in node) return `${indent}if (${node.condition}) return true;\n`;
  const { head, body, otherwise } = node;
  const inner = `${indent}  `;
  const rest = otherwise === undefined ? '' : ` else {\n${printNodes(otherwise, inner)}${indent}}`;
  return `${indent}${head} {\n${printNodes(body, inner)}${indent}}${rest}\n`;
}

/** The place of a value: an expression for its JSON pointer. Adjacent literal parts are joined. */
export class PathCode {
  static readonly root: PathCode = new PathCode('path', '');
  /** The place of every value in code that adds no errors. */
  static readonly none: PathCode = new PathCode('', '');
  readonly #base: string;
  readonly #tail: string;

  private constructor(base: string, tail: string) {
    this.#base = base;
    this.#tail = tail;
  }

  member(name: string): PathCode {
    if (this === PathCode.none) return this;
    return new PathCode(this.#base, appendPointer(this.#tail, name));
  }

  /** The place of the member or item that an expression names. */
  step(expression: string): PathCode {
    if (this === PathCode.none) return this;
    return new PathCode(`${this.#base} + ${toLiteral(`${this.#tail}/`)} + ${expression}`, '');
  }

  get code(): string {
    return this.#tail === '' ? this.#base : `${this.#base} + ${toLiteral(this.#tail)}`;
  }

  /** The further arguments for a call, which needs no path if errors are not collected. */
  get rest(): string {
    if (this === PathCode.none) return '';
    return `, ${this.code === 'path' ? 'path' : `out && ${this.code}`}, out`;
  }
}

/** `data["name"]`: the strictest TypeScript flags require brackets, and bundlers convert them to dots. */
export function memberCode(data: string, name: string): string {
  return `${data}[${toLiteral(name)}]`;
}

/** Prints the value of a member, or `undefined`. Inherited names such as `toString` only count as own members. */
export function ownMemberCode(data: string, name: string): string {
  return name in Object.prototype
    ? `(Object.hasOwn(${data}, ${toLiteral(name)}) ? ${memberCode(data, name)} : undefined)`
    : memberCode(data, name);
}
