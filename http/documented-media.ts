import type { MediaType } from '../model/api.js';
import { getOrInsert } from '../model/maps.js';
import { findMediaType, type ParsedMediaType, parseMediaType } from '../runtime/parsed-media-type.js';

/** A media type of a spec, parsed. */
export interface DocumentedMedia {
  readonly media: MediaType;
  readonly parsed: ParsedMediaType;
}

const parsedLists = new WeakMap<readonly MediaType[], readonly DocumentedMedia[]>();

/** Returns the media type of a documented list that fits a given one best. Parses each list once. */
export function findDocumentedMedia(
  content: readonly MediaType[],
  given: ParsedMediaType,
): DocumentedMedia | undefined {
  const documented = getOrInsert(parsedLists, content, () =>
    content.flatMap((media) => {
      const parsed = parseMediaType(media.mediaType);
      return parsed === undefined ? [] : [{ parsed, media }];
    }),
  );
  return findMediaType(documented, given);
}
