import { createHash } from 'node:crypto';

import { isSuccess } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import { appendPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { bodyKindOf } from '../../http/request/write-body.js';
import { foldName } from '../../resources/inflection.js';
import type { ContractRun } from '../execute/contract-run.js';
import { bodyAt, hasStatus, headerOf, literalOf, matches, refused, same, textOf } from '../expectations/assertion.js';
import type { Call, Exchange } from '../types.js';

/** Bytes that are one character each, so that a range of bytes is a range of characters. */
const ASCII = '0123456789abcdefghijklmnopqrstuvwxyz';
/** More bytes than characters. */
const WIDE = 'žluťoučký kůň';

/** A file of the run: how it is written and read. */
interface File {
  readonly run: ContractRun;
  readonly read: Call;
  readonly write: Call;
  readonly written: Exchange;
  readonly content: string;
}

/**
 * Checks that a download has the bytes of its upload to the same path, that its ranges are parts of them, and that the
 * item around it shows their size and digest.
 */
export async function checkContent(run: ContractRun, operation: Operation): Promise<void> {
  const writer = run.operations.find((one) => one.method === 'put' && one.path === operation.path);
  if (writer === undefined || !isBinary(writer)) return;
  const write = await run.items.validCall(writer, 'stateful');
  const read = await run.items.validCall(operation, 'stateful');
  if (write?.body === undefined || read === undefined) return;
  for (const content of [WIDE, ASCII]) {
    const call = { ...write, body: { ...write.body, value: content } };
    const written = await run.client.sendValid(call);
    if (written === undefined || !isSuccess(written)) return;
    const file: File = { run, read: { ...read, parameters: pathOf(read, write) }, write: call, written, content };
    if (!(await checkDownload(file))) return;
    await checkDescription(file);
    if (content === ASCII && takesRanges(operation)) await checkRanges(file);
  }
}

function isBinary({ body }: Operation): boolean {
  return body?.content.some(({ mediaType }) => bodyKindOf(mediaType) === 'binary') === true;
}

/** The parameters of a reading, with the ids of a writing and no headers of its own. */
function pathOf(read: Call, write: Call): Call['parameters'] {
  const ids = new Map([...write.parameters].map(([{ in: place, name }, value]) => [`${place} ${name}`, value]));
  const own = [...read.parameters].filter(([{ in: place }]) => place === 'path');
  return new Map(own.map(([one, value]) => [one, ids.get(`path ${one.name}`) ?? value]));
}

async function checkDownload({ run, read, written, content }: File): Promise<boolean> {
  const exchange = await run.client.sendValid(read);
  if (exchange?.status !== 200) return false;
  const isWhole = run.findings.expect('read back equal', same(textOf(exchange), literalOf(content)), {
    cause: 'content',
    message: 'The downloaded content differs from the uploaded one.',
    others: [written],
  });
  if (isWhole) checkDigests({ run, exchange, written, content });
  return isWhole;
}

/** Digests that a response names: RFC 9530, and its forerunner RFC 3230. */
const DIGEST_HEADERS = ['repr-digest', 'content-digest', 'digest'] as const;

function checkDigests({
  run,
  exchange,
  written,
  content,
}: Omit<File, 'read' | 'write'> & { readonly exchange: Exchange }): void {
  for (const name of DIGEST_HEADERS) {
    const value = exchange.headers.get(name);
    if (value === null || !/sha-256=/i.test(value)) continue;
    const digest = createHash('sha256')
      .update(content)
      .digest('base64')
      .replaceAll(/[+/]/g, String.raw`\$&`);
    run.findings.expect('response headers', matches(headerOf(exchange, name), digest), {
      cause: `${name} digest`,
      message: `The header ${name} is not the SHA-256 digest of the content.`,
      expected: digest,
      others: [written],
    });
  }
}

/** The members of an item that describe its content, without letter case and separators. */
const SIZES: ReadonlySet<string> = new Set([
  'size',
  'sizebytes',
  'sizeinbytes',
  'bytes',
  'contentlength',
  'filesize',
  'length',
  'bytesize',
]);
const DIGESTS: Readonly<Record<string, string>> = {
  sha256: 'sha256',
  sha256sum: 'sha256',
  contentsha256: 'sha256',
  sha1: 'sha1',
  md5: 'md5',
  md5sum: 'md5',
};

/** Checks that the item of a file, whose path is the beginning of the path of its content, shows its size and digest. */
async function checkDescription({ run, read, written, content }: File): Promise<void> {
  const around = read.operation.path.slice(0, read.operation.path.lastIndexOf('/'));
  const reader = run.operations.find(({ method, path }) => method === 'get' && path === around);
  const base = reader === undefined ? undefined : await run.items.validCall(reader, 'stateful');
  if (base === undefined) return;
  const shown = await run.client.sendValid({ ...base, parameters: pathOf(base, read) });
  if (shown?.status !== 200 || !isRecord(shown.json)) return;
  for (const [name, value] of Object.entries(shown.json)) {
    const algorithm = DIGESTS[foldName(name)];
    const isHex = algorithm !== undefined && typeof value === 'string' && /^[0-9a-f]+$/i.test(value);
    const wanted = isHex
      ? createHash(algorithm).update(content).digest('hex')
      : SIZES.has(foldName(name)) && typeof value === 'number'
        ? Buffer.byteLength(content)
        : undefined;
    if (wanted === undefined) continue;
    const pointer = appendPointer('', name);
    run.findings.expect('read back equal', same(bodyAt(shown, pointer), literalOf(wanted)), {
      cause: `content ${name}`,
      message: `${pointer} does not describe the content that was uploaded.`,
      others: [written],
    });
  }
}

/** Whether an operation says that it sends ranges. */
function takesRanges({ parameters, responses }: Operation): boolean {
  return (
    parameters.some(({ in: place, name }) => place === 'header' && /^range$/i.test(name)) ||
    responses.some(
      ({ status, headers }) => status === '206' || headers.some(({ name }) => /^accept-ranges$/i.test(name)),
    )
  );
}

interface Range {
  readonly range: string;
  readonly from: number;
  readonly to: number;
}

async function checkRanges(file: File): Promise<void> {
  const { length } = ASCII;
  const ranges: readonly Range[] = [
    { range: 'bytes=0-3', from: 0, to: 4 },
    { range: `bytes=${length - 5}-`, from: length - 5, to: length },
    { range: 'bytes=-3', from: length - 3, to: length },
    { range: `bytes=${length - 2}-${length + 20}`, from: length - 2, to: length },
  ];
  for (const range of ranges) await checkRange(file, range);
  const { run, read, written } = file;
  const behind = await run.client.sendValid({ ...read, headers: { range: `bytes=${length + 10}-${length + 20}` } });
  // A server may ignore a range, and send all bytes with 200 (RFC 9110, 14.2).
  if (behind?.status === 206)
    run.findings.expect('conditional requests', refused(behind), {
      cause: 'range behind',
      message: 'A range behind the end got 206 instead of 416.',
      expected: '416',
      others: [written],
    });
}

async function checkRange({ run, read, written }: File, { range, from, to }: Range): Promise<void> {
  const part = await run.client.sendValid({ ...read, headers: { range } });
  if (part === undefined || (part.status === 200 && part.text === ASCII) || ![200, 206].includes(part.status)) return;
  const told = { cause: `range ${range}`, others: [written] };
  const message = `The response to the range ${range} has other bytes.`;
  if (part.status === 200) {
    run.findings.expect('conditional requests', hasStatus(part, 206), {
      ...told,
      message: 'A part of the content was sent with 200 instead of 206.',
    });
    return;
  }
  if (
    !run.findings.expect('conditional requests', same(textOf(part), literalOf(ASCII.slice(from, to))), {
      ...told,
      message,
    })
  )
    return;
  const pattern = `^bytes ${from}-${to - 1}/(?:${ASCII.length}|\\*)$`;
  run.findings.expect('conditional requests', matches(headerOf(part, 'content-range'), pattern), {
    ...told,
    cause: 'content-range',
    message: `Content-Range does not describe the bytes of the range ${range}.`,
  });
}
