import type { Api, MediaType } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { type EventItem, isJsonEvent, type ItemPlan, type PartPlan, writeEvent } from '../../runtime/items.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { type MediaKind, mediaKind } from '../../runtime/media-type.js';
import { toText } from '../../runtime/serialize.js';
import { writeXmlText } from '../../runtime/xml.js';
import { type ItemMedia, itemValue, partListPlan, partType, schemaOfPart } from '../../schema/item-value.js';
import { requiredMembers } from '../../schema/facts/members.js';
import { xmlPlanOf } from '../../schema/xml-plan.js';
import { writePartTexts } from '../item-codec.js';
import { scalarText, writeFormText } from './write-request.js';

/** A body as text, and its media type. */
export interface WrittenBody {
  readonly text: string;
  readonly contentType: string;
}

/** Does not occur in generated values, and is the same in every run. */
export const BOUNDARY = 'specmill-7f3a91c05be2d648';
/** The boundary of a multipart body inside another. */
const INNER_BOUNDARY = `inner-${BOUNDARY}`;
const NO_ENCODINGS: MediaType['encoding'] = new Map();
const BYTES = 'application/octet-stream';

/** A value to send in the body of a request. */
export interface BodyValue {
  readonly media: MediaType;
  readonly value: unknown;
  /** The text to send instead of the serialized value. */
  readonly raw?: string;
  /** Replaces the media type. */
  readonly contentType?: string;
}

/** How a body is written. A range such as `*\/*` also accepts JSON. */
export function bodyKindOf(mediaType: string): Exclude<MediaKind, 'any' | 'stream'> {
  const kind = mediaKind(mediaType);
  if (kind === 'any') return 'json';
  return kind === 'stream' ? 'text' : kind;
}

/** The required members whose list is empty in a form, where a list without items cannot be told from a missing one. */
export function unsendableLists({ media, value, raw }: BodyValue, api: Api): readonly string[] {
  const isForm = ['form', 'multipart'].includes(bodyKindOf(media.mediaType));
  if (!isForm || raw !== undefined || !isRecord(value)) return [];
  const empty = Object.keys(value).filter((name) => Array.isArray(value[name]) && value[name].length === 0);
  if (empty.length === 0) return empty;
  const required = requiredMembers(media.schema ?? true, api);
  return empty.filter((name) => required.has(name));
}

/** Writes a body in its media type. Generated values have no files, so every body is a text. */
export function writeBody({ media, value, raw, contentType }: BodyValue, api: Api): WrittenBody {
  const kind = bodyKindOf(media.mediaType);
  const type = contentType ?? (kind === 'json' && media.mediaType.includes('*') ? 'application/json' : media.mediaType);
  if (raw !== undefined) return { text: raw, contentType: type };
  const plan = isItemMedia(media) ? itemValue(api, media).plan : partListPlan(api, media);
  if (plan !== undefined)
    return {
      text: writeItemList(value, plan, BOUNDARY),
      contentType: plan.format === 'multipart' ? `${type}; boundary=${BOUNDARY}` : type,
    };
  const xml = xmlPlanOf(api, media);
  if (xml !== undefined && typeof value !== 'string') return { text: writeXmlText(value, xml), contentType: type };
  if (kind === 'json') return { text: stringifyExactJson(value), contentType: type };
  if (kind === 'form') return { text: writeFormText(media.encoding, value), contentType: type };
  if (kind === 'multipart')
    return { text: writeParts(api, media, value), contentType: `${type}; boundary=${BOUNDARY}` };
  return { text: scalarText(value), contentType: type.includes('*') ? BYTES : type };
}

interface Parts extends Pick<MediaType, 'encoding'> {
  readonly schema?: Schema | undefined;
}

