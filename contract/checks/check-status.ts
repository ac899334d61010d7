import type { Operation } from '../../model/api.js';
import { isDocumentedFailure } from './documented-failure.js';
import { isStream } from './is-stream.js';
import { refusalOfItem } from './item-results.js';
import { isAlong } from '../../schema/value-sites.js';
import { type Evidence, type StatusName, hasStatus, headerOf, present } from '../expectations/assertion.js';
import { type UnmetText, problemsOf } from '../expectations/unmet.js';
import type { Case, CheckName, Exchange } from '../types.js';
import { readViolations } from './read-violations.js';
import { SAYS_TAKEN } from '../../resources/unique-members.js';
import type { Problem } from './problem.js';

/**
 * Checks the status of a response: that the server works, and the expectation of its case. Checks an HTML page for
 * unescaped input, and a 405 for its `Allow` header.
 */
export function checkStatus({ expectation, call }: Case, exchange: Exchange): Problem[] {
  return [
    ...checkServer(exchange, call.operation),
    ...checkExpected({ call, expectation }, exchange),
    ...problemsOf('no echo in HTML', { expects: 'escaped', exchange }, RECEIVED, tellMarkup),
    ...(call.method === undefined || exchange.status !== 405
      ? []
      : problemsOf('unsupported method', present(headerOf(exchange, 'allow')), RECEIVED, tellAllow)),
  ];
}

function tellMarkup(): UnmetText {
  return { message: 'The HTML page shows input unescaped: a script in it would run.' };
}

function tellAllow(): UnmetText {
  return {
    cause: 'allow',
    message: 'The 405 has no Allow header, which must name the allowed methods (RFC 9110, 15.5.6).',
    expected: 'the header Allow',
    severity: 'note',
  };
}

/** The evidence of a response, for expectations that say nothing of its request. */
const RECEIVED: Evidence = { responseTo: (key) => key, callOf: () => undefined };

/** Checks that the server responds in time and does not fail, other than with a 5xx that the operation documents. */
export function checkServer(exchange: Exchange, operation: Operation): Problem[] {
  if (isDocumentedFailure(exchange, operation)) return [];
  // A server may send the head of a stream with its first item, which may come at any time.
  if (exchange.failure === 'timeout' && isStream(operation)) return [];
  const name = NO_RESPONSE[exchange.failure ?? 'none'];
  return problemsOf(name, hasStatus(exchange, 'no failure'), RECEIVED, () => tellFailure(exchange));
}

const NO_RESPONSE = { timeout: 'time limit', connection: 'server responds', none: 'no server error' } as const;

function tellFailure({ status, failure, text, durationMs }: Exchange): UnmetText {
  if (failure === 'connection')
    return { message: 'The connection ended without a response.', expected: 'a response', actual: 'none' };
  if (failure === undefined) return { message: `The server failed with ${status}.`, actual: `${status} ${text}` };
  return {
    message: 'The response took too long.',
    expected: 'a response within the time limit',
    actual: `none after ${Math.round(durationMs)} ms`,
  };
}

function checkExpected({ call, expectation }: Pick<Case, 'call' | 'expectation'>, exchange: Exchange): Problem[] {
  const { status, text, request } = exchange;
  const expectStatus = (name: CheckName, wanted: StatusName, tell: () => UnmetText): Problem[] =>
    problemsOf(name, hasStatus(exchange, wanted), RECEIVED, tell);
  switch (expectation.kind) {
    case 'invalid': {
      const { pointer, keyword, message, isHarmless } = expectation;
      const own = refusalOfItem(pointer, call, exchange);
      return problemsOf('invalid input refused', own ?? hasStatus(exchange, 'client error'), RECEIVED, () => ({
        cause: `${keyword} ${pointer}`,
        pointer,
        rule: { keyword },
        message: `An invalid request was accepted: ${pointer} ${message}.`,
        ...(isHarmless?.() === true ? { severity: 'note' } : {}),
      }));
    }
    case 'unknown item':
      // A PUT may create the item.
      if (status === 201) return [];
      return expectStatus('unknown item refused', 'client error', () => ({
        cause: expectation.parameter,
        message: `No item has this ${expectation.parameter}, but the request was accepted.`,
        expected: '404',
        actual: `${status} ${text}`,
        ...(expectation.isLenient === true ? { severity: 'note' } : {}),
      }));
    case 'other identity':
      return [];
    case 'unauthenticated':
      if (expectation.isWrong === true)
        return expectStatus('wrong credential refused', 'client error', () => ({
          message: 'A request with a wrong credential was accepted.',
          expected: '401',
        }));
      return expectStatus('authentication required', 'client error', () => ({
        message: 'A request without the credential that the spec demands was accepted.',
        expected: '401',
      }));
    case 'unsupported':
      return expectStatus('unsupported method', 'no success', () => ({
        cause: request.method,
        message: `The method ${request.method} is not in the spec, but was accepted.`,
        expected: '405',
      }));
    default: {
      const violations = violationsIn(exchange);
      if ((status !== 400 && status !== 422) || violations === undefined) return [];
      const judged = expectation.judged?.();
      if (judged === undefined || !isNear(violations.pointer, judged)) return [];
      const about = expectation.about === undefined ? '' : ` (${expectation.about})`;
      return expectStatus('valid input accepted', 'accepted', () => ({
        ...violations,
        message: `A valid request was refused${about}.`,
        actual: `${status} ${text}`,
      }));
    }
  }
}

/**
 * Whether a refusal blames a place that only the schema decides about, in any error format. Some servers name only the
 * member of the one object in the body: `license_class` for `/driver/license_class`.
 */
export function blames({ json }: Exchange, judged: string): boolean {
  const folded = foldPointer(judged);
  return readViolations(json).some(({ pointer, message }) => {
    const named = foldPointer(pointer);
    const isInside = named !== '' && folded.endsWith(named) && folded.split('/').length === 3;
    return !SAYS_TAKEN.test(message) && (isNear(named, folded) || isInside);
  });
}

/** Some frameworks change the case of member names. */
function foldPointer(pointer: string): string {
  return pointer.toLowerCase().replaceAll(/[_-]/g, '');
}

/** Whether a refusal is about a place: the pointer is the place, inside it or around it. */
function isNear(pointer: string, judged: string): boolean {
  return judged === '*' || isAlong(judged, pointer);
}

/** Finds the violation that a refusal reports. A refusal without one may be about state. */
function violationsIn({ json }: Exchange): { readonly pointer: string; readonly cause: string } | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const outer = json as Record<string, unknown>;
  const inner = outer['error'];
  const list =
    outer['violations'] ??
    (typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)['violations'] : undefined);
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  if (typeof first !== 'object' || first === null) return undefined;
  const { in: place, pointer, message } = first as Record<string, unknown>;
  const at = typeof pointer === 'string' ? pointer : '';
  return { pointer: at, cause: `${String(place)} ${at} ${String(message)}` };
}
