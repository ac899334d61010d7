import type { Api, ItemSequence, MediaType } from '../model/api.js';
import type { SchemaObject } from '../model/schema-types.js';
import type { ItemPlan } from '../runtime/items.js';
import { type MediaKind, mediaKind } from '../runtime/media-type.js';
import type { XmlPlan } from '../runtime/xml.js';
import { xmlPlanOf } from '../schema/xml-plan.js';
import { followRefs } from '../schema/facts/parts.js';
import { type ItemMedia, partListPlan } from '../schema/item-value.js';

export { type MediaKind, mediaKind, mediaTypeEssence } from '../runtime/media-type.js';

/** Whether the schema of a body describes bytes. */
export function isFile({ schema }: MediaType, api: Api): boolean {
  return schema !== undefined && describesBytes(followRefs(schema, api));
}

/** Whether a schema describes bytes: `format: binary`, or (OpenAPI 3.1) a content type without an encoding. */
export function describesBytes({ format, contentMediaType, contentEncoding }: SchemaObject = {}): boolean {
  if (format === 'binary') return true;
  return contentMediaType !== undefined && contentEncoding === undefined && !/^text\/|json/i.test(contentMediaType);
}

/** Whether a body is sent or read item by item. With `x-event-stream`, a helper reads it instead. */
export function isItemStream(media: MediaType): media is MediaType & { readonly sequence: ItemSequence } {
  return media.sequence !== undefined && media.extensions['x-event-stream'] !== 'item';
}

/** How the values of a body are represented as XML. `undefined` if JSON is offered too; then XML is sent as text. */
export function xmlBodyPlan(media: MediaType, content: readonly MediaType[], api: Api): XmlPlan | undefined {
  const offersJson = content.some(({ mediaType }) => mediaKind(mediaType) === 'json');
  return offersJson ? undefined : xmlPlanOf(api, media);
}

/** Whether the body has a schema other than plain binary. */
function isDescribed(media: MediaType, api: Api): boolean {
  const resolved = media.schema === undefined ? undefined : followRefs(media.schema, api);
  return resolved !== undefined && Object.keys(resolved).length > 0 && !isFile(media, api);
}

/** The form in which programs write and read a body. */
export type BodyForm =
  | { readonly kind: 'xml'; readonly plan: XmlPlan }
  /** A stream that is written and read item by item. */
  | { readonly kind: 'items'; readonly media: ItemMedia }
  /** A list of unnamed parts. */
  | { readonly kind: 'parts'; readonly plan: ItemPlan }
  /** `any` has a schema, `unknown` has none: both may be of any media type. */
  | { readonly kind: MediaKind | 'text-file' | 'unknown' };

/** Returns the form of one of the media types of a body (`content`). */
export function bodyForm(media: MediaType, content: readonly MediaType[], api: Api): BodyForm {
  const xml = xmlBodyPlan(media, content, api);
  if (xml !== undefined) return { kind: 'xml', plan: xml };
  if (isItemStream(media)) return { kind: 'items', media };
  const parts = partListPlan(api, media);
  if (parts !== undefined) return { kind: 'parts', plan: parts };
  const kind = mediaKind(media.mediaType);
  if (kind === 'text') return { kind: isFile(media, api) ? 'text-file' : 'text' };
  return { kind: kind === 'any' && !isDescribed(media, api) ? 'unknown' : kind };
}

/**
 * The media types of a response that the client accepts: only JSON if it is offered beside text or XML. Keeps streams
 * and files, because they are different representations.
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
