import type { Api } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { getOrInsert } from '../../model/maps.js';
import type { Schema } from '../../model/schema-types.js';
import { isValidValue } from '../../schema/compile-validator.js';
import type { Direction } from '../../schema/variants.js';
import { PlaceGraph, type PlaceNode, findUseful } from './place-graph.js';

/** The values of a message by the place of the schema that describes them, as far as these places are wanted. */
export type TracedValues = ReadonlyMap<string, readonly unknown[]>;

interface TraceOptions {
  readonly api: Api;
  readonly direction: Direction;
  readonly wanted: ReadonlySet<string>;
}

/** The places of each spec. */
const GRAPHS = new WeakMap<Api, PlaceGraph>();

/** Finds the values of messages at wanted places. It looks only at values that lead there. */
export class ValueTracer {
  readonly #options: TraceOptions;
  readonly #graph: PlaceGraph;
  /** The places that lead to wanted ones, by their roots. */
  readonly #useful = new Map<PlaceNode, ReadonlySet<PlaceNode>>();

  constructor(options: TraceOptions) {
    this.#options = options;
    this.#graph = getOrInsert(GRAPHS, options.api, () => new PlaceGraph(options.api));
  }

  /** Follows a schema at a place, and adds the values that it finds. */
  trace(schema: Schema, { value, place }: { value: unknown; place: string }, values: Map<string, unknown[]>): void {
    const root = this.#graph.root(schema, place);
    const useful = getOrInsert(this.#useful, root, () => findUseful([root], this.#options.wanted));
    if (useful.has(root)) new Trace(this.#options, useful, values).visit(root, value);
  }
}

/** A walk along the schemas of one message. Of alternatives, it follows those that the value matches. */
class Trace {
  readonly #options: TraceOptions;
  readonly #useful: ReadonlySet<PlaceNode>;
  readonly #values: Map<string, unknown[]>;

  constructor(options: TraceOptions, useful: ReadonlySet<PlaceNode>, values: Map<string, unknown[]>) {
    this.#options = options;
    this.#useful = useful;
    this.#values = values;
  }

  /** `open` are the schemas that are being followed for the same value: a cycle ends there. */
  visit(node: PlaceNode, value: unknown, open: readonly Schema[] = []): void {
    if (!this.#useful.has(node)) return;
    if (this.#options.wanted.has(node.place)) getOrInsert(this.#values, node.place, () => []).push(value);
    const { schema, links } = node;
    if (open.includes(schema)) return;
    const inner = [...open, schema];
    for (const next of links.always) this.visit(next, value, inner);
    for (const nodes of links.alternatives) this.#visitAlternatives(nodes, value, inner);
    for (const [name, next] of links.dependent)
      if (isRecord(value) && Object.hasOwn(value, name)) this.visit(next, value, inner);
    if (Array.isArray(value)) this.#visitItems(node, value);
    else if (isRecord(value)) this.#visitMembers(node, value);
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
      for (let index = first.length; index < value.length; index += 1) this.visit(items, value[index]);
  }

  #visitMembers({ links: { members, patterns, others } }: PlaceNode, value: Readonly<Record<string, unknown>>): void {
    for (const name of Object.keys(value)) {
      const own = members.get(name);
      if (own !== undefined) this.visit(own, value[name]);
      if (patterns.length === 0 && (own !== undefined || others === undefined)) continue;
      const fitting = patterns.filter(({ pattern }) => pattern.test(name));
      for (const { node } of fitting) this.visit(node, value[name]);
      if (own === undefined && fitting.length === 0 && others !== undefined) this.visit(others, value[name]);
    }
  }
}
