import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

import type { HeaderMap } from '../../http/messages.js';
import { BodyTap, START_BYTES } from '../wire/body-tap.js';
import { VIOLATIONS_HEADER, toPairs } from '../wire/forwarded-headers.js';
import { readJournalBody } from '../journal-draft.js';
import type { OpenExchange } from './open-exchange.js';
import { toViolationsHeader } from './violations-header.js';

const NOT_IMPLEMENTED = 501;

/**
 * Lets the API's mock respond if the server responded 501.
 *
 * @returns whether the mock responded; if not, the server's response must still be passed on.
 */
export async function respondByMock(call: OpenExchange, message: IncomingMessage): Promise<boolean> {
  const { host, incoming, requestTap, record, upgrade } = call;
  if (host.mock === undefined || message.statusCode !== NOT_IMPLEMENTED || upgrade !== undefined) return false;
  if (!requestTap.isWhole && !incoming.destroyed)
    await Promise.race([once(incoming.unpipe().resume(), 'end'), once(incoming, 'close')]);
  const { bytes } = requestTap;
  if (bytes === undefined) {
    record.addNote('The mock could not replace the 501 of the server: the body of the request is too large.');
    return false;
  }
  const tap = new BodyTap(message.headers, START_BYTES);
  message.on('data', (chunk: Uint8Array) => tap.add(chunk)).once('end', () => tap.end());
  record.setResponse(message, tap);
  await call.checkBody();
  record.addNote('The server responded 501; the mock responded instead.');
  const { method = 'GET', url = '/' } = incoming;
  const received = await host.mock(`http://mock${url.startsWith('/') ? url : '/'}`, {
    method,
    headers: toPairs(incoming.rawHeaders),
    body: bytes.length === 0 ? null : new Uint8Array(bytes),
    redirect: 'manual',
    signal: call.gone.toSignal(),
  });
  await writeResponse(call, received);
  return true;
}

async function writeResponse({ response, record }: OpenExchange, received: Response): Promise<void> {
  const headers: HeaderMap = Object.fromEntries(received.headers);
  const cookies = received.headers.getSetCookie();
  const violations = toViolationsHeader(record.violations);
  record.status = received.status;
  response.writeHead(received.status, {
    ...headers,
    ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }),
    ...(violations === undefined ? {} : { [VIOLATIONS_HEADER]: violations }),
  });
  const closed = response.destroyed ? undefined : once(response, 'close').catch(() => undefined);
  const tap = new BodyTap(headers, START_BYTES);
  const body =
    received.body === null ? Readable.from([]) : Readable.fromWeb(received.body as ReadableStream<Uint8Array>);
  body.on('data', (chunk: Uint8Array) => tap.add(chunk));
  body.once('end', () => tap.end());
  body.on('error', () => void response.destroy());
  response.once('close', () => void body.destroy());
  body.pipe(response);
  await closed;
  record.refusal = { headers, body: await readJournalBody({ headers, body: tap }) };
}
