import { type Call, type Collection, type HandlerContext, type HandlerResponse, toIsoTime } from 'specmill/mock';

import type { Content, FileModel, FileState, GenerationOperations } from '../../generated/generation/types.js';
import { HOUR, notFound, type PageRequest, readPage, refuse, SECOND } from './refusal.js';
import type { DescribeFile } from './tokens.js';

/** A file as it is kept. */
interface StoredFile {
  readonly record: FileModel;
  readonly sizeBytes: number;
  /** Counts up: the newest file has the highest. */
  readonly order: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** How many bytes of it are kept: all or none. */
  readonly keptBytes: number;
}

/** Bytes are kept up to this size; of larger files only size and hash. */
export const MAX_KEPT_BYTES: number = 8 * 1_024 * 1_024;
/** All files together keep no more. */
const MAX_KEPT_TOGETHER: number = 64 * 1_024 * 1_024;

const LIFETIME: number = 48 * HOUR;
/** How long the processing of media takes, by the clock. */
const PROCESSING: Readonly<Record<string, number>> = { video: 5 * SECOND, audio: 2 * SECOND };
/** What a second of video is taken to have. Bytes. */
const VIDEO_BYTES_PER_SECOND = 83_886.08;

export function filesOf(context: HandlerContext): Collection<StoredFile> {
  return context.collection<StoredFile>('files');
}

interface NewFile {
  readonly id: string;
  readonly mimeType: string;
  readonly displayName: string | undefined;
  readonly sizeBytes: number;
  readonly sha256Hash: string;
  readonly uri: string;
  /** Where they are few enough to be kept. */
  readonly bytes: Uint8Array | undefined;
}

/** Makes the record of a file whose bytes have all arrived; video and audio have to be processed first. */
export async function addFile(context: HandlerContext, file: NewFile): Promise<FileModel> {
  const { id, mimeType, displayName, sizeBytes, sha256Hash, uri, bytes } = file;
  const now = context.clock.now();
  const processing = PROCESSING[mimeType.toLowerCase().split('/')[0] ?? ''];
  const record: FileModel = {
    name: `files/${id}`,
    ...(displayName === undefined ? {} : { displayName }),
    ...{
      mimeType,
      sizeBytes: String(sizeBytes),
      createTime: toIsoTime(now),
      updateTime: toIsoTime(now),
      expirationTime: toIsoTime(now + LIFETIME),
    },
    ...{ sha256Hash, uri, state: processing === undefined ? 'ACTIVE' : 'PROCESSING', source: 'UPLOADED' },
  };
  const order = await context.next('files');
  const kept =
    bytes !== undefined && (await countKept(context)) + bytes.length <= MAX_KEPT_TOGETHER ? bytes : undefined;
  const keptBytes = kept?.length ?? 0;
  await filesOf(context).put(id, { record, sizeBytes, order, expiresAt: now + LIFETIME, keptBytes });
  if (kept !== undefined) await context.collection<Uint8Array>('fileBytes').put(id, kept);
  if (processing !== undefined)
    await context.clock.schedule({
      id: `settle-file ${id}`,
      name: 'settle-file',
      dueAt: now + processing,
      payload: { id },
    });
  await context.clock.schedule({
    id: `expire-file ${id}`,
    name: 'expire-file',
    dueAt: now + LIFETIME,
    payload: { id },
  });
  return record;
}

async function countKept(context: HandlerContext): Promise<number> {
  const { items } = await filesOf(context).query();
  return items.reduce((sum, { value }) => sum + value.keptBytes, 0);
}

/** Ends the processing of a file. Returns its record; `undefined` if no such file is in PROCESSING. */
export async function settleFile(
  context: HandlerContext,
  id: string,
  state: FileState & ('ACTIVE' | 'FAILED'),
): Promise<FileModel | undefined> {
  let settled: FileModel | undefined;
  await filesOf(context).update(id, (file) => {
    if (file?.record.state !== 'PROCESSING') return file;
    settled = { ...file.record, state, updateTime: toIsoTime(context.clock.now()), ...outcome(file, state) };
    return { ...file, record: settled };
  });
  if (settled !== undefined) await context.clock.cancel(`settle-file ${id}`);
  return settled;
}

