/** How a body of a media type travels, and so what a program holds in its hands. */
export type MediaKind =
  /** Any JSON value: `application/json`, `+json`. */
  | 'json'
  /** An object, sent as `application/x-www-form-urlencoded`; received as text. */
  | 'form'
  /** An object, sent as parts; received as a Blob. */
  | 'multipart'
  /** A string: `text/*`, XML, YAML and the like. */
  | 'text'
  /** `text/event-stream`: the stream of bytes. */
  | 'stream'
  /** A Blob (sent also as ArrayBuffer, Uint8Array or stream). */
  | 'binary'
  /** A range such as `*\/*`: JSON where a schema says what it looks like, else bytes. */
  | 'any';

/** The kind of a media type as a document writes it. `generator/runtime/read-body.ts` goes by the same rules at run time. */
export function mediaKind(mediaType: string): MediaKind {
  const essence = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (/[/+]json$/.test(essence)) return 'json';
  if (essence === 'application/x-www-form-urlencoded') return 'form';
  if (essence.startsWith('multipart/')) return 'multipart';
  if (essence === 'text/event-stream') return 'stream';
  if (/^text\/|[/+](xml|yaml)$|\/(javascript|graphql)$/.test(essence)) return 'text';
  return essence === '*/*' || essence === 'application/*' || essence === '' ? 'any' : 'binary';
}

/** The media types of a body, JSON first: the first is the one that a request has without saying so. */
export function orderContent<Media extends { readonly mediaType: string }>(content: readonly Media[]): Media[] {
  const rank = ({ mediaType }: Media): number => (mediaKind(mediaType) === 'json' ? 0 : 1);
  return content.toSorted((a, b) => rank(a) - rank(b));
}
