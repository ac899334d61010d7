import { type Collection, type HandlerContext, type ResourceHooks, toIsoTime, withoutUndefined } from 'specmill/mock';

import type { Content, FileModel, FileState } from '../../generated/generation/types.js';
import { contentsWithFiles } from './fold-contents.js';
import { describeResource, HOUR, notFound, refuseState, SECOND } from './refusal.js';
import type { DescribeFile } from './tokens.js';

/** A stored file, by id. */
interface StoredFile extends FileModel {
  /** Increases with each file, so the newest has the highest. */
  readonly order?: number;
  /** How many of its bytes are stored: all or none. */
  readonly keptBytes?: number;
}

/** Bytes are stored up to this size; for larger files, only size and hash. */
export const MAX_KEPT_BYTES: number = 8 * 1_024 * 1_024;
/** Maximum number of stored bytes of all files together. */
const MAX_KEPT_TOGETHER: number = 64 * 1_024 * 1_024;

const LIFETIME: number = 48 * HOUR;
/** How long the processing of media takes, by the clock. */
const PROCESSING: Readonly<Record<string, number>> = { video: 5 * SECOND, audio: 2 * SECOND };
/** The assumed size of a second of video, in bytes. */
const VIDEO_BYTES_PER_SECOND = 83_886.08;

export function filesOf(context: HandlerContext): Collection<StoredFile> {
  return context.collection<StoredFile>('/v1beta/files');
}

interface NewFile {
  readonly id: string;
  readonly mimeType: string;
  readonly displayName: string | undefined;
  readonly sizeBytes: number;
  readonly sha256Hash: string;
  readonly uri: string;
  /** The bytes, if they are few enough to be stored. */
  readonly bytes: Uint8Array | undefined;
}

/** Makes the record of a file whose bytes have all arrived; video and audio have to be processed first. */
export async function addFile(context: HandlerContext, file: NewFile): Promise<FileModel> {
  const { id, mimeType, displayName, sizeBytes, sha256Hash, uri, bytes } = file;
  const now = context.clock.now();
  const processing = PROCESSING[mimeType.toLowerCase().split('/')[0] ?? ''];
  const record: FileModel = {
    name: `files/${id}`,
    ...withoutUndefined({ displayName }),
    ...{ mimeType, sizeBytes: String(sizeBytes) },
    ...{ createTime: toIsoTime(now), updateTime: toIsoTime(now), expirationTime: toIsoTime(now + LIFETIME) },
    ...{ sha256Hash, uri, state: processing === undefined ? 'ACTIVE' : 'PROCESSING', source: 'UPLOADED' },
  };
  const order = await context.next('files');
  const kept =
    bytes !== undefined && (await countKept(context)) + bytes.length <= MAX_KEPT_TOGETHER ? bytes : undefined;
  await filesOf(context).put(id, { ...record, order, keptBytes: kept?.length ?? 0 });
  if (kept !== undefined) await context.collection<Uint8Array>('fileBytes').put(id, kept);
  if (processing !== undefined) await schedule(context, 'settle-file', id, now + processing);
  await schedule(context, 'expire-file', id, now + LIFETIME);
  return record;
}

/** Schedules a job for an id; a later one replaces it. */
export function schedule({ clock }: HandlerContext, name: string, id: string, dueAt: number): Promise<void> {
  return clock.schedule({ id: `${name} ${id}`, name, dueAt, payload: { id } });
}

async function countKept(context: HandlerContext): Promise<number> {
  const { items } = await filesOf(context).query();
  return items.reduce((sum, { value: { keptBytes = 0 } }) => sum + keptBytes, 0);
}

