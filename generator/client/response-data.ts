import type { Api, Operation } from '../../model/api.js';
import { acceptedContent, isFile, mediaKind, mediaTypeEssence } from '../media-kind.js';

/** The `Accept` header: the media types of the successes; `undefined` for the runtime's default, JSON. */
export function acceptOf({ responses }: Operation): string | undefined {
  const successes = responses.filter(({ status }) => status.startsWith('2'));
  const described = successes.length > 0 ? successes : responses.filter(({ status }) => status === 'default');
  const mediaTypes = described.flatMap(({ content }) =>
    acceptedContent(content).map(({ mediaType }) => mediaType.replace(/;\s*charset=[^;]*/i, '')),
  );
  // Skips texts that are not allowed in a header, which cannot be media types.
  const types = new Set(mediaTypes.filter((mediaType) => /^[\x20-\x7e]+$/.test(mediaType)));
  const accept = types.size === 0 ? '*/*' : [...types].join(', ');
  return accept === 'application/json' ? undefined : accept;
}

const REDIRECTS: readonly number[] = [300, 301, 302, 303, 304, 305, 307, 308];

/** Documented statuses from 300 to 399. */
export function returnedStatuses({ responses }: Operation): number[] {
  return responses
    .filter(({ status }) => status.startsWith('3'))
    .flatMap(({ status }) => (/^\d+$/.test(status) ? [Number(status)] : REDIRECTS));
}

/** Whether the only documented success is a redirect, which is then returned. Other operations follow redirects. */
export function isRedirect(operation: Operation): boolean {
  return (
    returnedStatuses(operation).some((status) => status !== 304) &&
    !operation.responses.some(({ status }) => status.startsWith('2'))
  );
}

/** Documented failures; single statuses as numbers. */
export function failuresOf({ responses }: Operation): (number | string)[] {
  return responses
    .map(({ status }) => status)
    .filter((status) => /^[45]|^default$/.test(status))
    .map((status) => (/^\d+$/.test(status) ? Number(status) : status));
}

/** Media types of text that the document describes as files: they are read as bytes. */
export function fileMediaTypes({ responses }: Operation, api: Api): string[] {
  const files = responses
    .flatMap(({ content }) => content)
    .filter((media) => mediaKind(media.mediaType) === 'text' && isFile(media, api));
  return [...new Set(files.map(({ mediaType }) => mediaTypeEssence(mediaType)))];
}
