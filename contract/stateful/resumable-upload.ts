import { isSuccess, lowerCaseNames } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import type { UploadValue } from '../../model/helper-values.js';
import type { Told } from '../expect.js';
import type { ContractRun } from '../execute/contract-run.js';
import {
  type Assertion,
  bodyAt,
  good,
  headerOf,
  literalOf,
  other,
  present,
  refused,
  same,
} from '../expectations/assertion.js';
import type { Call, Exchange } from '../types.js';

/** The bytes to send, in two pieces. */
const PIECES = ['specmill ', 'uploads'] as const;
const [FIRST, SECOND] = PIECES.map(({ length }) => length) as [number, number];

/**
 * Starts an upload, sends it in two pieces, and queries its progress in between. Bytes at a wrong offset must be
 * refused.
 */
export async function checkUpload(run: ContractRun, start: Operation): Promise<void> {
  const helper = start.extensions['x-resumable-upload'] as UploadValue | undefined;
  const operation = run.operations.find(({ id }) => id === helper?.upload);
  const base =
    helper === undefined || operation === undefined ? undefined : await run.items.validCall(start, 'stateful');
  if (helper === undefined || operation === undefined || base === undefined) return;
  const said = { [helper.size]: String(FIRST + SECOND), [helper.type]: 'text/plain' };
  const begin = { ...base, headers: lowerCaseNames({ ...helper.start, ...said }) };
  const started = await run.client.sendValid(begin);
  if (started === undefined || !isSuccess(started)) return;
  const address = started.headers.get(helper.address);
  if (address === null) {
    run.findings.expect('resumable upload', present(headerOf(started, helper.address)), {
      cause: 'address',
      message: `The start of an upload gives no address in ${helper.address}.`,
      expected: helper.address,
    });
    return;
  }
  const url = URL.canParse(address, started.request.url) ? new URL(address, started.request.url) : undefined;
  // Requests never go to another host.
  if (url?.origin === run.options.url.origin) await sendPieces({ run, helper, operation, address, started });
}

interface Upload {
  readonly run: ContractRun;
  readonly helper: UploadValue;
  readonly operation: Operation;
  readonly address: string;
  readonly started: Exchange;
}

async function sendPieces(upload: Upload): Promise<void> {
  const { run, helper } = upload;
  const { commands } = helper;
  const first = callOf(upload, { command: commands.upload, offset: 0, bytes: PIECES[0] });
  const stored = await run.client.sendValid(first);
  if (stored === undefined || !isSuccess(stored)) return expectAccepted(upload, stored);
  const isCounted = await checkReceived(upload, { cause: 'received', others: [stored] });
  const gap = callOf(upload, { command: commands.upload, offset: FIRST + 1, bytes: PIECES[1] });
  const wrong = await run.client.sendValid(gap);
  if (wrong !== undefined && isSuccess(wrong)) {
    expectOf(upload, refused(wrong), {
      others: [stored],
      cause: 'offset',
      message: `Bytes were accepted at ${FIRST + 1}, although only ${FIRST} had arrived: the file has a gap.`,
    });
    return;
  }
  // If the server kept the misplaced bytes, the upload cannot go on.
  if (isCounted && wrong !== undefined && !(await checkReceived(upload, { cause: 'kept', others: [stored, wrong] })))
    return;
  const last = callOf(upload, { command: commands.finalize, offset: FIRST, bytes: PIECES[1] });
  const done = await run.client.sendValid(last);
  if (done === undefined || !isSuccess(done)) return expectAccepted(upload, done, [stored]);
  checkFinal(upload, done, [stored]);
}

interface Piece {
  readonly command: string;
  readonly offset?: number;
  readonly bytes?: string;
}

function callOf({ operation, helper, address }: Upload, { command, offset, bytes }: Piece): Call {
  const headers = { [helper.command]: command, ...(offset === undefined ? {} : { [helper.offset]: String(offset) }) };
  const [media] = operation.body?.content ?? [];
  const body = bytes === undefined || media === undefined ? {} : { body: { media, value: bytes, raw: bytes } };
  return { operation, parameters: new Map(), address, headers: lowerCaseNames(headers), ...body };
}

/**
 * Checks that the server reports exactly the first piece as received, and the upload as unfinished. Returns whether it
 * does.
 */
async function checkReceived(
  upload: Upload,
  { cause, others }: { readonly cause: string; readonly others: readonly Exchange[] },
): Promise<boolean> {
  const { run, helper } = upload;
  const query = callOf(upload, { command: helper.commands.query });
  const exchange = await run.client.sendValid(query);
  if (exchange === undefined || !isSuccess(exchange)) {
    expectAccepted(upload, exchange, others);
    return false;
  }
  const isCounted = expectOf(upload, same(headerOf(exchange, helper.received), literalOf(String(FIRST))), {
    others,
    cause,
    message: `After ${FIRST} bytes, ${helper.received} has another number.`,
    expected: String(FIRST),
  });
  expectOf(upload, other(headerOf(exchange, helper.status), literalOf(helper.final)), {
    others,
    cause: 'early',
    message: `The status of an unfinished upload is ${helper.final}.`,
    expected: 'another status',
  });
  return isCounted;
}

/** Checks that the last response marks the upload as finished and shows the file. */
function checkFinal(upload: Upload, done: Exchange, others: readonly Exchange[]): void {
  const { helper } = upload;
  expectOf(upload, same(headerOf(done, helper.status), literalOf(helper.final)), {
    others,
    cause: 'final',
    message: `All bytes have arrived, but ${helper.status} does not say so.`,
    expected: helper.final,
  });
  expectOf(upload, present(bodyAt(done, helper.file)), {
    others,
    cause: 'file',
    message: 'The response to the end of an upload does not show the file.',
    expected: `a value at ${helper.file}`,
    actual: done.text,
  });
}

/** Expects that a value which the spec's helper declares is accepted. */
function expectAccepted(upload: Upload, exchange: Exchange | undefined, others: readonly Exchange[] = []): void {
  if (exchange === undefined) return;
  const [command = '', ...rest] = Object.values(upload.run.log.find(exchange)?.sent.call.headers ?? {});
  expectOf(upload, good(exchange), {
    others,
    cause: `refused ${command}`,
    message: `A step of an upload was refused: ${[command, ...rest].join(', ')}.`,
    actual: `${exchange.status} ${exchange.text}`,
  });
}

/** States an expectation of a step. The start of the upload precedes each step. */
function expectOf({ run, started }: Upload, assertion: Assertion, told: Told): boolean {
  return run.findings.expect('resumable upload', assertion, { ...told, others: [started, ...(told.others ?? [])] });
}
