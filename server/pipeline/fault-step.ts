import { decodeLeniently } from '../../model/document/pointer.js';
import type { HeaderMap } from '../../http/messages.js';
import { findResponseViolations } from '../../http/response/response-violations.js';
import type { ChosenFault } from '../faults/choose-fault.js';
import type { Fault } from '../faults/fault.js';
import { type FaultRequest, matchesConditions } from '../faults/match-conditions.js';
import { createRender } from '../faults/render-template.js';
import { type Outcome, type PipelineCall, addNote } from './pipeline-call.js';

/** The scenario of one request, and the faults that may happen to it. */
interface FaultChoice {
  readonly scenario: string | undefined;
  readonly candidates: readonly Fault[];
}

/** Takes the fault that happens to a call. */
export async function takeFault(
  call: PipelineCall,
  read: (call: PipelineCall) => Promise<void>,
  { scenario, candidates }: FaultChoice,
): Promise<ChosenFault | undefined> {
  const { sandbox, compiled } = call;
  const operationId = compiled?.operation.id;
  const isMeant = (fault: Fault): boolean => fault.operationId === undefined || fault.operationId === operationId;
  const meant = candidates.filter(isMeant);
  if (meant.length === 0) return undefined;
  if (meant.some(({ when }) => when?.body !== undefined)) await read(call).catch(() => undefined);
  const draws = new Map<string, boolean>();
  let parts: FaultRequest | undefined;
  const happens = (fault: Fault): boolean => {
    if (!isMeant(fault)) return false;
    if (fault.when !== undefined && !matchesConditions(fault.when, (parts ??= partsOf(call)))) return false;
    if (fault.probability === undefined) return true;
    // Drawn once for each call, even if another process takes the same fault meanwhile.
    const key = `${fault.name ?? ''} ${fault.operationId ?? ''} ${fault.probability}`;
    const isDrawn = draws.get(key) ?? sandbox.random.number() < fault.probability;
    draws.set(key, isDrawn);
    return isDrawn;
  };
  return sandbox.faults.take({ scenario, happens });
}

function partsOf({ match, target, request, compiled, bytes }: PipelineCall): FaultRequest {
  const values = match.kind === 'operation' ? match.values : new Map<string, string>();
  const read = compiled?.readRequest({ path: values, query: target.query, headers: request.headers, bytes });
  const body: unknown = read?.input['body'];
  return {
    path: Object.fromEntries([...values].map(([name, value]) => [name, decodeLeniently(value)])),
    query: new URLSearchParams(target.query),
    headers: textsOf(request.headers),
    body,
  };
}

function textsOf(headers: HeaderMap): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}

/** Fills the templates in the headers and the body of a fault. @throws HttpError 500 if a value is missing */
export function renderFault(fault: Fault, call: PipelineCall): Fault {
  const { headers, body } = fault;
  if (!hasTemplate(headers) && !hasTemplate(body)) return fault;
  const { path, query, headers: sent, body: received } = partsOf(call);
  const values: Record<string, unknown> = {
    path,
    query: Object.fromEntries(query),
    headers: sent,
    body: received,
    now: new Date(call.sandbox.clock.now()).toISOString(),
    uuid: call.sandbox.random.uuid(),
  };
  const render = createRender(values);
  const rendered = Object.entries(headers ?? {}).map(([name, text]) => [name, toHeader(render(text))]);
  const escaped = isMarkup(headers) && typeof body === 'string' ? escapeValues(values) : values;
  return {
    ...fault,
    ...(headers === undefined ? {} : { headers: Object.fromEntries(rendered) as Record<string, string> }),
    ...(body === undefined ? {} : { body: createRender(escaped)(body) }),
  };
}

function hasTemplate(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasTemplate);
}

/** Header values have no control characters, so that a request cannot add headers. */
function toHeader(value: unknown): string {
  return String(value).replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, ' ');
}

function isMarkup(headers: Fault['headers'] = {}): boolean {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return /html|xml/i.test(type);
}

/** In HTML and XML, texts of a request become text, never markup. */
function escapeValues(value: unknown): Readonly<Record<string, unknown>> {
  const escape = (one: unknown): unknown => {
    if (typeof one === 'string') return one.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
    if (Array.isArray(one)) return one.map(escape);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, escape(member)]));
  };
  return escape(value) as Readonly<Record<string, unknown>>;
}

/** Notes which fault responded, and what of it breaks the spec, so that faults do not drift from their spec. */
export function noteFault(call: PipelineCall, { fault, scenario }: ChosenFault, response: Outcome | undefined): void {
  const name = [scenario, fault.name].filter((one) => one !== undefined).join(': ');
  if (name !== '') addNote(call, `The fault "${name}" happened.`);
  const { compiled } = call;
  if (response === undefined || response === 'abort' || compiled === undefined || fault.abort === true) return;
  const spec = compiled.findResponseSpec(response.status);
  const [first] = findResponseViolations(response, spec, { withBody: call.request.method !== 'HEAD' });
  if (first === undefined) return;
  addNote(call, `The response of the fault breaks the spec: ${first.pointer} ${first.message}.`);
}
