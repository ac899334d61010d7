import { createHash } from 'node:crypto';

import { type HandlerResponse, type Middleware, readHeader, readParts, type RequestContext } from 'specmill/mock';

import type { StartUploadRequest } from '../../generated/generation/types.js';
import { makeId } from './cached-contents.js';
import { addFile, filesOf, MAX_KEPT_BYTES } from './files.js';
import { refuse } from './refusal.js';

/** A larger file is for a resumable upload. */
const MOST_BYTES = 64 * 1_024 * 1_024;

/**
 * Takes a file that comes in one request, its metadata before its bytes. The documented operation is the start of a
 * resumable upload, whose headers and body such a request does not have: so it is handled before these are checked.
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
    // A copy: the bytes are a part of the whole body, which is not to be kept.
    bytes: bytes.length <= MAX_KEPT_BYTES ? Uint8Array.from(bytes) : undefined,
  });
  return { status: 200, headers: {}, body: { kind: 'json', value: { file: made } }, refusal: false };
}
