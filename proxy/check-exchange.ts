import { readCredential } from '../http/credentials/read-credential.js';
import type { IdentifyCaller } from '../http/credentials/caller.js';
import type { Api, Operation } from '../model/api.js';
import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { createIdentifyCaller } from '../http/credentials/authenticate.js';
import type { HeaderMap, Violation } from '../http/messages.js';
import { compileRequestReader, type RequestReader } from '../http/request/read-request.js';
import { type RequestViolation, credentialViolation } from '../http/request/refuse-request.js';
import { compileResponses, type FindResponseSpec } from '../http/response/response-spec.js';
import { type RouteMatch, createRouter } from '../http/routing/router.js';
import type { DecodedBody, UndecodedReason } from './exchange/forwarded-exchange.js';
import { KnownBodies } from './known-bodies.js';
import { compileMessageRules, type MessageRules } from './websocket/check-messages.js';
import { StreamedResponseCheck, type ResponseHead } from './streamed-response-check.js';

export interface RequestHead {
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: HeaderMap;
}

export interface CheckedBody {
  readonly problems: readonly RequestViolation[];
  /** A sentence that explains why the body was not checked. */
  readonly note?: string;
  /** The reason if the body could not be checked. */
  readonly unchecked?: UndecodedReason;
}

/** Checks one exchange while it passes. */
export interface ExchangeCheck {
  readonly match: RouteMatch;
  readonly operation: Operation | undefined;
  /** The violations if there is no operation. */
  readonly unrouted: readonly Violation[];
  readonly head: readonly RequestViolation[];
  /** Whether more than the media type of the body is checked. */
  readonly validatesBody: boolean;
  readonly checkBody: (body: DecodedBody) => CheckedBody;
  /** `undefined` if there is no operation to check the response against. */
  readonly openResponse: ((head: ResponseHead) => StreamedResponseCheck) | undefined;
  /** `undefined` if the spec does not describe WebSocket messages. */
  readonly messageRules: MessageRules | undefined;
}

export type CheckExchange = (head: RequestHead) => ExchangeCheck;

interface CompiledOperation {
  readonly operation: Operation;
  readonly request: RequestReader;
  readonly findResponseSpec: FindResponseSpec;
  readonly messageRules: MessageRules | undefined;
}

/**
 * Checks exchanges against an API. Operations are compiled on their first call.
 *
 * @param report - receives a diagnostic for each schema that cannot be checked exactly.
 */
export function createExchangeCheck(api: Api, report: (diagnostic: Diagnostic) => void): CheckExchange {
  const findRoute = createRouter(api);
  const identify = createIdentifyCaller(api);
  const compiled = new Map<Operation, CompiledOperation>();
  const known = new KnownBodies();
  const compile = (operation: Operation): CompiledOperation => {
    const known = compiled.get(operation);
    if (known !== undefined) return known;
    const context = { api, report };
    const made = {
      operation,
      request: compileRequestReader(operation, context),
      findResponseSpec: compileResponses(operation, context),
      messageRules: compileMessageRules(operation, context),
    };
    compiled.set(operation, made);
    return made;
  };
  return (head) => {
    const match = findRoute(head.method, head.path);
    if (match.kind !== 'operation') return withoutOperation(match);
    const { operation, request, findResponseSpec, messageRules } = compile(match.operation);
    const parameters = request.checkParameters({ path: match.values, query: head.query, headers: head.headers });
    return {
      match,
      operation,
      unrouted: [],
      head: [
        ...checkCredentialForm(operation, head, { api, identify }),
        ...parameters.map((violation) => ({ violation })),
      ],
      validatesBody: request.validatesBody(head.headers),
      checkBody: (body) => checkBody(request, head, body),
      openResponse: (response) =>
        new StreamedResponseCheck(response, { operation, spec: findResponseSpec(response.status), known }),
      messageRules,
    };
  };
}

function withoutOperation(match: RouteMatch): ExchangeCheck {
  return {
    match,
    operation: undefined,
    unrouted: checkRoute(match),
    head: [],
    validatesBody: false,
    checkBody: () => ({ problems: [] }),
    openResponse: undefined,
    messageRules: undefined,
  };
}

/** Returns the violations of a call without an operation. OPTIONS is allowed, because browsers send it to any path. */
function checkRoute(match: RouteMatch): readonly Violation[] {
  switch (match.kind) {
    case 'unknown-path':
      return [{ in: 'path', pointer: '', message: 'must be a documented path' }];
    case 'wrong-method':
      return [{ in: 'path', pointer: '', message: `must be called by a documented method: ${match.allow}` }];
    case 'malformed':
      return [{ in: 'path', pointer: '', message: 'must be percent-encoded UTF-8' }];
    default:
      return [];
  }
}

const SOME_BYTES = new Uint8Array(1);

function checkBody(
  { readBody, validatesBody }: RequestReader,
  { headers }: RequestHead,
  body: DecodedBody,
): CheckedBody {
  if (readBody === undefined) return { problems: [] };
  if (!body.ok && body.reason === 'broken') {
    const violation = { in: 'header', pointer: '/content-encoding', message: body.message } as const;
    return { problems: [{ violation, status: 400 }] };
  }
  if (!body.ok && validatesBody(headers))
    return {
      problems: [],
      note: `The body of the request was not checked: it ${body.message}.`,
      unchecked: body.reason,
    };
  // For a body that cannot be decoded and is not validated, checks only the media type.
  const { violations, status } = readBody(body.ok ? body.bytes : SOME_BYTES, headers);
  return { problems: violations.map((violation) => (status === undefined ? { violation } : { violation, status })) };
}

/** Returns a violation if a required credential is missing or malformed. Only the server knows which are accepted. */
function checkCredentialForm(
  { security }: Operation,
  { query, headers }: { readonly query: string; readonly headers: HeaderMap },
  { api, identify }: { readonly api: Api; readonly identify: IdentifyCaller },
): readonly RequestViolation[] {
  if (security.length === 0) return [];
  const fields = new URLSearchParams(query);
  const isPresent = (name: string): boolean => {
    const scheme = api.securitySchemes.get(name);
    if (scheme === undefined) return false;
    // A proxy does not see the client's certificate.
    return scheme.type === 'mutualTLS' || typeof readCredential(scheme, { headers }, fields) === 'object';
  };
  if (security.some((requirement) => Object.keys(requirement).every(isPresent))) return [];
  const found = identify({ security }, { headers }, fields);
  return found.ok ? [] : [credentialViolation(found)];
}
