import type { DeprecatedUse } from '../deprecated-use.js';
import type { WrittenOverlay } from '../written-overlay.js';

/** A violation of the spec in the traffic, reported once however often it occurred. */
export interface ReportedViolation {
  readonly direction: 'request' | 'response';
  /** Absent if no operation has this path and method. */
  readonly operationId?: string;
  readonly method: string;
  /** Status of the response. */
  readonly status: number;
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body' | 'response' | 'security';
  /** JSON pointer; `*` is the index of any item. */
  readonly pointer: string;
  readonly message: string;
  readonly count: number;
  /** The first call with the violation. Credentials are redacted. */
  readonly first: { readonly id: string; readonly at: string; readonly method: string; readonly path: string };
}

/** The report of a proxy. */
export interface ProxyReport {
  readonly api: string;
  readonly upstream: string;
  readonly calls: number;
  /** Calls with at least one violation. */
  readonly callsWithViolations: number;
  /** The most frequent first. */
  readonly violations: readonly ReportedViolation[];
  /** Occurrences of further violations that are not listed. */
  readonly omitted: number;
  /** Notes about unchecked or incomplete parts. */
  readonly notes: readonly { readonly message: string; readonly count: number }[];
  /** The called operations, and the statuses of their responses. */
  readonly operations: readonly {
    readonly operationId: string;
    readonly calls: number;
    readonly statuses: Readonly<Record<string, number>>;
  }[];
  /** Deprecated operations, parameters and members that the calls used, and by whom. */
  readonly deprecated: readonly DeprecatedUse[];
  /** The overlay that was written last. */
  readonly overlay?: WrittenOverlay;
}

/** A completed call, with the data that a report shows. */
export interface ReportedCall {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly violations: readonly Pick<ReportedViolation, 'in' | 'pointer' | 'message'>[];
}

/** An operation that a call may belong to. */
export interface ReportedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly responses: readonly { readonly status: string }[];
}
