import type { IncomingMessage } from 'node:http';

import { mayHaveBody } from '../../http/response/check-response.js';
import { BodyTap, START_BYTES } from '../wire/body-tap.js';
import type { AnswerCheck } from '../checks/response-check.js';
import { EventWatch } from '../checks/event-stream-check.js';
import { toClientHeaders } from '../wire/forwarded-headers.js';
import { GatewayError } from '../wire/gateway-error.js';
import { CutOffError, type HeldBody, holdBody } from '../wire/buffer-body.js';
import { answerByMock } from './mock-fallback.js';
import type { PassingCall } from './open-exchange.js';
import { type RelayEnd, relayAnswer } from '../wire/pipe-response.js';
import type { Answered } from '../wire/send-request.js';
import { toViolationsHeader } from './violations-header.js';

/** An answer of a known length up to this is held back until it is checked, so that its head can tell. Bytes. */
const HELD_BYTES = 256 * 1_024;
/** For this long at most: a server that announces a length and then takes its time is not waited for. Milliseconds. */
const HELD_TIME = 250;

/** An answer on its way back. */
interface PassingAnswer {
  readonly call: PassingCall;
  readonly message: IncomingMessage;
  readonly tap: BodyTap;
  /** Nothing where the call has no operation. */
  readonly check: AnswerCheck | undefined;
  /** Where the spec describes the events of the stream that it is. */
  readonly watch: EventWatch | undefined;
}

/**
 * Passes an answer back as it comes, and checks it: its head before, its body after it has passed, or before where it is
 * short or nothing that breaks the spec may pass.
 *
 * @throws GatewayError where the client gets another answer in its place.
 */
export async function passAnswer(call: PassingCall, { message }: Answered): Promise<void> {
  const { record, response, host } = call;
  message.on('error', () => undefined);
  if (await answerByMock(call, message)) return;
  const answer = await openAnswer(call, message);
  const { tap, watch } = answer;
  const held = await holdAnswer(answer);
  if (held?.isWhole === true) await checkBody(answer);
  refuseBroken(answer);
  writeHead(answer);
  if (held?.isWhole !== true) response.flushHeaders();
  record.status = message.statusCode ?? 0;
  const end = await relayAnswer({ message, response, tap, held, watch, isStrict: host.settings.errors });
  if (held?.isWhole !== true) await checkBody(answer);
  record.addNote(END_NOTES[end]);
}

const END_NOTES: Readonly<Record<RelayEnd, string | undefined>> = {
  whole: undefined,
  'client-gone': 'The client went away before the end of the answer.',
  'server-broke-off': 'The server broke off its answer.',
  'event-refused': 'The stream was cut off at an event that does not match the specification.',
};

async function openAnswer(call: PassingCall, message: IncomingMessage): Promise<PassingAnswer> {
  const { record, check: callCheck, requestTap, incoming, host } = call;
  const { maxBodyBytes, keepsBodies } = host.settings;
  // While the request is still on its way, only its head is known.
  if (requestTap.isWhole) await call.checkBody();
  const check = callCheck.openAnswer({
    status: message.statusCode ?? 0,
    headers: message.headers,
    isHead: incoming.method === 'HEAD',
    isRequestBroken: record.violations.length > 0,
  });
  record.addViolations(check?.headViolations ?? []);
  const isLookedAt = check?.judgesBody === true || check?.hasDescribedEvents === true;
  const tap = new BodyTap(message.headers, isLookedAt || keepsBodies ? maxBodyBytes : START_BYTES);
  record.setAnswer(message, tap);
  const isPlain = message.headers['content-encoding'] === undefined;
  const watch = check?.hasDescribedEvents === true && isPlain ? new EventWatch(check, maxBodyBytes) : undefined;
  return { call, message, tap, check, watch };
}

/** Reads the body before anything of the answer is passed on, where that is called for. */
async function holdAnswer({ call, message, tap, check }: PassingAnswer): Promise<HeldBody | undefined> {
  const { errors, maxBodyBytes, patience } = call.host.settings;
  if (check?.judgesBody !== true) return undefined;
  // Without a length the comparison fails: such an answer may be a stream.
  if (!errors && !(Number(message.headers['content-length']) <= HELD_BYTES)) return undefined;
  const limits = errors ? { limit: maxBodyBytes, patience } : { limit: HELD_BYTES, patience: HELD_TIME };
  const abort = (): void => void message.destroy();
  call.gone.addEventListener('abort', abort);
  try {
    const held = await holdBody(message, tap, limits);
    if (errors && held.isIdle) throw new GatewayError(504, 'The server did not finish its answer in time.');
    return held;
  } catch (error) {
    message.destroy();
    throw error instanceof CutOffError && !call.gone.aborted
      ? new GatewayError(502, 'The server broke off its answer.')
      : error;
  } finally {
    call.gone.removeEventListener('abort', abort);
  }
}

/** What the body breaks, as far as it has come; it is kept in the record. */
async function checkBody({ call: { record, host }, tap, check, watch }: PassingAnswer): Promise<void> {
  if (check === undefined) return;
  try {
    const events = watch ?? (await readEvents(check, tap, host.settings.maxBodyBytes));
    record.addViolations(events?.violations ?? []);
    if (events?.hasGivenUp === true) record.addNote('An event of the answer was too long to be checked.');
    const { violations, note } = await check.checkBody(tap);
    record.addViolations(violations);
    record.addNote(note);
  } catch (error) {
    // A schema that cannot be put to work is no reason to stop a call.
    record.addNote(`The body of the answer was not checked: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The events of a stream that was compressed: they are seen only when it has ended. */
async function readEvents(check: AnswerCheck, tap: BodyTap, limit: number): Promise<EventWatch | undefined> {
  if (!check.hasDescribedEvents) return undefined;
  const expanded = await tap.expand();
  if (!expanded.ok) return undefined;
  const events = new EventWatch(check, limit);
  events.add(expanded.bytes);
  return events;
}

/** @throws GatewayError where an answer that breaks the spec must not pass. */
function refuseBroken({ call: { record, host }, message }: PassingAnswer): void {
  const broken = record.violations.filter((violation) => violation.in === 'response');
  if (!host.settings.errors || broken.length === 0) return;
  message.destroy();
  throw new GatewayError(502, 'The answer of the server does not match the specification.', broken);
}

function writeHead({ call, message }: PassingAnswer): void {
  const { incoming, response, record, host } = call;
  const status = message.statusCode ?? 0;
  const headers = toClientHeaders({
    status,
    httpVersion: message.httpVersion,
    rawHeaders: message.rawHeaders,
    headers: message.headers,
    pseudonym: host.pseudonym,
    takesTrailers: incoming.httpVersion === '1.1' && incoming.method !== 'HEAD' && mayHaveBody(status),
    violations: toViolationsHeader(record.violations),
  });
  // A client that was not told to go on may keep its body: what comes next would be mistaken for it.
  if (incoming.headers['expect'] !== undefined && !incoming.complete) headers.push('Connection', 'close');
  try {
    // What no reason can hold is left out; the status says it all.
    response.writeHead(
      status,
      (message.statusMessage ?? '').replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, ''),
      headers,
    );
  } catch {
    response.statusMessage = '';
    message.destroy();
    throw new GatewayError(502, 'The head of the answer cannot be passed on.');
  }
}
