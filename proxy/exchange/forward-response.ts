import type { IncomingMessage } from 'node:http';

import { mayStatusHaveBody } from '../../http/response/response-violations.js';
import { BodyTap, START_BYTES } from '../wire/body-tap.js';
import type { CheckedResponseBody, StreamedResponseCheck } from '../streamed-response-check.js';
import type { ItemStreamCheck } from '../../http/response/checked-items.js';
import { toClientHeaders } from '../wire/forwarded-headers.js';
import { HttpError } from '../../http/http-error.js';
import { type BufferLimits, type BufferedBody, bufferBody, takeWhole } from '../wire/buffer-body.js';
import { clientGone } from '../wire/client-gone.js';
import { respondByMock } from './mock-fallback.js';
import type { UndecodedReason } from './forwarded-exchange.js';
import { MOST_VIOLATIONS } from './exchange-record.js';
import type { OpenExchange } from './open-exchange.js';
import { type PipeEnd, pipeResponse } from '../wire/pipe-response.js';
import type { UpstreamMessage } from '../wire/send-request.js';
import { toViolationsHeader } from './violations-header.js';

/** Responses up to this length in bytes are held back until they are checked, so that a header can list violations. */
const HELD_BYTES = 256 * 1_024;
/** The longest idle time for which such a response is held back. Milliseconds. */
const HELD_TIME = 250;

/** A response while it is passed back. */
interface OpenResponse {
  readonly call: OpenExchange;
  readonly message: IncomingMessage;
  readonly tap: BodyTap;
  /** `undefined` if the call has no operation. */
  readonly check: StreamedResponseCheck | undefined;
  /** Set if the response is a stream whose items the spec describes. */
  readonly watch: ItemStreamCheck | undefined;
}

/**
 * Passes a response back and checks it: its head before, its body after passing it on. Short bodies, and all bodies
 * with `errors`, are checked before.
 *
 * @throws HttpError if the client gets another response instead.
 */
export async function forwardResponse(call: OpenExchange, { message }: UpstreamMessage): Promise<void> {
  const { record, response, host } = call;
  message.on('error', () => undefined);
  if (host.mock !== undefined && (await respondByMock(call, message))) return;
  // If the request is not complete yet, only its head is checked.
  const requestCheck = call.requestTap.isWhole ? call.checkBody() : undefined;
  if (requestCheck instanceof Promise) await requestCheck;
  const received = openResponse(call, message);
  const { tap, watch } = received;
  const buffered = bufferResponse(received);
  const held = buffered instanceof Promise ? await buffered : buffered;
  const checked = held !== undefined && (held.stop === 'end' || host.settings.errors) ? checkBody(received) : undefined;
  refuseBroken(received, checked instanceof Promise ? await checked : checked);
  writeHead(received);
  if (held?.stop !== 'end') response.flushHeaders();
  record.status = message.statusCode ?? 0;
  const end = await pipeResponse({ message, response, tap, held, watch, isStrict: host.settings.errors });
  if (held?.stop !== 'end') await checkBody(received);
  record.addNote(END_NOTES[end]);
}

const END_NOTES: Readonly<Record<PipeEnd, string | undefined>> = {
  whole: undefined,
  'client-gone': 'The client closed the connection before the end of the response.',
  'server-broke-off': 'The server closed the connection before the end of its response.',
  'item-refused': 'The stream was cut off at an item that does not match the specification.',
};

function openResponse(call: OpenExchange, message: IncomingMessage): OpenResponse {
  const { record, check: callCheck, incoming, host } = call;
  const { maxBodyBytes, keepsBodies } = host.settings;
  const check = callCheck.openResponse?.({
    status: message.statusCode ?? 0,
    headers: message.headers,
    isHead: incoming.method === 'HEAD',
    isRequestBroken: record.violations.length > 0,
  });
  record.addViolations(check?.headViolations ?? []);
  const isLookedAt = check?.judgesBody === true || check?.hasDescribedItems === true;
  const tap = new BodyTap(message.headers, isLookedAt || keepsBodies ? maxBodyBytes : START_BYTES);
  record.setResponse(message, tap);
  const isPlain = message.headers['content-encoding'] === undefined;
  const watch = isPlain ? check?.watchItems({ itemBytes: maxBodyBytes, violations: MOST_VIOLATIONS }) : undefined;
  return { call, message, tap, check, watch };
}

/** Reads the body before the response is passed on, if that is required. */
function bufferResponse(received: OpenResponse): BufferedBody | Promise<BufferedBody> | undefined {
  const { call, message, tap, check } = received;
  const { errors, maxBodyBytes, patience } = call.host.settings;
  if (check?.judgesBody !== true) return undefined;
  // Also true without a length: such a response may be a stream.
  if (!errors && !(Number(message.headers['content-length']) <= HELD_BYTES)) return undefined;
  const limits = errors ? { limit: maxBodyBytes, patience } : { limit: HELD_BYTES, patience: HELD_TIME };
  return takeWhole(message, tap, limits.limit) ?? bufferRest(received, limits);
}

