import type { Operation } from '../../model/api.js';
import type { HeaderMap, Violation } from '../../http/messages.js';
import { compileBody } from '../../http/request/read-body.js';
import { type CompileContext, compileParameters } from '../../http/request/read-parameters.js';

/** The parts of a request that an operation looks at. */
export interface RequestParts {
  readonly path: ReadonlyMap<string, string>;
  readonly query: string;
  readonly headers: HeaderMap;
  readonly bytes: Uint8Array;
}

/** A request in the shape of the client's request type, and what is wrong with it. */
export interface ReadResult {
  readonly input: Readonly<Record<string, unknown>>;
  /** The body's text, where it was JSON that could be read. */
  readonly json?: string | undefined;
  readonly violations: readonly Violation[];
  /** A status that says better than that of a violation what is wrong. */
  readonly status?: number;
}

/** Decodes and checks requests of one operation. */
export type ReadRequest = (parts: RequestParts) => ReadResult;

/** Prepares the reading of an operation's requests, once. Nothing is compiled before the first request comes. */
export function compileRequestReader(operation: Operation, context: CompileContext): ReadRequest {
  const groups = compileParameters(operation, context);
  const readBody = compileBody(operation, context);
  return ({ path, query, headers, bytes }) => {
    const input: Record<string, unknown> = {};
    const violations: Violation[] = [];
    for (const readGroup of groups) {
      const { group, values, violations: found } = readGroup({ path, query, headers });
      input[group] = values;
      if (found.length > 0) violations.push(...found);
    }
    if (readBody === undefined) return { input, violations };
    const contentType = headers['content-type'];
    const body = readBody(bytes, typeof contentType === 'string' ? contentType : contentType?.[0]);
    if (body.value !== undefined) input['body'] = body.value;
    if (body.contentType !== undefined) input['contentType'] = body.contentType;
    if (body.violations.length > 0) violations.push(...body.violations);
    const { json, status } = body;
    return status === undefined ? { input, json, violations } : { input, json, violations, status };
  };
}
