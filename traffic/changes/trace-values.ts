import type { Api } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { isRecord } from '../../model/document/records.js';
import { getOrInsert } from '../../model/maps.js';
import type { Schema } from '../../model/schema-types.js';
import { isValidValue } from '../../schema/compile-validator.js';
import type { Direction } from '../../schema/variants.js';
import { PlaceGraph, type PlaceNode, findUseful, placeKey } from './place-graph.js';

/** The values of a message by the place of the schema that describes them, as far as these places are wanted. */
export type TracedValues = ReadonlyMap<string, readonly unknown[]>;

/** For each wanted place, whether all values of a message are wanted, or only whether there is one. */
export type WantedPlaces = Map<string, boolean>;

interface TraceOptions {
  readonly api: Api;
  readonly direction: Direction;
  readonly wanted: WantedPlaces;
}

/** A part of a message in a spec: a parameter, a header, or a media type of a body. */
interface TracedPart {
  readonly schema?: Schema | undefined;
  readonly source: SourceLocation;
}

/** Where the schema of a part leads. */
interface Reach {
  readonly root: PlaceNode;
  /** The places that lead to wanted ones. */
  readonly useful: ReadonlySet<PlaceNode>;
  /** The wanted ones, if one value of each is enough. */
  readonly firsts: readonly string[] | undefined;
}

/** The places of each spec. */
const GRAPHS = new WeakMap<Api, PlaceGraph>();

/** Finds the values of messages at wanted places. It looks only at values that lead there. */
export class ValueTracer {
  readonly #options: TraceOptions;
  readonly #graph: PlaceGraph;
  readonly #reach = new Map<TracedPart, Reach | undefined>();

  constructor(options: TraceOptions) {
    this.#options = options;
    this.#graph = getOrInsert(GRAPHS, options.api, () => new PlaceGraph(options.api));
  }

  /** Follows the schema of a part, and adds the values that it finds. Reads the value only if a wanted place is there. */
  trace(
    part: TracedPart,
    { steps, read }: { readonly steps: readonly string[]; readonly read: () => unknown },
    values: Map<string, unknown[]>,
  ): void {
    const reach = getOrInsert(this.#reach, part, () => this.#reachOf(part, steps));
    const value = reach && read();
    if (reach !== undefined && value !== undefined) new Trace(this.#options, reach, values).visit(reach.root, value);
  }

  #reachOf({ schema, source }: TracedPart, steps: readonly string[]): Reach | undefined {
    if (schema === undefined) return undefined;
    const { wanted } = this.#options;
    const root = this.#graph.root(schema, placeKey(source, steps));
    const useful = findUseful([root], wanted);
    if (!useful.has(root)) return undefined;
    const places = [...new Set([...useful].map(({ place }) => place))].filter((place) => wanted.has(place));
    const wantsAll = places.some((place) => wanted.get(place));
    return { root, useful, firsts: wantsAll ? undefined : places };
  }
}

const NONE: readonly Schema[] = [];

/** A walk along the schemas of one message. Of alternatives, it follows those that the value matches. */
class Trace {
  readonly #options: TraceOptions;
  readonly #useful: ReadonlySet<PlaceNode>;
  readonly #values: Map<string, unknown[]>;
  /** How many wanted places have no value yet. */
  #missing: number;

  constructor(options: TraceOptions, { useful, firsts }: Reach, values: Map<string, unknown[]>) {
    this.#options = options;
    this.#useful = useful;
    this.#values = values;
    this.#missing = firsts === undefined ? Infinity : firsts.filter((place) => !values.has(place)).length;
  }

  /** `open` are the schemas that are being followed for the same value: a cycle ends there. */
  visit(node: PlaceNode, value: unknown, open: readonly Schema[] = NONE): void {
    if (this.#missing === 0 || !this.#useful.has(node)) return;
    const { schema, links, place } = node;
    const wantsAll = this.#options.wanted.get(place);
    if (wantsAll !== undefined) this.#note(place, value, wantsAll);
    if (open.includes(schema)) return;
    if (links.isInPlace) this.#visitInPlace(node, value, [...open, schema]);
    if (Array.isArray(value)) this.#visitItems(node, value);
    else if (isRecord(value)) this.#visitMembers(node, value);
  }

  #note(place: string, value: unknown, wantsAll: boolean): void {
    const known = this.#values.get(place);
    if (known === undefined) {
      this.#values.set(place, [value]);
      this.#missing -= 1;
    } else if (wantsAll) known.push(value);
  }

  #visitInPlace({ links }: PlaceNode, value: unknown, open: readonly Schema[]): void {
    for (const next of links.always) this.visit(next, value, open);
    for (const nodes of links.alternatives) this.#visitAlternatives(nodes, value, open);
    for (const [name, next] of links.dependent)
      if (isRecord(value) && Object.hasOwn(value, name)) this.visit(next, value, open);
  }

  #visitAlternatives(nodes: readonly PlaceNode[], value: unknown, open: readonly Schema[]): void {
    if (!nodes.some((node) => this.#useful.has(node))) return;
    const { api, direction } = this.#options;
    const fitting = nodes.filter(({ schema }) => isValidValue(value, schema, api, direction));
    for (const node of fitting.length === 0 ? nodes : fitting) this.visit(node, value, open);
  }

  #visitItems({ links: { first, items } }: PlaceNode, value: readonly unknown[]): void {
    for (const [index, node] of first.entries()) if (index < value.length) this.visit(node, value[index]);
    if (items !== undefined && this.#useful.has(items))
      for (let index = first.length; index < value.length && this.#missing > 0; index += 1)
        this.visit(items, value[index]);
  }

  #visitMembers({ links: { members, patterns, others } }: PlaceNode, value: Readonly<Record<string, unknown>>): void {
    for (const name of Object.keys(value)) {
      const own = members.get(name);
      if (own !== undefined && this.#useful.has(own)) this.visit(own, value[name]);
      if (patterns.length === 0 && (own !== undefined || others === undefined)) continue;
      const fitting = patterns.filter(({ pattern }) => pattern.test(name));
      for (const { node } of fitting) this.visit(node, value[name]);
      if (own === undefined && fitting.length === 0 && others !== undefined) this.visit(others, value[name]);
    }
  }
}
