import { parseExactJson, stringifyExactJson } from '../../../runtime/json-integers.js';
import { DamagedStateError, type NamedChunk } from './state-backend.js';

export interface EncodedItem {
  readonly text: string;
  readonly chunks: readonly NamedChunk[];
}

export interface DecodedItem {
  readonly collection: string;
  readonly id: string;
  readonly version: number;
  readonly value: unknown;
}

export interface ItemParts extends DecodedItem {
  readonly sequence: number;
}

/** The most bytes of a chunk. */
const CHUNK = 512 * 1_024;

/** The member that replaces bytes by a reference to chunks, or that wraps an object with a member of this name. */
const MARK = '$bytes';

export function encodeStoredItem({ collection, id, version, sequence, value }: ItemParts): EncodedItem {
  if (!needsMarks(value)) return { text: writeItem([collection, id, version, value]), chunks: [] };
  const chunks: NamedChunk[] = [];
  const marked = mark(value, (bytes) => {
    const count = countChunks(bytes.byteLength);
    const first = chunks.length;
    for (let part = 0; part < count; part += 1)
      chunks.push([chunkName({ sequence, version }, first + part), bytes.subarray(part * CHUNK, (part + 1) * CHUNK)]);
    return { [MARK]: { first, size: bytes.byteLength } };
  });
  return { text: writeItem([collection, id, version, marked]), chunks };
}

function writeItem(parts: readonly unknown[]): string {
  return stringifyExactJson(parts);
}

/** Returns the names of the chunks of a stored item. */
export function chunkNames(item: Pick<ItemParts, 'sequence' | 'version' | 'value'>): readonly string[] {
  if (!needsMarks(item.value)) return [];
  return Array.from({ length: countAll(item.value) }, (_, index) => chunkName(item, index));
}

/** The most chunks that an item is read with: 512 MB. Checked before memory is taken, because others write to the engine too. */
const MOST_CHUNKS = 1_024;

/**
 * Reads an item. Calls `readChunks` only if the item has bytes.
 *
 * @throws DamagedStateError if it is not an item that {@link encodeStoredItem} has written.
 */
export async function decodeStoredItem(
  sequence: number,
  text: string,
  readChunks: (names: readonly string[]) => Promise<readonly (Uint8Array | undefined)[]>,
): Promise<DecodedItem> {
  const { collection, id, version, value } = readParts(sequence, text);
  if (!text.includes(`"${MARK}"`)) return { collection, id, version, value };
  const count = countReferred(value);
  if (count > MOST_CHUNKS) throw damaged(sequence, `${count} parts of bytes`);
  const names = Array.from({ length: count }, (_, index) => chunkName({ sequence, version }, index));
  return { collection, id, version, value: unmark(value, await readChunks(names)) };
}

function readParts(sequence: number, text: string): DecodedItem {
  const parts = parseParts(text);
  const [collection, id, version, value] = Array.isArray(parts) ? (parts as readonly unknown[]) : [];
  const isItem = typeof collection === 'string' && typeof id === 'string' && isCount(version) && value !== undefined;
  if (!isItem || !isCount(sequence)) throw damaged(sequence, 'no item');
  return { collection, id, version, value };
}

function parseParts(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function damaged(sequence: number, what: string): DamagedStateError {
  return new DamagedStateError(`the value with the number ${sequence} is ${what}.`);
}

function chunkName({ sequence, version }: Pick<ItemParts, 'sequence' | 'version'>, index: number): string {
  return `${sequence}.${version}.${index}`;
}

function countChunks(size: number): number {
  return Math.max(1, Math.ceil(size / CHUNK));
}

function needsMarks(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Uint8Array) return true;
  if (Array.isArray(value)) return value.some((item) => needsMarks(item));
  for (const key of Object.keys(value))
    if (key === MARK || needsMarks((value as Readonly<Record<string, unknown>>)[key])) return true;
  return false;
}

function countAll(value: unknown): number {
  if (value instanceof Uint8Array) return countChunks(value.byteLength);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + countAll(member), 0);
}

function mark(value: unknown, refer: (bytes: Uint8Array) => object): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return refer(value);
  if (Array.isArray(value)) return value.map((item) => mark(item, refer));
  const members = Object.entries(value).map(([key, member]) => [key, mark(member, refer)] as const);
  const marked: unknown = Object.fromEntries(members);
  return Object.hasOwn(value, MARK) ? { [MARK]: { plain: marked } } : marked;
}

interface Reference {
  readonly first?: number;
  readonly size?: number;
  readonly plain?: Readonly<Record<string, unknown>>;
}

/** Every object with the mark was written by {@link mark}, which wraps objects of the API that have such a member. */
function referenceOf(value: object): Reference | undefined {
  return Object.hasOwn(value, MARK) ? (value as { readonly [MARK]: Reference })[MARK] : undefined;
}

/** @throws DamagedStateError for a reference that cannot be one. */
function countReferred(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const { first, size, plain } = referenceOf(value) ?? {};
  if (size !== undefined) {
    if (!isCount(size) || !isCount(first)) throw new DamagedStateError('a reference to bytes has no size.');
    return countChunks(size);
  }
  return Object.values(plain ?? value).reduce<number>((sum, member) => sum + countReferred(member), 0);
}

function unmark(value: unknown, chunks: readonly (Uint8Array | undefined)[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => unmark(item, chunks));
  const { first = 0, size, plain } = referenceOf(value) ?? {};
  if (size !== undefined) return joinChunks(chunks.slice(first, first + countChunks(size)), size);
  return Object.fromEntries(Object.entries(plain ?? value).map(([key, member]) => [key, unmark(member, chunks)]));
}

/** @throws DamagedStateError if a part is missing. */
function joinChunks(chunks: readonly (Uint8Array | undefined)[], size: number): Uint8Array {
  const parts = chunks.flatMap((chunk) => chunk ?? []);
  const bytes = new Uint8Array(Buffer.concat(parts));
  if (bytes.byteLength !== size)
    throw new DamagedStateError(`stored bytes are incomplete: ${bytes.byteLength} of ${size}.`);
  return bytes;
}
