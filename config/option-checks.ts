import { InputError } from '../model/diagnostics/input-error.js';
import { parseDuration } from '../model/duration.js';

/** @throws InputError for a port that cannot be one. */
export function checkPort<Port extends number | undefined>(port: Port): Port {
  if (port === undefined || (Number.isInteger(port) && port >= 0 && port <= 65_535)) return port;
  throw new InputError('The port must be a whole number from 0 to 65535.');
}

/**
 * A length of time in milliseconds, of an option that takes a number of them or a text such as `250ms`.
 *
 * @throws InputError where it is none, or longer than a timer can be.
 */
export function readMilliseconds(option: string, given: number | string): number {
  const duration = typeof given === 'number' ? { months: 0, milliseconds: given } : parseDuration(given);
  if (
    duration !== undefined &&
    duration.months === 0 &&
    duration.milliseconds >= 0 &&
    duration.milliseconds < 2 ** 31
  ) {
    return duration.milliseconds;
  }
  throw new InputError(
    `The ${option} must be a duration such as 250ms, 2s or PT0.25S, and ${JSON.stringify(given)} is none.`,
  );
}
