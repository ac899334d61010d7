import type { Api, MediaType, Operation } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { repairValue } from '../../schema/repair-value.js';
import { writeXmlText } from '../../runtime/xml.js';
import type { HeaderMap, SentBody, Violation } from '../messages.js';
import { type ErrorFacts, fillError, saysMessage } from './fill-error.js';
import { type DeclaredError, createFindErrorSchema, errorType, findOtherContent, isJson } from './find-error-schema.js';
import { reasonPhrase } from './status-names.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** Renders a refusal in the API's error format, or else as problem details. */
export type RenderError = (error: {
  readonly status: number;
  readonly message: string;
  readonly operation?: Operation;
  readonly violations?: readonly Violation[];
  readonly details?: Readonly<Record<string, unknown>>;
}) => RenderedError;

export interface RenderedError {
  readonly body: SentBody;
  readonly headers: HeaderMap;
  /** The message, if the body cannot say it. */
  readonly reason?: string;
}

/**
 * Creates a function that renders errors in the format that the spec declares, or else as problem details (RFC 9457).
 * The shape of another failure is used only if it can contain the message.
 */
export function createRenderError(api: Api): RenderError {
  const find = createFindErrorSchema(api);
  return ({ status, message, operation, violations = [], details = {} }) => {
    // The status already says that a credential is missing; that violation is only for the journal.
    const shown = violations.filter((violation) => violation.in !== 'security');
    const facts: ErrorFacts = { status, message, violations: shown, details };
    const other = operation === undefined ? undefined : findOtherContent(operation, status, api);
    const declared = other === undefined ? find(operation, status) : undefined;
    const rendered = render(facts, { other, declared, api });
    if (rendered.reason === undefined || declared?.isBorrowed !== true) return rendered;
    return renderProblem(facts);
  };
}

function render(
  facts: ErrorFacts,
  found: { readonly other: MediaType | undefined; readonly declared: DeclaredError | undefined; readonly api: Api },
): RenderedError {
  if (found.other !== undefined) return renderOther(found.other, facts, found.api);
  return found.declared === undefined ? renderProblem(facts) : renderDeclared(found.declared, facts, found.api);
}

/** Renders an error that is a described object. Without a member for the message, it gets one if its schema allows. */
function renderDeclared(declared: DeclaredError, facts: ErrorFacts, api: Api): RenderedError {
  const { whole, mediaType, xml } = declared;
  const headers = { 'content-type': errorType({ mediaType }) };
  const value = repairValue(api, whole, fillError(declared, facts, api), facts.status);
  if (xml !== undefined)
    return { body: { kind: 'text', text: writeXmlText(value, xml) }, headers, ...reasonOf(facts, value) };
  return renderJson(withMessage(value, { whole, facts, api }), headers, facts);
}

function renderJson(value: unknown, headers: HeaderMap, facts: ErrorFacts): RenderedError {
  return { body: { kind: 'json', value }, headers, ...reasonOf(facts, value) };
}

function reasonOf({ message }: ErrorFacts, body: unknown): Pick<RenderedError, 'reason'> {
  return saysMessage(body, message) ? {} : { reason: message };
}

function withMessage(
  value: unknown,
  { whole, facts, api }: { readonly whole: Schema; readonly facts: ErrorFacts; readonly api: Api },
): unknown {
  const { message } = facts;
  if (!isRecord(value) || saysMessage(value, message)) return value;
  const said = { ...value, message };
  return compileValidator(api, whole, { direction: 'response' })(said).length === 0 ? said : value;
}

/** Renders an error that is not a described object: the spec's example, or else the message in the media type. */
function renderOther(media: MediaType, facts: ErrorFacts, api: Api): RenderedError {
  const headers = { 'content-type': errorType(media) };
  const example: unknown = media.examples.find(({ value }) => value !== undefined)?.value;
  if (isJson(media)) {
    if (media.schema === undefined && example === undefined) return renderProblem(facts);
    const value = repairValue(api, media.schema ?? true, example ?? facts.message, facts.status);
    return renderJson(value, headers, facts);
  }
  if (typeof example === 'string') return renderText(example, headers, facts);
  if (/[/+]xml\b/i.test(media.mediaType)) return { body: { kind: 'text', text: toXml(facts) }, headers };
  const text = repairValue(api, media.schema ?? true, facts.message, facts.status);
  return renderText(typeof text === 'string' ? text : stringifyExactJson(text), headers, facts);
}

function renderText(text: string, headers: HeaderMap, facts: ErrorFacts): RenderedError {
  return { body: { kind: 'text', text }, headers, ...reasonOf(facts, text) };
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
