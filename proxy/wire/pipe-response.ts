import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';

import { atEndOfTurn } from '../../http/wire/end-of-turn.js';
import type { BodyTap } from './body-tap.js';
import type { CheckedChunk, ItemStreamCheck } from '../../http/response/checked-items.js';
import { toTrailers } from './forwarded-headers.js';
import type { BufferedBody } from './buffer-body.js';

/** A response whose head has been sent, and the destination of its body. */
export interface ResponseToPipe {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** Receives each byte. */
  readonly tap: BodyTap;
  /** The part that was read before; the tap already has it. */
  readonly held: BufferedBody | undefined;
  /** Checks the items of a stream. */
  readonly watch: ItemStreamCheck | undefined;
  /** Whether the first item that violates the spec ends the stream. */
  readonly isStrict: boolean;
}

/** How passing a response on has ended. */
export type PipeEnd = 'whole' | 'server-broke-off' | 'client-gone' | 'item-refused';

/** Streams the body and the trailers of a response to the client. Never throws. */
export function pipeResponse(relay: ResponseToPipe): Promise<PipeEnd> {
  const { message, response, held } = relay;
  return new Promise((resolve) => {
    let end: PipeEnd = 'client-gone';
    let gate: ItemGate | undefined;
    const finish = (rest?: Uint8Array): void => {
      if (gate?.isBroken === true) {
        end = 'item-refused';
        message.destroy();
        breakOff(response);
        return;
      }
      end = 'whole';
      if (message.rawTrailers.length > 0) response.addTrailers(toTrailers(message.rawTrailers));
      response.end(rest);
    };
    response.once('close', () => {
      message.destroy();
      resolve(response.writableFinished ? end : end === 'whole' ? 'client-gone' : end);
    });
    if (response.destroyed) {
      message.destroy();
      resolve('client-gone');
      return;
    }
    if (held?.stop === 'end') {
      atEndOfTurn(response, () => {
        finish(Buffer.concat(held.chunks));
      });
      return;
    }
    for (const chunk of held?.chunks ?? []) response.write(chunk);
    const fail = (): void => {
      if (message.complete || end !== 'client-gone') return;
      end = 'server-broke-off';
      // The head is sent, so only breaking the connection can show that the response is incomplete.
      breakOff(response);
    };
    if (message.destroyed) fail();
    else message.once('close', fail);
    gate = pipeBody(relay, finish);
  });
}

function pipeBody(
  { message, response, tap, watch, isStrict }: ResponseToPipe,
  finish: () => void,
): ItemGate | undefined {
  message.on('data', (chunk: Uint8Array) => {
    tap.add(chunk);
  });
  message.once('end', () => {
    tap.end();
  });
  if (watch === undefined) {
    message.once('end', finish);
    message.pipe(response, { end: false });
    return undefined;
  }
  const gate = new ItemGate(watch, isStrict);
  gate.once('end', finish);
  message.pipe(gate).pipe(response, { end: false });
  return gate;
}

/** Closes the connection after the written bytes have been sent. */
function breakOff(response: ServerResponse): void {
  if (response.socket === null) response.destroy();
  else response.socket.destroySoon();
}

/**
 * Checks the items of a stream as they pass. A strict one passes none from the first violation on. Each chunk has a turn
 * of the event loop, since its items may take long to check.
 */
class ItemGate extends Transform {
  readonly #watch: ItemStreamCheck;
  readonly #isStrict: boolean;
  isBroken = false;

  constructor(watch: ItemStreamCheck, isStrict: boolean) {
    super();
    this.#watch = watch;
    this.#isStrict = isStrict;
  }

  override _transform(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    if (!this.#isStrict) {
      this.push(chunk);
      this.#watch.add(chunk);
    } else if (!this.isBroken) {
      this.#pass(this.#watch.admit(chunk));
      if (this.isBroken) this.push(null);
    }
    setImmediate(done);
  }

  override _flush(done: () => void): void {
    if (!this.#isStrict) this.#watch.finish();
    else if (!this.isBroken) this.#pass(this.#watch.finish());
    done();
  }

  #pass({ passed, isBroken }: CheckedChunk): void {
    for (const bytes of passed) this.push(bytes);
    this.isBroken = isBroken;
  }
}
