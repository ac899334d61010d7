import { createHash } from 'node:crypto';

import {
  type Call,
  type Collection,
  type HandlerContext,
  type HandlerResponse,
  type HttpError,
  type Middleware,
  readHeader,
  readParts,
  type RequestContext,
} from 'specmill/mock';

import type { GenerationOperations, UploadFileResponse, StartUploadRequest } from '../../generated/generation/types.js';
import { makeId } from './cached-contents.js';
import { addFile, filesOf, showFile, MAX_KEPT_BYTES } from './files.js';
import { notFound, refuse, refuseState } from './refusal.js';
import { type UploadProgress, dropProgress, keepProgress, openProgress, takeBytes } from './upload-progress.js';

interface StoredUpload {
  readonly fileId: string;
  readonly mimeType: string;
  readonly displayName?: string;
  /** The announced size. */
  readonly sizeBytes: number;
  readonly received: number;
  readonly status: 'active' | 'final' | 'cancelled';
}

type UploadCall = Call<GenerationOperations['uploadFileBytes']>;

/** Headers of a request by their names in the generated types, regardless of the vendor's name. */
function headersOf<Headers extends object>(
  headers: Headers,
  { realName }: Pick<HandlerContext, 'realName'>,
): <Name extends keyof Headers & string>(name: Name) => Headers[Name] {
  // The whole spec was renamed, so each header keeps its type.
  return (name) => headers[realName(name) as typeof name];
}

function uploadsOf(context: HandlerContext): Collection<StoredUpload> {
  return context.collection<StoredUpload>('uploads');
}

/** @throws HttpError 409 if the wanted name is taken. */
export async function startUpload(call: Call<GenerationOperations['startUpload']>): Promise<HandlerResponse> {
  const header = headersOf(call.input.headers, call);
  const { name, displayName } = call.input.body.file ?? {};
  const fileId = name?.slice('files/'.length) ?? makeId(call);
  if ((await filesOf(call).get(fileId)) !== undefined)
    throw refuse(`File files/${fileId} already exists.`, { status: 409 });
  const uploadId = Buffer.from(call.random.bytes(18)).toString('base64url');
  const upload: StoredUpload = {
    ...{ fileId, mimeType: header('X-Vendor-Upload-Header-Content-Type'), received: 0, status: 'active' },
    sizeBytes: header('X-Vendor-Upload-Header-Content-Length'),
    ...(displayName === undefined ? {} : { displayName }),
  };
  await uploadsOf(call).put(uploadId, upload);
  const url = `${call.baseUrl}/upload/v1beta/sessions/${uploadId}`;
  return call.respond(200, undefined, {
    [call.realName('x-vendor-upload-url')]: url,
    [call.realName('x-vendor-upload-status')]: 'active',
  });
}

/** @throws HttpError if the command does not fit the received bytes; nothing is changed then. */
export async function uploadFileBytes(call: UploadCall): Promise<HandlerResponse> {
  const { uploadId } = call.input.path;
  const command = headersOf(call.input.headers, call)('X-Vendor-Upload-Command');
  const upload = await uploadsOf(call).get(uploadId);
  if (upload === undefined) throw notFound(`Upload ${uploadId}`);
  if (command === 'query') return response(call, upload, await findMade(call, upload));
  if (upload.status !== 'active') throw refuseState(`The upload is already ${upload.status}.`);
  return exclusively(call, uploadId, async () => {
    if (command === 'cancel') return cancel(call, uploadId, upload);
    const received = await receive(call, upload);
    return command === 'upload' ? response(call, received.upload) : finalize(call, received);
  });
}

/** Refuses a request while another one sends bytes of the same upload. */
async function exclusively(
  call: UploadCall,
  uploadId: string,
  run: () => Promise<HandlerResponse>,
): Promise<HandlerResponse> {
  const busy = call.memory('busy-uploads', () => new Set<string>());
  if (busy.has(uploadId)) throw refuseState('Another request is sending bytes of this upload.');
  busy.add(uploadId);
  try {
    return await run();
  } finally {
    busy.delete(uploadId);
  }
}

/** Returns the file of a final upload, for a client that did not receive the last response. */
async function findMade(call: UploadCall, { status, fileId }: StoredUpload): Promise<UploadFileResponse> {
  const made = status === 'final' ? await filesOf(call).get(fileId) : undefined;
  return made === undefined ? {} : { file: showFile(made) };
}

function response(
  call: UploadCall,
  { status, received }: StoredUpload,
  body: UploadFileResponse = {},
): HandlerResponse {
  return call.respond(200, body, {
    [call.realName('x-vendor-upload-status')]: status,
    [call.realName('x-vendor-upload-size-received')]: String(received),
  });
}

async function cancel(call: UploadCall, uploadId: string, upload: StoredUpload): Promise<HandlerResponse> {
  const cancelled: StoredUpload = { ...upload, status: 'cancelled' };
  await uploadsOf(call).put(uploadId, cancelled);
  await dropProgress(call, uploadId);
  return response(call, cancelled);
}

interface ReceivedBytes {
  readonly upload: StoredUpload;
  readonly progress: UploadProgress;
}

