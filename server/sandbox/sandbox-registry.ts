import { MockSandbox } from './mock-sandbox.js';
import type { Store } from '../stores/store.js';
import type { SandboxHost } from './sandbox-state.js';

/** The sandbox of those who name none. It never expires. */
export const DEFAULT_SANDBOX = 'default';

/** How long an unused sandbox is kept, and how often one looks. Milliseconds. */
const KEPT_FOR = 60 * 60_000;
const LOOK_EVERY = 60_000;
/** Beyond this the one that was not used for longest goes. */
const MOST = 10_000;

/** Whether a text can be the name of a sandbox: up to 128 letters, digits, dots, dashes, underscores, colons, the first a letter or digit. */
export function isSandboxName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/.test(name);
}

/** A sandbox as the control API lists it. */
export interface SandboxSummary {
  readonly name: string;
  /** ISO 8601, real time. */
  readonly lastUsed: string;
  /** Stored items of the API; what the mock keeps for itself does not count. */
  readonly items: number;
}

/** Collections whose names begin with `#` are the mock's own. */
async function countItems(store: Store): Promise<number> {
  const names = (await store.collections()).filter((name) => !name.startsWith('#'));
  const totals = await Promise.all(names.map(async (name) => (await store.query(name, { take: 0 })).total));
  return totals.reduce((sum, total) => sum + total, 0);
}

/** The sandboxes of a mock. Each comes into being when it is first asked for. */
export class SandboxRegistry {
  #host: SandboxHost;
  /** The one that was used last is the last. */
  readonly #sandboxes = new Map<string, { readonly sandbox: MockSandbox; usedAt: number }>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(host: SandboxHost) {
    this.#host = host;
  }

  get size(): number {
    return this.#sandboxes.size;
  }

  /** @throws RangeError for a name that {@link isSandboxName} refuses. */
  get(name: string): MockSandbox {
    const known = this.#sandboxes.get(name) ?? this.#create(name);
    known.usedAt = Date.now();
    if (name !== DEFAULT_SANDBOX) {
      this.#sandboxes.delete(name);
      this.#sandboxes.set(name, known);
    }
    return known.sandbox;
  }

  /** All sandboxes go on with another spec or behaviour. */
  async adopt(host: SandboxHost): Promise<void> {
    this.#host = host;
    await Promise.all([...this.#sandboxes.values()].map(({ sandbox }) => sandbox.adopt(host)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const all = [...this.#sandboxes.values()];
    this.#sandboxes.clear();
    await Promise.all(all.map(({ sandbox }) => sandbox.close()));
  }

  /** The sandboxes that are in use, the default one first. */
  async list(): Promise<readonly SandboxSummary[]> {
    const used = [...this.#sandboxes.entries()].toSorted(
      ([one], [other]) => Number(other === DEFAULT_SANDBOX) - Number(one === DEFAULT_SANDBOX),
    );
    return Promise.all(
      used.map(async ([name, { sandbox, usedAt }]) => ({
        name,
        lastUsed: new Date(usedAt).toISOString(),
        items: await countItems(sandbox.store),
      })),
    );
  }

  /** Whether there was a sandbox of that name. The default one is reset, since it always exists. */
  async drop(name: string): Promise<boolean> {
    const known = this.#sandboxes.get(name);
    if (known === undefined) return false;
    if (name === DEFAULT_SANDBOX) await known.sandbox.reset();
    else this.#drop(name);
    return true;
  }

  /** Ends the streams of changes, so that their connections can close. */
  endWatches(): void {
    for (const { sandbox } of this.#sandboxes.values()) sandbox.events.end();
  }

  /** Drops the sandboxes that nobody has used for an hour. */
  sweep(now: number): void {
    for (const [name, { usedAt }] of this.#sandboxes) if (usedAt < now - KEPT_FOR) this.#drop(name);
  }

  #create(name: string): { readonly sandbox: MockSandbox; usedAt: number } {
    if (!isSandboxName(name)) throw new RangeError(`${JSON.stringify(name)} is no name for a sandbox.`);
    if (this.#isClosed) throw new Error('The mock is closed.');
    const created = { sandbox: new MockSandbox(name, this.#host), usedAt: Date.now() };
    this.#sandboxes.set(name, created);
    if (this.#sandboxes.size > MOST) {
      const oldest = [...this.#sandboxes.keys()].find((other) => other !== DEFAULT_SANDBOX);
      if (oldest !== undefined) this.#drop(oldest);
    }
    if (name !== DEFAULT_SANDBOX) this.#timer ??= setInterval(() => this.sweep(Date.now()), LOOK_EVERY).unref();
    return created;
  }

  #drop(name: string): void {
    if (name === DEFAULT_SANDBOX) return;
    const dropped = this.#sandboxes.get(name);
    this.#sandboxes.delete(name);
    void dropped?.sandbox.close();
  }
}
