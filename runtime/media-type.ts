/** The form of a body of a media type, on the wire and in a program. */
export type MediaKind =
  /** Any JSON value: `application/json`, `+json`. */
  | 'json'
  /** An object, sent as `application/x-www-form-urlencoded`. */
  | 'form'
  /** An object, sent as parts. */
  | 'multipart'
  /** A string: `text/*`, XML, YAML and GraphQL. */
  | 'text'
  /** `text/event-stream`. */
  | 'stream'
  /** Bytes. */
  | 'binary'
  /** A range such as `*\/*`: the media type of the actual body decides. */
  | 'any';

/** A media type without its parameters, in lower case. */
export function mediaTypeEssence(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** The kind of a media type; parameters do not matter. `readBody` in `client.ts` reads responses by the same rules. */
export function mediaKind(mediaType: string): MediaKind {
  const essence = mediaTypeEssence(mediaType);
  if (/[/+]json$/.test(essence)) return 'json';
  if (essence === 'application/x-www-form-urlencoded') return 'form';
  if (essence.startsWith('multipart/')) return 'multipart';
  if (essence === 'text/event-stream') return 'stream';
  if (/^text\/|[/+](x-)?(xml|yaml|graphql)$/.test(essence)) return 'text';
  return essence === '*/*' || essence === 'application/*' ? 'any' : 'binary';
}

/** The keys that may document a status, the most specific first. */
export function statusKeys(status: number): readonly string[] {
  return [String(status), `${Math.floor(status / 100)}XX`, 'default'];
}
