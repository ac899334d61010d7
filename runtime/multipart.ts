import { headerParameters } from './header-parameters.js';
import { ParseBudget, PART } from './parse-budget.js';
import { DecodeError, withinBudget } from './decode-error.js';
import { parseMediaType } from './parsed-media-type.js';

/** One part of a multipart body. */
export interface FormPart {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
}

/** A part of any multipart body. Its headers are keyed by lower-case name. */
export interface RawPart {
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Uint8Array;
}

const MAX_HEADER_BYTES = 16 * 1024;
const HEADER_END: Uint8Array = /* @__PURE__ */ new TextEncoder().encode('\r\n\r\n');
const [CR, LF, DASH] = [13, 10, 45] as const;

/** Splits a `multipart/form-data` body (RFC 7578). @throws DecodeError */
export function parseMultipart(bytes: Uint8Array, boundary: string | undefined): FormPart[] {
  return splitMultipart(bytes, boundary).map(toPart);
}

/** Splits a body of any multipart type (RFC 2046, section 5.1). @throws DecodeError */
export function splitMultipart(body: Uint8Array, boundary: string | undefined): RawPart[] {
  if (boundary === undefined || boundary === '' || boundary.length > 200) throw new DecodeError('must name a boundary');
  const delimiter = new TextEncoder().encode(`--${boundary}`);
  const parts: RawPart[] = [];
  const budget = new ParseBudget(body.length, [PART]);
  let start = findDelimiter(body, delimiter, 0);
  if (start === -1) throw new DecodeError('must begin with its boundary');
  while (!isClosing(body, start + delimiter.length)) {
    const next = findDelimiter(body, delimiter, start + delimiter.length);
    if (next === -1) throw new DecodeError('must end with its boundary');
    withinBudget(() => budget.spend(PART.cost));
    parts.push(readPart(body, afterLine(body, start + delimiter.length), next - 2));
    start = next;
  }
  return parts;
}

/** Finds a delimiter at the start of a line. */
function findDelimiter(body: Uint8Array, delimiter: Uint8Array, from: number): number {
  let index = findBytes(body, delimiter, from);
  while (index > 0 && !(body[index - 2] === CR && body[index - 1] === LF))
    index = findBytes(body, delimiter, index + 1);
  return index;
}

/** The index of some bytes, or -1. */
function findBytes(body: Uint8Array, wanted: Uint8Array, from: number): number {
  const [first = 0] = wanted;
  let index = body.indexOf(first, from);
  while (index !== -1 && !wanted.every((byte, offset) => body[index + offset] === byte))
    index = body.indexOf(first, index + 1);
  return index;
}

function isClosing(body: Uint8Array, index: number): boolean {
  return body[index] === DASH && body[index + 1] === DASH;
}

function afterLine(body: Uint8Array, index: number): number {
  const end = findBytes(body, HEADER_END.subarray(0, 2), index);
  if (end === -1 || body.subarray(index, end).some((byte) => byte !== 32 && byte !== 9))
    throw new DecodeError('must have each boundary on its own line');
  return end + 2;
}

function readPart(body: Uint8Array, start: number, end: number): RawPart {
  const bare = body[start] === CR && body[start + 1] === LF;
  const headerEnd = bare ? start - 2 : findBytes(body, HEADER_END, start);
  if (headerEnd === -1 || headerEnd > end || headerEnd - start > MAX_HEADER_BYTES)
    throw new DecodeError('must have an empty line after the headers of each part');
  const headers = parseHeaders(new TextDecoder().decode(body.subarray(start, Math.max(start, headerEnd))));
  return { headers, bytes: body.subarray(headerEnd + HEADER_END.length, Math.max(end, headerEnd + HEADER_END.length)) };
}

function toPart({ headers, bytes }: RawPart): FormPart {
  const disposition = headers.get('content-disposition') ?? '';
  const name = parameterOf(disposition, 'name');
  if (name === undefined) throw new DecodeError('must name each part in its Content-Disposition');
  return { name, fileName: parameterOf(disposition, 'filename'), contentType: headers.get('content-type'), bytes };
}

function parseHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const mark = line.indexOf(':');
    if (mark > 0) headers.set(line.slice(0, mark).trim().toLowerCase(), line.slice(mark + 1).trim());
  }
  return headers;
}

/** Reads a parameter. Decodes only `%22`, `%0D` and `%0A`, because browsers encode nothing else in names. */
function parameterOf(disposition: string, name: string): string | undefined {
  const text = headerParameters(disposition).find((one) => one.name === name)?.value;
  return text
    ?.replace(/\\(["\\])/g, '$1')
    .replace(/%(22|0D|0A)/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Returns the charset of a text part. */
export function charsetOf(part: FormPart): string | undefined {
  return part.contentType === undefined ? undefined : parseMediaType(part.contentType)?.parameters.get('charset');
}
