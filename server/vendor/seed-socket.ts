import type { Socket } from '../seams/behaviour.js';
import { translateJson } from './translate-value.js';
import type { Translation, Words } from './translation.js';

type Message = string | Uint8Array;

/** Bytes that a reason may have (RFC 6455, section 5.5). */
const MAX_REASON_BYTES = 123;
const OPENING_BRACE = 0x7b;

/** A connection as the handler sees it, in the words of the seed; the client gets the real ones. */
export function toSeedSocket(socket: Socket, { inbound, outbound }: Translation, host: string | undefined): Socket {
  return {
    messages: translateAll(socket.messages, inbound, host),
    send: (message) => socket.send(translateMessage(message, outbound, host)),
    close: (code, reason) => socket.close(code, fitReason(outbound.sentence(reason), reason)),
  };
}

async function* translateAll(
  messages: AsyncIterable<Message>,
  words: Words,
  host: string | undefined,
): AsyncGenerator<Message> {
  for await (const message of messages) yield translateMessage(message, words, host);
}

/** JSON travels as text or as bytes; other bytes stay. */
function translateMessage(message: Message, words: Words, host: string | undefined): Message {
  if (typeof message === 'string') return translateJson(message, { words, host, isFailure: false });
  if (message[0] !== OPENING_BRACE) return message;
  const text = Buffer.from(message).toString('utf8');
  const translated = translateJson(text, { words, host, isFailure: false });
  return translated === text ? message : new Uint8Array(Buffer.from(translated));
}

function fitReason(reason: string, fallback: string): string {
  return Buffer.byteLength(reason) <= MAX_REASON_BYTES ? reason : fallback;
}
