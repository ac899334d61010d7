import { setTimeout as wait } from 'node:timers/promises';

import type { Operation } from '../../model/api.js';
import type { AnswerBody } from '../seams/http.js';
import type { Fault } from '../seams/sandbox.js';
import { findResponse } from './answering/answer-rules.js';
import type { ExchangeReply } from './exchange.js';
import { toAnswerBody } from './operation-call.js';
import { Refusal } from './refusal.js';
import { lowerCaseNames } from './request-visit.js';

/** Waits as long as a fault says, or until the client is gone. */
export async function delayFault({ latencyMs = 0 }: Fault, signal: AbortSignal): Promise<void> {
  if (latencyMs <= 0) return;
  await wait(latencyMs, undefined, { signal }).catch(() => undefined);
}

/** The answer of a fault; nothing where it only delays. @throws Refusal where the example that it names does not exist */
export function answerFault(fault: Fault, operation: Operation | undefined): ExchangeReply | 'abort' | undefined {
  if (fault.abort === true) return 'abort';
  const { status, headers, body, example } = fault;
  if (status === undefined && headers === undefined && body === undefined && example === undefined) return undefined;
  const given = example === undefined ? undefined : findExample(example, status, operation);
  return {
    status: status ?? given?.status ?? 200,
    headers: { ...(given === undefined ? {} : { 'content-type': given.mediaType }), ...lowerCaseNames(headers ?? {}) },
    body: body === undefined ? given?.body : toAnswerBody(body),
    refusal: true,
    exempt: true,
  };
}

interface FoundExample {
  readonly status: number;
  readonly mediaType: string;
  readonly body: AnswerBody;
}

/** An example of an answer by its name; of the wanted status, or of any. */
function findExample(name: string, status: number | undefined, operation: Operation | undefined): FoundExample {
  const wanted = operation === undefined || status === undefined ? undefined : findResponse(operation, status);
  const responses = wanted === undefined ? (operation?.responses ?? []) : [wanted];
  for (const response of responses) {
    for (const { mediaType, examples } of response.content) {
      const example = examples.find((one) => one.name === name);
      if (example === undefined) continue;
      return { status: status ?? statusOf(response.status), mediaType, body: { kind: 'json', value: example.value } };
    }
  }
  throw new Refusal(500, `A fault names the example ${JSON.stringify(name)}, which this operation does not have.`);
}

function statusOf(name: string): number {
  const status = Number(name.replace(/XX$/, '00'));
  return Number.isInteger(status) ? status : 200;
}
