import type { AnswerBody, HeaderMap, MockAnswer } from '../seams/http.js';
import { mayHaveBody } from './answering/check-answer.js';
import type { Exchange, ExchangeReply } from './exchange.js';
import { watchStream } from './watch-stream.js';

/** Makes the answer that the door writes, JSON as one text already, and puts the call into the journal. */
export function finishAnswer(exchange: Exchange, reply: ExchangeReply | 'abort'): MockAnswer {
  if (reply === 'abort') {
    writeJournal(exchange, { status: 0, headers: {} }, undefined);
    return { status: 500, headers: {}, abort: true };
  }
  const { status, headers, body } = reply;
  if (body === undefined) {
    writeJournal(exchange, { status, headers }, undefined);
    return { status, headers };
  }
  if (body.kind === 'stream' || body.kind === 'events') return finishStream(exchange, { status, headers, body });
  const sent = serialize(body, headers);
  writeJournal(
    exchange,
    { status, headers: sent.headers },
    body.kind === 'json' ? body.value : body.kind === 'text' ? body.text : body.bytes,
  );
  return withoutHead(exchange, { status, ...sent });
}

function serialize(
  body: Exclude<AnswerBody, { kind: 'stream' | 'events' }>,
  headers: HeaderMap,
): { headers: HeaderMap; body: AnswerBody } {
  if (body.kind !== 'json') return { headers, body };
  const typed = headers['content-type'] === undefined ? { ...headers, 'content-type': 'application/json' } : headers;
  return { headers: typed, body: { kind: 'text', text: JSON.stringify(body.value) ?? 'null' } };
}

/** A stream is in the journal when it has ended, or when nobody reads on. */
function finishStream(
  exchange: Exchange,
  answer: MockAnswer & { readonly body: Extract<AnswerBody, { kind: 'stream' | 'events' }> },
): MockAnswer {
  const { status, headers } = answer;
  if (exchange.request.method === 'HEAD') {
    writeJournal(exchange, { status, headers }, undefined);
    return { status, headers };
  }
  const watched = watchStream(answer.body, (body, problem) => {
    if (problem !== undefined) exchange.violations = [...exchange.violations, problem];
    writeJournal(exchange, { status, headers }, body);
  });
  return { status, headers, body: watched };
}

/** HEAD is answered like GET, without the body but with its length. */
function withoutHead({ request }: Exchange, { status, headers, body }: MockAnswer): MockAnswer {
  if (request.method !== 'HEAD')
    return mayHaveBody(status) || body === undefined
      ? { status, headers, ...(body === undefined ? {} : { body }) }
      : { status, headers };
  const length =
    body?.kind === 'text' ? Buffer.byteLength(body.text) : body?.kind === 'bytes' ? body.bytes.length : undefined;
  return { status, headers: length === undefined ? headers : { ...headers, 'content-length': String(length) } };
}

function writeJournal(
  exchange: Exchange,
  { status, headers }: Pick<MockAnswer, 'status' | 'headers'>,
  body: unknown,
): void {
  const { request, sandbox, compiled, violations } = exchange;
  const asked = requestBody(exchange);
  sandbox.journal.add({
    at: sandbox.clock.now(),
    method: request.method,
    path: request.target,
    status,
    ...(compiled === undefined ? {} : { operationId: compiled.operation.id }),
    request: asked === undefined ? { headers: request.headers } : { headers: request.headers, body: asked },
    response: body === undefined ? { headers } : { headers, body },
    violations: violations,
  });
}

/** What was read, or the text that could not be. */
function requestBody({ input, bytes, request }: Exchange): unknown {
  if (input['body'] !== undefined) return input['body'];
  if (bytes.length === 0) return undefined;
  const type = request.headers['content-type'];
  return typeof type === 'string' && /json|text|xml|urlencoded/i.test(type)
    ? Buffer.from(bytes).toString('utf8', 0, 65_536)
    : bytes;
}
