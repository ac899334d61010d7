import type { Api } from '../model/api.js';
import type { SourceLocation } from '../model/diagnostics/diagnostic.js';
import { appendPointer } from '../model/document/pointer.js';
import { findSchemaSource } from '../model/schema-source.js';
import { placedChildren } from '../model/schema-survey.js';
import { type Schema, type SchemaObject, refName } from '../model/schema-types.js';

/** A schema and the place where it is written. */
export interface PlacedSchema {
  readonly schema: SchemaObject;
  readonly at: SourceLocation;
}

const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas']);

/** More schemas than this apply to no value of a sensible spec. */
const MOST = 200;

/** Returns the schemas that may apply to the value at a path, outer ones first; references lead to their targets. */
export function placedSchemasAt(start: Schema, at: SourceLocation, path: readonly string[], api: Api): PlacedSchema[] {
  let here = applicable([place(start, at)], api);
  for (const segment of path) here = stepPlaced(here, segment, api);
  return here;
}

/** Returns the schemas that may apply to a member or item of the value that some schemas apply to. */
export function stepPlaced(here: readonly PlacedSchema[], segment: string, api: Api): PlacedSchema[] {
  return applicable(
    here.flatMap((one) => stepInto(one, segment)),
    api,
  );
}

function place(schema: Schema, at: SourceLocation): PlacedSchema {
  return { schema: typeof schema === 'object' ? schema : {}, at: findSchemaSource(schema) ?? at };
}

function below({ at }: PlacedSchema, schema: Schema, steps: readonly string[]): PlacedSchema {
  return place(schema, { file: at.file, pointer: steps.reduce(appendPointer, at.pointer) });
}

/** Adds the targets of references and the branches that apply to the same value. */
function applicable(found: readonly PlacedSchema[], api: Api): PlacedSchema[] {
  const open = [...found];
  const seen = new Set<SchemaObject>();
  const all: PlacedSchema[] = [];
  for (let next = open.shift(); next !== undefined && all.length < MOST; next = open.shift()) {
    if (seen.has(next.schema)) continue;
    seen.add(next.schema);
    all.push(next);
    const { $ref } = next.schema;
    const named = $ref === undefined ? undefined : api.schemas.get(refName($ref));
    if (named !== undefined) open.push(place(named.schema, named.source));
    for (const [child, steps] of placedChildren(next.schema))
      if (IN_PLACE.has(steps[0] ?? '')) open.push(below(next, child, steps));
  }
  return all;
}

/** The schemas of one member or item of a value. */
function stepInto(outer: PlacedSchema, segment: string): PlacedSchema[] {
  const children = placedChildren(outer.schema);
  const at = (...steps: readonly string[]): PlacedSchema[] =>
    children
      .filter(([, own]) => own.length === steps.length && own.every((step, index) => step === steps[index]))
      .map(([child, own]) => below(outer, child, own));
  const exact = [...at('properties', segment), ...at('prefixItems', segment)];
  if (exact.length > 0) return exact;
  const pattern = children.find(([, [keyword]]) => keyword === 'patternProperties');
  return [
    ...(pattern === undefined ? [] : [below(outer, ...pattern)]),
    ...at('additionalProperties'),
    ...(/^(?:\d+|\*)$/.test(segment) ? at('items') : []),
  ];
}
