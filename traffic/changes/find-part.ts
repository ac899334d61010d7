import type { ApiResponse, Header, MediaType, Operation, Parameter } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import type { Direction } from '../../schema/variants.js';

/** The part of an operation that a place is the root of. */
export type OperationPart =
  | { readonly kind: 'operation' }
  | { readonly kind: 'parameter'; readonly parameter: Parameter }
  | { readonly kind: 'body' }
  | { readonly kind: 'media'; readonly direction: Direction; readonly media: MediaType }
  | { readonly kind: 'response'; readonly response: ApiResponse }
  | { readonly kind: 'header'; readonly response: ApiResponse; readonly header: Header };

/** Finds the part of an operation at a place; `undefined` if the place is not in it. */
export function findPart(operation: Operation, source: SourceLocation): OperationPart | undefined {
  for (const { part, source: own } of partsOf(operation))
    if (own.file === source.file && own.pointer === source.pointer) return part;
  return undefined;
}

interface PlacedPart {
  readonly part: OperationPart;
  readonly source: SourceLocation;
}

function* partsOf(operation: Operation): Iterable<PlacedPart> {
  yield { part: { kind: 'operation' }, source: operation.source };
  for (const parameter of operation.parameters)
    yield { part: { kind: 'parameter', parameter }, source: parameter.source };
  const { body } = operation;
  if (body !== undefined) {
    yield { part: { kind: 'body' }, source: body.source };
    yield* mediaParts(body.content, 'request');
  }
  for (const response of operation.responses) {
    yield { part: { kind: 'response', response }, source: response.source };
    yield* mediaParts(response.content, 'response');
    for (const header of response.headers) yield { part: { kind: 'header', response, header }, source: header.source };
    for (const link of response.links) yield { part: { kind: 'response', response }, source: link.source };
  }
}

function* mediaParts(content: readonly MediaType[], direction: Direction): Iterable<PlacedPart> {
  for (const media of content) yield { part: { kind: 'media', direction, media }, source: media.source };
}