function outcome({ record, sizeBytes }: StoredFile, state: FileState): Partial<FileModel> {
  if (state === 'FAILED') return { error: { code: 3, message: 'The file could not be processed.' } };
  if (record.mimeType?.toLowerCase().startsWith('video/') !== true) return {};
  return { videoMetadata: { videoDuration: `${(sizeBytes / VIDEO_BYTES_PER_SECOND).toFixed(3)}s` } };
}

/** Whether there was such a file. */
export async function removeFile(context: HandlerContext, id: string): Promise<boolean> {
  await context.clock.cancel(`settle-file ${id}`);
  await context.clock.cancel(`expire-file ${id}`);
  await context.collection('fileBytes').delete(id);
  return filesOf(context).delete(id);
}

/** @throws HttpError if there is none, or it has expired. */
async function findFile(context: HandlerContext, id: string): Promise<StoredFile> {
  const file = await filesOf(context).get(id);
  if (file === undefined || file.expiresAt <= context.clock.now()) throw notFound(`File files/${id}`);
  return file;
}

/**
 * Checks the files that contents refer to: those of this service must be there and ACTIVE.
 *
 * @param host - that of the service; a URI elsewhere is taken as it is.
 * @throws HttpError 404 or 400
 */
export async function checkFiles(
  context: HandlerContext,
  contents: readonly Content[],
  host: string,
): Promise<DescribeFile> {
  const known = new Map<string, { readonly sizeBytes: number; readonly mimeType: string }>();
  const uris = contents.flatMap(({ parts = [] }) => parts.flatMap(({ fileData }) => fileData?.fileUri ?? []));
  for (const uri of new Set(uris)) {
    const id = await ownFile(context, uri, host);
    if (id === undefined) continue;
    const { record, sizeBytes } = await findFile(context, id);
    const { name = '', state = 'ACTIVE', mimeType = '' } = record;
    if (state === 'PROCESSING')
      throw refuse(`File ${name} is PROCESSING and cannot be used before it is ACTIVE.`, {
        code: 'FAILED_PRECONDITION',
      });
    if (state !== 'ACTIVE')
      throw refuse(`File ${name} is ${state} and cannot be used.`, { code: 'FAILED_PRECONDITION' });
    known.set(uri, { sizeBytes, mimeType });
  }
  return (uri) => known.get(uri);
}

/** The id of a file of this service, by its URI or its name. */
async function ownFile(context: HandlerContext, uri: string, host: string): Promise<string | undefined> {
  const { origin, id } =
    /^(?:https?:\/\/(?<origin>[^/]+)\/+v1(?:beta|alpha)?\/+)?files\/(?<id>[^/?#:]+)$/.exec(uri)?.groups ?? {};
  if (id === undefined) return undefined;
  // One server has several names, such as localhost and 127.0.0.1.
  return origin === undefined || origin === host || (await filesOf(context).get(id)) !== undefined ? id : undefined;
}

type FilesCall<Name extends keyof GenerationOperations> = Call<GenerationOperations[Name]>;

export async function listFiles(call: FilesCall<'listFiles'>): Promise<HandlerResponse> {
  const now = call.clock.now();
  const { items } = await filesOf(call).query({
    order: [{ path: 'order', descending: true }],
    filter: (file) => (file as StoredFile).expiresAt > now,
  });
  const request: PageRequest = { ...call.input.query, kind: 'files', byDefault: 10, atMost: 100 };
  const { page, nextPageToken } = readPage(
    items.map(({ value }) => value),
    request,
    ({ order }) => -order,
  );
  return call.respond(200, {
    ...(page.length > 0 ? { files: page.map(({ record }) => record) } : {}),
    ...(nextPageToken === undefined ? {} : { nextPageToken }),
  });
}

export async function getFile(call: FilesCall<'getFile'>): Promise<HandlerResponse> {
  return call.respond(200, (await findFile(call, call.input.path.name)).record);
}

export async function deleteFile(call: FilesCall<'deleteFile'>): Promise<HandlerResponse> {
  await findFile(call, call.input.path.name);
  await removeFile(call, call.input.path.name);
  return call.respond(200, {});
}
