import type { Api, Operation } from '../../model/api.js';
import { presentCredential } from '../../http/credentials/read-credential.js';
import type { ReadParameters } from '../../http/request/read-parameters.js';
import type { ReadBody, ReadRequestBody } from '../../http/request/read-body.js';
import { fitOf, kindOf, parseMediaType } from '../../http/media-type.js';
import type { RouteMatch } from '../../http/routing/router.js';
import type { RequestViolation } from '../../http/request/refuse-request.js';
import type { HeaderMap, Violation } from '../../http/messages.js';
import type { ExpandedBody } from '../exchange/exchange.js';
import type { IdentifyCaller } from '../../server/sandbox/sandbox.js';

/** What is known of a request before its body. */
export interface RequestHead {
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: HeaderMap;
}

/** What an operation demands of its requests. */
export interface RequestRules {
  readonly operation: Operation;
  readonly readParameters: readonly ReadParameters[];
  /** Absent: the operation takes no body, and what is sent is left alone. */
  readonly readBody: ReadRequestBody | undefined;
}

/** What came out of the check of a body. */
export interface CheckedBody {
  readonly diagnostics: readonly RequestViolation[];
  /** Why it was not checked, in words. */
  readonly note?: string;
}

const NOTHING: CheckedBody = { diagnostics: [] };

/** What a request without an operation breaks. OPTIONS is asked by browsers of any path, so it breaks nothing. */
export function checkRoute(match: RouteMatch): readonly Violation[] {
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

/** What the head of a request breaks: its parameters. */
export function checkParameters(
  { readParameters }: RequestRules,
  head: RequestHead,
  path: ReadonlyMap<string, string>,
): readonly RequestViolation[] {
  const sources = { path, query: head.query, headers: head.headers };
  return readParameters.flatMap((read) => read(sources).violations.map((violation) => toDiagnostic(violation)));
}

/** Whether more than the media type of a body is looked at. */
export function looksInside({ operation: { body } }: RequestRules, headers: HeaderMap): boolean {
  const type = contentTypeOf(headers);
  const given = parseMediaType(type ?? body?.content[0]?.mediaType ?? '');
  if (body === undefined || given === undefined) return false;
  return body.content.some(({ mediaType, schema }) => {
    const documented = parseMediaType(mediaType);
    if (documented === undefined || schema === undefined || fitOf(documented, given) === 0) return false;
    return kindOf(documented) !== 'bytes';
  });
}

/** What the body of a request breaks. */
export function checkRequestBody(rules: RequestRules, { headers }: RequestHead, body: ExpandedBody): CheckedBody {
  const { readBody } = rules;
  if (readBody === undefined) return NOTHING;
  if (!body.ok) {
    if (body.reason !== 'broken') {
      if (looksInside(rules, headers))
        return { diagnostics: [], note: `The body of the request was not checked: it ${body.message}.` };
      // Of any other body only the type counts.
      return toChecked(readBody(SOME_BYTES, contentTypeOf(headers)));
    }
    const violation = { in: 'header', pointer: '/content-encoding', message: body.message } as const;
    return { diagnostics: [toDiagnostic(violation, 400)] };
  }
  return toChecked(readBody(body.bytes, contentTypeOf(headers)));
}

const SOME_BYTES = new Uint8Array(1);

function toChecked({ violations, status }: ReadBody): CheckedBody {
  return { diagnostics: violations.map((violation) => toDiagnostic(violation, status)) };
}

function contentTypeOf(headers: HeaderMap): string | undefined {
  const type = headers['content-type'];
  return typeof type === 'object' ? type[0] : type;
}

/**
 * What the credentials of a request break: one is demanded, and none is there that has its form. Whether it is known is
 * for the server to say.
 */
export function checkSecurity(
  { operation }: RequestRules,
  { query, headers }: RequestHead,
  { api, identify }: { readonly api: Api; readonly identify: IdentifyCaller },
): readonly RequestViolation[] {
  const { security } = operation;
  if (security.length === 0) return [];
  const fields = new URLSearchParams(query);
  const isPresent = (name: string): boolean => {
    const scheme = api.securitySchemes.get(name);
    // A client's certificate ends at the proxy.
    if (scheme === undefined || scheme.type === 'mutualTLS') return true;
    return typeof presentCredential(scheme, { headers }, fields) === 'object';
  };
  if (security.some((requirement) => Object.keys(requirement).every(isPresent))) return [];
  const found = identify(operation, { headers }, fields);
  if (found.ok) return [];
  const { status, message, challenge } = found;
  const violation = { in: 'security', pointer: '', message } as const;
  return [{ ...toDiagnostic(violation, status), ...(challenge === undefined ? {} : { challenge }) }];
}

function toDiagnostic(violation: Violation, status?: number): RequestViolation {
  return status === undefined ? { violation } : { violation, status };
}
