import type { Encoding, MediaType } from '../../model/api.js';
import { DiffPlace } from '../location.js';
import { membersOf } from '../schemas/similarity.js';
import type { Side } from '../schemas/schema-pairs.js';
import type { Shape } from '../schemas/effective-schema.js';
import type { Part } from '../schemas/schema-location.js';
import { isBytes } from '../schemas/effective-types.js';
import type { OperationPair } from '../diff-context.js';
import type { Direction } from '../types.js';
import { quote } from '../phrases.js';

interface FormPair {
  readonly was: MediaType;
  readonly is: MediaType;
  /** The schemas of both. */
  readonly parts: readonly [Part, Part];
  readonly direction: Direction;
}

/** Compares how members of a form are written, where the documents say something about it. */
export function compareEncodings(pair: OperationPair, { was, is, parts, direction }: FormPair): void {
  const names = new Set([...was.encoding.keys(), ...is.encoding.keys()]);
  if (names.size === 0) return;
  const { old: oldSide, new: newSide } = pair.session.schemas;
  const [oldMembers, members] = [membersIn(parts[0], oldSide), membersIn(parts[1], newSide)];
  for (const name of names) {
    const [before, now] = [oldMembers.get(name), members.get(name)];
    if (before === undefined || now === undefined) continue;
    const [oldText, text] = [writingOf(was.encoding.get(name), before), writingOf(is.encoding.get(name), now)];
    if (oldText === text) continue;
    pair.session.report(
      {
        kind: 'encoding-changed',
        message: `The member ${quote(name)} of the form is written as ${quote(text)}, was ${quote(oldText)}`,
        old: DiffPlace.at(was.source).child('encoding', name),
        new: DiffPlace.at(is.source).child('encoding', name),
      },
      [pair.touch(direction)],
    );
  }
}

function membersIn(part: Part, side: Side): Map<string, Shape> {
  const members = membersOf(side.shapeOf(side.sites.site(part)));
  return new Map([...members].map(([name, parts]) => [name, side.shapeOf(side.sites.join(parts))]));
}

/** Where nothing is said: OpenAPI's defaults. Style and explode matter to lists and objects alone. */
function writingOf(encoding: Encoding | undefined, { types, parts }: Shape): string {
  const isBytesOnly = types === undefined && parts.some(({ schema }) => isBytes(schema));
  const isScalar = isBytesOnly || (types !== undefined && !types.has('array') && !types.has('object'));
  const type = encoding?.contentType ?? defaultType(types);
  if (isScalar) return type;
  return `${type}, ${encoding?.style ?? 'form'}${(encoding?.explode ?? true) ? ', exploded' : ''}`;
}

function defaultType(types: Shape['types']): string {
  if (types === undefined) return 'application/octet-stream';
  return types.has('object') ? 'application/json' : 'text/plain';
}
