import type { Api } from '../../model/api.js';
import { appendPointer } from '../../model/document/pointer.js';
import { type PlacedSchema, placedSchemasAt, stepPlaced } from '../../schema/placed-schemas.js';
import { findResponseMedia } from '../response/response-violations.js';
import type { ResponseTally } from './observation.js';
import { schemaPlace } from './schema-place.js';
import type { Shape } from './shape.js';

/** Values at one place of responses, and the schemas that apply to them. */
export interface ShapeStep {
  readonly shape: Shape;
  readonly placed: readonly PlacedSchema[];
  /** The most calls that may have such a value. */
  readonly calls: number;
  /** JSON pointer into the body, with `*` for indexes; of a header, its name. */
  readonly pointer: string;
  readonly response: ResponseTally;
}

/** The most places of values that are followed into schemas. */
const MOST_STEPS = 50_000;

/** Visits the values that responses have shown with the schemas that apply to them. */
export function walkShapes(api: Api, responses: Iterable<ResponseTally>, visit: (step: ShapeStep) => void): void {
  let left = MOST_STEPS;
  const walk = (step: ShapeStep): void => {
    const { shape, placed, calls, pointer } = step;
    if (placed.length === 0 || left <= 0) return;
    left -= 1;
    visit(step);
    const inner = (value: Shape, segment: string): void =>
      walk({
        ...step,
        shape: value,
        placed: stepPlaced(placed, segment, api),
        calls: Math.min(calls, value.values),
        pointer: appendPointer(pointer, segment),
      });
    for (const [name, member] of shape.members ?? []) inner(member, name);
    if (shape.items !== undefined) inner(shape.items, '*');
  };
  for (const response of responses) {
    const { spec, media, headers } = response;
    if (spec === undefined) continue;
    for (const { mediaType, shape, calls } of media.values()) {
      const found = findResponseMedia({ 'content-type': mediaType }, spec)?.media;
      if (found?.schema === undefined) continue;
      const placed = placedSchemasAt(found.schema, schemaPlace(found), [], api);
      walk({ shape, placed, calls, pointer: '', response });
    }
    for (const { header, name } of spec.headers) {
      const at = { file: header.source.file, pointer: appendPointer(header.source.pointer, 'schema') };
      const seen = headers.get(name);
      if (seen === undefined) continue;
      const placed = placedSchemasAt(header.schema, at, [], api);
      walk({ shape: seen.shape, placed, calls: seen.calls, pointer: name, response });
    }
  }
}
