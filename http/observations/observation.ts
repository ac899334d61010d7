import type { Operation } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import type { SchemaObject } from '../../model/schema-types.js';
import type { ResponseSpec } from '../response/response-spec.js';
import type { Shape } from './shape.js';

/** What a response shows that a rule of a schema does not allow. */
export type ObservationKind =
  /** A value is null. */
  | 'null'
  /** An object lacks a required member. */
  | 'missing'
  /** An object has a member that its schema does not allow. */
  | 'member'
  /** A value is not one of an enum. */
  | 'enum'
  /** A value breaks another keyword. */
  | 'rule';

/** A response that showed an observation first. */
export interface ObservedExample {
  readonly operation: Operation;
  readonly status: number;
  /** The value, redacted and shortened. */
  readonly text: string;
}

/** All observations of one kind at one place of a spec. */
export interface FoldedObservation {
  readonly kind: ObservationKind;
  readonly keyword: string;
  /** The member that is missing or not allowed. */
  readonly member: string | undefined;
  /** Where the schema is written that is to change, and that schema. */
  readonly at: SourceLocation;
  readonly schema: SchemaObject;
  /** JSON pointer into the body, with `*` for indexes; of a header, its name. */
  readonly pointer: string;
  /** The number of calls and of values. */
  calls: number;
  values: number;
  /** Epoch milliseconds. */
  readonly first: number;
  last: number;
  readonly example: ObservedExample;
  /** The ids of the operations, up to a limit. */
  readonly operations: Set<string>;
  /** What the values that were seen have in common. */
  readonly shape: Shape;
  /** The values that an enum lacks, with the number of calls. */
  readonly unknown: Map<string | number | boolean, number>;
}

/** The responses of one operation with one media type. */
export interface MediaTally {
  /** As sent, without parameters. */
  readonly mediaType: string;
  calls: number;
  readonly shape: Shape;
  example: string;
}

/** The values of a header of a response. */
export interface HeaderTally {
  /** As the spec writes it, else as it was sent. */
  readonly name: string;
  calls: number;
  readonly shape: Shape;
}

/** The responses of one operation with one status. */
export interface ResponseTally {
  readonly operation: Operation;
  readonly status: number;
  /** `undefined` if the spec does not document the status. */
  readonly spec: ResponseSpec | undefined;
  calls: number;
  /** How many had no body. */
  empty: number;
  /** Epoch milliseconds. */
  readonly first: number;
  last: number;
  readonly media: Map<string, MediaTally>;
  readonly headers: Map<string, HeaderTally>;
}

/** An action of an OpenAPI Overlay that makes a spec true. */
export interface OverlayAction {
  /** JSONPath (RFC 9535). */
  readonly target: string;
  readonly description: string;
  readonly update?: Readonly<Record<string, unknown>>;
  readonly remove?: true;
}
