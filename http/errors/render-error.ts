import type { Api, MediaType, Operation } from '../../model/api.js';
import { repairValue } from '../../schema/repair-value.js';
import { writeXmlText } from '../../runtime/xml.js';
import type { HeaderMap, SentBody, Violation } from '../messages.js';
import { type ErrorFacts, fillError } from './fill-error.js';
import { createFindErrorSchema, findOtherContent, isJson } from './find-error-schema.js';
import { reasonPhrase } from './status-names.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** Renders a refusal in the API's error format, or else as problem details. */
export type RenderError = (error: {
  readonly status: number;
  readonly message: string;
  readonly operation?: Operation;
  readonly violations?: readonly Violation[];
  readonly details?: Readonly<Record<string, unknown>>;
}) => { readonly body: SentBody; readonly headers: HeaderMap };

export interface RenderedError {
  readonly body: SentBody;
  readonly headers: HeaderMap;
}

/**
 * Creates a function that renders errors in the format that the spec declares, or else as problem details (RFC 9457).
 */
export function createRenderError(api: Api): RenderError {
  const find = createFindErrorSchema(api);
  return ({ status, message, operation, violations = [], details = {} }) => {
    // The status already says that a credential is missing; that violation is only for the journal.
    const shown = violations.filter((violation) => violation.in !== 'security');
    const facts: ErrorFacts = { status, message, violations: shown, details };
    const other = operation === undefined ? undefined : findOtherContent(operation, status, api);
    if (other !== undefined) return renderOther(other, facts, api);
    const declared = find(operation, status);
    if (declared === undefined) return renderProblem(facts);
    const { whole, mediaType, xml } = declared;
    const value = repairValue(api, whole, fillError(declared, facts, api), status);
    const body: SentBody =
      xml === undefined ? { kind: 'json', value } : { kind: 'text', text: writeXmlText(value, xml) };
    return { body, headers: { 'content-type': mediaType } };
  };
}

/** Renders an error that is not a described object: the spec's example, or else the message in the media type. */
function renderOther(media: MediaType, facts: ErrorFacts, api: Api): RenderedError {
  const headers = { 'content-type': media.mediaType };
  const example: unknown = media.examples.find(({ value }) => value !== undefined)?.value;
  if (isJson(media)) {
    if (media.schema === undefined && example === undefined) return renderProblem(facts);
    const value = repairValue(api, media.schema ?? true, example ?? facts.message, facts.status);
    return { body: { kind: 'json', value }, headers };
  }
  if (typeof example === 'string') return { body: { kind: 'text', text: example }, headers };
  if (/[/+]xml\b/i.test(media.mediaType)) return { body: { kind: 'text', text: toXml(facts) }, headers };
  const text = repairValue(api, media.schema ?? true, facts.message, facts.status);
  return { body: { kind: 'text', text: typeof text === 'string' ? text : stringifyExactJson(text) }, headers };
}

function toXml({ status, message }: ErrorFacts): string {
  const escaped = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<error><status>${status}</status><message>${escaped}</message></error>\n`;
}

export function renderProblem(facts: {
  readonly status: number;
  readonly message: string;
  readonly violations?: readonly Violation[];
  readonly details?: Readonly<Record<string, unknown>>;
}): RenderedError {
  const { status, message, violations = [], details = {} } = facts;
  const problem = { type: 'about:blank', title: reasonPhrase(status), status, detail: message };
  const value = { ...problem, ...details, ...(violations.length > 0 ? { violations } : {}) };
  return { body: { kind: 'json', value }, headers: { 'content-type': 'application/problem+json' } };
}
