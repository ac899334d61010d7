import type { BodyWriter } from './context.js';
import { members, toText } from './serialize.js';

/**
 * A multipart body (RFC 7578). Files, blobs and bytes are files; objects are JSON; all else is text; each item of a
 * list is a part of its own. `FormData` is taken as it is, but not made: it cannot give a type to a part that is no file.
 *
 * @param types - Content type of a part by name, where the API description says it.
 */
export function writeMultipart(
  body: unknown,
  mediaType: string,
  types: Readonly<Record<string, string>> = {},
): ReturnType<BodyWriter> {
  if (body instanceof FormData) return [body];
  const boundary = `----part${crypto.getRandomValues(new Uint32Array(4)).join('')}`;
  const content: BlobPart[] = members(body).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((item) => [
      `--${boundary}\r\n`,
      ...writePart(name, item, Object.hasOwn(types, name) ? types[name] : undefined),
      '\r\n',
    ]),
  );
  return [new Blob([...content, `--${boundary}--\r\n`]), `${mediaType}; boundary=${boundary}`];
}

function writePart(name: string, value: unknown, documented: string | undefined): BlobPart[] {
  const disposition = `Content-Disposition: form-data; name="${escapeQuotes(name)}"`;
  if (value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    const fileName = value instanceof File ? value.name : 'blob';
    const type = (value instanceof Blob && value.type) || documented || 'application/octet-stream';
    return [`${disposition}; filename="${escapeQuotes(fileName)}"\r\nContent-Type: ${type}\r\n\r\n`, value as BlobPart];
  }
  const type = documented ?? (typeof value === 'object' ? 'application/json' : undefined);
  const json = typeof value === 'object' || (type !== undefined && /[/+]json\b/.test(type));
  return [
    `${disposition}${type === undefined ? '' : `\r\nContent-Type: ${type}`}\r\n\r\n${json ? JSON.stringify(value) : toText(value)}`,
  ];
}

/** As the HTML standard does it for names and file names. */
function escapeQuotes(text: string): string {
  return text.replace(/["\r\n]/g, encodeURIComponent);
}
