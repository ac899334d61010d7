import { stat } from 'node:fs/promises';

import { parseJsonInput, readTextFile } from '../../model/document/read-input-file.js';
import { parseMediaType } from '../../http/media-type.js';
import { type HeaderMap, type ResponseBody, type ResponseMessage, readHeader } from '../../http/messages.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { isRecord } from '../../model/document/records.js';
import { shapeOf } from './body-shape.js';

export interface RecordedCall {
  /** Upper case. */
  readonly method: string;
  /** An absolute URL. */
  readonly url: string;
  readonly shape: string;
  readonly response: ResponseMessage;
}

/** The most bytes of a recording, limited by the length of strings in V8. */
const MOST_BYTES = 500 * 1_024 * 1_024;

/**
 * Reads a HAR file that was written by `specmill proxy --record` or a browser. Calls without a response are left out.
 *
 * @throws InputError if it cannot be read or is not a HAR file
 */
export async function readRecording(file: string): Promise<readonly RecordedCall[]> {
  await checkSize(file);
  const text = await readTextFile(file, 'The recording');
  const har = parseJsonInput(text, file, 'The recording');
  const entries = isRecord(har) && isRecord(har['log']) ? har['log']['entries'] : undefined;
  if (!Array.isArray(entries)) throw new InputError('The file is no HAR file: it has no log with entries.', { file });
  return entries.flatMap((entry) => readEntry(entry));
}

async function checkSize(file: string): Promise<void> {
  // Reading the file reports the error if it is unreadable.
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size > MOST_BYTES) throw new InputError('The recording is larger than 500 MB.', { file });
}

function readEntry(entry: unknown): readonly RecordedCall[] {
  const { request, response } = isRecord(entry) ? entry : {};
  if (!isRecord(request) || !isRecord(response)) return [];
  const { method, url, postData } = request;
  const { status } = response;
  if (typeof method !== 'string' || typeof url !== 'string' || !URL.canParse(url)) return [];
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599) return [];
  const { body, headers } = readResponse(response);
  return [{ method: method.toUpperCase(), url, shape: readShape(postData), response: { status, headers, body } }];
}

function readShape(postData: unknown): string {
  if (!isRecord(postData)) return '';
  const contentType = textOf(postData['mimeType']);
  const { _encoding: encoding, params } = postData;
  const text = decode(textOf(postData['text']), encoding).toString();
  // Some recorders write only the fields of a form, not its text.
  if (text !== '' || !Array.isArray(params)) return shapeOf(text, contentType);
  const fields = params.filter(isRecord).map(({ name, value }) => [textOf(name), textOf(value)]);
  return shapeOf(new URLSearchParams(fields).toString(), contentType);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function decode(text: string, encoding: unknown): Buffer {
  return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
}

/**
 * Headers that are not replayed: those about the recorded connection or the encoding and framing of the body, and those
 * that the mock writes itself.
 */
const DROPPED: ReadonlySet<string> = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['content-length', 'content-encoding', 'content-md5', 'digest', 'date', 'via', 'alt-svc'],
  ...['strict-transport-security', 'vary'],
]);

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function readResponse(response: Readonly<Record<string, unknown>>): Pick<ResponseMessage, 'headers' | 'body'> {
  const content = isRecord(response['content']) ? response['content'] : {};
  const headers = readHeaders(response['headers']);
  const contentType = readHeader({ headers }, 'content-type') || textOf(content['mimeType']);
  const body = readBody(content);
  if (body === undefined || contentType === '') return { headers, body };
  return { headers: { ...headers, 'content-type': body.kind === 'text' ? asUtf8(contentType) : contentType }, body };
}

function readHeaders(list: unknown): HeaderMap {
  const headers = new Map<string, string | string[]>();
  for (const { name, value } of Array.isArray(list) ? list.filter(isRecord) : []) {
    const key = textOf(name).toLowerCase();
    if (!TOKEN.test(key) || DROPPED.has(key) || key.startsWith('access-control-') || typeof value !== 'string')
      continue;
    const known = headers.get(key);
    headers.set(key, known === undefined ? value : [known, value].flat());
  }
  return Object.fromEntries(headers);
}

function readBody({ text, encoding }: Readonly<Record<string, unknown>>): ResponseBody | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  return encoding === 'base64' ? { kind: 'bytes', bytes: decode(text, encoding) } : { kind: 'text', text };
}

/** Sets the charset to UTF-8, because a HAR file has texts instead of their original bytes. */
function asUtf8(contentType: string): string {
  const charset = parseMediaType(contentType)?.parameters.get('charset');
  if (charset === undefined || /^utf-?8$/i.test(charset)) return contentType;
  return contentType.replace(/(;\s*charset\s*=\s*)("[^"]*"|[^;\s]+)/i, '$1utf-8');
}
