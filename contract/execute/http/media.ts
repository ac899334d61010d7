/** How a body is written. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary';

/** A media type without its parameters, in lower case. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

export function kindOf(mediaType: string): BodyKind {
  const essence = essenceOf(mediaType);
  if (/[/+]json$/.test(essence) || essence.startsWith('*/') || essence === 'application/*') return 'json';
  if (essence === 'application/x-www-form-urlencoded') return 'form';
  if (essence.startsWith('multipart/')) return 'multipart';
  return /^text\/|[/+](xml|yaml)$/.test(essence) ? 'text' : 'binary';
}

/** Whether a content type is one that a media type of a spec, which can be a range, stands for. */
export function matchesMedia(contentType: string, documented: string): boolean {
  const [type, subtype] = essenceOf(documented).split('/', 2);
  const [actualType, actualSubtype] = essenceOf(contentType).split('/', 2);
  return (type === '*' || type === actualType) && (subtype === '*' || subtype === actualSubtype);
}
