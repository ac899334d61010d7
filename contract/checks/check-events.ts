import { EventParser } from '../../runtime/event-stream.js';
import type { Operation } from '../../model/api.js';
import { describesEvents, findEventProblems, readStreamConvention } from '../../http/response/check-event-stream.js';
import type { ResponseProblem } from '../../http/response/check-response.js';
import type { ResponseMedia } from '../../http/response/response-spec.js';
import type { Exchange, Problem } from '../types.js';
import { problem } from './problem.js';

/** Events of a stream that are checked, and errors of each. */
const [MOST_EVENTS, MOST_ERRORS] = [200, 5];

/**
 * Checks a stream of server-sent events: each event against the schema, the blank line after the last one, and the mark
 * of the end where the spec names one.
 */
export function checkEvents(media: ResponseMedia, operation: Operation, exchange: Exchange): Problem[] {
  const convention = readStreamConvention(operation);
  const parser = new EventParser();
  const events = [...parser.push(exchange.text)];
  const [cutOff] = parser.end();
  const problems: Problem[] = [];
  if (exchange.isCut !== true) {
    if (cutOff !== undefined)
      problems.push(objection('blank line', 'The last event has no blank line after it.', cutOff.raw));
    const last = events.at(-1)?.data ?? '';
    if (convention.end !== undefined && last !== convention.end)
      problems.push(objection('end', `The stream does not end with ${convention.end}.`, last));
  }
  if (!describesEvents(media)) return problems;
  const items = events.map(({ data }) => data).filter((data) => data !== convention.end);
  return items.slice(0, MOST_EVENTS).reduce((all, data, index) => {
    const found = findEventProblems(data, media, convention).slice(0, MOST_ERRORS);
    return [...all, ...found.map((one) => describeEvent(one, data, index))];
  }, problems);
}

function describeEvent({ error, message }: ResponseProblem, data: string, index: number): Problem {
  if (error === undefined) return objection('json', `Event ${index + 1} ${message}.`, data);
  const { pointer, keyword } = error;
  return problem('event stream', {
    cause: `${keyword} ${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`,
    pointer,
    message: `Event ${index + 1}: ${pointer === '' ? 'it' : pointer} ${message}.`,
    expected: message,
    actual: data,
  });
}

function objection(cause: string, message: string, actual: string): Problem {
  return problem('event stream', { cause, message, expected: 'events as server-sent events have them', actual });
}
