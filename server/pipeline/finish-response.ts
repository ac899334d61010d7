import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { MockResponse, SentBody, ResponseBody, Violation } from '../../http/messages.js';
import type { JournalMessage } from '../sandbox/sandbox.js';
import { mayStatusHaveBody } from '../../http/response/response-violations.js';
import { addNote, type Outcome, type PipelineCall, type PipelineResponse } from './pipeline-call.js';
import { PlannedBreakError } from './fault-response.js';

/** Makes the response for the transport, with JSON already as text, and writes the call to the journal. */
export function finishResponse(call: PipelineCall, mockResponse: Outcome): MockResponse {
  if (mockResponse === 'abort') {
    writeJournal(call, 0, { headers: {} });
    return { status: 500, headers: {}, abort: true };
  }
  const { status, headers, body, reason } = mockResponse;
  // Violations are reasons too.
  if (reason !== undefined && call.violations.length === 0)
    addNote(call, `The body of the error does not say why: ${reason}`);
  if (body === undefined) {
    writeJournal(call, status, { headers });
    return { status, headers };
  }
  if (body.kind === 'stream' || body.kind === 'events') return finishStream(call, { status, headers, body });
  if (body.kind === 'items') throw new Error('The operation documents no stream of items for this status.');
  if (body.kind === 'json') return finishJson(call, mockResponse, body.value);
  writeJournal(call, status, { headers, body: body.kind === 'text' ? body.text : body.bytes });
  return withoutHead(call, { status, headers, body });
}

function finishJson(call: PipelineCall, { status, headers }: PipelineResponse, value: unknown): MockResponse {
  const text = stringifyExactJson(value);
  const typed = headers['content-type'] === undefined ? { ...headers, 'content-type': 'application/json' } : headers;
  writeJournal(call, status, { headers: typed, json: text });
  return withoutHead(call, { status, headers: typed, body: { kind: 'text', text } });
}

/** Writes a streamed response to the journal when it has ended or the client stops reading. */
function finishStream(
  call: PipelineCall,
  mockResponse: MockResponse & { readonly body: Extract<SentBody, { kind: 'stream' | 'events' }> },
): MockResponse {
  const { status, headers } = mockResponse;
  if (call.request.method === 'HEAD') {
    writeJournal(call, status, { headers });
    return { status, headers };
  }
  const watched = watchStream(mockResponse.body, (body, problem) => {
    if (problem !== undefined) call.violations = [...call.violations, problem];
    writeJournal(call, status, { headers, body });
  });
  return { status, headers, body: watched };
}

/** Handles HEAD like GET, without the body but with its length. */
function withoutHead({ request }: PipelineCall, mockResponse: MockResponse): MockResponse {
  const { status, headers, body } = mockResponse;
  if (request.method !== 'HEAD') return mayStatusHaveBody(status) ? mockResponse : { status, headers };
  const length =
    body?.kind === 'text' ? Buffer.byteLength(body.text) : body?.kind === 'bytes' ? body.bytes.length : undefined;
  return { status, headers: length === undefined ? headers : { ...headers, 'content-length': String(length) } };
}

function writeJournal(call: PipelineCall, status: number, response: JournalMessage): void {
  const { request, sandbox, compiled, violations, notes } = call;
  sandbox.journal.add({
    at: sandbox.clock.now(),
    method: request.method,
    path: request.target,
    status,
    operationId: compiled?.operation.id,
    request: requestMessage(call),
    response,
    violations,
    notes,
    startedAt: call.startedAt,
    failure: call.failure,
  });
}

/** Makes the journal's request, with the parsed body or its unreadable text. */
function requestMessage({ input, json, bytes, request }: PipelineCall): JournalMessage {
  const { headers } = request;
  if (json !== undefined) return { headers, json };
  if (input['body'] !== undefined) return { headers, body: input['body'] };
  if (bytes.length === 0) return { headers };
  const type = headers['content-type'];
  const isText = typeof type === 'string' && /json|text|xml|urlencoded/i.test(type);
  return { headers, body: isText ? Buffer.from(bytes).toString('utf8', 0, 65_536) : bytes };
}

type StreamBody = Extract<ResponseBody, { kind: 'stream' | 'events' }>;

/** Called once with the sent body and the error, when a stream has ended or the client stops reading. */
type StreamEnded = (body: unknown, problem: Violation | undefined) => void;

/** The most bytes and events of a stream that the journal keeps. */
const MAX_KEPT_BYTES = 64 * 1024;
const MAX_KEPT_EVENTS = 1000;

/** Passes a stream on and keeps its start for the journal. */
function watchStream(body: StreamBody, ended: StreamEnded): StreamBody {
  if (body.kind === 'events') {
    const kept: unknown[] = [];
    const keep = ({ data }: { readonly data: unknown }): void => {
      if (kept.length < MAX_KEPT_EVENTS) kept.push(data);
    };
    return { kind: 'events', events: watch(body.events, keep, (problem) => ended(kept, problem)) };
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const keep = (chunk: Uint8Array): void => {
    if (size < MAX_KEPT_BYTES) chunks.push(chunk.slice(0, MAX_KEPT_BYTES - size));
    size += chunk.length;
  };
  return { kind: 'stream', chunks: watch(body.chunks, keep, (problem) => ended(Buffer.concat(chunks), problem)) };
}

function watch<Item>(
  items: AsyncIterable<Item>,
  keep: (item: Item) => void,
  ended: (problem: Violation | undefined) => void,
): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]: () => {
      const source = items[Symbol.asyncIterator]();
      let open = true;
      const end = (problem?: Violation): void => {
        if (open) ended(problem);
        open = false;
      };
      return {
        next: async () => {
          try {
            const result = await source.next();
            if (result.done === true) end();
            else keep(result.value);
            return result;
          } catch (error) {
            end(error instanceof PlannedBreakError ? undefined : toProblem(error));
            throw error;
          }
        },
        return: async () => {
          end();
          await source.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

function toProblem(error: unknown): Violation {
  const reason = error instanceof Error ? error.message : String(error);
  return { in: 'response', pointer: '/body', message: `the stream broke: ${reason}` };
}
