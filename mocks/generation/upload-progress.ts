import { type Hash, createHash } from 'node:crypto';

import type { HandlerContext } from 'specmill/mock';

import { MAX_KEPT_BYTES } from './files.js';

/**
 * An incremental SHA-256. For a large file over several requests, it can be saved; the platform's cannot, but is four
 * times as fast.
 */
interface RunningHash {
  readonly update: (bytes: Uint8Array) => void;
  readonly digest: () => Promise<string>;
  readonly copy: () => Promise<RunningHash>;
  readonly save?: () => Uint8Array;
}

/** The received part of an upload: the hash, and the bytes up to a maximum size. */
export interface UploadProgress {
  readonly hash: RunningHash;
  readonly pieces: readonly Uint8Array[] | undefined;
  readonly received: number;
}

/** The stored progress between requests: the number of pieces of a small file, the hash so far of a large one. */
interface StoredProgress {
  readonly received: number;
  readonly pieces: number;
  readonly hash?: Uint8Array;
}

interface UploadSize {
  readonly sizeBytes: number;
  readonly received: number;
}

/** The uploads in this process. The store has the state that other processes need. */
function progressOf(context: HandlerContext): Map<string, UploadProgress> {
  return context.memory('uploads', () => new Map<string, UploadProgress>());
}

/** The progress of an upload that can be resumed; `undefined` if its bytes are lost. */
export async function openProgress(
  context: HandlerContext,
  uploadId: string,
  { sizeBytes, received, isLast }: UploadSize & { readonly isLast: boolean },
): Promise<UploadProgress | undefined> {
  const known = progressOf(context).get(uploadId);
  if (known?.received === received) return { ...known, hash: await known.hash.copy() };
  const isLarge = sizeBytes > MAX_KEPT_BYTES;
  if (received === 0) {
    const hash = isLarge && !isLast ? await openSavable() : openPlatformHash(createHash('sha256'));
    return { hash, pieces: [], received };
  }
  const stored = await context.collection<StoredProgress>('uploadProgress').get(uploadId);
  if (stored?.received !== received) return undefined;
  if (isLarge) return loadLarge(stored);
  return loadPieces(context, uploadId, stored);
}

async function loadLarge({ hash, received }: StoredProgress): Promise<UploadProgress | undefined> {
  return hash instanceof Uint8Array ? { hash: await openSavable(hash), pieces: undefined, received } : undefined;
}

async function loadPieces(
  context: HandlerContext,
  uploadId: string,
  { pieces: count, received }: StoredProgress,
): Promise<UploadProgress | undefined> {
  const hash = createHash('sha256');
  const pieces: Uint8Array[] = [];
  for (let index = 0; index < count; index += 1) {
    const piece = await context.collection<Uint8Array>('uploadPieces').get(pieceId(uploadId, index));
    // State that was restored in another process has only the hashes of pieces.
    if (!(piece instanceof Uint8Array)) return undefined;
    hash.update(piece);
    pieces.push(piece);
  }
  return { hash: openPlatformHash(hash), pieces, received };
}

export function takeBytes(
  { hash, pieces, received }: UploadProgress,
  bytes: Uint8Array,
  sizeBytes: number,
): UploadProgress {
  hash.update(bytes);
  const isKept = pieces !== undefined && sizeBytes <= MAX_KEPT_BYTES;
  return { hash, received: received + bytes.length, pieces: isKept ? [...pieces, bytes] : undefined };
}

export async function keepProgress(context: HandlerContext, uploadId: string, progress: UploadProgress): Promise<void> {
  const { hash, pieces, received } = progress;
  const stored = context.collection<StoredProgress>('uploadProgress');
  const before = await stored.get(uploadId);
  const known = before === undefined ? 0 : before.received;
  const next = { received, pieces: before?.pieces ?? 0 };
  if (pieces === undefined) {
    progressOf(context).set(uploadId, progress);
    await stored.put(uploadId, { ...next, ...(hash.save === undefined ? {} : { hash: hash.save() }) });
    return;
  }
  const all = Buffer.concat(pieces);
  progressOf(context).set(uploadId, { ...progress, pieces: [all] });
  if (received > known) {
    const piece = new Uint8Array(all.subarray(known));
    await context.collection<Uint8Array>('uploadPieces').put(pieceId(uploadId, next.pieces), piece);
    await stored.put(uploadId, { ...next, pieces: next.pieces + 1 });
  }
}

export async function dropProgress(context: HandlerContext, uploadId: string): Promise<void> {
  progressOf(context).delete(uploadId);
  const stored = context.collection<StoredProgress>('uploadProgress');
  const { pieces = 0 } = (await stored.get(uploadId)) ?? {};
  for (let index = 0; index < pieces; index += 1)
    await context.collection('uploadPieces').delete(pieceId(uploadId, index));
  await stored.delete(uploadId);
}

function pieceId(uploadId: string, index: number): string {
  return `${uploadId} ${index}`;
}

function openPlatformHash(hash: Hash): RunningHash {
  return {
    update: (bytes) => void hash.update(bytes),
    digest: async () => hash.copy().digest('base64'),
    copy: async () => openPlatformHash(hash.copy()),
  };
}

async function openSavable(state?: Uint8Array): Promise<RunningHash> {
  const { createSHA256 } = await import('hash-wasm');
  const hash = await createSHA256();
  if (state === undefined) hash.init();
  else hash.load(state);
  const save = (): Uint8Array => new Uint8Array(hash.save());
  return {
    update: (bytes) => void hash.update(bytes),
    // The digest finalises a hash, so a copy of it is used.
    digest: async () => {
      const copy = await createSHA256();
      return Buffer.from(copy.load(save()).digest('binary')).toString('base64');
    },
    copy: () => openSavable(save()),
    save,
  };
}
