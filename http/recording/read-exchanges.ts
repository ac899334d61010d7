import path from 'node:path';

import { InputError } from '../../model/diagnostics/input-error.js';
import { isUrl } from '../../model/document/address.js';
import { isRecord } from '../../model/document/records.js';
import { wireMethod } from '../../model/http-method.js';
import { readHarEntry } from '../har.js';
import { JOURNAL_LENGTH, OWN_METHOD } from '../journal/journal-entry.js';
import type { HeaderMap } from '../messages.js';
import type { RecordingFormat } from './element-splitter.js';
import { type ListedElement, readElements } from './read-elements.js';

/** A recorded call, from a HAR file of any recorder or the journal of a mock or proxy. */
export interface RecordedExchange {
  /** Upper case. */
  readonly method: string;
  /** Path and query in a journal, in a HAR file usually a full URL. */
  readonly target: string;
  /** 0 if no response arrived. */
  readonly status: number;
  /** When it started, as the recorder wrote it, usually ISO 8601. */
  readonly at?: string;
  readonly request: RecordedMessage;
  readonly response: RecordedMessage;
}

export interface RecordedMessage {
  /** Names in lower case. Without names and values that HTTP does not allow. */
  readonly headers: HeaderMap;
  /** Empty if there was no body, or the recorder did not keep it. */
  readonly text: string;
  /** Whether the text is base64 of the bytes. */
  readonly isBase64: boolean;
  /** The media type that the recorder wrote beside the body, or ''. */
  readonly mimeType: string;
  /** The parsed body of a journal, which keeps no text then. Files are `{ $bytes: { size } }`. */
  readonly value?: unknown;
}

export interface RecordingSource {
  readonly cwd: string;
  /** Sent if the recording is fetched from a URL. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The first words of errors. Default: `The journal`. */
  readonly subject?: string;
  /** The only format that is read. Default: both. */
  readonly only?: RecordingFormat;
  /** Leaves out entries that are no calls, instead of refusing the recording. */
  readonly isLenient?: boolean;
  /** Called at the end of a journal that has as many calls as it keeps: earlier ones may be missing. */
  readonly onFullJournal?: (limit: number) => void;
}

/** The path of the journal in a mock or proxy. */
const JOURNAL_PATH = '/__specmill/requests';

/**
 * Reads recorded calls one after the other: the journal of a mock or proxy (a JSON array) or a HAR file, from a file or a
 * URL, or the given entries themselves. The URL of a mock or proxy without a path stands for its journal. Failures of a
 * mock itself are no calls.
 *
 * @throws InputError if there is no recording.
 */
export async function* readExchanges(
  recording: string | readonly unknown[],
  source: RecordingSource,
): AsyncGenerator<RecordedExchange> {
  for await (const calls of readLists(recording, source)) for (const call of calls) yield call;
}

/** Reads several recordings, one after the other. @throws InputError if a file is no recording. */
export async function* readAllExchanges(
  recordings: readonly string[],
  source: RecordingSource,
): AsyncGenerator<RecordedExchange> {
  for (const recording of recordings)
    for await (const calls of readLists(recording, source)) for (const call of calls) yield call;
}

/** The calls of each chunk, read when they are asked for. */
async function* readLists(
  recording: string | readonly unknown[],
  { cwd, headers, subject = 'The journal', isLenient = false, only, onFullJournal }: RecordingSource,
): AsyncGenerator<Iterable<RecordedExchange>> {
  const address = typeof recording === 'string' ? findAddress(recording, cwd) : undefined;
  const lists =
    typeof recording === 'string'
      ? readElements({ address: address ?? '', headers, subject, only })
      : [recording.map((value): ListedElement => ({ value, format: 'journal', line: 1 }))];
  let inJournal = 0;
  for await (const elements of lists) {
    if (elements[0]?.format === 'journal') inJournal += elements.length;
    yield toCalls(elements, { address, isLenient });
  }
  // A longer list is not from one journal.
  if (inJournal === JOURNAL_LENGTH) onFullJournal?.(JOURNAL_LENGTH);
}

function* toCalls(
  elements: readonly ListedElement[],
  { address, isLenient }: { readonly address: string | undefined; readonly isLenient: boolean },
): Iterable<RecordedExchange> {
  for (const element of elements) {
    const call = element.format === 'har' ? fromHar(element.value) : fromJournal(element.value);
    if (call === undefined && !isLenient) throw noCall(address, element);
    if (call !== undefined && call.method !== OWN_METHOD) yield call;
  }
}

function findAddress(recording: string, cwd: string): string {
  if (!isUrl(recording)) return path.resolve(cwd, recording);
  const url = new URL(recording);
  if (url.pathname === '/') url.pathname = JOURNAL_PATH;
  return url.href;
}

function noCall(file: string | undefined, { line }: ListedElement): InputError {
  return new InputError(
    'An entry is not a recorded call: expected a method, a path, a status and a request.',
    file === undefined ? {} : { file, ...(isUrl(file) ? {} : { line }) },
  );
}

function fromHar(entry: unknown): RecordedExchange | undefined {
  const call = readHarEntry(entry);
  if (call === undefined) return undefined;
  const { method, url: target, status, startedDateTime: at, request, response } = call;
  const exchange = { method, target, status, request, response };
  return at === undefined ? exchange : { ...exchange, at };
}

function fromJournal(entry: unknown): RecordedExchange | undefined {
  const { method, path: target, status, at, request, response } = isRecord(entry) ? entry : {};
  if (!isRecord(request) || typeof method !== 'string' || typeof target !== 'string' || typeof status !== 'number')
    return undefined;
  return {
    method: wireMethod(method),
    target,
    status,
    ...(typeof at === 'string' ? { at } : {}),
    request: readMessage(request),
    response: readMessage(isRecord(response) ? response : {}),
  };
}

function readMessage({ headers: given, body }: Readonly<Record<string, unknown>>): RecordedMessage {
  const entries = Object.entries(isRecord(given) ? given : {});
  const headers = Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), [value].flat().map(String)] as const),
  );
  const isText = typeof body === 'string';
  return {
    headers,
    text: isText ? body : '',
    isBase64: false,
    mimeType: headers['content-type']?.[0] ?? '',
    ...(body === undefined || isText ? {} : { value: body }),
  };
}
