import { escapeRegExp } from './escape-regexp.js';
import { decodeLeniently } from './pointer.js';
import {
  type MixedSegment,
  type PathRule,
  type RouteNode,
  type SpecialRoutes,
  type Walk,
  createNode,
  isParameter,
  walkWith,
} from './route-tree.js';

/** Segments of text and parameters, such as `{model}:generate`, and parameters that take several segments. */
export const specialRoutes: SpecialRoutes = {
  add(node, segment, { rules = [], names }) {
    const pieces = segment.split(/(\{[^{}]+\})/).filter((piece) => piece !== '');
    if (pieces.length > 1) {
      const mixed = readMixed(pieces, rules);
      names.push(...mixed.names);
      return mixedChild(node, mixed);
    }
    const name = segment.slice(1, -1);
    if (!isParameter(segment) || !rules.some((one) => one.name === name && one.isMulti === true)) return undefined;
    names.push(name);
    return (node.multi ??= createNode());
  },
  walkMixed(node, state, depth) {
    const { raw, decoded } = state;
    const [own = '', text = ''] = [raw[depth], decoded[depth]];
    for (const { segment, node: next } of node.mixed) {
      // Patterns with several parameters take polynomial time.
      if (segment.names.length > 1 && own.length > MOST_CHARACTERS) continue;
      const values = segment.pattern.exec(own)?.slice(1) ?? segment.pattern.exec(text)?.slice(1).map(encodeURI);
      if (values === undefined) continue;
      const before = state.found;
      if (walkWith(next, state, depth + 1, values)) return true;
      // Even with another method, `x:generate` is the verb and not an id.
      if (segment.isVerb && state.found > before) return true;
    }
    return false;
  },
  walkMulti: (node, state, depth) => node.multi !== undefined && walkMulti(node.multi, state, depth),
};

/** The most segments of a value. The search continues from each possible end. */
const MOST_SEGMENTS = 100;

/** The most characters of a segment with several parameters. */
const MOST_CHARACTERS = 1_000;

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

function mixedChild<Target>(node: RouteNode<Target>, segment: MixedSegment): RouteNode<Target> {
  const known = node.mixed.find((edge) => edge.segment.key === segment.key);
  if (known !== undefined) return known.node;
  const created = createNode<Target>();
  node.mixed.push({ segment, node: created });
  node.mixed.sort(
    (one, other) => other.segment.weight - one.segment.weight || one.segment.names.length - other.segment.names.length,
  );
  return created;
}

/** Reads a segment of several pieces. Literals are decoded, like the segments of requests. */
function readMixed(pieces: readonly string[], rules: readonly PathRule[]): MixedSegment {
  const byName = new Map(rules.map((one) => [one.name, one]));
  const literals = pieces.filter((piece) => !isParameter(piece)).map(decodeLeniently);
  const sources = pieces.map((piece, index) => pieceSource(piece, pieces.slice(index + 1), byName));
  return {
    key: sources.join(''),
    names: pieces.filter(isParameter).map(nameOf),
    pattern: new RegExp(`^${sources.join('')}$`, 's'),
    weight: literals.join('').length,
    isVerb: /^:[^{}]+$/.test(pieces.at(-1) ?? ''),
  };
}

function nameOf(piece: string): string {
  return piece.slice(1, -1);
}

/** Makes a pattern. The last parameter is greedy: in `{model}:generate`, the model may contain a colon. */
function pieceSource(piece: string, following: readonly string[], parameters: ReadonlyMap<string, PathRule>): string {
  if (!isParameter(piece)) return escapeRegExp(decodeLeniently(piece));
  const parameter = parameters.get(nameOf(piece));
  const isLast = !following.some(isParameter);
  if (parameter?.style === 'matrix') return matrixSource(parameter);
  if (parameter?.style === 'label' && !isLast) return parameter.explode === true ? LABELS : LABEL;
  return isLast ? '(.+)' : '(.+?)';
}

const LABEL = String.raw`(\.[^.]*)`;
const LABELS = String.raw`((?:\.[^.]*)+?)`;

/** `;lat=1`, or `;lat=1;lat=2` of a list and `;R=1;G=2` of an object, where each value has a name. */
function matrixSource({ name, explode = false, hasNames = false }: PathRule): string {
  if (!explode) return `(;${escapeRegExp(name)}(?:=[^;]*)?)`;
  return hasNames ? '((?:;[^;]*)+?)' : `((?:;${escapeRegExp(name)}(?:=[^;]*)?)+)`;
}
