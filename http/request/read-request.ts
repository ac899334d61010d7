import type { Operation } from '../../model/api.js';
import { kindOf, parseMediaType } from '../../runtime/parsed-media-type.js';
import { findDocumentedMedia } from '../documented-media.js';
import type { HeaderMap, Violation } from '../messages.js';
import { compileBodyReader, type ReadBody } from './decode-body.js';
import { type CompileContext, compileParameterReaders, type ParameterSource } from './read-parameters.js';

/** The parts of a request that are decoded and checked. */
export interface RequestParts extends ParameterSource {
  readonly bytes: Uint8Array;
}

/** A request in the shape of the client's request type, and its violations. */
export interface ReadResult {
  readonly input: Readonly<Record<string, unknown>>;
  /** The body's text if it is valid JSON. */
  readonly json?: string | undefined;
  readonly violations: readonly Violation[];
  /** A more specific status than 400 or 422. */
  readonly status?: number;
}

/** Decodes and checks the requests of one operation. */
export interface RequestReader {
  /** Reads the whole request at once. */
  readonly read: (parts: RequestParts) => ReadResult;
  readonly checkParameters: (source: ParameterSource) => readonly Violation[];
  /** `undefined` if the operation takes no body; a sent body is then ignored. */
  readonly readBody: ((bytes: Uint8Array, headers: HeaderMap) => ReadBody) | undefined;
  /** Whether more than the media type of a body is checked. */
  readonly validatesBody: (headers: HeaderMap) => boolean;
}

/** Compiles the reader of an operation's requests. Validators are compiled on the first request. */
export function compileRequestReader(operation: Operation, context: CompileContext): RequestReader {
  const groups = compileParameterReaders(operation, context);
  const readTyped = compileBodyReader(operation, context);
  const readBody: RequestReader['readBody'] =
    readTyped === undefined ? undefined : (bytes, headers) => readTyped(bytes, contentTypeOf(headers));
  return {
    read: ({ path, query, headers, bytes }) => {
      const input: Record<string, unknown> = {};
      const violations: Violation[] = [];
      for (const readGroup of groups) {
        const { group, values, violations: found } = readGroup({ path, query, headers });
        input[group] = values;
        if (found.length > 0) violations.push(...found);
      }
      if (readBody === undefined) return { input, violations };
      const body = readBody(bytes, headers);
      if (body.value !== undefined) input['body'] = body.value;
      if (body.contentType !== undefined) input['contentType'] = body.contentType;
      if (body.violations.length > 0) violations.push(...body.violations);
      const { json, status } = body;
      return status === undefined ? { input, json, violations } : { input, json, violations, status };
    },
    checkParameters: (source) => groups.flatMap((readGroup) => readGroup(source).violations),
    readBody,
    validatesBody: (headers) => validatesBody(operation, headers),
  };
}

function contentTypeOf(headers: HeaderMap): string | undefined {
  const type = headers['content-type'];
  return typeof type === 'object' ? type[0] : type;
}

function validatesBody({ body }: Operation, headers: HeaderMap): boolean {
  const given = parseMediaType(contentTypeOf(headers) ?? body?.content[0]?.mediaType ?? '');
  if (body === undefined || given === undefined) return false;
  const found = findDocumentedMedia(body.content, given);
  if (found?.media.sequence !== undefined) return true;
  if (found?.media.schema === undefined) return false;
  const kind = kindOf(found.parsed);
  return (kind === 'any' ? kindOf(given) : kind) !== 'binary';
}
