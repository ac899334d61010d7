import { findParameter } from '../../model/find-parameter.js';
import type { Operation } from '../../model/api.js';
import { type MockRequest, readHeader, type Violation } from '../../http/messages.js';
import { compileRequestReader, type RequestReader } from '../../http/request/read-request.js';
import { compileResponses, type FindResponseSpec } from '../../http/response/response-spec.js';
import { type SplitTarget, splitTarget, type RouteMatch, routerOf } from '../../http/routing/router.js';
import type { Caller, Handler, HandlerResponse, OperationTypes } from '../handler-api.js';
import type { InferredHandler } from '../infer/infer-behaviour.js';
import { type Preference, readPreference } from '../prism/prefer.js';
import type { IdentifyCaller, PipelineSandbox } from '../sandbox/sandbox.js';
import type { PipelineOptions } from './pipeline-options.js';

/** A response inside the pipeline. */
export interface PipelineResponse extends HandlerResponse {
  /** Whether the response is not checked, such as a refusal or one requested by `Prefer`. */
  readonly exempt: boolean;
}

/** What a step responds; `abort` closes the connection without a response. */
export type Outcome = PipelineResponse | 'abort';

/** An operation with what its calls need, compiled on the first call. */
export interface CompiledOperation {
  readonly operation: Operation;
  readonly readRequest: RequestReader['read'];
  readonly findResponseSpec: FindResponseSpec;
  readonly handler: Handler<OperationTypes[string]> | undefined;
  /** The inferred handler, if none is defined. */
  readonly inferred: InferredHandler | undefined;
  /** Whether the handler reads the body by itself. */
  readonly isStreamed: boolean;
  /** Whether clients may choose the response. */
  readonly takesPreferences: boolean;
}

/** A request on its way through the pipeline. The steps fill in what they find out. */
export interface PipelineCall {
  readonly request: MockRequest;
  readonly sandbox: PipelineSandbox;
  readonly target: SplitTarget;
  readonly match: RouteMatch;
  readonly compiled: CompiledOperation | undefined;
  /** Whether the body was read, or there is none to read. */
  isRead: boolean;
  /** The decompressed body. */
  bytes: Uint8Array;
  input: Readonly<Record<string, unknown>>;
  /** The body's text if it is valid JSON. */
  json: string | undefined;
  caller: Caller | undefined;
  /** The caller, if middleware needed it before the operation. */
  identity: ReturnType<IdentifyCaller> | undefined;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** An unexpected exception: a bug in a handler, or our own. */
  failure: unknown;
  /** The violations of request and response, for the journal. */
  violations: readonly Violation[];
  /** What the journal says beside violations; absent if there is nothing. */
  notes: readonly string[] | undefined;
}

/** Adds a note for the journal and the log. */
export function addNote(call: Pick<PipelineCall, 'notes'>, note: string): void {
  call.notes = [...(call.notes ?? []), note];
}

const NO_BYTES = new Uint8Array();
const NO_INPUT = {};
const NO_VIOLATIONS: readonly Violation[] = [];

/** Creates the first step: it finds the operation of a request. @param method - default: that of the request */
export function createRouteStep(
  options: PipelineOptions,
): (request: MockRequest, sandbox: PipelineSandbox, method?: string) => PipelineCall {
  const findRoute = routerOf(options.api);
  const compiled = new Map<Operation, CompiledOperation>();
  const compileOnce = (operation: Operation): CompiledOperation => {
    const known = compiled.get(operation) ?? compileOperation(operation, options);
    compiled.set(operation, known);
    return known;
  };
  return (request, sandbox, method = request.method) => {
    const target = splitTarget(request.target);
    const match = findRoute(method, target.path);
    return {
      request,
      sandbox,
      target,
      match,
      compiled: match.kind === 'operation' ? compileOnce(match.operation) : undefined,
      isRead: false,
      bytes: NO_BYTES,
      input: NO_INPUT,
      json: undefined,
      caller: undefined,
      identity: undefined,
      startedAt: performance.now(),
      failure: undefined,
      violations: NO_VIOLATIONS,
      notes: undefined,
    };
  };
}

/** Operations are compiled on their first call, so that large specs do not slow down the start. */
function compileOperation(operation: Operation, options: PipelineOptions): CompiledOperation {
  const { api, report, handlerOf, inferredOf, streamed = [], takesPreferences = true } = options;
  const { stateless } = options.options;
  const handler = stateless ? undefined : handlerOf(operation);
  return {
    operation,
    readRequest: compileRequestReader(operation, { api, report }).read,
    findResponseSpec: compileResponses(operation, { api, report }),
    handler,
    inferred: stateless || handler !== undefined ? undefined : inferredOf?.(operation),
    isStreamed: !stateless && streamed.includes(operation.name),
    takesPreferences,
  };
}

/** Finds a handler by the operation's name in the generated types, or by its id. */
export function findHandler<Found>(
  handlers: Readonly<Record<string, Found | undefined>> = {},
  { name, id }: Operation,
): Found | undefined {
  const key = [name, id].find((one) => Object.hasOwn(handlers, one));
  return key === undefined ? undefined : handlers[key];
}

/** Reads the client's preferences from `Prefer` or from Prism's query parameters, such as `__code`. */
export function preferenceOf({ request, target, compiled }: PipelineCall): Preference | undefined {
  const header = readHeader(request, 'prefer');
  if (compiled?.takesPreferences !== true || (header === undefined && !target.query.includes('__'))) return undefined;
  const { operation } = compiled;
  return readPreference(header, target.query, (name) => findParameter(operation, 'query', name) !== undefined);
}

/** Whether one of the two headers announces a body (HTTP/1.1). */
export function mayHaveBody({ headers }: MockRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
