/** One way in which the traffic breaks the spec, however often it came. */
export interface ReportedViolation {
  readonly direction: 'request' | 'response';
  /** Absent where path and method have no operation. */
  readonly operationId?: string;
  readonly method: string;
  /** Status of the response. */
  readonly status: number;
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body' | 'response' | 'security';
  /** JSON pointer; `*` is the index of any item. */
  readonly pointer: string;
  readonly message: string;
  readonly count: number;
  /** The first call that had it; credentials are redacted. */
  readonly first: { readonly id: string; readonly at: string; readonly method: string; readonly path: string };
}

/** The report of a proxy. */
export interface ProxyReport {
  readonly api: string;
  readonly upstream: string;
  readonly calls: number;
  /** Calls that broke the spec in some way. */
  readonly callsWithViolations: number;
  /** The most frequent first. */
  readonly violations: readonly ReportedViolation[];
  /** How often there was something beyond the kinds that are listed. */
  readonly omitted: number;
  /** Notes about unchecked or incomplete parts. */
  readonly notes: readonly { readonly message: string; readonly count: number }[];
  /** The operations that were called, and the statuses of their responses. */
  readonly operations: readonly {
    readonly operationId: string;
    readonly calls: number;
    readonly statuses: Readonly<Record<string, number>>;
  }[];
}

/** A call that has just gone through, as far as a report shows it. */
export interface ReportedCall {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly violations: readonly Pick<ReportedViolation, 'in' | 'pointer' | 'message'>[];
}

/** The operations that the traffic of a proxy may belong to. */
export interface ReportedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly responses: readonly { readonly status: string }[];
}
