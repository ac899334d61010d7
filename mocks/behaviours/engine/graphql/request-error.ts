/** A place in a document, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export type ErrorCode = 'SYNTAX_ERROR' | 'VALIDATION_FAILED' | 'NOT_SUPPORTED' | 'INTROSPECTION_NOT_ALLOWED';

/** A document that is not executed. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: ErrorCode;
  readonly place: Place | undefined;

  constructor(code: ErrorCode, message: string, place?: Place) {
    super(message);
    this.code = code;
    this.place = place;
  }
}
