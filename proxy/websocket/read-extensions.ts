import type { HeaderMap } from '../../http/messages.js';
import type { Compression } from './message-reader.js';

/** The sides of a WebSocket. */
export type SocketSide = 'client' | 'server';

/** The negotiated extensions: the compression of each side, or the name of an unknown extension. */
export type AgreedExtensions =
  | { readonly ok: true; readonly compression: Readonly<Record<SocketSide, Compression | undefined>> }
  | { readonly ok: false; readonly name: string };

/** Reads `Sec-WebSocket-Extensions` of the server's response. Only compression (RFC 7692) is supported. */
export function readExtensions(headers: HeaderMap): AgreedExtensions {
  const agreed = [headers['sec-websocket-extensions'] ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((extension) => extension.split(';').map((part) => part.trim().toLowerCase()))
    .filter(([name]) => name !== '');
  const unknown = agreed.find(([name]) => name !== 'permessage-deflate');
  if (unknown !== undefined) return { ok: false, name: unknown[0] ?? '' };
  const [parameters] = agreed;
  const compressionOf = (side: SocketSide): Compression | undefined =>
    parameters && { keepsContext: !parameters.includes(`${side}_no_context_takeover`) };
  return { ok: true, compression: { client: compressionOf('client'), server: compressionOf('server') } };
}
