import type { Api } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { isRecord } from '../../model/document/records.js';
import { appendPointer } from '../../model/document/pointer.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { isValidValue } from '../../schema/compile-validator.js';
import { createLinearPattern } from '../../schema/linear-pattern.js';
import type { Direction } from '../../schema/variants.js';

/** The identity of a place in a spec: the source of its root, and the steps from there. */
export function placeKey({ file, pointer }: SourceLocation, steps: readonly string[] = []): string {
  return steps.reduce(appendPointer, `${file}#${pointer} `);
}

/** The values of a message by the place of the schema that describes them, as far as these places are wanted. */
export type TracedValues = ReadonlyMap<string, readonly unknown[]>;

interface TraceOptions {
  readonly api: Api;
  readonly direction: Direction;
  readonly wanted: ReadonlySet<string>;
}

/** Collects the values of a message at wanted places. Of alternatives, it follows those that the value matches. */
export class ValueTracer {
  readonly values: Map<string, unknown[]> = new Map();
  readonly #options: TraceOptions;

  constructor(options: TraceOptions) {
    this.#options = options;
  }

  /** Follows a schema at a place. */
  trace(schema: Schema, value: unknown, place: string): void {
    this.#visit(schema, value, { place, open: new Set() });
  }

  #visit(schema: Schema, value: unknown, at: { readonly place: string; readonly open: ReadonlySet<Schema> }): void {
    if (this.#options.wanted.has(at.place)) this.#note(at.place, value);
    if (typeof schema !== 'object' || at.open.has(schema)) return;
    const open = new Set([...at.open, schema]);
    if (schema.$ref !== undefined) {
      const named = this.#options.api.schemas.get(refName(schema.$ref));
      if (named !== undefined) this.#visit(named.schema, value, { place: placeKey(named.source), open });
    }
    for (const [steps, part] of this.#inPlace(schema, value))
      this.#visit(part, value, { place: steps.reduce(appendPointer, at.place), open });
    for (const [steps, part, child] of childrenOf(schema, value))
      this.#visit(part, child, { place: steps.reduce(appendPointer, at.place), open: new Set() });
  }

  #note(place: string, value: unknown): void {
    const known = this.values.get(place);
    if (known === undefined) this.values.set(place, [value]);
    else known.push(value);
  }

  /** The schemas that apply to the same value. */
  *#inPlace(schema: SchemaObject, value: unknown): Iterable<readonly [string[], Schema]> {
    for (const [index, part] of (schema.allOf ?? []).entries()) yield [['allOf', String(index)], part];
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const parts = schema[keyword] ?? [];
      const { api, direction } = this.#options;
      const fitting = parts.filter((part) => isValidValue(value, part, api, direction));
      const followed = new Set(fitting.length === 0 ? parts : fitting);
      for (const [index, part] of parts.entries()) if (followed.has(part)) yield [[keyword, String(index)], part];
    }
    for (const keyword of ['if', 'then', 'else'] as const) {
      const part = schema[keyword];
      if (part !== undefined) yield [[keyword], part];
    }
    for (const [name, part] of Object.entries(schema.dependentSchemas ?? {}))
      if (isRecord(value) && Object.hasOwn(value, name)) yield [['dependentSchemas', name], part];
  }
}

type Child = readonly [steps: string[], schema: Schema, value: unknown];

/** The schemas of the items and members of a value. */
function* childrenOf(schema: SchemaObject, value: unknown): Iterable<Child> {
  if (Array.isArray(value)) {
    const first = schema.prefixItems ?? [];
    for (const [index, item] of value.entries()) {
      const own = first[index];
      if (own !== undefined) yield [['prefixItems', String(index)], own, item];
      else if (schema.items !== undefined) yield [['items'], schema.items, item];
    }
  } else if (isRecord(value)) {
    const { properties = {}, patternProperties = {}, additionalProperties } = schema;
    for (const [name, member] of Object.entries(value)) {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (own !== undefined) yield [['properties', name], own, member];
      const patterns = Object.entries(patternProperties).filter(([pattern]) => fits(pattern, name));
      for (const [pattern, part] of patterns) yield [['patternProperties', pattern], part, member];
      if (own === undefined && patterns.length === 0 && additionalProperties !== undefined)
        yield [['additionalProperties'], additionalProperties, member];
    }
  }
}

function fits(pattern: string, name: string): boolean {
  try {
    return createLinearPattern(pattern).test(name);
  } catch {
    return false;
  }
}
