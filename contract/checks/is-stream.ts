import type { Operation } from '../../model/api.js';

/** Whether a response of an operation is a stream of items, which may stay open. */
export function isStream({ responses }: Operation): boolean {
  return responses.some(({ content }) =>
    content.some(
      ({ sequence, mediaType }) => sequence !== undefined || /event-stream|json-seq|ndjson/i.test(mediaType),
    ),
  );
}
