import type { ApiResponse, Header, MediaType, Operation } from '../../model/api.js';
import { compileValidator, type Validate } from '../../schema/compile-validator.js';
import type { CompileContext } from '../request/read-parameters.js';
import { keepText } from '../request/fields.js';
import { type BodyKind, kindOf, parseMediaType, type ParsedMediaType } from '../media-type.js';
import { type Shape, shapeReader } from '../request/decode-hints.js';
import { decodeText } from '../request/text-decoder.js';
import { readAlias } from './accept.js';

/** A media type of an answer, ready to be used. */
export interface AnswerMedia {
  readonly media: MediaType;
  readonly parsed: ParsedMediaType;
  /** What callers of the API may ask for instead (`x-accept`). */
  readonly alias: ParsedMediaType | undefined;
  readonly kind: BodyKind;
  readonly isEventStream: boolean;
  readonly validate: Validate | undefined;
}

/** A header of an answer, ready to be checked. */
export interface AnswerHeader {
  /** Lower case. */
  readonly name: string;
  readonly required: boolean;
  /** What is wrong with a value. */
  readonly check: (text: string) => readonly string[];
}

/** What an operation documents for a status. */
export interface AnswerRule {
  readonly response: ApiResponse;
  readonly media: readonly AnswerMedia[];
  readonly headers: readonly AnswerHeader[];
}

/** The rule for a status: that status, its range, or `default`. */
export type FindAnswerRule = (status: number) => AnswerRule | undefined;

/** Prepares what is known of an operation's answers. Each rule is made when its status first comes. */
export function compileAnswerRules(operation: Operation, context: CompileContext): FindAnswerRule {
  const byStatus = new Map<number, AnswerRule | undefined>();
  return (status) => {
    if (byStatus.has(status)) return byStatus.get(status);
    const response = findResponse(operation, status);
    const rule = response === undefined ? undefined : createRule(response, context);
    byStatus.set(status, rule);
    return rule;
  };
}

/** The response that documents a status. */
export function findResponse({ responses }: Operation, status: number): ApiResponse | undefined {
  const names = [String(status), `${Math.floor(status / 100)}XX`, 'default'];
  return names
    .map((name) => responses.find((response) => response.status === name))
    .find((response) => response !== undefined);
}

function createRule(response: ApiResponse, context: CompileContext): AnswerRule {
  return {
    response,
    media: response.content.flatMap((media) => createMedia(media, context)),
    headers: response.headers.map((header) => createHeader(header, context)),
  };
}

function createMedia(media: MediaType, { api, report }: CompileContext): AnswerMedia[] {
  const parsed = parseMediaType(media.mediaType);
  if (parsed === undefined) return [];
  const options = { direction: 'response' as const, source: media.source, ...(report === undefined ? {} : { report }) };
  const validate = media.schema === undefined ? undefined : compileValidator(api, media.schema, options);
  const kind = kindOf(parsed);
  const alias = kind === 'json' ? readAlias(api) : undefined;
  return [{ media, parsed, alias, kind, isEventStream: parsed.essence === 'text/event-stream', validate }];
}

function createHeader(header: Header, { api, report }: CompileContext): AnswerHeader {
  const options = {
    direction: 'response' as const,
    source: header.source,
    ...(report === undefined ? {} : { report }),
  };
  const validate = compileValidator(api, header.schema, options);
  const shape = shapeReader(api)(header.schema);
  return {
    name: header.name.toLowerCase(),
    required: header.required,
    check: (text) =>
      header.mediaType === undefined ? validate(readHeader(header, shape, text)).map(({ message }) => message) : [],
  };
}

function readHeader({ name, explode }: Header, shape: Shape, text: string): unknown {
  return decodeText({ name, style: 'simple', explode, shape, decode: keepText }, text);
}
