import type { Api } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { appendPointer } from '../../model/document/pointer.js';
import { getOrInsert } from '../../model/maps.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { type LinearPattern, createLinearPattern } from '../../schema/linear-pattern.js';

/** The identity of a place in a spec: the source of its root, and the steps from there. */
export function placeKey({ file, pointer }: SourceLocation, steps: readonly string[] = []): string {
  return steps.reduce(appendPointer, `${file}#${pointer} `);
}

/** A schema at its place. The places that it leads to are made at first use. */
export class PlaceNode {
  readonly place: string;
  readonly schema: Schema;
  readonly #graph: PlaceGraph;
  #links: PlaceLinks | undefined;

  constructor(graph: PlaceGraph, schema: Schema, place: string) {
    this.#graph = graph;
    this.schema = schema;
    this.place = place;
  }

  get links(): PlaceLinks {
    this.#links ??= new PlaceLinks(this, this.#graph);
    return this.#links;
  }
}

/** The places that a schema leads to. */
export class PlaceLinks {
  /** Those that always describe the same value: what `$ref` names, and parts of `allOf` and conditions. */
  readonly always: readonly PlaceNode[];
  /** Lists of alternatives. */
  readonly alternatives: readonly (readonly PlaceNode[])[];
  /** By the name of the member that they depend on. */
  readonly dependent: readonly Named[];
  /** Whether it leads to other places of the same value. */
  readonly isInPlace: boolean;
  readonly first: readonly PlaceNode[];
  readonly items: PlaceNode | undefined;
  readonly members: ReadonlyMap<string, PlaceNode>;
  readonly patterns: readonly { readonly pattern: LinearPattern; readonly node: PlaceNode }[];
  readonly others: PlaceNode | undefined;
  /** All of them. */
  readonly all: readonly PlaceNode[];

  constructor({ schema, place }: PlaceNode, graph: PlaceGraph) {
    const own: SchemaObject = typeof schema === 'object' ? schema : {};
    const make = (part: Schema, ...steps: readonly string[]): PlaceNode =>
      new PlaceNode(graph, part, steps.reduce(appendPointer, place));
    const list = (keyword: 'allOf' | 'anyOf' | 'oneOf' | 'prefixItems'): PlaceNode[] =>
      (own[keyword] ?? []).map((part, index) => make(part, keyword, String(index)));
    const map = (keyword: 'properties' | 'patternProperties' | 'dependentSchemas'): Named[] =>
      Object.entries(own[keyword] ?? {}).map(([name, part]) => [name, make(part, keyword, name)]);
    const one = (keyword: 'if' | 'then' | 'else' | 'items' | 'additionalProperties'): PlaceNode[] =>
      own[keyword] === undefined ? [] : [make(own[keyword], keyword)];
    this.always = [
      ...(own.$ref === undefined ? [] : graph.named(refName(own.$ref))),
      ...list('allOf'),
      ...[...one('if'), ...one('then'), ...one('else')],
    ];
    this.alternatives = [list('anyOf'), list('oneOf')].filter((parts) => parts.length > 0);
    this.dependent = map('dependentSchemas');
    this.first = list('prefixItems');
    [this.items] = one('items');
    this.members = new Map(map('properties'));
    this.patterns = map('patternProperties').flatMap(([name, node]) => {
      const pattern = readPattern(name);
      return pattern === undefined ? [] : [{ pattern, node }];
    });
    [this.others] = one('additionalProperties');
    const inner = [...this.first, ...this.members.values(), ...this.patterns.map(({ node }) => node)];
    const single = [this.items, this.others].filter((node) => node !== undefined);
    const inPlace = [...this.always, ...this.alternatives.flat(), ...this.dependent.map(([, node]) => node)];
    this.isInPlace = inPlace.length > 0;
    this.all = [...inPlace, ...inner, ...single];
  }
}

type Named = readonly [name: string, node: PlaceNode];

function readPattern(pattern: string): LinearPattern | undefined {
  try {
    return createLinearPattern(pattern);
  } catch {
    return undefined;
  }
}

/** The places of all schemas of a spec, as far as they are used. */
export class PlaceGraph {
  readonly #api: Api;
  readonly #named = new Map<string, readonly PlaceNode[]>();
  readonly #roots = new Map<Schema, PlaceNode>();

  constructor(api: Api) {
    this.#api = api;
  }

  /** The place of a named schema, if there is one of this name. */
  named(name: string): readonly PlaceNode[] {
    return getOrInsert(this.#named, name, () => {
      const named = this.#api.schemas.get(name);
      return named === undefined ? [] : [new PlaceNode(this, named.schema, placeKey(named.source))];
    });
  }

  /** The place of a schema of an operation. */
  root(schema: Schema, place: string): PlaceNode {
    if (typeof schema === 'boolean') return new PlaceNode(this, schema, place);
    const known = getOrInsert(this.#roots, schema, () => new PlaceNode(this, schema, place));
    return known.place === place ? known : new PlaceNode(this, schema, place);
  }
}

/** Returns those of the places below some roots that lead to wanted ones, and these themselves. */
export function findUseful(roots: readonly PlaceNode[], wanted: ReadonlyMap<string, unknown>): ReadonlySet<PlaceNode> {
  const above = new Map<PlaceNode, PlaceNode[]>(roots.map((root) => [root, []]));
  const open = [...roots];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const next of node.links.all) {
      const known = above.get(next);
      if (known !== undefined) known.push(node);
      else {
        above.set(next, [node]);
        open.push(next);
      }
    }
  const useful = new Set<PlaceNode>();
  const rising = [...above.keys()].filter(({ place }) => wanted.has(place));
  for (let node = rising.pop(); node !== undefined; node = rising.pop()) {
    if (useful.has(node)) continue;
    useful.add(node);
    rising.push(...(above.get(node) ?? []));
  }
  return useful;
}
