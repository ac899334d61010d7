import path from 'node:path';

import { withoutByteOrderMark } from '../../model/document/json-text.js';
import { parseJsonInput, readTextFile } from '../../model/document/read-input-file.js';
import { wireMethod } from '../../model/http-method.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { isUrl } from '../../model/document/address.js';
import { fetchDocument } from '../../model/document/fetch-document.js';
import { isRecord, type RawRecord } from '../../model/document/records.js';
import { JOURNAL_LENGTH, OWN_METHOD } from '../../http/journal/journal-entry.js';
import { findHarEntries, readHarEntry } from '../../http/har.js';
import type { HeaderMap } from '../../http/messages.js';

/** A recorded call. */
export interface RecordedCall {
  /** Upper case. */
  readonly method: string;
  /** Path and query, or a full URL. */
  readonly target: string;
  /** 0 if no response arrived. */
  readonly status: number;
  readonly headers: HeaderMap;
  /**
   * A parsed value if the recording has one, else text. Absent if the message had no body or the recording did not keep
   * it.
   */
  readonly body?: unknown;
}

export interface Recording {
  readonly calls: readonly RecordedCall[];
  /** How many calls the journal keeps, if it has so many: earlier ones may be missing. */
  readonly journalLimit?: number;
}

/** The path of the journal in a mock or proxy. */
const JOURNAL_PATH = '/__specmill/requests';

export interface RecordingSource {
  readonly cwd: string;
  /** Sent if the recording is fetched from a URL. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Reads recorded calls: the journal of a mock or proxy (a JSON array) or a HAR file, from a file or a URL, or the given
 * entries themselves. The URL of a mock or proxy without a path stands for its journal.
 *
 * @throws InputError if there is no recording.
 */
export async function readRecording(journal: string | readonly unknown[], source: RecordingSource): Promise<Recording> {
  if (typeof journal !== 'string') return readJournal(journal, {});
  const file = isUrl(journal) ? journalUrl(journal) : path.resolve(source.cwd, journal);
  const text = isUrl(file) ? await fetchText(file, source.headers) : await readTextFile(file, 'The journal');
  return parseRecording(text, file);
}

function parseRecording(text: string, file: string): Recording {
  const value = parseJsonInput(text, file, 'The journal');
  const place = { file };
  if (Array.isArray(value)) return readJournal(value, place);
  const entries = findHarEntries(value);
  if (entries !== undefined) return { calls: entries.map((entry) => fromHar(entry, place)) };
  throw new InputError('Expected a journal (JSON array of calls) or a HAR file.', place);
}

/** Leaves out failures of the mock itself, which are no calls. */
function readJournal(entries: readonly unknown[], place: { readonly file?: string }): Recording {
  const calls = entries.map((entry) => readEntry(entry, place)).filter(({ method }) => method !== OWN_METHOD);
  // A longer list is not from one journal.
  return entries.length === JOURNAL_LENGTH ? { calls, journalLimit: JOURNAL_LENGTH } : { calls };
}

function journalUrl(address: string): string {
  const url = new URL(address);
  if (url.pathname === '/') url.pathname = JOURNAL_PATH;
  return url.href;
}

async function fetchText(url: string, headers: RecordingSource['headers']): Promise<string> {
  const result = await fetchDocument(url, { headers, followsHosts: false });
  if (result.kind === 'document') return withoutByteOrderMark(result.bytes.toString('utf8'));
  const reason = result.kind === 'failed' ? result.reason : 'its server sent nothing';
  throw new InputError(`The journal cannot be read: ${reason}.`, { file: url });
}

function readEntry(entry: unknown, place: { readonly file?: string }): RecordedCall {
  const { method, path: target, status, request } = isRecord(entry) ? entry : {};
  if (!isRecord(request) || typeof method !== 'string' || typeof target !== 'string' || typeof status !== 'number')
    throw noCall(place);
  const { headers, body } = request;
  const isBytes = isRecord(body) && Object.hasOwn(body, '$bytes');
  return {
    method: wireMethod(method),
    target,
    status,
    headers: isRecord(headers) ? readHeaders(headers) : {},
    ...(body === undefined || isBytes ? {} : { body }),
  };
}

function readHeaders(headers: RawRecord): HeaderMap {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().map(String)] as const),
  );
}

function fromHar(entry: unknown, place: { readonly file?: string }): RecordedCall {
  const call = readHarEntry(entry);
  if (call === undefined) throw noCall(place);
  const { method, url, status, request } = call;
  const { headers, text, isBase64 } = request;
  return { method, target: url, status, headers, ...(isBase64 || text === '' ? {} : { body: text }) };
}

function noCall(place: { readonly file?: string }): InputError {
  return new InputError('An entry is not a recorded call: expected a method, a path, a status and a request.', place);
}
