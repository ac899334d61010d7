import { setTimeout as wait } from 'node:timers/promises';

import type { Operation } from '../../model/api.js';
import type { Fault } from '../sandbox/sandbox.js';
import { findResponse } from '../../http/response/response-spec.js';
import type { ExchangeResponse } from './exchange.js';
import { breakOff, toFaultBody } from './fault-body.js';
import { HttpError } from '../../http/http-error.js';
import { lowerCaseNames } from './handler-call.js';

/** Waits as long as a fault says, or until the client is gone. */
export async function delayFault({ latencyMs = 0 }: Fault, signal: AbortSignal): Promise<void> {
  if (latencyMs <= 0) return;
  await wait(latencyMs, undefined, { signal }).catch(() => undefined);
}

/**
 * The response of a fault; `undefined` if it only delays. With `abort` the connection breaks: after the body that it gives,
 * else without a response.
 *
 * @throws HttpError if the example that it names does not exist
 */
export function applyFault(fault: Fault, operation: Operation | undefined): ExchangeResponse | 'abort' | undefined {
  const { status, headers, body, example, abort = false } = fault;
  if (abort && body === undefined && example === undefined) return 'abort';
  if (status === undefined && headers === undefined && body === undefined && example === undefined) return undefined;
  const given = example === undefined ? undefined : findExample(example, status, operation);
  const all = { ...(given === undefined ? {} : { 'content-type': given.mediaType }), ...lowerCaseNames(headers ?? {}) };
  const text = toFaultBody(body ?? given?.value, all['content-type']);
  return {
    status: status ?? given?.status ?? 200,
    headers: all,
    body: abort && text !== undefined ? breakOff(text) : text,
    refusal: false,
    exempt: true,
  };
}

interface FoundExample {
  readonly status: number;
  readonly mediaType: string;
  readonly value: unknown;
}

/** An example of a response by its name; of the wanted status, or of any. */
function findExample(name: string, status: number | undefined, operation: Operation | undefined): FoundExample {
  const wanted = operation === undefined || status === undefined ? undefined : findResponse(operation, status);
  const responses = wanted === undefined ? (operation?.responses ?? []) : [wanted];
  for (const response of responses) {
    for (const { mediaType, examples } of response.content) {
      const example = examples.find((one) => one.name === name);
      if (example === undefined) continue;
      return { status: status ?? statusOf(response.status), mediaType, value: example.value };
    }
  }
  throw new HttpError(500, `A fault names the example ${JSON.stringify(name)}, which this operation does not have.`);
}

function statusOf(name: string): number {
  const status = Number(name.replace(/XX$/, '00'));
  return Number.isInteger(status) ? status : 200;
}
