import { EventParser } from '../../runtime/event-stream.js';
import { FrameSplitter, type Frame } from '../../runtime/frame-splitter.js';
import { ParseBudget, ITEM, LIST, OBJECT } from '../../runtime/parse-budget.js';
import { boundaryOf, framingOf } from '../../runtime/items.js';
import type { Operation } from '../../model/api.js';
import { findItemProblems, readStreamConvention } from '../../http/response/checked-items.js';
import type { ResponseViolation } from '../../http/response/response-violations.js';
import type { ItemCodec } from '../../http/item-codec.js';
import type { Exchange } from '../types.js';
import { type Problem, problem } from './problem.js';

/** The most items of a stream that are checked, and the most errors reported for each. */
const [MOST_ITEMS, MOST_ERRORS] = [200, 5];
/** The bytes that are split in a step, and the characters at the end of a stream that are read. */
const [STEP, TAIL] = [65_536, 65_536];

/**
 * Checks the parts of a server-sent event stream around its items: the blank line after the last item, and the end
 * marker if the spec names one.
 */
export function checkEventStream(operation: Operation, exchange: Exchange): Problem[] {
  if (exchange.isCut === true) return [];
  const { end } = readStreamConvention(operation);
  const parser = new EventParser();
  const events = [...parser.push(exchange.text.slice(-TAIL))];
  const [cutOff] = parser.end();
  const problems: Problem[] = [];
  if (cutOff !== undefined)
    problems.push(streamProblem('blank line', 'The last event has no blank line after it.', cutOff.raw));
  const last = events.at(-1)?.data ?? '';
  if (end !== undefined && last !== end)
    problems.push(streamProblem('end', `The stream does not end with ${end}.`, last));
  return problems;
}

/** Checks each item of a stream against its schema. */
export function checkItems(codec: ItemCodec, operation: Operation, exchange: Exchange): Problem[] {
  const convention = readStreamConvention(operation);
  const framing = framingOf(codec.plan.format);
  const name = framing === 'event-stream' ? 'Event' : 'Item';
  const bytes = Buffer.from(exchange.text);
  const budget = new ParseBudget(bytes.length, [ITEM, OBJECT, LIST]);
  return firstItems(codec, exchange, bytes).flatMap((content, index) =>
    findItemProblems(content, codec, { ...convention, budget })
      .slice(0, MOST_ERRORS)
      .map((found) => describeItem(found, Buffer.from(content).toString().trimEnd(), `${name} ${index + 1}`)),
  );
}

/** An unterminated last item counts if the body is complete, except in an event stream. */
function firstItems({ plan }: ItemCodec, { headers, isCut }: Exchange, bytes: Buffer): Uint8Array[] {
  const framing = framingOf(plan.format);
  const splitter = new FrameSplitter(framing, { boundary: boundaryOf(headers.get('content-type') ?? '') });
  const items: Uint8Array[] = [];
  for (let start = 0; start < bytes.length && items.length < MOST_ITEMS; start += STEP)
    items.push(...contentsOf(splitter.push(bytes.subarray(start, start + STEP))));
  if (isCut !== true && framing !== 'event-stream') items.push(...contentsOf(splitter.end()));
  return items.slice(0, MOST_ITEMS);
}

function contentsOf(frames: readonly Frame[]): Uint8Array[] {
  return frames.flatMap(({ content }) => (content === undefined ? [] : [content]));
}

function describeItem({ error, message }: ResponseViolation, content: string, name: string): Problem {
  if (error === undefined) return streamProblem('json', `${name} ${message}.`, content);
  const { pointer, keyword } = error;
  return problem('event stream', {
    cause: `${keyword} ${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`,
    pointer,
    message: `${name}: ${pointer === '' ? 'it' : pointer} ${message}.`,
    expected: message,
    actual: content,
  });
}

function streamProblem(cause: string, message: string, actual: string): Problem {
  return problem('event stream', { cause, message, expected: 'items in the format of their media type', actual });
}
