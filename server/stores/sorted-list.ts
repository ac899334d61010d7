/** The most parts of a node. */
const MOST = 64;
/** A node with fewer parts is joined with a neighbour. */
const LEAST = 16;

/** A node of the tree: a leaf has items, an inner node has children. */
interface Node<T> {
  size: number;
  min: T;
  readonly items: T[];
  readonly children: Node<T>[] | undefined;
}

/**
 * Items in order, in a counted B+ tree: adding, removing, and finding a position take logarithmic time, and a slice takes
 * that and its length. No two items may compare as equal.
 */
export class SortedList<T> {
  readonly #compare: (one: T, other: T) => number;
  #root: Node<T> | undefined;

  /** @param items - in order */
  constructor(compare: (one: T, other: T) => number, items: readonly T[] = []) {
    this.#compare = compare;
    this.#root = build(items);
  }

  get size(): number {
    return this.#root?.size ?? 0;
  }

  add(item: T): void {
    const root = this.#root;
    if (root === undefined) {
      this.#root = leafOf([item]);
      return;
    }
    const other = this.#addTo(root, item);
    if (other !== undefined) this.#root = innerOf([root, other]);
  }

  /** Removes the item that compares as equal. */
  delete(item: T): void {
    if (this.#root === undefined) return;
    this.#deleteFrom(this.#root, item);
    while (this.#root.children?.length === 1) this.#root = this.#root.children[0] ?? this.#root;
    if (this.#root.size === 0) this.#root = undefined;
  }

  /** The number of items before the first one for which `isBeyond` holds. It holds for all items after that one. */
  countUntil(isBeyond: (item: T) => boolean): number {
    let [node, before] = [this.#root, 0];
    while (node?.children !== undefined) {
      const index = Math.max(0, searchFirst(node.children, ({ min }) => isBeyond(min)) - 1);
      for (let left = 0; left < index; left += 1) before += node.children[left]?.size ?? 0;
      node = node.children[index];
    }
    return node === undefined ? 0 : before + searchFirst(node.items, isBeyond);
  }

  /** The number of items before this one. */
  positionOf(item: T): number {
    return this.countUntil((other) => this.#compare(other, item) >= 0);
  }

  slice(start: number = 0, end: number = Infinity): T[] {
    const found: T[] = [];
    if (end > start) this.walk((item) => found.push(item) < end - start, start);
    return found;
  }

  /** Calls `visit` with the items from a position on, until it returns `false`. */
  walk(visit: (item: T) => boolean, start: number = 0): void {
    if (this.#root !== undefined && start < this.#root.size) walkFrom(this.#root, start, visit);
  }

  /** Adds an item below a node. Returns the node that was split off, if the node had become too large. */
  #addTo(node: Node<T>, item: T): Node<T> | undefined {
    node.size += 1;
    if (node.children === undefined) {
      const place = searchFirst(node.items, (other) => this.#compare(other, item) > 0);
      node.items.splice(place, 0, item);
      if (place === 0) node.min = item;
      return node.items.length > MOST ? splitLeaf(node, place) : undefined;
    }
    const index = this.#childFor(node.children, item);
    const child = node.children[index];
    const other = child === undefined ? undefined : this.#addTo(child, item);
    if (child !== undefined && index === 0) node.min = child.min;
    if (other !== undefined) node.children.splice(index + 1, 0, other);
    return node.children.length > MOST ? splitInner(node, node.children) : undefined;
  }

  #deleteFrom(node: Node<T>, item: T): boolean {
    if (node.children === undefined) {
      const place = searchFirst(node.items, (other) => this.#compare(other, item) >= 0);
      const known = node.items[place];
      if (known === undefined || this.#compare(known, item) !== 0) return false;
      node.items.splice(place, 1);
      node.size -= 1;
      node.min = node.items[0] ?? node.min;
      return true;
    }
    const index = this.#childFor(node.children, item);
    const child = node.children[index];
    if (child === undefined || !this.#deleteFrom(child, item)) return false;
    node.size -= 1;
    if (child.size === 0) node.children.splice(index, 1);
    else if (partsOf(child) < LEAST) joinSmall(node.children, index);
    node.min = node.children[0]?.min ?? node.min;
    return true;
  }

  /** The index of the child that an item belongs to: the last one whose first item is not after it. */
  #childFor(children: readonly Node<T>[], item: T): number {
    return Math.max(0, searchFirst(children, ({ min }) => this.#compare(min, item) > 0) - 1);
  }
}

/** The index of the first entry for which the test holds; it holds for all behind it. Appending is the usual case. */
function searchFirst<T>(entries: readonly T[], isBeyond: (entry: T) => boolean): number {
  const last = entries.at(-1);
  if (last === undefined || !isBeyond(last)) return entries.length;
  let [low, high] = [0, entries.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBeyond(entries[middle] ?? last)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function walkFrom<T>(node: Node<T>, start: number, visit: (item: T) => boolean): boolean {
  if (node.children === undefined) {
    for (let index = start; index < node.items.length; index += 1)
      if (!visit(node.items[index] ?? node.min)) return false;
    return true;
  }
  let skip = start;
  for (const child of node.children) {
    if (skip >= child.size) skip -= child.size;
    else {
      if (!walkFrom(child, skip, visit)) return false;
      skip = 0;
    }
  }
  return true;
}

function partsOf<T>({ children, items }: Node<T>): number {
  return (children ?? items).length;
}

/** Joins a node that became small with the one before or behind it. */
function joinSmall<T>(nodes: Node<T>[], index: number): void {
  const first = Math.max(0, index - 1);
  const [one, other] = nodes.slice(first, first + 2);
  if (one === undefined || other === undefined || partsOf(one) + partsOf(other) > MOST) return;
  one.items.push(...other.items);
  one.children?.push(...(other.children ?? []));
  one.size += other.size;
  nodes.splice(first + 1, 1);
}

/** Keeps a full leaf full if its last item made it too large: items mostly come in order. */
function splitLeaf<T>(leaf: Node<T>, place: number): Node<T> {
  const isAppended = place === leaf.items.length - 1;
  const other = leafOf(leaf.items.splice(isAppended ? place : leaf.items.length >> 1));
  leaf.size = leaf.items.length;
  return other;
}

function splitInner<T>(node: Node<T>, children: Node<T>[]): Node<T> {
  const other = innerOf(children.splice(children.length >> 1));
  node.size -= other.size;
  return other;
}

/** @param items - at least one */
function leafOf<T>(items: T[]): Node<T> {
  const [min] = items;
  if (min === undefined) throw new TypeError('A leaf has at least one item.');
  return { size: items.length, min, items, children: undefined };
}

/** @param children - at least one */
function innerOf<T>(children: Node<T>[]): Node<T> {
  const [first] = children;
  if (first === undefined) throw new TypeError('An inner node has at least one child.');
  return { size: children.reduce((sum, { size }) => sum + size, 0), min: first.min, items: [], children };
}

function build<T>(items: readonly T[]): Node<T> | undefined {
  let nodes = cut(items).map((part) => leafOf(part));
  while (nodes.length > 1) nodes = cut(nodes).map((part) => innerOf(part));
  return nodes[0];
}

function cut<T>(entries: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < entries.length; start += MOST) parts.push(entries.slice(start, start + MOST));
  return parts;
}
