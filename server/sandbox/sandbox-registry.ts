import { MockSandbox } from './mock-sandbox.js';
import { DamagedStateError, type StateBackend } from '../stores/replicated/state-backend.js';
import type { Store } from '../stores/store.js';
import type { SandboxHost } from './sandbox-host.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The header that names the sandbox of a request. */
export const SANDBOX_HEADER = 'x-specmill-sandbox';

/** The sandbox of requests without the header. It never expires. */
export const DEFAULT_SANDBOX = 'default';

/** How long an unused sandbox is kept, and how often that is checked. Milliseconds. */
const KEPT_FOR = 60 * 60_000;
const LOOK_EVERY = 60_000;
/** How often a process looks for overdue work of others, and how long it leaves such work to them. Milliseconds. */
const LOOK_FOR_DUE_EVERY = 2_000;
const LEFT_TO_OTHERS = 1_000;
/** The most sandboxes. Beyond it, the least recently used one is dropped. */
const MOST = 10_000;

/** Whether a text is a valid name of a sandbox: 1 to 128 of `A-Z a-z 0-9 . _ : -`, starting with a letter or digit. */
export function isSandboxName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/.test(name);
}

export interface SandboxSummary {
  readonly name: string;
  /** ISO 8601, real time. */
  readonly lastUsed: string;
  /** The number of stored items, without the mock's own records. */
  readonly items: number;
}

async function orIfDamaged<T>(work: Promise<T>, other: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DamagedStateError) return other;
    throw error;
  }
}

/** Collections whose names begin with `#` are the mock's own. */
async function countItems(store: Store): Promise<number> {
  const names = (await store.collections()).filter((name) => !name.startsWith('#'));
  const totals = await Promise.all(names.map(async (name) => (await store.query(name, { take: 0 })).total));
  return totals.reduce((sum, total) => sum + total, 0);
}

/** The sandboxes of a mock. Each is created on first use. */
export class SandboxRegistry {
  #host: SandboxHost;
  /** Sorted by last use, the most recent last. */
  readonly #sandboxes = new Map<string, { readonly sandbox: MockSandbox; usedAt: number }>();
  #timer: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
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

  /** Switches all sandboxes to another spec or behaviour. */
  async adopt(host: SandboxHost): Promise<void> {
    this.#host = host;
    await Promise.all([...this.#sandboxes.values()].map(({ sandbox }) => sandbox.adopt(host)));
  }

  /**
   * Runs what became due while no process was running, and starts to look for work that other processes leave behind.
   */
  async start(): Promise<void> {
    const { backend } = this.#host;
    if (backend === undefined) return;
    await this.#wakeDue(backend);
    const look = (): void => void this.#wakeDue(backend).catch(() => {});
    this.#looking = setInterval(look, LOOK_FOR_DUE_EVERY).unref();
  }

  async #wakeDue(backend: StateBackend): Promise<void> {
    const names = await backend.findDue(Date.now() - LEFT_TO_OTHERS);
    if (!this.#isClosed) await Promise.all(names.filter(isSandboxName).map((name) => this.#wake(name)));
    await backend.dropUnused(Date.now() - KEPT_FOR, DEFAULT_SANDBOX);
  }

  /** Does nothing for a damaged sandbox: others go on, and its own requests are told. */
  async #wake(name: string): Promise<void> {
    await orIfDamaged(this.get(name).wake(), undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    clearInterval(this.#looking);
    const all = [...this.#sandboxes.values()];
    this.#sandboxes.clear();
    await Promise.all(all.map(({ sandbox }) => sandbox.close()));
  }

  /** Returns the sandboxes in use, the default one first. */
  async list(): Promise<readonly SandboxSummary[]> {
    for (const { name } of (await this.#host.backend?.list()) ?? [])
      if (isSandboxName(name) && !this.#sandboxes.has(name)) this.#create(name);
    const used = [...this.#sandboxes.entries()].toSorted(
      ([one], [other]) => Number(other === DEFAULT_SANDBOX) - Number(one === DEFAULT_SANDBOX),
    );
    return Promise.all(
      used.map(async ([name, { sandbox, usedAt }]) => ({
        name,
        lastUsed: new Date(usedAt).toISOString(),
        items: await orIfDamaged(countItems(sandbox.store), 0),
      })),
    );
  }

  /** Drops a sandbox and returns whether it existed. The default one is reset instead. */
  async drop(name: string): Promise<boolean> {
    const known = this.#sandboxes.get(name);
    if (name === DEFAULT_SANDBOX) {
      await known?.sandbox.reset();
      return known !== undefined;
    }
    this.#drop(name);
    const wasStored = (await this.#host.backend?.drop(name)) ?? false;
    return wasStored || known !== undefined;
  }

  /** Ends the streams of changes, so that their connections can close. */
  endWatches(): void {
    for (const { sandbox } of this.#sandboxes.values()) sandbox.events.end();
  }

  /** Drops the sandboxes without a request in the last hour. */
  sweep(now: number): void {
    for (const [name, { usedAt }] of this.#sandboxes) if (usedAt < now - KEPT_FOR) this.#drop(name);
  }

  #create(name: string): { readonly sandbox: MockSandbox; usedAt: number } {
    if (!isSandboxName(name)) throw new RangeError(`${stringifyExactJson(name)} is not a valid name of a sandbox.`);
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

  /** Ends the sandbox in this process. State outside of the process is kept. */
  #drop(name: string): void {
    if (name === DEFAULT_SANDBOX) return;
    const dropped = this.#sandboxes.get(name);
    this.#sandboxes.delete(name);
    void dropped?.sandbox.close();
  }
}
