import type { Header, Parameter } from '../../model/api.js';
import type { SchemaType } from '../../model/schema-types.js';
import { DiffPlace } from '../location.js';
import type { Side } from '../schemas/schema-pairs.js';
import type { Shape } from '../schemas/effective-schema.js';
import type { Part } from '../schemas/schema-location.js';
import type { OperationPair } from '../diff-context.js';
import { showTypes } from '../phrases.js';

type Carrier = Pick<Parameter | Header, 'mediaType' | 'schema' | 'source'>;

interface CarrierPair {
  readonly was: Parameter;
  readonly is: Parameter;
  readonly title: string;
}

/** Compares the schemas of two parameters. */
export function compareParameterSchemas(pair: OperationPair, { was, is, title }: CarrierPair): void {
  const { schemas } = pair.session;
  const parts = [schemaPart(was, title), schemaPart(is, title)] as const;
  const shapes = [shapeOf(parts[0], schemas.old), shapeOf(parts[1], schemas.new)] as const;
  if (was.mediaType === undefined && is.mediaType === undefined && becameText(...shapes)) {
    pair.asking({
      kind: 'type-widened',
      message: `${title} is a string, was ${showTypes(shapes[0].types, false)}`,
      old: parts[0].place,
      new: parts[1].place,
    });
    return;
  }
  schemas.addRoot(...parts, pair.touch(pair.asks));
}

/** The schema of a parameter or header, where its document has it. */
export function schemaPart({ schema, mediaType, source }: Carrier, title: string): Part {
  const place = DiffPlace.at(source, title);
  const steps = mediaType === undefined ? ['schema'] : ['content', mediaType, 'schema'];
  return { schema, place: place.child(...steps) };
}

/** Whether a parameter is one value, neither a list nor an object. */
export function isScalar(carrier: Carrier, title: string, side: Side): boolean {
  const { types } = shapeOf(schemaPart(carrier, title), side);
  return types !== undefined && !types.has('array') && !types.has('object');
}

function shapeOf(part: Part, side: Side): Shape {
  return side.shapeOf(side.sites.site(part));
}

const PLAIN_TYPES: ReadonlySet<SchemaType> = new Set(['boolean', 'integer', 'number', 'string']);

/** Whether a parameter takes any text now: `5` is one too, since in an address or a header all values are texts. */
function becameText(old: Shape, next: Shape): boolean {
  if (old.types === undefined || next.types?.size !== 1 || !next.types.has('string')) return false;
  if (old.types.has('string') || ![...old.types].every((type) => PLAIN_TYPES.has(type))) return false;
  const isFree = next.parts.every(({ schema }) =>
    Object.keys(schema).every((key) => !/^(enum|const|format|pattern|minLength|maxLength|not|if)$/.test(key)),
  );
  return isFree && next.unions.length === 0;
}
