import type { Api, MediaType } from '../model/api.js';
import { resolveSchema } from './types/type-scope.js';

/** How a body of a media type is encoded, and so what a program gets. */
export type MediaKind =
  /** Any JSON value: `application/json`, `+json`. */
  | 'json'
  /** An object, sent as `application/x-www-form-urlencoded`. */
  | 'form'
  /** An object, sent as parts. */
  | 'multipart'
  /** A string: `text/*`, XML and YAML. */
  | 'text'
  /** `text/event-stream`: the stream of bytes. */
  | 'stream'
  /** Bytes. */
  | 'binary'
  /** A range such as `*\/*`: JSON where a schema says what it looks like, else bytes. */
  | 'any';

/** The kind of a media type as a document writes it. `readBody` in `runtime/client.ts` has the same rules. */
export function mediaKind(mediaType: string): MediaKind {
  const essence = mediaTypeEssence(mediaType);
  if (/[/+]json$/.test(essence)) return 'json';
  if (essence === 'application/x-www-form-urlencoded') return 'form';
  if (essence.startsWith('multipart/')) return 'multipart';
  if (essence === 'text/event-stream') return 'stream';
  if (/^text\/|[/+](xml|yaml)$/.test(essence)) return 'text';
  return essence === '*/*' || essence === 'application/*' ? 'any' : 'binary';
}

/** A media type without its parameters, in lower case. */
export function mediaTypeEssence(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Whether the schema of a body describes bytes: `format: binary`, or (OpenAPI 3.1) a content type without an encoding. */
export function isFile({ schema }: MediaType, api: Api): boolean {
  const resolved = schema === undefined ? undefined : resolveSchema(api, schema);
  if (resolved?.format === 'binary') return true;
  return (
    resolved?.contentMediaType !== undefined &&
    resolved.contentEncoding === undefined &&
    !/^text\/|json/i.test(resolved.contentMediaType)
  );
}

/** Whether a schema says more about a body than that it is bytes. */
export function isDescribed(media: MediaType, api: Api): boolean {
  const resolved = media.schema === undefined ? undefined : resolveSchema(api, media.schema);
  return resolved !== undefined && Object.keys(resolved).length > 0 && !isFile(media, api);
}

/**
 * The media types of a response that the client accepts: where JSON is offered beside text or XML, JSON. A stream or a
 * file is kept, because it is another representation.
 */
export function acceptedContent(content: readonly MediaType[]): readonly MediaType[] {
  const kinds = content.map(({ mediaType }) => mediaKind(mediaType));
  return kinds.includes('json') ? content.filter((_media, index) => kinds[index] !== 'text') : content;
}

/** The media types of a body, JSON first: the first one is the default of a request. */
export function orderContent(content: readonly MediaType[]): MediaType[] {
  const isJson = ({ mediaType }: MediaType): boolean => mediaKind(mediaType) === 'json';
  return [...content.filter(isJson), ...content.filter((media) => !isJson(media))];
}
