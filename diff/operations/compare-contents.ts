import type { MediaType } from '../../model/api.js';
import { DiffPlace } from '../location.js';
import type { Part } from '../schemas/schema-location.js';
import type { OperationPair, PlacePair } from '../diff-context.js';
import type { Direction } from '../types.js';
import { quote } from '../phrases.js';
import { compareEncodings } from './compare-encodings.js';
import { compareExtensions } from './compare-extensions.js';
import { compareExampleLists } from './compare-descriptions.js';

/** What a body or a response may hold, in both specs. */
export interface Contents {
  readonly old: readonly MediaType[];
  readonly new: readonly MediaType[];
  /** What it is called in a sentence: `the request body`. */
  readonly title: string;
  readonly direction: Direction;
}

/** Compares media types, and the schemas of those that are in both specs. */
export function compareContents(pair: OperationPair, contents: Contents, owners: PlacePair): void {
  const { title, direction } = contents;
  const added = new Map(contents.new.map((media) => [keyOf(media.mediaType), media]));
  const touches = [pair.touch(direction)];
  for (const was of contents.old) {
    const key = keyOf(was.mediaType);
    // A range such as `application/*` takes in what it covers, and may take in more.
    const is = added.get(key) ?? contents.new.find(({ mediaType }) => covers(keyOf(mediaType), key));
    added.delete(key);
    if (is !== undefined) compareMedia(pair, { was, is, contents });
    else
      pair.session.report(
        {
          kind: 'media-type-removed',
          message: `${title} has the media type ${quote(was.mediaType)} no more`,
          old: DiffPlace.at(was.source),
          new: owners.new.child('content'),
          anchor: 'old',
        },
        touches,
      );
  }
  for (const is of added.values())
    pair.session.report(
      {
        kind: 'media-type-added',
        message: `${title} may be ${quote(is.mediaType)} now`,
        old: owners.old.child('content'),
        new: DiffPlace.at(is.source),
        anchor: 'new',
        exceptions: pair.asks === 'response' ? ['response'] : [],
      },
      touches,
    );
}

/** A media type without what says nothing: case, the order of parameters, UTF-8. */
function keyOf(mediaType: string): string {
  const [type = '', ...parameters] = mediaType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim().replaceAll('"', ''));
  return [type, ...parameters.filter((one) => one !== '' && one !== 'charset=utf-8').sort()].join(';');
}

function covers(range: string, mediaType: string): boolean {
  return range === '*/*' || (range.endsWith('/*') && mediaType.startsWith(range.slice(0, -1)));
}

interface MediaPair {
  readonly was: MediaType;
  readonly is: MediaType;
  readonly contents: Contents;
}

function compareMedia(pair: OperationPair, { was, is, contents: { title, direction } }: MediaPair): void {
  const parts = [schemaPart(was, title), schemaPart(is, title)] as const;
  pair.session.schemas.addRoot(...parts, pair.touch(direction));
  compareEncodings(pair, { was, is, parts, direction });
  const mediaTitle = `${quote(is.mediaType)} of ${title}`;
  compareExampleLists(pair, direction, { old: was, new: is, title: mediaTitle });
  compareExtensions(pair, direction, { old: was, new: is, title: mediaTitle });
}

/** No schema: anything. */
function schemaPart({ schema = true, source }: MediaType, title: string): Part {
  return { schema, place: DiffPlace.at(source, title).child('schema') };
}
