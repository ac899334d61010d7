import { decodeLeniently } from './pointer.js';

/** How a parameter of a path is written, if it is not a plain segment or part of one. */
export interface PathRule {
  readonly name: string;
  readonly style?: string;
  readonly explode?: boolean;
  /** Whether its value is an object, or may be one, so that each part has a name of its own. */
  readonly hasNames?: boolean;
  /** Whether it takes one or more segments. */
  readonly isMulti?: boolean;
}

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

/** A segment of text and parameters: `{model}:generate`, `{name}.{format}`. */
export interface MixedSegment {
  readonly key: string;
  readonly names: readonly string[];
  readonly pattern: RegExp;
  readonly weight: number;
  /** Whether it ends with a colon and a verb that is not part of the id, such as `{model}:generate`. */
  readonly isVerb: boolean;
}

/** A segment of paths. Edges that are mixed or multi are made and followed by {@link SpecialRoutes}. */
export interface RouteNode<Target> {
  readonly literals: Map<string, RouteNode<Target>>;
  /** Sorted: those with the most text first. */
  readonly mixed: { readonly segment: MixedSegment; readonly node: RouteNode<Target> }[];
  parameter: RouteNode<Target> | undefined;
  /** The node after a parameter that takes several segments. */
  multi: RouteNode<Target> | undefined;
  readonly leaves: Map<string, RouteLeaf<Target>>;
}

/** A path that is looked up. */
export interface Walk<Target> {
  readonly raw: readonly string[];
  readonly decoded: readonly string[];
  readonly visitor: (match: TreeMatch<Target>) => boolean;
  readonly fold: (text: string) => string;
  readonly special: SpecialRoutes | undefined;
  readonly values: string[];
  /** The number of matching paths so far. */
  found: number;
}

/** Segments of templates that are not a text or one parameter. */
export interface SpecialRoutes {
  /** Adds a segment and its names; `undefined` if it is plain. */
  readonly add: <Target>(
    node: RouteNode<Target>,
    segment: string,
    template: { readonly rules: readonly PathRule[] | undefined; readonly names: string[] },
  ) => RouteNode<Target> | undefined;
  readonly walkMixed: WalkSpecial;
  readonly walkMulti: WalkSpecial;
}

type WalkSpecial = <Target>(node: RouteNode<Target>, state: Walk<Target>, depth: number) => boolean;

/**
 * A tree of path templates by segment. Literal segments take precedence over mixed ones, these over parameters, and
 * these over parameters that take several segments.
 */
export class RouteTree<Target> {
  readonly #root: RouteNode<Target> = createNode();
  readonly #fold: (text: string) => string;
  readonly #special: SpecialRoutes | undefined;

  /**
   * @param foldsCase - whether literal segments match in any letter case.
   * @param special - for templates with segments that are not a text or one parameter.
   */
  constructor(foldsCase: boolean, special: SpecialRoutes | undefined) {
    this.#fold = foldsCase ? (text) => text.toLowerCase() : (text) => text;
    this.#special = special;
  }

  /** Adds an operation, unless its path and method are taken. */
  add(path: string, method: string, operation: Target, rules?: readonly PathRule[]): void {
    const names: string[] = [];
    let node = this.#root;
    for (const text of path.split('/').slice(1))
      node = this.#special?.add(node, text, { rules, names }) ?? this.#addPlain(node, text, names);
    if (!node.leaves.has(method)) node.leaves.set(method, { operation, names });
  }

  #addPlain(node: RouteNode<Target>, segment: string, names: string[]): RouteNode<Target> {
    if (isParameter(segment)) {
      names.push(segment.slice(1, -1));
      return (node.parameter ??= createNode());
    }
    // Literals are decoded, like the segments of requests.
    const text = this.#fold(decodeLeniently(segment));
    const known = node.literals.get(text) ?? createNode<Target>();
    node.literals.set(text, known);
    return known;
  }

  /**
   * Calls the visitor for each matching path, best first, until it returns true or the remaining paths do not apply.
   *
   * @throws URIError if the encoding is broken.
   */
  visit(path: string, visitor: (match: TreeMatch<Target>) => boolean): boolean {
    const raw = path.split('/').slice(1);
    const decoded = path.includes('%') ? raw.map((segment) => decodeURIComponent(segment)) : raw;
    const state = { raw, decoded, visitor, fold: this.#fold, special: this.#special, values: [], found: 0 };
    return walk(this.#root, state, 0);
  }
}

/** Whether a segment of a template is one parameter. */
export function isParameter(segment: string): boolean {
  return /^\{[^{}]*\}$/.test(segment);
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
  if (state.special?.walkMixed(node, state, depth) === true) return true;
  if (node.parameter !== undefined && walkWith(node.parameter, state, depth + 1, [raw])) return true;
  return state.special?.walkMulti(node, state, depth) === true;
}

/** Continues after segments with these values. */
export function walkWith<Target>(
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

/** Makes a node without edges. */
export function createNode<Target>(): RouteNode<Target> {
  return { literals: new Map(), mixed: [], parameter: undefined, multi: undefined, leaves: new Map() };
}
