import type { LiveServerMessage } from '../../../generated/generation/types.js';
import { type GenerationMock, start } from './calls.js';
import { openSocketClient, type SocketClient } from '../../support/socket-client.js';

export type ServerMessage = Partial<Pick<LiveServerMessage, keyof LiveServerMessage>>;

const PATH = '/ws/vendor.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=k';
export const CONSTRAINED =
  '/ws/vendor.ai.generativelanguage.v1alpha.GenerativeService.BidiGenerateContentConstrained?access_token=';

/** How a connection has ended: the code of its close, or the status that refused it. */
export interface Ended {
  readonly code: number;
  readonly reason: string;
}

/** The client of a live session: what comes is taken in order. */
export class LiveClient {
  readonly #opened: Promise<SocketClient | number>;

  constructor(url: string, path: string = PATH) {
    this.#opened = openSocketClient(url + path);
  }

  async send(...messages: readonly (object | string)[]): Promise<this> {
    const client = await this.#opened;
    if (typeof client === 'number') throw new Error(`The session was refused with ${client}.`);
    for (const message of messages) client.send(typeof message === 'string' ? message : JSON.stringify(message));
    return this;
  }

  async next(): Promise<ServerMessage & Partial<Ended>> {
    const client = await this.#opened;
    if (typeof client === 'number') return { code: client, reason: '' };
    const event = await client.next();
    if (typeof event === 'object' && 'code' in event) return event;
    return JSON.parse(typeof event === 'string' ? event : Buffer.from(event).toString()) as ServerMessage;
  }

  /** All messages until one that fits, that one included. */
  async until(fits: (message: ServerMessage & Partial<Ended>) => boolean): Promise<(ServerMessage & Partial<Ended>)[]> {
    const seen: (ServerMessage & Partial<Ended>)[] = [];
    for (;;) {
      const message = await this.next();
      seen.push(message);
      if (fits(message) || message.code !== undefined) return seen;
    }
  }

  /** The messages of a turn, up to its end. */
  turn(): Promise<(ServerMessage & Partial<Ended>)[]> {
    return this.until(({ serverContent }) => serverContent?.turnComplete === true);
  }

  async close(): Promise<void> {
    const client = await this.#opened;
    if (typeof client !== 'number') client.close();
  }
}

/** What the model has said. */
export function spoken(messages: readonly ServerMessage[]): string {
  return messages
    .flatMap(({ serverContent }) => serverContent?.modelTurn?.parts ?? [])
    .map(({ text = '' }) => text)
    .join('');
}

export function say(text: string): object {
  return { clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete: true } };
}

export const SETUP = { setup: { model: 'models/sonata-2-live' } };

/** A mock and the sessions that a test opens with it. */
export class LiveMock implements AsyncDisposable {
  readonly #clients: LiveClient[] = [];

  readonly mock: GenerationMock;

  private constructor(mock: GenerationMock) {
    this.mock = mock;
  }

  static async start(): Promise<LiveMock> {
    return new LiveMock(await start());
  }

  open(path?: string): LiveClient {
    const client = new LiveClient(this.mock.url, path);
    this.#clients.push(client);
    return client;
  }

  /** Opens a session whose set-up is complete. */
  async begin(setup: object = {}, path?: string): Promise<LiveClient> {
    const client = await this.open(path).send({ setup: { ...SETUP.setup, ...setup } });
    const first = await client.next();
    if (first.setupComplete === undefined) throw new Error(`The set-up failed: ${JSON.stringify(first)}`);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.mock.close();
  }
}
