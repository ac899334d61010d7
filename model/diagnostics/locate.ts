import type { Document } from 'yaml';

import { withoutByteOrderMark } from '../document/json-text.js';
import { getOrInsert } from '../maps.js';
import { splitPointer } from '../document/pointer.js';
import { loadYaml } from '../document/yaml-library.js';
import { type JsonOffset, JsonChildren, skipSpace } from './json-offsets.js';

/** A place in a text, both 1-based. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Finds the position of the value at a JSON pointer, or of its nearest existing ancestor. */
export type Locator = (pointer: string) => TextPosition;

/** The part of a path that exists in a text. */
export interface FoundPath extends TextPosition {
  /** How many segments of the path exist in the text; the position belongs to the last one. */
  readonly depth: number;
}

/** Finds how far a path exists, and the position of its last existing part. */
export type PathFinder = (segments: readonly string[]) => FoundPath;

/** Finds the offset of the value at a path, or of the deepest existing part of the path. */
type OffsetFinder = (segments: readonly string[]) => { readonly offset: number; readonly depth: number };

/**
 * The position in a JSON or YAML text of the value at a JSON pointer, or of its nearest existing ancestor. For a value
 * that starts on a later line than its key (a YAML block), returns the position of the key.
 *
 * @example locate('{\n  "port": 80\n}', '/port') // { line: 2, column: 11 }
 */
export function locate(text: string, pointer: string): TextPosition {
  return createLocator(text)(pointer);
}

/** {@link locate} for many pointers into one text, without reading it again for each. */
export function createLocator(text: string): Locator {
  const find = createPathFinder(text);
  return (pointer) => {
    const { line, column } = find(splitPointer(pointer));
    return { line, column };
  };
}

/** Like {@link createLocator}, but also finds how much of a path exists. */
export function createPathFinder(text: string): PathFinder {
  const clean = withoutByteOrderMark(text);
  const lines = new LineStarts(clean);
  let find: OffsetFinder | undefined;
  return (segments) => {
    find ??= createFinder(clean);
    const { offset, depth } = find(segments);
    return { ...lines.positionAt(offset), depth };
  };
}

function createFinder(text: string): OffsetFinder {
  const findYaml = lazily(() => yamlFinder(text));
  if (!/^\s*[[{]/.test(text)) return (segments) => findYaml()(segments);
  const findJson = jsonFinder(text);
  return (segments) => {
    try {
      return findJson(segments);
    } catch {
      // The flow style of YAML starts like JSON.
      return findYaml()(segments);
    }
  };
}

function jsonFinder(text: string): OffsetFinder {
  const childrenAt = new Map<number, JsonChildren>();
  return (segments) => {
    let place: JsonOffset = { key: skipSpace(text, 0), value: skipSpace(text, 0) };
    let depth = 0;
    for (const segment of segments) {
      const children = getOrInsert(childrenAt, place.value, () => new JsonChildren(text, place.value));
      const next = children.get(segment);
      if (next === undefined) break;
      place = next;
      depth += 1;
    }
    return { offset: offsetOf(text, place), depth };
  };
}

function yamlFinder(text: string): OffsetFinder {
  const document = loadYaml().parseDocument(text, { prettyErrors: false });
  const root: unknown = document.contents;
  return (segments) => {
    let node = root;
    let place: JsonOffset = { key: startOf(root) ?? 0, value: startOf(root) ?? 0 };
    let depth = 0;
    for (const segment of segments) {
      const [key, value] = stepIntoNode(node, segment);
      if (key === undefined && value === undefined) break;
      const keyStart = startOf(key) ?? startOf(value) ?? place.key;
      place = { key: keyStart, value: startOf(value) ?? keyStart };
      node = targetOf(value, document);
      depth += 1;
    }
    return { offset: offsetOf(text, place), depth };
  };
}

/** The key node (for members) and value node of a child. */
function stepIntoNode(node: unknown, segment: string): readonly [unknown, unknown] {
  const { isMap, isPair, isScalar, isSeq } = loadYaml();
  if (isSeq(node)) return [undefined, node.items[Number(segment)]];
  const pair = isMap(node)
    ? node.items.find((item) => String(isScalar(item.key) ? item.key.value : item.key) === segment)
    : undefined;
  return isPair(pair) ? [pair.key, pair.value] : [undefined, undefined];
}

/** The value of an alias. */
function targetOf(node: unknown, document: Document): unknown {
  return loadYaml().isAlias(node) ? node.resolve(document) : node;
}

function startOf(node: unknown): number | undefined {
  const { isAlias, isMap, isScalar, isSeq } = loadYaml();
  return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? (node.range?.[0] ?? undefined) : undefined;
}

function offsetOf(text: string, { key, value }: JsonOffset): number {
  return text.slice(key, value).includes('\n') ? key : value;
}

/** The offsets at which the lines of a text start, computed only as far as needed. */
class LineStarts {
  readonly #text: string;
  readonly #starts = [0];

  constructor(text: string) {
    this.#text = text;
  }

  positionAt(offset: number): TextPosition {
    const starts = this.#starts;
    for (let at = starts.at(-1) ?? 0; at <= offset; starts.push(at)) {
      const end = this.#text.indexOf('\n', at);
      at = end === -1 ? Infinity : end + 1;
    }
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
