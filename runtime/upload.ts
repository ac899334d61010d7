import type { CallOptions, ClientContext, RequestValues } from './context.js';
import { ApiError, type HeaderValues, NetworkError } from './errors.js';
import { readPointer, timeOf, type Timers, wait, writePointer } from './helpers.js';
import {
  sendStep,
  uploadAddress,
  UploadError,
  type UploadProtocol,
  type UploadSession,
  type UploadState,
} from './upload-protocol.js';

/** How an upload starts, and how to wait for the file. */
export interface UploadPlan extends UploadProtocol {
  /** Response header of the start, in lower case: the address for the bytes. */
  readonly address: string;
  /** Headers of every start. */
  readonly start: Readonly<Record<string, string>>;
  /** Request headers of the start: the size and the media type. */
  readonly size: string;
  readonly type: string;
  /** JSON pointer into the body of the start: the display name. */
  readonly displayName?: string;
  readonly poll?: FilePlan;
}

/** How to read the record of a file, and its states. */
export interface FilePlan {
  /** JSON pointer to the name in the record. */
  readonly from: string;
  /** JSON pointer to the name in the request. */
  readonly to: string;
  /** Prefix that the name has in the record, but not in the request. */
  readonly prefix?: string;
  /** JSON pointer to the state in the record. */
  readonly state: string;
  readonly ready: readonly string[];
  readonly failed: readonly string[];
}

