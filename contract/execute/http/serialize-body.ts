import type { Api } from '../../../model/api.js';
import { writeXmlText } from '../../../runtime/xml.js';
import { xmlPlanOf } from '../../../schema/xml-plan.js';
import { itemValue, partListPlan } from '../../../schema/item-value.js';
import { BOUNDARY, isItemMedia, writeItemList } from '../../item-lists.js';
import type { CallBody } from '../../types.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';
import { kindOf } from './media.js';
import { formStyle, scalarText, writeFields } from './serialize-parameter.js';

/** A body as text, and the media type that goes with it. */
export interface WrittenBody {
  readonly text: string;
  readonly contentType: string;
}

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
  if (kind === 'multipart') return { text: writeParts(media, value), contentType: `${type}; boundary=${BOUNDARY}` };
  return { text: scalarText(value), contentType: type.includes('*') ? BYTES : type };
}

function writeForm({ encoding }: CallBody['media'], value: unknown): string {
  return membersOf(value)
    .flatMap(([name, member]) => writeFields(formStyle(name, encoding.get(name)), member))
    .join('&');
}

function writeParts({ encoding, schema }: CallBody['media'], value: unknown): string {
  const properties = typeof schema === 'object' ? schema.properties : undefined;
  const parts = membersOf(value).flatMap(([name, member]) => {
    const own = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isFile = typeof own === 'object' && (own.format === 'binary' || own.contentMediaType !== undefined);
    const said = encoding.get(name)?.contentType?.split(',')[0]?.trim() ?? (isFile ? BYTES : undefined);
    const quoted = name.replaceAll('"', '%22').replaceAll(/[\r\n]/g, '');
    const disposition = `Content-Disposition: form-data; name="${quoted}"${isFile ? '; filename="file"' : ''}`;
    const items: readonly unknown[] = Array.isArray(member) ? member : [member];
    return items.map((item) => {
      const type = said ?? (typeof item === 'object' ? 'application/json' : undefined);
      const text = type !== undefined && kindOf(type) === 'json' ? stringifyExactJson(item) : scalarText(item);
      const typeLine = type === undefined ? '' : `Content-Type: ${type}\r\n`;
      return `--${BOUNDARY}\r\n${disposition}\r\n${typeLine}\r\n${text}\r\n`;
    });
  });
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
