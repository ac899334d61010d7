import type { IncomingMessage, ServerResponse } from 'node:http';

import { splitTarget } from '../../http/routing/router.js';
import type { HeaderMap } from '../../http/messages.js';
import { BodyTap, START_BYTES } from '../wire/body-tap.js';
import { ClientGone } from '../wire/client-gone.js';
import type { DecodedBody } from './forwarded-exchange.js';
import type { ProxyContext } from './proxy-context.js';
import { ExchangeRecord } from './exchange-record.js';
import type { CheckedBody, ExchangeCheck } from '../check-exchange.js';

/** One call of a client. */
export interface IncomingExchange {
  readonly host: ProxyContext;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** The protocol that the client wants to upgrade to. */
  readonly upgrade: string | undefined;
}

/** The state of a call while it passes. */
export interface OpenExchange extends IncomingExchange {
  readonly record: ExchangeRecord;
  readonly check: ExchangeCheck;
  readonly requestTap: BodyTap;
  readonly gone: ClientGone;
  /** Checks the received part of the request's body, once, and adds its violations to the record. */
  readonly checkBody: () => CheckedBody | Promise<CheckedBody>;
}

/** Checks the head of a call. */
export function openExchange(call: IncomingExchange): OpenExchange {
  const { host, incoming, response, upgrade } = call;
  const gone = new ClientGone(response);
  const headers: HeaderMap = incoming.headers;
  const check = host.check({ method: incoming.method ?? 'GET', ...splitTarget(incoming.url ?? '/'), headers });
  const record = new ExchangeRecord(check.operation);
  record.addViolations(check.unrouted);
  record.addViolations(check.head.map(({ violation }) => violation));
  const { maxBodyBytes, keepsBodies } = host.settings;
  const requestTap = new BodyTap(headers, check.validatesBody || keepsBodies ? maxBodyBytes : START_BYTES);
  let checked: CheckedBody | Promise<CheckedBody> | undefined;
  const checkBody: OpenExchange['checkBody'] = () => (checked ??= checkRequestBody(requestTap, check, record));
  return { host, incoming, response, upgrade, record, check, requestTap, gone, checkBody };
}

function checkRequestBody(
  tap: BodyTap,
  check: ExchangeCheck,
  record: ExchangeRecord,
): CheckedBody | Promise<CheckedBody> {
  const decoded = tap.decode();
  const judge = (body: DecodedBody): CheckedBody => judgeRequestBody(body, check, record);
  return decoded instanceof Promise ? decoded.then(judge) : judge(decoded);
}

function judgeRequestBody(body: DecodedBody, check: ExchangeCheck, record: ExchangeRecord): CheckedBody {
  try {
    const checked = check.checkBody(body);
    record.addViolations(checked.problems.map(({ violation }) => violation));
    record.addNote(checked.note);
    return checked;
  } catch (error) {
    // A schema that cannot be compiled must not stop a call.
    record.addNote(
      `The body of the request was not checked: ${error instanceof Error ? error.message : String(error)}`,
    );
    return { problems: [] };
  }
}