/** Options of an upload. */
export interface UploadOptions extends CallOptions, Timers {
  /** Media type of the file. Default: that of the Blob. */
  readonly mimeType?: string | undefined;
  /** The display name. */
  readonly displayName?: string | undefined;
  /** Length in bytes. Required for a stream, ignored otherwise. */
  readonly size?: number | undefined;
  /** Bytes per request. Default: 8 MiB. */
  readonly chunkSize?: number | undefined;
  /** How often to resume after a lost connection or a server error. The count restarts when bytes arrive. Default: 5. */
  readonly retries?: number | undefined;
  /** Maximum wait until the file is ready, in milliseconds. Default: ten minutes. */
  readonly readyTimeout?: number | undefined;
  /** Called whenever bytes were received. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** The progress of an upload. */
export interface UploadProgress {
  readonly sent: number;
  readonly size: number;
}

/** The calls of an upload that do not send bytes. */
export interface UploadCalls<Start, Poll> {
  readonly start: (request: Start) => Promise<{ readonly headers: HeaderValues }>;
  readonly poll?: (request: Poll) => Promise<{ readonly data: unknown }>;
}

/** The data, the options and the calls of an upload. */
export interface UploadArguments<Start, Poll> {
  readonly data: UploadData;
  readonly options: UploadOptions | undefined;
  readonly calls: UploadCalls<Start, Poll>;
}

/**
 * Uploads a file and waits until it is ready. After a lost connection it asks how many bytes were received and resumes.
 *
 * @throws ApiError if the server refuses, NetworkError if it cannot be reached, UploadError if the upload cannot continue or
 * the file cannot be used, and the reason of the signal if the signal aborted it.
 * @throws TypeError if a stream is not as long as announced.
 */
export async function upload<Start extends RequestValues, Poll extends RequestValues, File>(
  context: ClientContext,
  plan: UploadPlan,
  { data, options = {}, calls }: UploadArguments<Start, Poll>,
): Promise<File> {
  const source = openSource(data, options.size);
  const headers = {
    ...plan.start,
    [plan.size]: source.size,
    [plan.type]: options.mimeType ?? (source.type || 'application/octet-stream'),
  };
  const name =
    plan.displayName === undefined || options.displayName === undefined
      ? {}
      : writePointer({}, plan.displayName, options.displayName);
  const started = await calls.start({ headers, body: name } as unknown as Start);
  const address = uploadAddress(started.headers[plan.address], options.baseUrl ?? context.baseUrl);
  const file = await sendBytes({ address, context, protocol: plan, options }, source, options);
  const { poll } = calls;
  if (plan.poll === undefined || poll === undefined) return file as File;
  return (await waitUntilReady(file, plan.poll, { poll: (request) => poll(request as Poll), options })) as File;
}

/** Sends all bytes and returns the record of the file. */
async function sendBytes(session: UploadSession, source: UploadSource, options: UploadOptions): Promise<unknown> {
  const { chunkSize = 8 * 1024 * 1024, retries = 5 } = options;
  let offset = 0;
  let mustAsk = false;
  for (let failures = 0; ;) {
    const bytes = mustAsk ? undefined : await source.read(offset, chunkSize);
    try {
      const step = bytes === undefined ? 'query' : offset + bytes.size < source.size ? 'upload' : 'finalize';
      const state = await sendStep(session, step, bytes && { offset, bytes });
      if (state.isFinal) return finish(state, source, options);
      const received = checkReceived(state, { offset, bytes, size: source.size });
      if (received > offset) {
        failures = 0;
        options.onProgress?.({ sent: received, size: source.size });
      }
      offset = received;
      mustAsk = false;
    } catch (error) {
      failures += 1;
      if (failures > retries || !mayPass(error)) throw error;
      await wait(1000 * 2 ** (failures - 1), options, options.signal);
      mustAsk = true;
    }
  }
}

interface SentBytes {
  readonly offset: number;
  /** Absent: only the state was queried. */
  readonly bytes: Blob | undefined;
  readonly size: number;
}

/** Returns the number of bytes received. Throws if it does not fit the bytes sent, because the file would be broken. */
function checkReceived({ received }: UploadState, { offset, bytes, size }: SentBytes): number {
  const end = bytes === undefined ? size : offset + bytes.size;
  const count = received ?? (bytes === undefined ? offset : end);
  const start = bytes === undefined ? 0 : offset + 1;
  if (bytes !== undefined && count === size && end === size)
    throw new UploadError('The server did not create the file.');
  if (!(count >= start && count <= end))
    throw new UploadError(`The server reports ${count} bytes received, but ${end} were sent.`);
  return count;
}

function finish({ file }: UploadState, source: UploadSource, options: UploadOptions): unknown {
  options.onProgress?.({ sent: source.size, size: source.size });
  if (file === undefined)
    throw new UploadError('All bytes were received, but the response with the record of the file was lost.');
  return file;
}

/** Whether sending again can help: no response, a server error, or status 408 or 429. */
function mayPass(error: unknown): boolean {
  return (
    error instanceof NetworkError ||
    (error instanceof ApiError && (error.status >= 500 || error.status === 408 || error.status === 429))
  );
}

interface Polling {
  readonly poll: (request: object) => Promise<{ readonly data: unknown }>;
  readonly options: UploadOptions;
}

async function waitUntilReady(first: unknown, plan: FilePlan, { poll, options }: Polling): Promise<unknown> {
  const end = timeOf(options) + (options.readyTimeout ?? 600_000);
  let file = first;
  for (let pause = 1000; ; pause = Math.min(pause * 1.5, 10_000)) {
    const state = String(readPointer(file, plan.state));
    if (plan.ready.includes(state)) return file;
    if (plan.failed.includes(state)) throw new UploadError(`The file cannot be used: it is ${state}.`, file);
    if (timeOf(options) + pause > end)
      throw new UploadError(`The file was still ${state} when the maximum wait was over.`, file);
    await wait(pause, options, options.signal);
    const name = String(readPointer(first, plan.from));
    const { prefix = '' } = plan;
    const request = writePointer({}, plan.to, name.startsWith(prefix) ? name.slice(prefix.length) : name);
    file = (await poll(request as object)).data;
  }
}

/** Data to upload. A stream needs the option `size`. */
export type UploadData = Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>;

/** The bytes of an upload, read piece by piece. */
export interface UploadSource {
  readonly size: number;
  /** The media type of the data, if it has one. */
  readonly type: string;
  /**
   * Reads bytes from an offset: as many as requested, fewer at the end. Bytes before the offset are not requested
   * again.
   *
   * @throws TypeError if a stream has a different length than announced, or cannot go back that far.
   */
  readonly read: (offset: number, length: number) => Promise<Blob>;
}

/** @throws TypeError if the size of a stream is not given. */
export function openSource(data: UploadData, size: number | undefined): UploadSource {
  if (typeof data === 'object' && 'getReader' in data) {
    if (size === undefined) throw new TypeError('An upload of a stream needs its size in bytes.');
    return new StreamSource(data, size);
  }
  const blob = data instanceof Blob ? data : new Blob([data as BlobPart]);
  return {
    size: blob.size,
    type: blob.type,
    read: (offset, length) => Promise.resolve(blob.slice(offset, offset + length)),
  };
}

/** Keeps only bytes that the server may not have yet, because a stream cannot be read twice. */
class StreamSource implements UploadSource {
  readonly size: number;
  readonly type = '';
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #kept = new Blob();
  /** The offset of the kept bytes. */
  #start = 0;

  constructor(stream: ReadableStream<Uint8Array>, size: number) {
    this.#reader = stream.getReader();
    this.size = size;
  }

  async read(offset: number, length: number): Promise<Blob> {
    if (offset < this.#start) throw new TypeError('A stream cannot be read again; upload a Blob to go back that far.');
    const wanted = Math.min(offset + length, this.size);
    while (this.#start + this.#kept.size < wanted) await this.#readMore();
    if (wanted === this.size) await this.#checkEnd();
    this.#kept = this.#kept.slice(offset - this.#start);
    this.#start = offset;
    return this.#kept.slice(0, wanted - offset);
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#reader.read();
    if (done) throw this.#wrongLength('fewer');
    this.#kept = new Blob([this.#kept, value as BlobPart]);
  }

  async #checkEnd(): Promise<void> {
    if (this.#start + this.#kept.size > this.size) throw this.#wrongLength('more');
    const { done, value } = await this.#reader.read();
    if (!done && value.byteLength > 0) throw this.#wrongLength('more');
  }

  #wrongLength(how: string): TypeError {
    return new TypeError(`The stream has ${how} than the ${this.size} bytes that were announced.`);
  }
}
