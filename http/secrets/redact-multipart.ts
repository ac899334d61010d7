import { parseMediaType } from '../media-type.js';

/** Fields of a form in parts, each ended by the boundary. The text has a character for each byte, or is decoded. */
export function redactMultipart(text: string, contentType: string, isSecret: (name: string) => boolean): string {
  const boundary = parseMediaType(contentType)?.parameters.get('boundary');
  if (boundary === undefined || boundary === '') return text;
  return text
    .split(`--${boundary}`)
    .map((part) => redactPart(part, isSecret))
    .join(`--${boundary}`);
}

function redactPart(part: string, isSecret: (name: string) => boolean): string {
  const end = part.indexOf('\r\n\r\n');
  if (end === -1) return part;
  const name = /\bname="?([^";\r\n]*)/i.exec(part.slice(0, end))?.[1];
  if (name === undefined || !isSecret(name)) return part;
  return `${part.slice(0, end)}\r\n\r\nREDACTED${part.endsWith('\r\n') ? '\r\n' : ''}`;
}
