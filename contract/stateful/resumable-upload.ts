import { isSuccess, lowerCaseNames } from '../../http/messages.js';
import { resolvePointer } from '../../model/document/pointer.js';
import type { Operation } from '../../model/api.js';
import type { UploadValue } from '../../model/helper-values.js';
import { type ProblemText, problem } from '../checks/problem.js';
import type { ContractRun } from '../execute/contract-run.js';
import { type Assertion, type Value, present } from '../expectations/assertion.js';
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
  const base = helper === undefined || operation === undefined ? undefined : await run.base(start, 'stateful');
  if (helper === undefined || operation === undefined || base === undefined) return;
  const said = { [helper.size]: String(FIRST + SECOND), [helper.type]: 'text/plain' };
  const begin = { ...base, headers: lowerCaseNames({ ...helper.start, ...said }) };
  const started = await run.tryValid(begin);
  if (started === undefined || !isSuccess(started)) return;
  const address = started.headers.get(helper.address);
  if (address === null) {
    const text = { cause: 'address', message: `The start of an upload gives no address in ${helper.address}.` };
    const assertion = present(headerOf(started, helper.address));
    report(run, begin, { exchange: started, assertion, expected: helper.address, actual: 'no such header', ...text });
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
  const stored = await run.tryValid(first);
  if (stored === undefined || !isSuccess(stored)) return refused(upload, first, stored);
  const isCounted = await checkReceived(upload, { cause: 'received', others: [stored] });
  const gap = callOf(upload, { command: commands.upload, offset: FIRST + 1, bytes: PIECES[1] });
  const wrong = await run.tryValid(gap);
  if (wrong !== undefined && isSuccess(wrong)) {
    reportStep(upload, gap, {
      exchange: wrong,
      assertion: { expects: 'status', exchange: wrong, status: 'refused' },
      others: [stored],
      cause: 'offset',
      message: `Bytes were taken at ${FIRST + 1}, although only ${FIRST} had arrived: the file has a gap.`,
      expected: 'a status from 400 to 499',
      actual: String(wrong.status),
    });
    return;
  }
  // If the server kept the misplaced bytes, the upload cannot go on.
  if (isCounted && wrong !== undefined && !(await checkReceived(upload, { cause: 'kept', others: [stored, wrong] })))
    return;
  const last = callOf(upload, { command: commands.finalize, offset: FIRST, bytes: PIECES[1] });
  const done = await run.tryValid(last);
  if (done === undefined || !isSuccess(done)) return refused(upload, last, done, [stored]);
  checkFinal(upload, last, { done, others: [stored] });
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
  const exchange = await run.tryValid(query);
  if (exchange === undefined || !isSuccess(exchange)) {
    refused(upload, query, exchange, others);
    return false;
  }
  const received = exchange.headers.get(helper.received);
  if (received !== String(FIRST))
    reportStep(upload, query, {
      exchange,
      assertion: sameHeader(exchange, helper.received, String(FIRST)),
      others,
      cause,
      message: `After ${FIRST} bytes, ${helper.received} says something else.`,
      expected: String(FIRST),
      actual: received ?? 'no such header',
    });
  if (exchange.headers.get(helper.status) === helper.final)
    reportStep(upload, query, {
      exchange,
      assertion: {
        expects: 'other',
        left: headerOf(exchange, helper.status),
        right: { from: 'literal', value: helper.final },
      },
      others,
      cause: 'early',
      message: `An upload that has not come to its end is ${helper.final}.`,
      expected: 'another status',
      actual: helper.final,
    });
  return received === String(FIRST);
}

/** Checks that the last response marks the upload as finished and shows the file. */
function checkFinal(
  upload: Upload,
  call: Call,
  { done, others }: { readonly done: Exchange; readonly others: readonly Exchange[] },
): void {
  const { helper } = upload;
  const status = done.headers.get(helper.status);
  if (status !== helper.final)
    reportStep(upload, call, {
      exchange: done,
      assertion: sameHeader(done, helper.status, helper.final),
      others,
      cause: 'final',
      message: `All bytes are there, but ${helper.status} does not say so.`,
      expected: helper.final,
      actual: status ?? 'no such header',
    });
  if (resolvePointer(done.json, helper.file) !== undefined) return;
  const left = { from: 'response', exchange: done, pointer: helper.file } as const;
  reportStep(upload, call, {
    exchange: done,
    assertion: present(left),
    others,
    cause: 'file',
    pointer: helper.file,
    message: 'The response to the end of an upload does not show the file.',
    expected: `a value at ${helper.file}`,
    actual: done.text,
  });
}

/** Reports a refusal of a value that the spec's helper declares. */
function refused(upload: Upload, call: Call, exchange: Exchange | undefined, others: readonly Exchange[] = []): void {
  if (exchange === undefined) return;
  reportStep(upload, call, {
    exchange,
    assertion: { expects: 'status', exchange, status: 'good' },
    others,
    cause: `refused ${Object.values(call.headers ?? {})[0] ?? ''}`,
    message: `A step of an upload was refused: ${Object.values(call.headers ?? {}).join(', ')}.`,
    expected: 'a status from 200 to 299',
    actual: `${exchange.status} ${exchange.text}`,
  });
}

/** Reports a problem of a step. The start of the upload precedes each step. */
function reportStep({ run, started }: Upload, call: Call, found: UploadProblem): void {
  report(run, call, { ...found, others: [started, ...(found.others ?? [])] });
}

interface UploadProblem extends ProblemText {
  readonly exchange: Exchange;
  readonly assertion: Assertion;
  readonly others?: readonly Exchange[];
}

function report(run: ContractRun, call: Call, { exchange, assertion, others = [], ...text }: UploadProblem): void {
  run.report(problem('resumable upload', text), { call, phase: 'stateful', assertion, others }, exchange);
}

function headerOf(exchange: Exchange, name: string): Value {
  return { from: 'header', exchange, name };
}

function sameHeader(exchange: Exchange, name: string, value: string): Assertion {
  return { expects: 'same', left: headerOf(exchange, name), right: { from: 'literal', value } };
}