/** Ends the processing of a file. Returns its record; `undefined` if no such file is in PROCESSING. */
export async function settleFile(
  context: HandlerContext,
  id: string,
  state: FileState & ('ACTIVE' | 'FAILED'),
): Promise<FileModel | undefined> {
  let settled: FileModel | undefined;
  await filesOf(context).update(id, (file) => {
    if (file?.state !== 'PROCESSING') return file;
    settled = { ...file, state, updateTime: toIsoTime(context.clock.now()), ...outcome(file, state) };
    return settled;
  });
  if (settled === undefined) return undefined;
  await context.clock.cancel(`settle-file ${id}`);
  return showFile(settled);
}

function outcome({ mimeType, sizeBytes }: StoredFile, state: FileState): Partial<FileModel> {
  if (state === 'FAILED') return { error: { code: 3, message: 'The file could not be processed.' } };
  if (mimeType?.toLowerCase().startsWith('video/') !== true) return {};
  return { videoMetadata: { videoDuration: `${(Number(sizeBytes) / VIDEO_BYTES_PER_SECOND).toFixed(3)}s` } };
}

export async function removeFile(context: HandlerContext, id: string): Promise<void> {
  await context.clock.cancel(`settle-file ${id}`);
  await context.clock.cancel(`expire-file ${id}`);
  await context.collection('fileBytes').delete(id);
  await filesOf(context).delete(id);
}

export function showFile({ order: _order, keptBytes: _keptBytes, ...file }: StoredFile): FileModel {
  return file;
}

function isPresent({ expirationTime = '' }: StoredFile, { clock }: HandlerContext): boolean {
  return !(Date.parse(expirationTime) <= clock.now());
}

export const FILE_HOOKS: ResourceHooks<StoredFile> = {
  ...describeResource('File files', { defaultSize: 10, maxSize: 100, order: [{ path: 'order', descending: true }] }),
  isPresent,
  show: showFile,
  afterWrite: ({ kind, id, call }) => (kind === 'delete' ? removeFile(call, id) : undefined),
};

/** @throws HttpError if no file has the name, or it has expired. */
async function findFile(context: HandlerContext, id: string): Promise<StoredFile> {
  const file = await filesOf(context).get(id);
  if (file === undefined || !isPresent(file, context)) throw notFound(`File files/${id}`);
  return file;
}

/**
 * Checks the files that contents reference: those of this service must exist and be ACTIVE. A URI elsewhere is accepted
 * unchecked.
 *
 * @throws HttpError 404 or 400
 */
export async function checkFiles(context: HandlerContext, contents: readonly Content[]): Promise<DescribeFile> {
  const known = new Map<string, { readonly sizeBytes: number; readonly mimeType: string }>();
  for (const uri of findUris(contents)) {
    const id = await ownFile(context, uri);
    if (id === undefined) continue;
    const { name = '', state = 'ACTIVE', mimeType = '', sizeBytes } = await findFile(context, id);
    if (state === 'PROCESSING') throw refuseState(`File ${name} is PROCESSING and cannot be used before it is ACTIVE.`);
    if (state !== 'ACTIVE') throw refuseState(`File ${name} is ${state} and cannot be used.`);
    known.set(uri, { sizeBytes: Number(sizeBytes), mimeType });
  }
  return (uri) => known.get(uri);
}

function findUris(contents: readonly Content[]): ReadonlySet<string> {
  const uris = new Set<string>();
  for (const { parts = [] } of contentsWithFiles(contents))
    for (const { fileData } of parts) if (fileData !== undefined) uris.add(fileData.fileUri);
  return uris;
}

/** The id of a file of this service, by its URI or its name. */
async function ownFile(context: HandlerContext, uri: string): Promise<string | undefined> {
  const { origin, id } =
    /^(?:https?:\/\/(?<origin>[^/]+)\/+v1(?:beta|alpha)?\/+)?files\/(?<id>[^/?#:]+)$/.exec(uri)?.groups ?? {};
  if (id === undefined) return undefined;
  // One server has several names, such as localhost and 127.0.0.1.
  const isOurs = origin === undefined || origin === new URL(context.baseUrl).host;
  return isOurs || (await filesOf(context).get(id)) !== undefined ? id : undefined;
}
