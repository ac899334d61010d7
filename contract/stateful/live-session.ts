import { isRecord } from '../../model/document/records.js';
import type { Operation } from '../../model/api.js';
import type { LiveSessionValue } from '../../model/helper-values.js';
import { findMessageSchema } from '../../model/websocket-messages.js';
import { resolvePointer } from '../../model/document/pointer.js';
import { type Schema, refTo } from '../../model/schema-types.js';
import { compileValidator, isValidValue } from '../../schema/compile-validator.js';
import { generateValue } from '../../schema/generate-value.js';
import { makeCall } from '../plan/build-request-values.js';
import { type ProblemText, problem } from '../checks/problem.js';
import type { ContractRun } from '../execute/contract-run.js';
import { NO_HEADERS } from '../execute/http/connection.js';
import { parseJsonText } from '../../model/document/json-text.js';
import { type OpenSocket, Session } from '../execute/http/websocket-session.js';
import { givenHeaders, writeCall } from '../execute/http/write-call.js';
import { showSession } from '../reproduction/print-websocket-script.js';
import { memberSchemas } from '../../schema/facts/members.js';
import type { Call, Exchange } from '../types.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** An operation that opens WebSocket sessions. */
interface Live {
  readonly run: ContractRun;
  readonly call: Call;
  readonly helper: LiveSessionValue;
  readonly client: Schema;
  readonly server: Schema;
  readonly open: () => Promise<Session | undefined>;
  readonly exchange: Exchange;
  readonly limit: number;
}

/** Time for a server to be ready or to refuse a message, unless the run's time limit is shorter. Milliseconds. */
const LONGEST = 5_000;
/** After this time without a message, no more are expected. Milliseconds. */
const QUIET = 500;
const MAX_SETUPS = 4;
const MAX_MESSAGES = 100;

/**
 * Opens a session, sets it up, sends a valid and an invalid message, and checks each message from the server against
 * its schema.
 */
export async function checkSession(run: ContractRun, operation: Operation, sockets: OpenSocket): Promise<void> {
  const live = findLive(run, operation, sockets);
  const opened = live === undefined ? undefined : await setUp(live);
  if (live === undefined || opened === undefined) return;
  const { session, setup } = opened;
  run.coverage.add({ phase: 'stateful', call: live.call, expectation: { kind: 'valid' } }, live.exchange);
  const later = examplesOf(live).find((message) => !hasSetup(message, live));
  if (later !== undefined) {
    session.send(stringifyExactJson(later));
    await listen(session, live, { sent: [setup, later], limit: QUIET });
  }
  session.close();
  await checkRefusal(live, setup, { specmill: [] });
}

function findLive(run: ContractRun, operation: Operation, sockets: OpenSocket): Live | undefined {
  const { options, context } = run;
  const helper = operation.extensions['x-live-session'] as LiveSessionValue | undefined;
  const client = findMessageSchema(options.api, operation, 'client');
  const server = findMessageSchema(options.api, operation, 'server');
  const call = makeCall(operation, { variant: 'minimal', seed: 1 }, context);
  const request = call === undefined ? undefined : writeCall(call, options);
  if (helper === undefined || client === undefined || server === undefined) return undefined;
  if (call === undefined || request === undefined) return undefined;
  const exchange = { request, status: 101, headers: NO_HEADERS, text: '', durationMs: 0 };
  const limit = Math.min(LONGEST, options.timeLimitMs);
  const address = request.url.replace(/^http/, 'ws');
  const open = async (): Promise<Session | undefined> =>
    Session.open(sockets(address, givenHeaders(call, options)), limit);
  return { run, limit, call, helper, client, server, exchange, open };
}

