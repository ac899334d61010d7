import { PathNode } from './path-tree.js';

/** Enough words with responses of the same shape to be values. */
const ENOUGH_ALIKE = 8;

/** How alike the members of their responses must be, from 0 to 1. */
const ALIKE = 0.9;

/**
 * Decides which words of a path are values: those that responses repeat as an id or a name, also those of the collection
 * above, and many that respond alike.
 * Removes operations that no response shows to exist.
 */
export function settlePaths(node: PathNode, depth = 0): void {
  if (depth === 0) keepVersion(node);
  const found = [...findValues(node, depth)];
  if (found.length > 0) node.values ??= new PathNode();
  for (const [word, child] of found) moveToValues(node, word, child);
  const { values } = node;
  if (values !== undefined)
    for (const [word, child] of node.words)
      if (child.prefix === '/' && (isMissing(child) || hasVerbsOf(child, values))) moveToValues(node, word, child);
  for (const [method, shape] of node.operations) if (shape.isMissing) node.operations.delete(method);
  for (const child of childrenOf(node)) settlePaths(child, depth + 1);
  for (const [word, child] of node.words) if (isEmpty(child)) node.words.delete(word);
  if (node.values !== undefined && isEmpty(node.values)) node.values = undefined;
}

/** A single number at the start of all paths is a version: `/2/tweets`. */
function keepVersion(node: PathNode): void {
  const only = node.values?.texts.only;
  if (only === undefined || node.values === undefined || !/^\d{1,2}$/.test(only)) return;
  node.words.set(`/${only}`, node.values);
  node.values = undefined;
}

/** Whether a word is followed by verbs that the values have too, such as `:cancel`, and by nothing else. */
function hasVerbsOf(child: PathNode, values: PathNode): boolean {
  const verbs = [...child.words];
  return verbs.length > 0 && verbs.every(([verb, { prefix }]) => prefix === ':' && values.words.has(verb));
}

function moveToValues(node: PathNode, word: string, child: PathNode): void {
  node.words.delete(word);
  child.kinds.set('name', child.texts.count);
  node.values?.merge(child);
}

function findValues(node: PathNode, depth: number): readonly (readonly [string, PathNode])[] {
  const words = [...node.words].filter(([, child]) => child.prefix === '/');
  const isListed = (child: PathNode): boolean => node.itemNames.has(child.texts.only ?? '');
  const isHalf = (echoes: number, responses: number): boolean => responses > 0 && echoes * 2 >= responses;
  // Responses below an item need not name it.
  const isEchoed = (child: PathNode): boolean =>
    isHalf(child.echoes, child.responses) || isHalf(child.ownEchoes, child.ownResponses);
  const echoed = words.filter(([, child]) => isListed(child) || isEchoed(child));
  const isSure =
    echoed.length >= 2 ||
    node.values !== undefined ||
    echoed.some(([, child]) => child.exactEchoes > 0 || isListed(child));
  const named = isSure && depth > 0 ? echoed : [];
  const rest = words.filter(([, child]) => !isMissing(child));
  return depth > 0 && rest.length >= ENOUGH_ALIKE && areAlike(rest.map(([, child]) => child)) ? rest : named;
}

/** Whether places have the same methods, words below, and nearly the same members in responses. */
function areAlike(nodes: readonly PathNode[]): boolean {
  const [first, ...others] = nodes;
  if (first === undefined) return false;
  const keyOf = (node: PathNode): string => [...node.operations.keys()].sort().join();
  const namesOf = (node: PathNode): Set<string> =>
    new Set([...node.operations.values()].flatMap(({ memberNames }) => [...memberNames]));
  const names = namesOf(first);
  return (
    names.size >= 2 &&
    others.every((node) => {
      const own = namesOf(node);
      const shared = [...own].filter((name) => names.has(name)).length;
      return keyOf(node) === keyOf(first) && shared / new Set([...own, ...names]).size >= ALIKE;
    })
  );
}

function isMissing(node: PathNode): boolean {
  return [...node.operations.values()].every((shape) => shape.isMissing) && [...childrenOf(node)].every(isMissing);
}

function isEmpty(node: PathNode): boolean {
  return node.operations.size === 0 && node.words.size === 0 && node.values === undefined;
}

function* childrenOf(node: PathNode): Iterable<PathNode> {
  yield* node.words.values();
  if (node.values !== undefined) yield node.values;
}
