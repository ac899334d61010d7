import type { Api, Operation } from '../../model/api.js';
import { failuresOf, successesOf } from '../operation-results.js';
import { acceptedContent, isFile, mediaKind, mediaTypeEssence } from '../media-kind.js';

/** The `Accept` header: the media types of the successes; `undefined` for the runtime's default, JSON. */
export function acceptOf(operation: Operation): string | undefined {
  const mediaTypes = successesOf(operation).flatMap(({ content }) =>
    acceptedContent(content).map(({ mediaType }) => mediaType.replace(/;\s*charset=[^;]*/i, '')),
  );
  // Skips texts that are not allowed in a header, which cannot be media types.
  const types = new Set(mediaTypes.filter((mediaType) => /^[\x20-\x7e]+$/.test(mediaType)));
  const accept = types.size === 0 ? '*/*' : [...types].join(', ');
  return accept === 'application/json' ? undefined : accept;
}

/** The statuses of documented failures; single ones as numbers. */
export function failureStatuses(operation: Operation): (number | string)[] {
  return failuresOf(operation).map(({ status }) => (/^\d+$/.test(status) ? Number(status) : status));
}

/** Media types of text that the document describes as files: they are read as bytes. */
export function fileMediaTypes({ responses }: Operation, api: Api): string[] {
  const files = responses
    .flatMap(({ content }) => content)
    .filter((media) => mediaKind(media.mediaType) === 'text' && isFile(media, api));
  return [...new Set(files.map(({ mediaType }) => mediaTypeEssence(mediaType)))];
}
