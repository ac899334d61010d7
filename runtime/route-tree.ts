import { type PathRule, type TemplateSegment, parseRouteTemplate } from './route-template.js';

/** An operation at the end of a path, with the names of the path's parameters. */
export interface RouteLeaf<Target> {
  readonly operation: Target;
  readonly names: readonly string[];
}

/** A matching path: its operations by HTTP method, and the raw values of its parameters. */
export interface TreeMatch<Target> {
  readonly leaves: ReadonlyMap<string, RouteLeaf<Target>>;
  readonly values: readonly string[];
}

type Mixed = Extract<TemplateSegment, { kind: 'mixed' }>;

interface MixedEdge<Target> {
  readonly segment: Mixed;
  readonly node: RouteNode<Target>;
}

interface RouteNode<Target> {
  readonly literals: Map<string, RouteNode<Target>>;
  /** Sorted: those with the most text first. */
  readonly mixed: MixedEdge<Target>[];
  parameter: RouteNode<Target> | undefined;
  /** The node after a parameter that takes several segments. */
  multi: RouteNode<Target> | undefined;
  readonly leaves: Map<string, RouteLeaf<Target>>;
}

/**
 * A tree of path templates by segment. Literal segments take precedence over mixed ones, these over parameters, and
 * these over parameters that take several segments.
 */
export class RouteTree<Target> {
  readonly #root: RouteNode<Target> = createNode();
  readonly #fold: (text: string) => string;

  /** @param foldsCase - whether literal segments match in any letter case. */
  constructor(foldsCase: boolean) {
    this.#fold = foldsCase ? (text) => text.toLowerCase() : (text) => text;
  }

  /** Adds an operation, unless its path and method are taken. */
  add(path: string, method: string, operation: Target, rules?: readonly PathRule[]): void {
    const segments = parseRouteTemplate(path, rules);
    const node = segments.reduce((from, segment) => childFor(from, segment, this.#fold), this.#root);
    const names = segments.flatMap((segment) =>
      segment.kind === 'literal' ? [] : segment.kind === 'mixed' ? segment.names : [segment.name],
    );
    if (!node.leaves.has(method)) node.leaves.set(method, { operation, names });
  }

  /**
   * Calls the visitor for each matching path, best first, until it returns true or the remaining paths do not apply.
   *
   * @throws URIError if the encoding is broken.
   */
  visit(path: string, visitor: (match: TreeMatch<Target>) => boolean): boolean {
    const raw = path.split('/');
    raw.shift();
    const decoded = path.includes('%') ? raw.map((segment) => decodeURIComponent(segment)) : raw;
    return walk(this.#root, { raw, decoded, visitor, fold: this.#fold, values: [], found: 0 }, 0);
  }
}

/** The most segments of a value. The search continues from each possible end. */
const MOST_SEGMENTS = 100;

/** The most characters of a segment with several parameters. */
const MOST_CHARACTERS = 1_000;

interface Walk<Target> {
  readonly raw: readonly string[];
  readonly decoded: readonly string[];
  readonly visitor: (match: TreeMatch<Target>) => boolean;
  readonly fold: (text: string) => string;
  readonly values: string[];
  /** The number of matching paths so far. */
  found: number;
}

function walk<Target>(node: RouteNode<Target>, state: Walk<Target>, depth: number): boolean {
  const text = state.decoded[depth];
  const raw = state.raw[depth];
  if (text === undefined || raw === undefined) {
    if (node.leaves.size === 0) return false;
    state.found += 1;
    return state.visitor({ leaves: node.leaves, values: [...state.values] });
  }
  const literal = node.literals.get(state.fold(text));
  if (literal !== undefined && walk(literal, state, depth + 1)) return true;
  if (text === '') return false;
  for (const { segment, node: next } of node.mixed) {
    // Patterns with several parameters take polynomial time.
    if (segment.names.length > 1 && raw.length > MOST_CHARACTERS) continue;
    const values = segment.pattern.exec(raw)?.slice(1) ?? segment.pattern.exec(text)?.slice(1).map(encodeURI);
    if (values === undefined) continue;
    const before = state.found;
    if (walkWith(next, state, depth + 1, values)) return true;
    // Even with another method, `x:generate` is the verb and not an id.
    if (segment.isVerb && state.found > before) return true;
  }
  if (node.parameter !== undefined && walkWith(node.parameter, state, depth + 1, [raw])) return true;
  return node.multi !== undefined && walkMulti(node.multi, state, depth);
}

/**
 * Tries the fewest segments first: `/branches/a/b/protection` is the protection of `a/b`, not a branch of that name.
 */
function walkMulti<Target>(node: RouteNode<Target>, state: Walk<Target>, depth: number): boolean {
  const last = Math.min(state.raw.length, depth + MOST_SEGMENTS);
  for (let end = depth + 1; end <= last; end += 1) {
    const next = state.decoded[end];
    const leadsOn =
      next === undefined ||
      node.literals.has(state.fold(next)) ||
      node.mixed.length > 0 ||
      node.parameter !== undefined ||
      node.multi !== undefined;
    if (leadsOn && walkWith(node, state, end, [state.raw.slice(depth, end).join('/')])) return true;
  }
  return false;
}

function walkWith<Target>(
  node: RouteNode<Target>,
  state: Walk<Target>,
  depth: number,
  values: readonly string[],
): boolean {
  state.values.push(...values);
  const done = walk(node, state, depth);
  state.values.length -= values.length;
  return done;
}

function childFor<Target>(
  node: RouteNode<Target>,
  segment: TemplateSegment,
  fold: Walk<Target>['fold'],
): RouteNode<Target> {
  if (segment.kind === 'parameter') return (node.parameter ??= createNode());
  if (segment.kind === 'multi') return (node.multi ??= createNode());
  if (segment.kind === 'mixed') return mixedChild(node, segment);
  const text = fold(segment.text);
  const known = node.literals.get(text) ?? createNode<Target>();
  node.literals.set(text, known);
  return known;
}

function mixedChild<Target>(node: RouteNode<Target>, segment: Mixed): RouteNode<Target> {
  const known = node.mixed.find((edge) => edge.segment.key === segment.key);
  if (known !== undefined) return known.node;
  const created = createNode<Target>();
  node.mixed.push({ segment, node: created });
  node.mixed.sort(
    (one, other) => other.segment.weight - one.segment.weight || one.segment.names.length - other.segment.names.length,
  );
  return created;
}

function createNode<Target>(): RouteNode<Target> {
  return { literals: new Map(), mixed: [], parameter: undefined, multi: undefined, leaves: new Map() };
}