/** Opens sessions until a setup is accepted: a generated one may name missing items. */
async function setUp(live: Live): Promise<{ readonly session: Session; readonly setup: unknown } | undefined> {
  for (const setup of setupsOf(live)) {
    const session = await live.open();
    // The session may need a real credential, so this is not a finding.
    if (session === undefined) return undefined;
    session.send(stringifyExactJson(setup));
    const isReady = await listen(session, live, { sent: [setup], limit: live.limit });
    if (isReady) return { session, setup };
    if (session.closed === undefined)
      report(live, [setup], {
        cause: 'ready',
        message: `The server neither sends ${live.helper.ready} nor closes the session.`,
        expected: `a message with ${live.helper.ready}`,
        actual: 'none',
      });
    session.close();
  }
  return undefined;
}

function setupsOf(live: Live): unknown[] {
  const { api, seed } = live.run.options;
  const name = live.helper.setup.slice(1);
  const member = memberSchemas(live.client, api).get(name);
  const made =
    member === undefined ? undefined : generateValue(api, member, { direction: 'request', seed, variant: 'minimal' });
  const examples = examplesOf(live).filter((message) => hasSetup(message, live));
  return [...examples, ...(made?.ok === true ? [{ [name]: made.value }] : [])].slice(0, MAX_SETUPS);
}

function examplesOf({ client, run }: Live): unknown[] {
  const name = typeof client === 'object' ? client.$ref?.split('/').at(-1) : undefined;
  const own = [...run.options.api.schemas.values()].find((one) => refTo(one.name) === refTo(name ?? ''))?.schema;
  return typeof own === 'object' ? [...(own.examples ?? [])] : [];
}

function hasSetup(message: unknown, { helper }: Live): boolean {
  return isRecord(message) && resolvePointer(message, helper.setup) !== undefined;
}

interface Listening {
  /** The client's messages so far. */
  readonly sent: readonly unknown[];
  readonly limit: number;
}

/** Reads messages until the session is ready or no more arrive, and checks each against its schema. */
async function listen(session: Session, live: Live, { sent, limit }: Listening): Promise<boolean> {
  const { api } = live.run.options;
  const validate = compileValidator(api, live.server, { direction: 'response' });
  for (let count = 0; count < MAX_MESSAGES; count += 1) {
    const text = await session.next(limit);
    if (text === undefined) return false;
    const message = parseJsonText(text);
    if (message === undefined)
      report(live, sent, { cause: 'json', message: 'A message is not JSON.', expected: 'JSON', actual: text });
    else
      for (const { pointer, keyword, message: what } of validate(message).slice(0, 5))
        report(live, sent, {
          cause: `${keyword} ${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`,
          pointer,
          message: `${pointer === '' ? 'A message of the server' : pointer} ${what}.`,
          expected: what,
          actual: text,
        });
    if (resolvePointer(message, live.helper.ready) !== undefined) return true;
  }
  return false;
}

/** Checks that a message that breaks the client's schema ends the session. */
async function checkRefusal(live: Live, setup: unknown, wrong: unknown): Promise<void> {
  const { api } = live.run.options;
  if (isValidValue(wrong, live.client, api)) return;
  const session = await live.open();
  if (session === undefined) return;
  session.send(stringifyExactJson(setup));
  await listen(session, live, { sent: [setup], limit: live.limit });
  session.send(stringifyExactJson(wrong));
  let isError = false;
  for (let text = await session.next(live.limit); text !== undefined && !isError; text = await session.next(live.limit))
    isError = isRecord(parseJsonText(text)) && resolvePointer(parseJsonText(text), '/error') !== undefined;
  if (session.closed === undefined && !isError)
    report(live, [setup, wrong], {
      cause: 'accepted',
      message: 'A client message that breaks its schema was accepted.',
      expected: 'the end of the session',
      actual: 'none',
    });
  session.close();
}

function report({ run, call, exchange }: Live, sent: readonly unknown[], text: ProblemText): void {
  const found = problem('live session', text);
  const address = run.secrets.hide(exchange.request.url.replace(/^http/, 'ws'));
  const script = showSession({ address, sent, operationId: call.operation.id, found });
  run.findings.report(found, { call, phase: 'stateful', script }, exchange);
}