/** Receives the body as it arrives. If the connection breaks, the received bytes are kept. */
async function receive(call: UploadCall, upload: StoredUpload): Promise<ReceivedBytes> {
  const { uploadId } = call.input.path;
  const header = headersOf(call.input.headers, call);
  const command = header('X-Vendor-Upload-Command');
  const offset = header('X-Vendor-Upload-Offset');
  const isLast = command !== 'upload';
  const before = await openProgress(call, uploadId, { ...upload, isLast });
  if (before === undefined) throw refuseState('The bytes of the upload are gone. Start it again.');
  if (offset === undefined && command !== 'finalize')
    throw refuse(`${call.realName('X-Vendor-Upload-Offset')} is missing.`, { code: 'INVALID_ARGUMENT' });
  if (offset !== undefined && offset !== upload.received)
    throw refuse(`Upload offset ${offset} does not match the ${upload.received} bytes received.`, {
      code: 'OUT_OF_RANGE',
    });
  const after = await takeBody(call, upload, before);
  if (isLast && after.received < upload.sizeBytes)
    throw refuse(`The upload has ${after.received} bytes, and ${upload.sizeBytes} were announced.`);
  return isLast ? { upload: { ...upload, received: after.received }, progress: after } : keep(call, upload, after);
}

/** @throws HttpError if there are more bytes than announced; then none of them is kept. */
async function takeBody(call: UploadCall, upload: StoredUpload, before: UploadProgress): Promise<UploadProgress> {
  let after = before;
  let excess: HttpError | undefined;
  try {
    for await (const bytes of call.request.stream()) {
      excess = refuseExcess(after.received + bytes.length, upload);
      if (excess !== undefined) break;
      after = takeBytes(after, bytes, upload.sizeBytes);
    }
  } catch (error) {
    // The connection broke.
    await keep(call, upload, after);
    throw error;
  }
  if (excess !== undefined) throw excess;
  return after;
}

async function keep(call: UploadCall, upload: StoredUpload, progress: UploadProgress): Promise<ReceivedBytes> {
  const { uploadId } = call.input.path;
  const changed = { ...upload, received: progress.received };
  await keepProgress(call, uploadId, progress);
  await uploadsOf(call).put(uploadId, changed);
  return { upload: changed, progress };
}

function refuseExcess(received: number, { sizeBytes }: StoredUpload): HttpError | undefined {
  if (received <= sizeBytes) return undefined;
  const message = `The upload has more than the ${sizeBytes} bytes that were announced.`;
  return refuse(message, { code: 'OUT_OF_RANGE' });
}

async function finalize(call: UploadCall, { upload, progress }: ReceivedBytes): Promise<HandlerResponse> {
  const { uploadId } = call.input.path;
  const { fileId, mimeType, displayName, sizeBytes } = upload;
  if ((await filesOf(call).get(fileId)) !== undefined) {
    await keep(call, upload, progress);
    throw refuse(`File files/${fileId} already exists.`, { code: 'ALREADY_EXISTS' });
  }
  const { hash, pieces } = progress;
  const file = await addFile(call, {
    ...{ id: fileId, mimeType, displayName, sizeBytes },
    sha256Hash: await hash.digest(),
    uri: `${call.baseUrl}/v1beta/files/${fileId}`,
    bytes: pieces === undefined ? undefined : Buffer.concat(pieces),
  });
  await dropProgress(call, uploadId);
  const final: StoredUpload = { ...upload, status: 'final' };
  await uploadsOf(call).put(uploadId, final);
  return response(call, final, { file });
}

/** Maximum size; larger files need a resumable upload. */
const MOST_BYTES = 64 * 1_024 * 1_024;

/**
 * Accepts a file in one request, with its metadata before its bytes. The documented operation starts a resumable
 * upload, whose headers and body such a request lacks, so this runs before they are checked.
 */
export const acceptMultipartUploads: Middleware = (call, next) => {
  const contentType = readHeader(call.request, 'content-type') ?? '';
  const isUpload = call.operation?.id === 'startUpload' && call.caller.kind !== 'anonymous';
  return isUpload && /^multipart\/related\b/i.test(contentType) ? upload(call, contentType) : next();
};

async function upload(call: RequestContext, contentType: string): Promise<HandlerResponse> {
  const [metadata, content, ...others] = readParts(await call.request.bytes(MOST_BYTES), contentType);
  if (metadata === undefined || content === undefined || others.length > 0)
    throw refuse('The body must have two parts: the metadata as JSON, and the bytes.');
  // The schema has checked it.
  const { file = {} } = call
    .schema('StartUploadRequest')
    .parse(Buffer.from(metadata.bytes).toString()) as StartUploadRequest;
  const id = file.name?.slice('files/'.length) ?? makeId(call);
  if ((await filesOf(call).get(id)) !== undefined) throw refuse(`File files/${id} already exists.`, { status: 409 });
  const { bytes, contentType: mimeType = 'application/octet-stream' } = content;
  const made = await addFile(call, {
    ...{ id, mimeType, displayName: file.displayName, sizeBytes: bytes.length },
    sha256Hash: createHash('sha256').update(bytes).digest('base64'),
    uri: `${call.baseUrl}/v1beta/files/${id}`,
    // A copy, because the bytes are a view of the whole body, which must not be kept.
    bytes: bytes.length <= MAX_KEPT_BYTES ? Uint8Array.from(bytes) : undefined,
  });
  return { status: 200, headers: {}, body: { kind: 'json', value: { file: made } }, refusal: false };
}
