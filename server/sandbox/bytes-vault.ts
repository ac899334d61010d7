import { createHash } from 'node:crypto';

/** Describes bytes in a snapshot or the journal, which do not contain the bytes themselves. */
interface DescribedBytes {
  readonly $bytes: { readonly size: number; readonly sha256: string };
}

function describeBytes(bytes: Uint8Array): DescribedBytes {
  return { $bytes: { size: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex') } };
}

/** The most bytes that a vault remembers. */
const CAPACITY = 64 * 1_024 * 1_024;

/** Remembers the bytes that snapshots leave out, so that restoring a snapshot restores them too. */
export class BytesVault {
  readonly #known = new Map<string, Uint8Array>();
  #size = 0;

  /** Replaces all bytes in a value by their size and hash. */
  describe(value: unknown): unknown {
    return mapLeaves(value, (leaf) => {
      if (!(leaf instanceof Uint8Array)) return undefined;
      const described = describeBytes(leaf);
      this.#remember(described.$bytes.sha256, leaf);
      return described;
    });
  }

  /** Reverses `describe`. Unknown bytes, such as those of another process, stay described. */
  recall(value: unknown): unknown {
    return mapLeaves(value, (leaf) => (isDescribed(leaf) ? (this.#known.get(leaf.$bytes.sha256) ?? leaf) : undefined));
  }

  /** Drops the oldest bytes beyond the capacity. */
  #remember(hash: string, bytes: Uint8Array): void {
    if (this.#known.has(hash) || bytes.byteLength > CAPACITY) return;
    this.#known.set(hash, bytes);
    this.#size += bytes.byteLength;
    for (const [oldest, old] of this.#known) {
      if (this.#size <= CAPACITY) return;
      this.#known.delete(oldest);
      this.#size -= old.byteLength;
    }
  }
}

function isDescribed(value: object): value is DescribedBytes {
  if (!Object.hasOwn(value, '$bytes') || Object.keys(value).length !== 1) return false;
  const { $bytes } = value as { readonly $bytes: unknown };
  return typeof $bytes === 'object' && $bytes !== null && 'sha256' in $bytes && typeof $bytes.sha256 === 'string';
}

/** Copies a value; `change` may replace its objects. */
function mapLeaves(value: unknown, change: (leaf: object) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const changed = change(value);
  if (changed !== undefined) return changed;
  if (Array.isArray(value)) return value.map((item: unknown) => mapLeaves(item, change));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapLeaves(member, change)]));
}
