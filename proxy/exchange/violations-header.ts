import { splitPointer } from '../../model/document/pointer.js';
import type { Violation } from '../../http/messages.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The most characters of the header, well below the limits of Node and browsers for all headers. */
const MOST = 4 * 1_024;

/** A violation in the format of Prism's header. */
interface HeaderViolation {
  /** `request` or `response`, its part, and the path within that part. */
  readonly location: readonly string[];
  readonly severity: 'Error' | 'Information';
  readonly message: string;
}

/**
 * Writes violations as the value of a header: JSON in ASCII. The last item counts those that do not fit.
 *
 * @example
 * toViolationsHeader([{ in: 'body', pointer: '/name', message: 'must be string' }]);
 * // [{"location":["request","body","name"],"severity":"Error","message":"must be string"}]
 */
export function toViolationsHeader(violations: readonly Violation[]): string | undefined {
  if (violations.length === 0) return undefined;
  const items: string[] = [];
  let length = 2;
  for (const violation of violations) {
    const item = toAscii(toHeaderViolation(violation));
    // Leaves room for the item that counts the others.
    if (length + item.length + 1 > MOST - 200) break;
    items.push(item);
    length += item.length + 1;
  }
  const omitted = violations.length - items.length;
  if (omitted > 0) {
    const message = `${omitted} more: GET /__specmill/requests?violations=true`;
    items.push(toAscii({ location: [], severity: 'Information', message }));
  }
  return `[${items.join(',')}]`;
}

function toHeaderViolation({ in: place, pointer, message }: Violation): HeaderViolation {
  const start = place === 'response' ? ['response'] : ['request', place];
  return { location: [...start, ...splitPointer(pointer)], severity: 'Error', message };
}

function toAscii(item: HeaderViolation): string {
  return stringifyExactJson(item).replaceAll(
    /[^\u0020-\u007e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
