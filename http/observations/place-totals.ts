import type { Api } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { getOrInsert } from '../../model/maps.js';
import type { ResponseTally } from './observation.js';
import { count, type JsonType, type Shape } from './shape.js';
import { walkShapes } from './walk-shapes.js';

/** How many values a schema of a spec applied to, and how many of each type. */
interface PlaceTotal {
  /** The number of calls with such a value. */
  calls: number;
  values: number;
  readonly types: Map<JsonType, number>;
  readonly members: Map<string, number>;
}

/** Counts the values of all responses by the schemas that apply to them, wherever these are referenced. */
export class PlaceTotals {
  readonly #totals = new Map<string, PlaceTotal>();

  constructor(api: Api, responses: Iterable<ResponseTally>) {
    walkShapes(api, responses, ({ placed, shape, calls }) => {
      for (const { at } of placed) this.#add(at, shape, calls);
    });
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
