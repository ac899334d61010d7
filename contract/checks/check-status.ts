import { isAlong } from '../../schema/value-sites.js';
import { isSuccess } from '../../http/messages.js';
import { mediaTypeEssence } from '../../runtime/media-type.js';
import type { Case, Exchange, Problem } from '../types.js';
import { problem } from './problem.js';
import { readViolations } from './read-violations.js';
import { SAYS_TAKEN } from './is-conflict.js';

/** A text that only an attack would contain: a page that shows it unescaped would run a stranger's script. */
export const MARKUP = '<script>specmill(1)</script>';

/**
 * Checks the status of a response against the expectation of its case, an HTML page for unescaped input, and a 405 for
 * its `Allow` header.
 */
export function checkStatus({ expectation, call }: Case, exchange: Exchange): Problem[] {
  return [...checkExpected(expectation, exchange), ...checkEcho(exchange), ...checkAllow(call.method, exchange)];
}

function checkExpected(expectation: Case['expectation'], exchange: Exchange): Problem[] {
  const { status, text } = exchange;
  const isAccepted = status >= 200 && status < 400;
  switch (expectation.kind) {
    case 'invalid': {
      if (!isAccepted) return [];
      const { pointer, keyword, message, isHarmless } = expectation;
      const what = `An invalid request was accepted: ${pointer} ${message}.`;
      return [
        problem('invalid input refused', {
          cause: `${keyword} ${pointer}`,
          pointer,
          message: what,
          expected: 'a status from 400 to 499',
          actual: String(status),
          ...(isHarmless?.() === true ? { severity: 'note' } : {}),
        }),
      ];
    }
    case 'unknown item':
      return isAccepted && status !== 201
        ? [
            problem('unknown item refused', {
              cause: expectation.parameter,
              message: `No item has this ${expectation.parameter}, but the request was accepted.`,
              expected: '404',
              actual: `${status} ${text}`,
            }),
          ]
        : [];
    case 'other identity':
      return [];
    case 'unauthenticated':
      return isAccepted
        ? [
            problem('authentication required', {
              message: 'A request without the credential that the spec demands was accepted.',
              expected: '401',
              actual: String(status),
            }),
          ]
        : [];
    case 'unsupported':
      return isSuccess({ status })
        ? [
            problem('unsupported method', {
              cause: exchange.request.method,
              message: `The method ${exchange.request.method} is not in the spec, but was accepted.`,
              expected: '405',
              actual: String(status),
            }),
          ]
        : [];
    default: {
      const violations = violationsIn(exchange);
      if ((status !== 400 && status !== 422) || violations === undefined) return [];
      const judged = expectation.judged?.();
      if (judged === undefined || !isNear(violations.pointer, judged)) return [];
      const message = `A valid request was refused${expectation.about === undefined ? '' : ` (${expectation.about})`}.`;
      return [
        problem('valid input accepted', {
          cause: violations.cause,
          pointer: violations.pointer,
          message,
          expected: 'a status below 400',
          actual: `${status} ${text}`,
        }),
      ];
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

function checkEcho({ headers, text }: Exchange): Problem[] {
  if (mediaTypeEssence(headers.get('content-type') ?? 'text/html') !== 'text/html' || !text.includes(MARKUP)) return [];
  return [
    problem('no echo in HTML', {
      message: 'The HTML page shows input unescaped: a script in it would run.',
      expected: 'escaped text',
      actual: text,
    }),
  ];
}

function checkAllow(method: string | undefined, { status, headers }: Exchange): Problem[] {
  if (method === undefined || status !== 405 || headers.has('allow')) return [];
  return [
    problem('unsupported method', {
      cause: 'allow',
      message: 'The 405 has no Allow header, which must name the allowed methods (RFC 9110, 15.5.6).',
      expected: 'the header Allow',
      actual: 'no such header',
      severity: 'note',
    }),
  ];
}
