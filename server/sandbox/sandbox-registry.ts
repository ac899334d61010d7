import { MockSandbox } from './mock-sandbox.js';
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
