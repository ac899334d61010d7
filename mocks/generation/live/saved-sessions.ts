import type { Collection, HandlerContext } from 'specmill/mock';

import type { Content } from '../../../generated/generation/types.js';
import { HOUR } from '../refusal.js';
import { SessionClose } from './live-messages.js';

/** What a handle names: a session, and which of its turns are the history. */
interface SavedSession {
  readonly model: string;
  readonly session: string;
  /** Index of the first turn that the context still has, and of the one after the last. */
  readonly first: number;
  readonly end: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

interface SavedTurn {
  readonly content: Content;
}

const LIFETIME: number = 2 * HOUR;

function savedOf(context: HandlerContext): Collection<SavedSession> {
  return context.collection<SavedSession>('liveSessions');
}

function turnsOf(context: HandlerContext): Collection<SavedTurn> {
  return context.collection<SavedTurn>('liveTurns');
}

/** Stores a session after each of its turns. Turns are stored one by one, so that each save costs only what is new. */
export class SessionSaver {
  readonly #context: HandlerContext;
  readonly #model: string;
  #session: string | undefined;
  #handle: string | undefined;
  /** The stored turns. */
  #first = 0;
  #end = 0;

  constructor(context: HandlerContext, model: string) {
    this.#context = context;
    this.#model = model;
  }

  /**
   * Stores the history, replacing an older one.
   *
   * @param dropped - the number of turns before the history.
   * @returns the handle of the session.
   */
  async save(history: readonly Content[], dropped: number): Promise<string> {
    this.#session ??= String(await this.#context.next('savedSessions'));
    const turns = turnsOf(this.#context);
    const end = dropped + history.length;
    for (let index = Math.max(this.#end, dropped); index < end; index += 1) {
      const content = history[index - dropped];
      if (content !== undefined) await turns.put(turnId(this.#session, index), { content });
    }
    const handle = Buffer.from(this.#context.random.bytes(15)).toString('base64url');
    const expiresAt = this.#context.clock.now() + LIFETIME;
    const saved = { model: this.#model, session: this.#session, first: dropped, end, expiresAt };
    await savedOf(this.#context).put(handle, saved);
    if (this.#handle !== undefined) await savedOf(this.#context).delete(this.#handle);
    for (let index = this.#first; index < Math.min(dropped, this.#end); index += 1)
      await turns.delete(turnId(this.#session, index));
    [this.#first, this.#end, this.#handle] = [dropped, end, handle];
    return handle;
  }
}

function turnId(session: string, index: number): string {
  return `${session}-${index}`;
}

/** The history of the session of a handle. @throws SessionClose 1008 if no session can be resumed by the handle. */
export async function findHistory(context: HandlerContext, handle: string, model: string): Promise<Content[]> {
  const saved = await savedOf(context).get(handle);
  if (saved === undefined || saved.expiresAt <= context.clock.now())
    throw new SessionClose(1008, 'There is no session of that handle.');
  if (saved.model !== model) throw new SessionClose(1008, `The session of that handle is one of ${saved.model}.`);
  const history: Content[] = [];
  for (let index = saved.first; index < saved.end; index += 1) {
    const turn = await turnsOf(context).get(turnId(saved.session, index));
    if (turn === undefined) throw new SessionClose(1008, 'There is no session of that handle.');
    history.push(turn.content);
  }
  return history;
}
