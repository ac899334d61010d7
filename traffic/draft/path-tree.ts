import { decodeLeniently } from '../../model/document/pointer.js';
import { toSingular } from '../../model/singular.js';
import { OWN_ID } from './find-echoes.js';
import { type IdKind, idKindOf } from './id-kinds.js';
import { OperationShape } from './operation-shape.js';
import { TextFacts } from './text-facts.js';

/** A part of a path: a segment, or what follows a value in the same segment, such as `:cancel` or `.json`. */
interface PathToken {
  readonly prefix: '/' | ':' | '.';
  /** As in the path. */
  readonly text: string;
}

/** The members of a response that name an item, with their values: `customer_id` is `customerid`. */
export type Echoes = ReadonlyMap<string, ReadonlySet<string>>;

/** More different words at one place are values. */
const MOST_WORDS = 200;

/** The most places of all paths. */
const MOST_NODES = 50_000;

/** The most names of items that are kept for one collection. */
const MOST_ITEMS = 500;

/** After so many responses at a place, it is clear whether they name its items. */
const ENOUGH_RESPONSES = 1_000;

/** Segments beyond this are left out with the call. */
const DEEPEST = 40;

/** A place in the paths of an API. */
export class PathNode {
  readonly prefix: PathToken['prefix'];
  readonly words: Map<string, PathNode> = new Map();
  /** The place of values, which are one parameter. */
  values: PathNode | undefined;
  readonly operations: Map<string, OperationShape> = new Map();
  /** Of a place of values: what they are, and how many calls had each kind. */
  readonly kinds: Map<IdKind | 'name', number> = new Map();
  readonly texts: TextFacts = new TextFacts();
  /** Of a word: how many successful responses there were below it, and how many of them name it as an item. */
  responses = 0;
  echoes = 0;
  /** The same of the word's own operations, without those below it. */
  ownResponses = 0;
  ownEchoes = 0;
  /** How many of them name it by a member such as `customerId`, after the word `customers`. */
  exactEchoes = 0;

  /** The names of items in the responses of its own operations: those of a collection. */
  readonly itemNames: Set<string> = new Set();

  constructor(prefix: PathToken['prefix'] = '/') {
    this.prefix = prefix;
  }

  /** How many responses were searched for names of items. */
  #searched = 0;

  addItems(echoes: () => Echoes): void {
    if (this.#searched >= ENOUGH_RESPONSES || this.itemNames.size >= MOST_ITEMS) return;
    this.#searched += 1;
    for (const name of echoes().keys()) this.#addItem(name);
  }

  #addItem(name: string): void {
    if (this.itemNames.size < MOST_ITEMS) this.itemNames.add(name);
  }

  merge(other: PathNode): void {
    for (const name of other.itemNames) this.#addItem(name);
    this.texts.merge(other.texts);
    for (const [kind, count] of other.kinds) this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + count);
    for (const [method, shape] of other.operations) {
      const known = this.operations.get(method);
      if (known === undefined) this.operations.set(method, shape);
      else known.merge(shape);
    }
    for (const [word, node] of other.words) {
      const known = this.words.get(word);
      if (known === undefined) this.words.set(word, node);
      else known.merge(node);
    }
    if (other.values === undefined) return;
    if (this.values === undefined) this.values = other.values;
    else this.values.merge(other.values);
  }
}

/** The paths of one host, as a tree. Segments that look like ids are one place; others may turn out to be values. */
export class PathTree {
  readonly root: PathNode = new PathNode();
  #nodes = 1;

  /** Returns the shape of the operation of a call; `undefined` if its path is too long. */
  operationOf(path: string, method: string, readEchoes: (() => Echoes) | undefined): OperationShape | undefined {
    const tokens = tokensOf(path);
    if (tokens.length > DEEPEST) return undefined;
    let read: Echoes | undefined;
    const echoes = readEchoes && ((): Echoes => (read ??= readEchoes()));
    let node = this.root;
    let parent = '';
    for (const [index, token] of tokens.entries()) {
      node = this.#step(node, token, { parent, echoes, isLast: index === tokens.length - 1 });
      parent = token.prefix === '/' ? token.text : parent;
    }
    if (echoes !== undefined) node.addItems(echoes);
    const shape = node.operations.get(method) ?? new OperationShape();
    node.operations.set(method, shape);
    return shape;
  }

  #step(
    node: PathNode,
    { prefix, text }: PathToken,
    {
      parent,
      echoes,
      isLast,
    }: { readonly parent: string; readonly echoes: (() => Echoes) | undefined; readonly isLast: boolean },
  ): PathNode {
    const value = decodeLeniently(text);
    const kind = prefix === '/' ? idKindOf(value) : undefined;
    const isFull = node.words.size >= MOST_WORDS || this.#nodes >= MOST_NODES;
    const word = node.words.get(prefix + text);
    if (kind !== undefined || (isFull && word === undefined && prefix === '/'))
      return this.#valueOf(node, kind ?? 'name', value);
    const next = word ?? this.#make(prefix);
    if (word === undefined) node.words.set(prefix + text, next);
    next.texts.add(value, () => false);
    if (echoes === undefined || prefix !== '/' || next.responses >= ENOUGH_RESPONSES) return next;
    next.responses += 1;
    if (isLast) next.ownResponses += 1;
    const names = echoes().get(value);
    if (names === undefined) return next;
    next.echoes += 1;
    if (isLast) next.ownEchoes += 1;
    if (isNamedAfter(names, parent) || (isLast && names.has(OWN_ID))) next.exactEchoes += 1;
    return next;
  }

  #valueOf(node: PathNode, kind: IdKind | 'name', value: string): PathNode {
    node.values ??= this.#make('/');
    node.values.kinds.set(kind, (node.values.kinds.get(kind) ?? 0) + 1);
    node.values.texts.add(value, () => false);
    return node.values;
  }

  #make(prefix: PathToken['prefix']): PathNode {
    this.#nodes += 1;
    return new PathNode(prefix);
  }
}

/** A segment that is one token. */
const WORD = /^[\w-]+$/;

/** Splits a path. A verb after a colon is a part of its own: `/models/{model}:generate`. */
function tokensOf(path: string): PathToken[] {
  const tokens: PathToken[] = [];
  for (const segment of path.split('/')) {
    if (WORD.test(segment)) tokens.push({ prefix: '/', text: segment });
    else if (segment !== '') tokens.push(...splitSegment(segment));
  }
  return tokens;
}

function splitSegment(segment: string): readonly PathToken[] {
  const text = segment.replaceAll('{', '%7B').replaceAll('}', '%7D');
  const [, head, verb] = /^([^:]+):([A-Za-z]\w{0,60})$/.exec(text) ?? [];
  if (head !== undefined && verb !== undefined)
    return [
      { prefix: '/', text: head },
      { prefix: ':', text: verb },
    ];
  const [, id, extension] = /^([^.]+)\.(json|xml|csv|yaml|pdf|png)$/.exec(text) ?? [];
  if (id !== undefined && extension !== undefined && idKindOf(id) !== undefined)
    return [
      { prefix: '/', text: id },
      { prefix: '.', text: extension },
    ];
  return [{ prefix: '/', text }];
}

function isNamedAfter(names: ReadonlySet<string>, parent: string): boolean {
  const noun = toSingular(parent)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
  return noun !== '' && ['', 'id', 'name', 'key', 'slug', 'code', 'number', 'uid'].some((end) => names.has(noun + end));
}
