import type { Api, MediaType, Operation } from '../../model/api.js';
import { repairValue } from '../../schema/repair-value.js';
import { writeXmlText } from '../../runtime/xml.js';
import type { HeaderMap, SentBody, Violation } from '../messages.js';
import { type ErrorFacts, fillError } from './build-error-body.js';
import { createFindErrorSchema, findOtherContent, isJson } from './find-error-schema.js';
import { reasonPhrase } from './status-names.js';

/** How a refusal looks in this API: its own error shape, else problem+json (interface "Errors"). */
export type RenderError = (error: {
  readonly status: number;
  readonly message: string;
  readonly operation?: Operation;
  readonly violations?: readonly Violation[];
  readonly details?: Readonly<Record<string, unknown>>;
}) => { readonly body: SentBody; readonly headers: HeaderMap };

/** An error as a body with its media type. */
export interface RenderedError {
  readonly body: SentBody;
  readonly headers: HeaderMap;
}

/** Renders the errors of an API: in the shape that its spec declares, else as problem details (RFC 9457). */
export function createRenderError(api: Api): RenderError {
  const find = createFindErrorSchema(api);
  return ({ status, message, operation, violations = [], details = {} }) => {
    // That a credential is missing is what the status says; as a violation it is for the journal.
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

/** An error that is no described object: the example of the spec, else the message as the media type has it. */
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
  return { body: { kind: 'text', text: typeof text === 'string' ? text : JSON.stringify(text) }, headers };
}

function toXml({ status, message }: ErrorFacts): string {
  const escaped = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<error><status>${status}</status><message>${escaped}</message></error>\n`;
}

/** Problem details (RFC 9457). */
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
