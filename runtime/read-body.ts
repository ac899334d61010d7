import type { OperationData } from './context.js';
import { MalformedBodyError } from './errors.js';

/** The type of a body without its parameters, in lower case. */
export function mediaTypeOf(response: Response): string | undefined {
  return response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
}

/**
 * Reads a body by its content type: JSON as its value, text as a string (but not what is documented as a file), an event
 * stream as it comes, all else as a Blob; `undefined` where there is none. Nothing is refused in a failure: what cannot be parsed stays text.
 *
 * @throws MalformedBodyError where the JSON of a success is malformed.
 */
export async function readBody(response: Response, operation: OperationData, failed: boolean): Promise<unknown> {
  if (response.body === null) return undefined;
  const accept = operation.accept ?? 'application/json';
  const declared = mediaTypeOf(response);
  const mediaType = declared ?? accept.split(/[,;]/, 1)[0] ?? '';
  if (mediaType === 'text/event-stream' && !failed) return response.body;
  // An empty text or file is a value of its own where one is documented.
  const keepEmpty = declared !== undefined && accept.includes(declared);
  if (/[/+]json$/.test(mediaType)) {
    const text = await response.text();
    try {
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    } catch (cause) {
      if (failed) return text;
      throw new MalformedBodyError(`${operation.name} answered ${response.status} with malformed JSON.`, { cause });
    }
  }
  if (/^text\/|[/+](xml|yaml)$/.test(mediaType) && !operation.files?.includes(mediaType)) {
    const text = await response.text();
    return text === '' && !keepEmpty ? undefined : text;
  }
  const blob = await response.blob();
  return blob.size === 0 && !keepEmpty ? undefined : blob;
}
