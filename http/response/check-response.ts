import type { Operation } from '../../model/api.js';
import type { HandlerResponse } from '../../server/handler-api.js';
import type { Violation } from '../messages.js';
import { parseMediaType } from '../media-type.js';
import type { AnswerHeader, AnswerMedia, AnswerRule } from './response-spec.js';

/** Headers that the door writes. */
const WRITTEN_BY_DOOR: ReadonlySet<string> = new Set([
  'content-length',
  'content-type',
  'date',
  'connection',
  'transfer-encoding',
  'keep-alive',
]);

/**
 * What is wrong with an answer. Pointers lead into `/status`, `/headers/<lower-case name>` and `/body`.
 * The items of a stream cannot be known yet.
 */
export function checkAnswer(
  reply: HandlerResponse,
  rule: AnswerRule | undefined,
  { withBody }: { readonly withBody: boolean },
): Violation[] {
  if (rule === undefined) return [violation('/status', `must be a documented status, and ${reply.status} is not`)];
  const headers = rule.headers.flatMap((header) => checkHeader(header, reply));
  if (!withBody) return headers;
  const body = checkBody(reply, rule);
  return headers.length === 0 ? body : [...headers, ...body];
}

/** Where a spec documents no success at all, it says nothing about one. */
export function isUndescribedSuccess({ responses }: Operation, status: number): boolean {
  return status >= 200 && status < 300 && responses.every((response) => /^[145]/.test(response.status));
}

function violation(pointer: string, message: string): Violation {
  return { in: 'response', pointer, message };
}

function checkHeader({ name, required, check }: AnswerHeader, { headers }: HandlerResponse): Violation[] {
  const value = headers[name];
  if (value === undefined) {
    return required && !WRITTEN_BY_DOOR.has(name) ? [violation('/headers', `must have required header '${name}'`)] : [];
  }
  const texts = typeof value === 'string' ? [value] : value;
  return texts.flatMap(check).map((message) => violation(`/headers/${name}`, message));
}

function checkBody(reply: HandlerResponse, rule: AnswerRule): Violation[] {
  const { body, status } = reply;
  const documented = rule.response.content.length > 0;
  if (body === undefined) return documented && mayHaveBody(status) ? [violation('/body', 'must be present')] : [];
  if (!documented) return [violation('/body', 'must NOT be present')];
  const media = mediaOf(reply, rule);
  if (media === undefined) return [violation('/headers/content-type', 'must be a documented media type')];
  if (body.kind === 'json') return checkValue(body.value, media);
  if (body.kind === 'text' && media.kind === 'text') return checkValue(body.text, media);
  return body.kind === 'text' && media.kind === 'json' ? checkJsonText(body.text, media) : [];
}

export function mayHaveBody(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 205 && status !== 304;
}

/** The documented media type that an answer carries. */
export function mediaOf(reply: HandlerResponse, { media }: AnswerRule): AnswerMedia | undefined {
  const given = reply.headers['content-type'];
  const parsed = typeof given === 'string' ? parseMediaType(given) : undefined;
  if (parsed === undefined) return media[0];
  return (
    media.find((one) => one.parsed.essence === parsed.essence) ??
    media.find((one) => one.parsed.subtype === '*' && (one.parsed.type === parsed.type || one.parsed.type === '*'))
  );
}

/** What is wrong with a value of a media type: a body, or one item of a stream. */
export function checkValue(value: unknown, { validate }: AnswerMedia): Violation[] {
  if (validate === undefined) return [];
  const errors = validate(value);
  return errors.length === 0 ? [] : errors.map(({ pointer, message }) => violation(`/body${pointer}`, message));
}

function checkJsonText(text: string, media: AnswerMedia): Violation[] {
  try {
    return checkValue(JSON.parse(text), media);
  } catch {
    return [violation('/body', 'must be JSON')];
  }
}
