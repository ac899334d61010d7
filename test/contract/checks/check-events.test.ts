import { expect, test, vi } from 'vitest';

import { checkEventStream, checkItems } from '../../../contract/checks/check-items.js';
import type { Exchange } from '../../../contract/types.js';
import { compileResponses } from '../../../http/response/response-spec.js';
import type { Api, MediaType, Operation } from '../../../model/api.js';
import { EventParser } from '../../../runtime/event-stream.js';

const api = { schemas: new Map(), operations: [] } as unknown as Api;
const SCHEMA = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
const media = {
  mediaType: 'text/event-stream',
  schema: SCHEMA,
  extensions: { 'x-event-stream': 'item' },
  sequence: { framing: 'event-stream', unit: 'data', schema: SCHEMA },
} as unknown as MediaType;

function found(text: string, streaming: object = {}, isCut = false): string[] {
  const responses = [{ status: '200', content: [media], headers: [] }];
  const operation = { extensions: { 'x-streaming': streaming }, responses } as unknown as Operation;
  const exchange = { text, headers: new Headers(), ...(isCut ? { isCut } : {}) } as unknown as Exchange;
  const [described] = compileResponses(operation, { api, report: undefined })(200)?.media ?? [];
  if (described?.items === undefined) return ['no media'];
  return [...checkEventStream(operation, exchange), ...checkItems(described.items, operation, exchange)].map(
    ({ cause }) => cause,
  );
}

const rows: readonly (readonly [string, string, readonly string[], object, boolean])[] = [
  ['events', 'data: {"n":1}\n\ndata: {"n":2}\n\n', [], {}, false],
  ['lines that end otherwise', 'data: {"n":1}\r\n\r\ndata: {"n":2}\r\n\r\n', [], {}, false],
  ['data in two lines', 'data: {"n":\ndata: 1}\n\n', [], {}, false],
  ['a comment', ': wait\n\ndata: {"n":1}\n\n', [], {}, false],
  ['no blank line at the end', 'data: {"n":1}\n\ndata: {"n":2}\n', ['blank line'], {}, false],
  ['no blank line between', 'data: {"n":1}\ndata: {"n":2}\n\n', ['json'], {}, false],
  ['a second event that is wrong', 'data: {"n":1}\n\ndata: {"n":"x"}\n\n', ['type /n'], {}, false],
  ['a second event that is not JSON', 'data: {"n":1}\n\ndata: {"n"\n\n', ['json'], {}, false],
  ['a stream without events', '', [], {}, false],
  ['only a comment', ': no news\n\n', [], {}, false],
  ['a beginning', 'data: {"n":1}\n\ndata: {"n', [], {}, true],
  ['an end', 'data: {"n":1}\n\ndata: [DONE]\n\n', [], { end: '[DONE]' }, false],
  ['no end', 'data: {"n":1}\n\n', ['end'], { end: '[DONE]' }, false],
  ['an end after many events', `${'data: {"n":1}\n\n'.repeat(10_000)}data: [DONE]\n\n`, [], { end: '[DONE]' }, false],
  ['the 201st event that is wrong', `${'data: {"n":1}\n\n'.repeat(200)}data: {"n":"x"}\n\n`, [], {}, false],
  ['events with too many objects', `data: [${'{},'.repeat(8_000)}{}]\n\n`.repeat(2), ['type ', 'json'], {}, false],
  ['an error in the stream', 'data: {"error":{}}\n\n', [], { error: { pointer: '/error' } }, false],
];

test.each(rows)('an event stream is checked: %s', (_, text, causes, streaming, isCut) => {
  expect(found(text, streaming, isCut)).toEqual(causes);
});

test('each event is parsed once, also if the stream has an end marker', () => {
  const push = vi.spyOn(EventParser.prototype, 'push');
  const counts = [{}, { end: '[DONE]' }].map((streaming) => {
    push.mockClear();
    found('data: {"n":1}\n\n'.repeat(20), streaming);
    return push.mock.calls.length;
  });
  push.mockRestore();
  expect(counts[0]).toBeGreaterThan(20);
  expect(counts[1]).toBe(counts[0]);
});
