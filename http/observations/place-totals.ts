import type { Api } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { appendPointer } from '../../model/document/pointer.js';
import { getOrInsert } from '../../model/maps.js';
import { type PlacedSchema, placedSchemasAt, stepPlaced } from '../../schema/placed-schemas.js';
import { findResponseMedia } from '../response/response-violations.js';
import { schemaPlace } from './schema-place.js';
import type { ResponseTally } from './observation.js';
import { count, type JsonType, type Shape } from './shape.js';

/** How many values a schema of a spec applied to, and how many of each type. */
interface PlaceTotal {
  /** The number of calls with such a value. */
  calls: number;
  values: number;
  readonly types: Map<JsonType, number>;
  readonly members: Map<string, number>;
}

/** The most places of values that are followed into schemas. */
const MOST_STEPS = 50_000;

/** Counts the values of all responses by the schemas that apply to them, wherever these are referenced. */
export class PlaceTotals {
  readonly #api: Api;
  readonly #totals = new Map<string, PlaceTotal>();
  #left = MOST_STEPS;

  constructor(api: Api, responses: Iterable<ResponseTally>) {
    this.#api = api;
    for (const { spec, media, headers } of responses) {
      if (spec === undefined) continue;
      for (const { mediaType, shape, calls } of media.values()) {
        const found = findResponseMedia({ 'content-type': mediaType }, spec)?.media;
        if (found?.schema === undefined) continue;
        this.#walk(shape, placedSchemasAt(found.schema, schemaPlace(found), [], api), calls);
      }
      for (const { header, name } of spec.headers) {
        const at = { file: header.source.file, pointer: appendPointer(header.source.pointer, 'schema') };
        const seen = headers.get(name);
        if (seen !== undefined) this.#walk(seen.shape, placedSchemasAt(header.schema, at, [], api), seen.calls);
      }
    }
  }

  /** The number of calls in which the schema at a place applied to a value. */
  calls(at: SourceLocation): number {
    return this.#find(at)?.calls ?? 0;
  }

  /** How many values of some types, or of all, the schema at a place applied to. */
  values(at: SourceLocation, types?: readonly JsonType[]): number {
    const total = this.#find(at);
    if (types === undefined) return total?.values ?? 0;
    return types.reduce((sum, type) => sum + (total?.types.get(type) ?? 0), 0);
  }

  /** How many of the objects at a place had a member. */
  members(at: SourceLocation, name: string): number {
    return this.#find(at)?.members.get(name) ?? 0;
  }

  #find({ file, pointer }: SourceLocation): PlaceTotal | undefined {
    return this.#totals.get(`${file}#${pointer}`);
  }

  #walk(shape: Shape, placed: readonly PlacedSchema[], calls: number): void {
    if (placed.length === 0 || this.#left <= 0) return;
    this.#left -= 1;
    for (const { at } of placed) this.#add(at, shape, calls);
    for (const [name, member] of shape.members ?? [])
      this.#walk(member, stepPlaced(placed, name, this.#api), Math.min(calls, member.values));
    const { items } = shape;
    if (items !== undefined) this.#walk(items, stepPlaced(placed, '*', this.#api), Math.min(calls, items.values));
  }

  #add({ file, pointer }: SourceLocation, shape: Shape, calls: number): void {
    const total = getOrInsert(this.#totals, `${file}#${pointer}`, (): PlaceTotal => ({
      ...{ calls: 0, values: 0 },
      types: new Map(),
      members: new Map(),
    }));
    total.calls += calls;
    total.values += shape.values;
    for (const [type, times] of shape.types) count(total.types, type, times);
    for (const [name, { values }] of shape.members ?? []) count(total.members, name, values);
  }
}