function writeParts(api: Api, { encoding, schema }: Parts, value: unknown, boundary = BOUNDARY): string {
  const properties = typeof schema === 'object' ? schema.properties : undefined;
  const members: [string, unknown][] = typeof value === 'object' ? Object.entries(value ?? {}) : [];
  const parts = members.flatMap(([name, member]) => {
    const own = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isFile = typeof own === 'object' && (own.format === 'binary' || own.contentMediaType !== undefined);
    const said = encoding.get(name)?.contentType?.split(',')[0]?.trim() ?? (isFile ? BYTES : undefined);
    const quoted = name.replaceAll('"', '%22').replaceAll(/[\r\n]/g, '');
    const disposition = `Content-Disposition: form-data; name="${quoted}"${isFile ? '; filename="file"' : ''}`;
    const nested = encoding.get(name)?.nested?.encoding;
    const plan = partType(api, encoding.get(name), schemaOfPart(api, schema, name));
    const items: readonly unknown[] = Array.isArray(member) ? member : [member];
    return items.map((item) => {
      const type = said ?? (typeof item === 'object' ? 'application/json' : undefined);
      const [text, typeLine] =
        typeof plan === 'object' && typeof item === 'object'
          ? writePlanned(item, plan)
          : writePart(api, item, { type, encoding: nested ?? NO_ENCODINGS, schema: own });
      return `--${boundary}\r\n${disposition}\r\n${typeLine}\r\n${text}\r\n`;
    });
  });
  return `${parts.join('')}--${boundary}--\r\n`;
}

/** Writes a part that is XML or a list of parts. */
function writePlanned(item: unknown, { type, partTypes, write }: PartPlan): readonly [text: string, typeLine: string] {
  if (write !== undefined) return [write(item), `Content-Type: ${type}\r\n`];
  const plan = { format: 'multipart', ...(partTypes === undefined ? {} : { partTypes }) } as const;
  return [writeItemList(item, plan, INNER_BOUNDARY), `Content-Type: ${type}; boundary=${INNER_BOUNDARY}\r\n`];
}

/** Writes a part, which may itself be a form with its own encodings (OpenAPI 3.2). */
function writePart(
  api: Api,
  item: unknown,
  { type, encoding, schema }: Parts & { readonly type: string | undefined },
): readonly [text: string, typeLine: string] {
  if (type === undefined) return [scalarText(item), ''];
  const line = `Content-Type: ${type}\r\n`;
  const kind = bodyKindOf(type);
  if (kind === 'json') return [stringifyExactJson(item), line];
  if (kind === 'form' && typeof item === 'object') return [writeFormText(encoding, item), line];
  if (kind !== 'multipart' || typeof item !== 'object') return [scalarText(item), line];
  const text = writeParts(api, { encoding, schema }, item, INNER_BOUNDARY).trimEnd();
  return [text, `Content-Type: ${type}; boundary=${INNER_BOUNDARY}\r\n`];
}

export function isItemMedia<Media extends Pick<MediaType, 'sequence'>>(media: Media): media is Media & ItemMedia {
  return media.sequence !== undefined;
}

/** Writes the items of a body. */
export function writeItemList(value: unknown, plan: ItemPlan, boundary: string): string {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (plan.format === 'multipart') return writePartTexts(items, plan, boundary);
  return items.map((item) => writeItem(item, plan)).join('');
}

function writeItem(item: unknown, plan: ItemPlan): string {
  switch (plan.format) {
    case 'json-lines':
      return `${stringifyExactJson(item)}\n`;
    case 'json-seq':
      return `\u001e${stringifyExactJson(item)}\n`;
    case 'event-data':
      return writeEvent({ data: stringifyExactJson(item) });
    case 'event-text':
      return writeEvent({ data: String(item) });
    default:
      return writeWholeEvent(item, plan);
  }
}

/** Writes only the fields of an event, and nothing if the item is not an object. */
function writeWholeEvent(item: unknown, plan: ItemPlan): string {
  if (typeof item !== 'object' || item === null) return '';
  const { data, ...fields } = item as Readonly<Record<string, unknown>>;
  const texts = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const event: EventItem = Object.fromEntries(texts.map(([name, value]) => [name, toText(value)]));
  return writeEvent({
    ...event,
    data: typeof data === 'string' && isJsonEvent(event, plan) ? stringifyExactJson(data) : data,
  });
}