async function bufferRest({ call, message, tap }: OpenResponse, limits: BufferLimits): Promise<BufferedBody> {
  const unlisten = call.gone.listen(() => void message.destroy());
  const held = await bufferBody(message, tap, limits);
  unlisten();
  const isTooSlow = call.host.settings.errors && held.stop === 'idle';
  if (held.stop !== 'cut-off' && !isTooSlow) return held;
  message.destroy();
  if (isTooSlow) throw new HttpError(504, 'The server did not finish its response in time.');
  if (call.gone.isGone) throw clientGone();
  throw new HttpError(502, 'The server closed the connection before the end of its response.');
}

/** Checks the body so far and adds its violations to the record. */
function checkBody(received: OpenResponse): UndecodedReason | Promise<UndecodedReason | undefined> | undefined {
  const { check, tap, call } = received;
  if (check === undefined) return undefined;
  if (check.hasDescribedItems) return checkItems(received, check);
  try {
    const checked = check.checkBody(tap);
    if (checked instanceof Promise)
      return checked.then(
        (known) => recordCheck(call, known),
        (error: unknown) => recordFailure(call, error),
      );
    return recordCheck(call, checked);
  } catch (error) {
    return recordFailure(call, error);
  }
}

function recordCheck(
  { record }: OpenExchange,
  { violations, note, unchecked }: CheckedResponseBody,
): UndecodedReason | undefined {
  record.addViolations(violations);
  record.addNote(note);
  return unchecked;
}

/** Notes that the body was not checked. A schema that cannot be compiled must not stop a call. */
function recordFailure({ record }: OpenExchange, error: unknown): undefined {
  record.addNote(`The body of the response was not checked: ${error instanceof Error ? error.message : String(error)}`);
}

async function checkItems(
  { call, tap, watch }: OpenResponse,
  check: StreamedResponseCheck,
): Promise<UndecodedReason | undefined> {
  const { record, host } = call;
  try {
    const items = watch ?? (await readItems(check, tap, host.settings.maxBodyBytes));
    record.addViolations(items?.violations ?? []);
    if (items?.hasGivenUp === true) record.addNote('An item of the response was too long to be checked.');
    return recordCheck(call, await check.checkBody(tap));
  } catch (error) {
    return recordFailure(call, error);
  }
}

/** Checks the items of a compressed stream after it has ended. */
async function readItems(
  check: StreamedResponseCheck,
  tap: BodyTap,
  limit: number,
): Promise<ItemStreamCheck | undefined> {
  const items = check.watchItems({ itemBytes: limit, violations: MOST_VIOLATIONS });
  if (items === undefined) return undefined;
  const expanded = await tap.decode();
  if (!expanded.ok) return undefined;
  items.add(expanded.bytes);
  items.finish();
  return items;
}

/** @throws HttpError if the response violates the spec or cannot be checked, and so must not pass. */
function refuseBroken(
  { call: { record, host }, message, check, watch }: OpenResponse,
  unchecked?: UndecodedReason,
): void {
  if (!host.settings.errors) return;
  const broken = record.violations.filter((violation) => violation.in === 'response');
  const isOpaque = unchecked !== undefined || (check?.hasDescribedItems === true && watch === undefined);
  if (broken.length === 0 && !isOpaque) return;
  message.destroy();
  if (broken.length > 0)
    throw new HttpError(502, 'The response of the server does not match the specification.', { violations: broken });
  throw new HttpError(502, 'The response of the server cannot be checked.');
}

function writeHead({ call, message }: OpenResponse): void {
  const { incoming, response, record, host } = call;
  const status = message.statusCode ?? 0;
  const headers = toClientHeaders({
    status,
    httpVersion: message.httpVersion,
    rawHeaders: message.rawHeaders,
    headers: message.headers,
    pseudonym: host.pseudonym,
    takesTrailers: incoming.httpVersion === '1.1' && incoming.method !== 'HEAD' && mayStatusHaveBody(status),
    violations: toViolationsHeader(record.violations),
  });
  // Without `100 Continue`, the client may skip its body; its next request would then be read as the body.
  if (incoming.headers['expect'] !== undefined && !incoming.complete) headers.push('Connection', 'close');
  try {
    response.writeHead(status, toReason(message.statusMessage), headers);
  } catch {
    response.statusMessage = '';
    message.destroy();
    throw new HttpError(502, 'The head of the response cannot be forwarded.');
  }
}

const UNFIT_FOR_REASON = /[^\t\u0020-\u007e\u0080-\u00ff]/g;

/** Removes characters that a reason phrase cannot contain. */
function toReason(given = ''): string {
  return given.replaceAll(UNFIT_FOR_REASON, '');
}
