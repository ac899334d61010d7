import { type MediaKind, mediaKind } from '../../../runtime/media-type.js';

export { mediaTypeEssence as essenceOf } from '../../../runtime/media-type.js';

/** How a body is written. */
export type BodyKind = Exclude<MediaKind, 'any' | 'stream'>;

/** A range such as `*\/*` also accepts JSON. */
export function kindOf(mediaType: string): BodyKind {
  const kind = mediaKind(mediaType);
  if (kind === 'any') return 'json';
  return kind === 'stream' ? 'text' : kind;
}
