import type { Codec } from './codecs.js';
import { round } from './round-integers.js';
import { invalid, invalidStatus } from './server-request.js';
import type { ServerOperation, ValueConverter } from './server-types.js';

/** Rounds integers beyond the precision of numbers. */
export const roundingConverter: ValueConverter = {
  // Without a codec, long integers of bodies are rounded when they are read.
  round: (values) => {
    const { body, ...groups } = values as Record<string, unknown>;
    const rounded = round(groups) as object;
    return body === undefined ? rounded : { ...rounded, body };
  },
  roundData: round,
};

/** Converts the values of requests from JSON. */
export function codecConverter(codec: Codec): ValueConverter {
  const decode = (operation: ServerOperation, values: object): unknown => {
    try {
      return codec(values, 'decode');
    } catch (error) {
      // A text that is valid may still not be a date.
      if (!(error instanceof TypeError)) throw error;
      throw invalid(invalidStatus(operation), [{ in: 'body', pointer: '', message: error.message }]);
    }
  };
  return { round: roundMembers, roundData: round, decode };
}

function roundMembers(values: unknown): unknown {
  return Object.fromEntries(Object.entries(values as object).map(([name, value]) => [name, round(value)]));
}
