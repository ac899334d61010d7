import { JSONPathEnvironment, JSONPathNode, type JSONValue, jsonpath } from 'json-p3';
import { RE2JS } from 're2js';

import { InputError } from '../diagnostics/input-error.js';
import { getOrInsert } from '../maps.js';

export type Path = readonly (string | number)[];

/** Places that the steps of a JSONPath may visit, all together: each step can multiply them. */
const MOST_PLACES = 1_000_000;
/** The places that all actions of all overlays may visit together: a dozen searches of a whole large spec. */
const MOST_VISITS = 10_000_000;
/** The values that they may write or move together. */
const MOST_WRITES = 400_000;

const TOO_MUCH = 'The overlays visit and change too many places of the spec.';

/** Counts what the actions do, because each of many actions may change many places. */
export class OverlayWork {
  #visits = 0;
  #writes = 0;

  /** @throws InputError if the actions visit too many places. */
  visit(): void {
    this.#visits += 1;
    if (this.#visits > MOST_VISITS) throw new InputError(TOO_MUCH);
  }

  /** @throws InputError if the actions write too many values. */
  write(count: number = 1): void {
    this.#writes += count;
    if (this.#writes > MOST_WRITES) throw new InputError(TOO_MUCH);
  }
}

/**
 * Matches texts in linear time: a hostile overlay may have a pattern that would take exponential time in the JavaScript
 * engine. Its patterns are I-Regexps (RFC 9485), which RE2 supports; an invalid one matches nothing.
 */
class LinearSearch extends jsonpath.functions.Search {
  readonly #isWhole: boolean;
  readonly #patterns = new Map<string, RE2JS | undefined>();

  constructor(isWhole: boolean) {
    super({ throwErrors: true });
    this.#isWhole = isWhole;
  }

  override call(text: unknown, pattern: unknown): boolean {
    if (typeof text !== 'string' || typeof pattern !== 'string') return false;
    const compiled = getOrInsert(this.#patterns, pattern, () => this.#compile(pattern));
    if (compiled === undefined) return false;
    return this.#isWhole ? compiled.testExact(text) : compiled.test(text);
  }

  #compile(pattern: string): RE2JS | undefined {
    try {
      // Throws if the pattern is not an I-Regexp.
      super.call('', pattern);
      return RE2JS.compile(withoutReturns(pattern));
    } catch {
      return undefined;
    }
  }
}

/** A pattern whose dots match no carriage return, as in an I-Regexp. */
function withoutReturns(pattern: string): string {
  let isClass = false;
  return pattern.replaceAll(/\\?[^]/g, (part) => {
    if (part === '[') isClass = true;
    if (part === ']') isClass = false;
    return part === '.' && !isClass ? String.raw`[^\n\r]` : part;
  });
}

const jsonPath = new JSONPathEnvironment({ strict: true });
jsonPath.functionRegister.set('search', new LinearSearch(false));
jsonPath.functionRegister.set('match', new LinearSearch(true));

/**
 * The places that a JSONPath (RFC 9535) selects, in the order of the document.
 *
 * @throws Error if the JSONPath visits too many places.
 */
export function selectPaths(root: unknown, expression: string, work: OverlayWork = new OverlayWork()): Path[] {
  let visited = 0;
  const count = function* (nodes: Iterable<JSONPathNode>): Iterable<JSONPathNode> {
    for (const node of nodes) {
      visited += 1;
      if (visited > MOST_PLACES) throw new Error(`it visits more than ${MOST_PLACES} places of the spec`);
      work.visit();
      yield node;
    }
  };
  let nodes: Iterable<JSONPathNode> = [new JSONPathNode(root as JSONValue, [], root as JSONValue)];
  for (const segment of jsonPath.compile(expression).segments) nodes = count(segment.lazyResolve(nodes));
  return Array.from(nodes, ({ location }) => [...location]);
}
