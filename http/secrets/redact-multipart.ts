import { headerParameters } from '../../runtime/header-parameters.js';
import { parseMediaType } from '../../runtime/parsed-media-type.js';

/** How the parts of a multipart body are redacted. */
interface PartRules {
  readonly isSecret: (name: string) => boolean;
  /** Redacts the content of a part by its `Content-Type`. */
  readonly redactContent: (text: string, contentType: string) => string;
}

/** Redacts the parts of a multipart body. The text is decoded, or has one character for each byte. */
export function redactMultipart(text: string, contentType: string, rules: PartRules): string {
  const boundary = parseMediaType(contentType)?.parameters.get('boundary');
  if (boundary === undefined || boundary === '') return text;
  return text
    .split(`--${boundary}`)
    .map((part) => redactPart(part, rules))
    .join(`--${boundary}`);
}

/** The empty line after the headers of a part; some clients send no carriage returns. */
const HEADER_END = /\r?\n\r?\n/;

function redactPart(part: string, { isSecret, redactContent }: PartRules): string {
  const end = HEADER_END.exec(part);
  if (end === null) return part;
  const start = end.index + end[0].length;
  const head = part.slice(0, end.index);
  const [before, tail] = [part.slice(0, start), /\r?\n$/.exec(part)?.[0] ?? ''];
  const content = part.slice(start, Math.max(start, part.length - tail.length));
  const isHidden = namesOf(headerOf(head, 'content-disposition')).some((name) => isSecret(name));
  return before + (isHidden ? 'REDACTED' : redactContent(content, headerOf(head, 'content-type'))) + tail;
}

function headerOf(head: string, name: string): string {
  for (const line of head.split('\n')) {
    const mark = line.indexOf(':');
    if (mark !== -1 && line.slice(0, mark).trim().toLowerCase() === name) return line.slice(mark + 1).trim();
  }
  return '';
}

/** The names that readers may find, `name` and `name*` (RFC 8187). */
function namesOf(disposition: string): string[] {
  return headerParameters(disposition).flatMap(({ name, value }) => {
    if (name === 'name') return [value.replaceAll(/\\(.)/g, '$1')];
    return name === 'name*' ? [decode(value.slice(value.lastIndexOf("'") + 1))] : [];
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
