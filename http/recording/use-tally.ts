import type { RecordedClient } from '../credentials/account-of.js';

/** The most clients of one thing that are told apart. */
const MOST_CLIENTS = 100;

/** The calls that use something. */
export interface RecordedUse {
  readonly calls: number;
  /** ISO 8601. */
  readonly last?: string;
  /** Those with most calls first. */
  readonly clients: readonly (RecordedClient & { readonly calls: number })[];
}

/** Counts the calls that use something, and by whom. */
export class UseTally {
  #calls = 0;
  #lastTime = -Infinity;
  readonly #clients = new Map<string, { readonly client: RecordedClient; calls: number }>();

  get calls(): number {
    return this.#calls;
  }

  add(client: RecordedClient, at: string | undefined): void {
    this.#calls += 1;
    const time = Date.parse(at ?? '');
    if (time > this.#lastTime) this.#lastTime = time;
    const key = `${client.account ?? ''}\n${client.userAgent}`;
    const known = this.#clients.get(key);
    if (known !== undefined) known.calls += 1;
    else if (this.#clients.size < MOST_CLIENTS) this.#clients.set(key, { client, calls: 1 });
  }

  get report(): RecordedUse {
    const clients = [...this.#clients.values()].sort((one, other) => other.calls - one.calls);
    return {
      calls: this.#calls,
      ...(this.#lastTime === -Infinity ? {} : { last: new Date(this.#lastTime).toISOString() }),
      clients: clients.map(({ client, calls }) => ({ ...client, calls })),
    };
  }
}
