import { type Block, type CodeNode, type Statement, conditionOf } from './code-tree.js';

/**
 * Leaves out what has no effect: variables that nothing reads (ajv counts errors around every subschema, whether or not
 * that matters), blocks without statements, and variables that are read once, right after they are set.
 */
export function pruneCode(nodes: readonly CodeNode[]): CodeNode[] {
  const reads = new Map<string, number>();
  forEachNode(nodes, ({ reads: names }) => count(reads, names, 1));
  let size = -1;
  let pruned = [...nodes];
  for (let previous = 0; size !== previous;) {
    previous = size;
    pruned = pruneNodes(pruned, reads);
    size = countNodes(pruned);
  }
  return joinConditions(inlineOnce(pruned, reads));
}

/** `if(a){ if(b){ … } }` is one condition. */
function joinConditions(nodes: CodeNode[]): CodeNode[] {
  for (const node of nodes) if (node.kind === 'block') joinBlock(node);
  return nodes;
}

function joinBlock(block: Block): void {
  joinConditions(block.body);
  if (block.next !== undefined) joinBlock(block.next);
  const [inner] = block.body;
  if (block.body.length !== 1 || inner?.kind !== 'block' || !isPlainIf(block) || !isPlainIf(inner)) return;
  block.head = `if(${asOperand(block.head)} && ${asOperand(inner.head)}){`;
  block.body = inner.body;
}

function isPlainIf({ head, body, next }: Block): boolean {
  return head.startsWith('if(') && body.length > 0 && next === undefined;
}

function asOperand(head: string): string {
  const condition = conditionOf(head);
  return condition.includes('||') || /(?<![=!<>])=(?![=>])/.test(condition) ? `(${condition})` : condition;
}

type Reads = Map<string, number>;

function count(reads: Reads, names: readonly string[], step: number): void {
  for (const name of names) reads.set(name, (reads.get(name) ?? 0) + step);
}

function forEachNode(nodes: readonly CodeNode[], visit: (node: CodeNode) => void): void {
  for (const node of nodes) {
    visit(node);
    if (node.kind === 'block') {
      forEachNode(node.body, visit);
      if (node.next !== undefined) forEachNode([node.next], visit);
    }
  }
}

function countNodes(nodes: readonly CodeNode[]): number {
  let total = 0;
  forEachNode(nodes, () => {
    total += 1;
  });
  return total;
}

function pruneNodes(nodes: readonly CodeNode[], reads: Reads): CodeNode[] {
  return nodes.filter((node) => {
    const isNeeded = node.kind === 'statement' ? isRead(node, reads) : !isEmpty(pruneBlock(node, reads));
    if (!isNeeded) count(reads, node.reads, -1);
    return isNeeded;
  });
}

/** A variable of another kind than those that are counted (a loop's index, a flag of ours) is always needed. */
function isRead({ sets, text }: Statement, reads: Reads): boolean {
  return (
    sets === undefined ||
    (reads.get(sets) ?? 0) > 0 ||
    !/^(?:(?:const|let|var) )?(?:_?valid|_errs|data|len|missing|passing|ifClause|tag)\d/.test(text)
  );
}

function pruneBlock(block: Block, reads: Reads): Block {
  block.body = pruneNodes(block.body, reads);
  if (block.next !== undefined && isEmpty(pruneBlock(block.next, reads))) {
    count(reads, block.next.reads, -1);
    block.next = undefined;
  }
  return block;
}

function isEmpty({ body, next }: Block): boolean {
  return body.length === 0 && next === undefined;
}

function inlineOnce(nodes: readonly CodeNode[], reads: Reads): CodeNode[] {
  const kept: CodeNode[] = [];
  for (const [index, node] of nodes.entries()) {
    if (node.kind === 'block') inlineBlock(node, reads);
    const follower = nodes[index + 1];
    const value = node.kind === 'statement' ? singleUse(node, follower, reads) : undefined;
    if (value === undefined || follower === undefined || node.kind === 'block') kept.push(node);
    else substitute(follower, node.sets ?? '', value);
  }
  return kept;
}

function inlineBlock(block: Block, reads: Reads): void {
  block.body = inlineOnce(block.body, reads);
  if (block.next !== undefined) inlineBlock(block.next, reads);
}

/** The value of `let data1 = data.name;` where it is read once, by the statement or condition that follows. */
function singleUse({ sets, text }: Statement, follower: CodeNode | undefined, reads: Reads): string | undefined {
  if (sets === undefined || follower === undefined || reads.get(sets) !== 1 || !follower.reads.includes(sets))
    return undefined;
  if (follower.kind === 'block' && !follower.head.startsWith('if(')) return undefined;
  return /^let data\d+ = (data\d*(?:\.\w+|\["?\w+"?\]));$/.exec(text)?.[1];
}

function substitute(node: CodeNode, name: string, value: string): void {
  const replace = (text: string): string => text.replace(new RegExp(`(?<![.\\w$])${name}\\b`), () => value);
  if (node.kind === 'statement') node.text = replace(node.text);
  else node.head = replace(node.head);
}
