import { resolvePointer } from '../../model/document/pointer.js';
import type { Api, MediaType, Operation } from '../../model/api.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { parseJsonText } from '../execute/http/bigint-json.js';
import type { Exchange, Problem } from '../types.js';
import { type ProblemText, problem } from './problem.js';

/** How a stream ends and what an error in it looks like, as `x-streaming` says. */
interface Streaming {
  readonly end?: string;
  readonly error?: { readonly pointer: string };
}

/**
 * Holds a stream of server-sent events against its schema: each event by itself, the blank line after the last one, and the
 * mark of its end where there is one.
 */
export function checkEvents(media: MediaType, operation: Operation, exchange: Exchange, api: Api): Problem[] {
  const streaming = (operation.extensions['x-streaming'] ?? {}) as Streaming;
  const text = exchange.text.replaceAll(/\r\n?/g, '\n');
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  const events = blocks.map(dataOf).filter((data) => data !== undefined);
  const isWhole = exchange.isCut !== true;
  const end = streaming.end;
  const messages = end === undefined ? events : events.filter((data) => data !== end);
  return [
    ...(isWhole && rest.trim() !== ''
      ? [objection('blank line', 'The last event has no blank line after it.', rest)]
      : []),
    ...(isWhole && events.length === 0 && rest.trim() === ''
      ? [objection('empty', 'The stream has no event.', text)]
      : []),
    ...(isWhole && end !== undefined && events.at(-1) !== end
      ? [objection('end', `The stream does not end with ${end}.`, events.at(-1) ?? '')]
      : []),
    ...(media.extensions['x-event-stream'] === 'item' && media.schema !== undefined
      ? messages.slice(0, 200).flatMap((data, index) => checkEvent(data, index, { media, streaming, api }))
      : []),
  ];
}

/** The data of an event; `undefined` where there is none, such as in a comment. */
function dataOf(block: string): string | undefined {
  const lines = block.split('\n').filter((line) => /^data(?::|$)/.test(line));
  return lines.length === 0 ? undefined : lines.map((line) => line.replace(/^data:? ?/, '')).join('\n');
}

interface EventContext {
  readonly media: MediaType;
  readonly streaming: Streaming;
  readonly api: Api;
}

function checkEvent(data: string, index: number, { media, streaming, api }: EventContext): Problem[] {
  const value = parseJsonText(data);
  if (value === undefined) return [objection('json', `Event ${index + 1} is not JSON.`, data)];
  if (streaming.error !== undefined && resolvePointer(value, streaming.error.pointer) !== undefined) return [];
  const errors = compileValidator(api, media.schema ?? true, { direction: 'response' })(value);
  return errors.slice(0, 5).map(({ pointer, keyword, message }) =>
    problem('event stream', {
      cause: `${keyword} ${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`,
      pointer,
      message: `Event ${index + 1}: ${pointer === '' ? 'it' : pointer} ${message}.`,
      expected: message,
      actual: data,
    }),
  );
}

function objection(cause: string, message: string, actual: string): Problem {
  const text: ProblemText = { cause, message, expected: 'events as server-sent events have them', actual };
  return problem('event stream', text);
}
