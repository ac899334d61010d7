import type { CallOptions, ClientContext, RequestValues } from './context.js';
import { ApiError, type HeaderValues, NetworkError } from './errors.js';
import { readPointer, writePointer } from './pointer.js';
import { timeOf, type Timers, wait } from './timers.js';
import {
  sendStep,
  uploadAddress,
  UploadError,
  type UploadProtocol,
  type UploadSession,
  type UploadState,
} from './upload-protocol.js';
import { openSource, type UploadData, type UploadSource } from './upload-source.js';

/** How an operation starts an upload, and how the file is waited for. */
export interface UploadPlan extends UploadProtocol {
  /** Response header of the start: where the bytes go. In lower case. */
  readonly address: string;
  /** Headers that every start has. */
  readonly start: Readonly<Record<string, string>>;
  /** Request headers of the start: the size and the media type. */
  readonly size: string;
  readonly type: string;
  /** JSON pointer into the body of the start: the name for people. */
  readonly displayName?: string;
  readonly poll?: FilePlan;
}

/** How the record of a file is asked for, and what it says. */
export interface FilePlan {
  /** JSON pointer: the file's name in its record. */
  readonly from: string;
  /** JSON pointer: where it goes in the request. */
  readonly to: string;
  /** What the name starts with in the record and not in the request. */
  readonly prefix?: string;
  /** JSON pointer to the state in the record. */
  readonly state: string;
  readonly ready: readonly string[];
  readonly failed: readonly string[];
}

/** What is uploaded, and how. */
export interface UploadOptions extends CallOptions, Timers {
  /** Media type of the file. Default: that of the Blob. */
  readonly mimeType?: string | undefined;
  /** The name for people. */
  readonly displayName?: string | undefined;
  /** Length of a stream in bytes; anything else tells its own. */
  readonly size?: number | undefined;
  /** Bytes in one request. Default: 8 MiB. */
  readonly chunkSize?: number | undefined;
  /** How often to go on after a cut connection or a failure of the server, counted anew when bytes arrive. Default: 5. */
  readonly retries?: number | undefined;
  /** Milliseconds to wait at most until the file can be used. Default: ten minutes. */
  readonly readyTimeout?: number | undefined;
  /** Told whenever bytes have arrived. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** How far an upload is. */
export interface UploadProgress {
  readonly sent: number;
  readonly size: number;
}

/** The calls that an upload is made of beside the bytes. */
export interface UploadCalls<Start, Poll> {
  readonly start: (request: Start) => Promise<{ readonly headers: HeaderValues }>;
  readonly poll?: (request: Poll) => Promise<{ readonly data: unknown }>;
}

/** What an upload starts with. */
export interface UploadArguments<Start, Poll> {
  readonly data: UploadData;
  readonly options: UploadOptions | undefined;
  readonly calls: UploadCalls<Start, Poll>;
}

/**
 * Uploads a file and waits until it can be used. After a cut connection it asks how much has arrived, and goes on there.
 *
 * @throws ApiError where the service refuses, NetworkError where it stays away, UploadError where the upload cannot go on
 * or the file cannot be used, and the signal's reason where the signal ended it.
 * @throws TypeError where a stream is not as long as announced.
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

/** Sends all bytes and gives the record of the file. */
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
  /** Absent: the service was only asked. */
  readonly bytes: Blob | undefined;
  readonly size: number;
}

/** How many bytes have arrived. A service that counts otherwise than the client would make a broken file. */
function checkReceived({ received }: UploadState, { offset, bytes, size }: SentBytes): number {
  const end = bytes === undefined ? size : offset + bytes.size;
  const count = received ?? (bytes === undefined ? offset : end);
  const start = bytes === undefined ? 0 : offset + 1;
  if (bytes !== undefined && count === size && end === size)
    throw new UploadError('The service did not make the file.');
  if (!(count >= start && count <= end))
    throw new UploadError(`The service says that ${count} bytes have arrived, where ${end} were sent.`);
  return count;
}

function finish({ file }: UploadState, source: UploadSource, options: UploadOptions): unknown {
  options.onProgress?.({ sent: source.size, size: source.size });
  if (file === undefined) throw new UploadError('All bytes have arrived, but the answer that names the file was lost.');
  return file;
}

/** Whether sending again can help: no answer, or the server's own trouble. */
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
      throw new UploadError(`The file was still ${state} when the time to wait was over.`, file);
    await wait(pause, options, options.signal);
    const name = String(readPointer(first, plan.from));
    const { prefix = '' } = plan;
    const request = writePointer({}, plan.to, name.startsWith(prefix) ? name.slice(prefix.length) : name);
    file = (await poll(request as object)).data;
  }
}
