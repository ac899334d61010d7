import type { Api } from '../../../model/api.js';
import type { Schema } from '../../../model/schema-types.js';
import { writeXmlText } from '../../../runtime/xml.js';
import { xmlPlanOf } from '../../../schema/xml-plan.js';
import { itemValue, partListPlan, partType, schemaOfPart } from '../../../schema/item-value.js';
import type { PartPlan } from '../../../runtime/items.js';
import { BOUNDARY, isItemMedia, writeItemList } from '../../item-lists.js';
import type { CallBody } from '../../types.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';
import { kindOf } from './media.js';
import { formStyle, scalarText, writeFields } from './serialize-parameter.js';

/** A body as text, and its media type. */
export interface WrittenBody {
  readonly text: string;
  readonly contentType: string;
}

/** The boundary of a multipart body inside another. */
const INNER_BOUNDARY = `inner-${BOUNDARY}`;
const NO_ENCODINGS: CallBody['media']['encoding'] = new Map();
const BYTES = 'application/octet-stream';

/** Writes a body in its media type. */
export function writeBody({ media, value, raw, contentType }: CallBody, api: Api): WrittenBody {
  const kind = kindOf(media.mediaType);
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
  if (kind === 'form') return { text: writeForm(media, value), contentType: type };
  if (kind === 'multipart')
    return { text: writeParts(api, media, value), contentType: `${type}; boundary=${BOUNDARY}` };
  return { text: scalarText(value), contentType: type.includes('*') ? BYTES : type };
}

function writeForm({ encoding }: Pick<CallBody['media'], 'encoding'>, value: unknown): string {
  return membersOf(value)
    .flatMap(([name, member]) => writeFields(formStyle(name, encoding.get(name)), member))
    .join('&');
}

interface Parts extends Pick<CallBody['media'], 'encoding'> {
  readonly schema?: Schema | undefined;
}

function writeParts(api: Api, { encoding, schema }: Parts, value: unknown, boundary = BOUNDARY): string {
  const properties = typeof schema === 'object' ? schema.properties : undefined;
  const parts = membersOf(value).flatMap(([name, member]) => {
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
  const kind = kindOf(type);
  if (kind === 'json') return [stringifyExactJson(item), line];
  if (kind === 'form' && typeof item === 'object') return [writeForm({ encoding }, item), line];
  if (kind !== 'multipart' || typeof item !== 'object') return [scalarText(item), line];
  const text = writeParts(api, { encoding, schema }, item, INNER_BOUNDARY).trimEnd();
  return [text, `Content-Type: ${type}; boundary=${INNER_BOUNDARY}\r\n`];
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
