import { open, stat } from 'node:fs/promises';
import { isUtf8 } from 'node:buffer';

import { InputError, systemReason } from '../../model/diagnostics/input-error.js';
import { isUrl } from '../../model/document/address.js';
import { fetchDocument } from '../../model/document/fetch-document.js';
import { parseJson } from '../../model/document/parse-json.js';
import { parseJsonInput, readTextFile } from '../../model/document/read-input-file.js';
import { suggestFile } from '../../model/document/suggest-file.js';
import { ElementSplitter, type RecordingFormat, TooLargeError } from './element-splitter.js';

export interface ElementSource {
  /** Absolute path or URL. */
  readonly address: string;
  /** Sent if the recording is fetched from a URL. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The first words of errors: `The journal`. */
  readonly subject: string;
  /** The only format that is read. Default: both. */
  readonly only?: RecordingFormat | undefined;
}

/** An element of the list of calls. */
export interface ListedElement {
  readonly value: unknown;
  readonly format: RecordingFormat;
  /** 1-based. */
  readonly line: number;
}

/** Bytes that are read at once: larger ones are not faster. */
const CHUNK = 64 * 1_024;

/** A larger file is not read again for the exact place of an error. */
const LARGEST_REREAD = 64 * 1_024 * 1_024;

/**
 * Reads the elements of a recording in lists, those that end in one chunk together: a step of an async generator for each
 * element takes longer. Keeps the memory of a few chunks.
 *
 * @throws InputError if it cannot be read, or is neither a list nor a HAR file.
 */
export async function* readElements(source: ElementSource): AsyncGenerator<readonly ListedElement[]> {
  const { address: file, subject, only } = source;
  const splitter = new ElementSplitter();
  try {
    for await (const chunk of readChunks(source)) {
      const elements = splitter.push(chunk);
      if (splitter.format !== undefined && splitter.format !== (only ?? splitter.format)) throw notRead(source);
      const listed: ListedElement[] = [];
      const broken = elements.find(({ bytes, line }) => {
        const value = isUtf8(bytes) ? parse(bytes) : undefined;
        if (value !== undefined) listed.push({ value, line, format: splitter.format ?? 'journal' });
        return value === undefined;
      });
      yield listed;
      if (broken !== undefined) throw await findProblem(source, broken);
    }
    const { rest, format } = splitter;
    if (!isUtf8(rest) || parse(rest) === undefined) throw await findProblem(source, { bytes: rest, line: 1 });
    if (format !== undefined) return;
  } catch (error) {
    if (error instanceof TooLargeError)
      throw new InputError(`${subject} cannot be read: ${error.message}.`, { file }, { cause: error });
    throw error;
  }
  throw notRead(source);
}

function notRead({ address: file, only }: ElementSource): InputError {
  return only === 'har'
    ? new InputError('Not a HAR file: `log.entries` is missing.', { file })
    : new InputError('Expected a journal (JSON array of calls) or a HAR file.', { file });
}

/** `undefined` is no value of JSON. */
function parse(bytes: Buffer): unknown {
  const parsed = parseJson(bytes.toString('utf8'));
  return parsed.ok ? parsed.value : undefined;
}

async function* readChunks({ address, headers, subject }: ElementSource): AsyncGenerator<Buffer> {
  if (isUrl(address)) yield fetchBytes(address, headers, subject);
  else
    try {
      yield* readFileChunks(address);
    } catch (error) {
      const message = `${subject} cannot be read: ${systemReason(error)}.${suggestFile(address, error)}`;
      throw new InputError(message, { file: address }, { cause: error });
    }
}

/** Gives the same memory again with each chunk: a new buffer for each one costs tens of megabytes until they are freed. */
async function* readFileChunks(file: string): AsyncGenerator<Buffer> {
  await using handle = await open(file);
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function fetchBytes(url: string, headers: ElementSource['headers'], subject: string): Promise<Buffer> {
  const result = await fetchDocument(url, { headers, followsHosts: false });
  if (result.kind === 'document') return result.bytes;
  const reason = result.kind === 'failed' ? result.reason : 'its server sent nothing';
  throw new InputError(`${subject} cannot be read: ${reason}.`, { file: url });
}

/** The error for a part that is no JSON, with its exact place if the file is small or the part has it. */
async function findProblem(
  { address: file, subject }: ElementSource,
  { bytes, line }: { readonly bytes: Buffer; readonly line: number },
): Promise<InputError> {
  const { size } = isUrl(file) ? { size: Infinity } : await stat(file).catch(() => ({ size: Infinity }));
  if (size > 0 && size <= LARGEST_REREAD)
    try {
      parseJsonInput(await readTextFile(file, subject), file, subject);
    } catch (error) {
      if (error instanceof InputError) return error;
      throw error;
    }
  if (!isUtf8(bytes)) return new InputError(`${subject} cannot be read: it is not written in UTF-8.`, { file, line });
  const parsed = parseJson(bytes.toString('utf8'));
  if (parsed.ok) return new InputError(`${subject} has changed while it was read.`, { file });
  return new InputError(`${subject} is not JSON: ${parsed.problem.message}`, {
    file,
    line: line + parsed.problem.line - 1,
  });
}
