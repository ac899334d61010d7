import type { WrittenOverlay } from '../written-overlay.js';
import { countOf } from '../counts.js';

/** The severities of findings, the worst first. */
const SEVERITIES = ['error', 'warning', 'note'] as const;

/**
 * `error`: the server fails, or data is lost, leaked or wrong. `warning`: something is not as the spec says. `note`:
 * harmless leniency.
 */
export type Severity = (typeof SEVERITIES)[number];

/** The place of a severity among all, 0 for the worst. */
export function rankOf(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/** The findings that fail a run: those of its `failOn` and worse ones. */
export function failingFindings({
  findings,
  failOn,
}: Pick<ContractReportData, 'findings' | 'failOn'>): readonly ReportedFinding[] {
  return findings.filter(({ severity }) => rankOf(severity) <= rankOf(failOn));
}

/** `1 error, 2 warnings`; empty without findings. */
export function countSeverities(findings: readonly ReportedFinding[]): string {
  const counts = SEVERITIES.map((severity) => ({
    severity,
    count: findings.filter((finding) => finding.severity === severity).length,
  }));
  return counts
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => countOf(count, severity))
    .join(', ');
}

/** A distinct cause, with the smallest request that shows it. */
export interface ReportedFinding {
  readonly check: string;
  readonly severity: Severity;
  readonly phase: string;
  readonly operationId: string;
  /** 0 if no response arrived. */
  readonly status: number;
  readonly pointer: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** A shell command that repeats the request. */
  readonly curl: string;
  /** A test to copy into a test file. */
  readonly test: string;
  /** How often it was seen. */
  count: number;
  /** What is special about the request, such as `body/size must be <= 9`. */
  readonly special?: string;
  /** What the rule of the spec allows, such as `"open", "closed"` or `<= 9`. */
  readonly allowed?: string;
  /** The rule of the spec that does not hold, or the operation. */
  readonly place?: FindingPlace;
  /** Other places that show the same cause. */
  readonly alsoAt?: readonly FoundAt[];
}

/** A place in a spec, 1-based. */
export interface FindingPlace {
  /** A path, relative to the working folder if it is inside, or a URL. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** JSON pointer into the file. */
  readonly pointer: string;
}

export interface FoundAt {
  readonly operationId: string;
  readonly pointer: string;
}

/** `specs/pets.yaml:12:5`; empty without a place. */
export function showFindingPlace(place: FindingPlace | undefined): string {
  return place === undefined ? '' : `${place.file}:${place.line}:${place.column}`;
}

/** The operations that show a cause, each once. */
export function operationsOf({ operationId, alsoAt = [] }: Pick<ReportedFinding, 'operationId' | 'alsoAt'>): string[] {
  return [...new Set([operationId, ...alsoAt.map((place) => place.operationId)])];
}

/** An operation that never succeeded, and the likely reason. */
export interface UnreachedOperation {
  readonly operationId: string;
  readonly reason: string;
  /** The creation without which there is no item to call it on, and that never succeeded. */
  readonly waitsFor?: string;
  /** What the server said most often. */
  readonly message?: string;
  /** A shell command that repeats the smallest request that was refused. */
  readonly curl?: string;
  /** Lines for `contract` of the configuration that may help. */
  readonly suggestion?: string;
}

/** A request that was to get a success from an operation. Requests that are alike are one. */
export interface ReportedTry {
  readonly operationId: string;
  /** Method, path and query. */
  readonly request: string;
  /** The start of the body, if there was one. */
  readonly body?: string;
  /** 0 if no response arrived. */
  readonly status: number;
  /** What the server said, if it refused the request. */
  readonly message?: string;
  count: number;
}

/** What became of the operations of a run, as lists of operation ids. */
export interface Reach {
  /** At least one request succeeded. */
  readonly succeeded: readonly string[];
  /** Requests were sent, and none succeeded. */
  readonly refused: readonly string[];
  /** The run got no response that counts. */
  readonly notSent: readonly string[];
  /** Why an operation was not sent, by its id. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** A request that may have changed something that was there before the run. */
export interface ChangedThing {
  readonly operationId: string;
  /** Method, path and query. */
  readonly request: string;
}

/** An item that the run has made and could not delete at its end. */
export interface LeftItem {
  /** The operation that made it. */
  readonly operationId: string;
  /** Its path. */
  readonly item: string;
  readonly reason: string;
}

/** The results of one operation. */
export interface OperationCoverage {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly requests: number;
  /** Counts of the statuses seen. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Documented statuses that were not seen. */
  readonly unseen: readonly string[];
}

/** The result of a contract run. */
export interface ContractReportData {
  readonly api: string;
  readonly url: string;
  /** RFC 3339, in UTC. */
  readonly startedAt: string;
  readonly seed: number;
  /** The shell command that repeats the run. */
  readonly repeat: string;
  readonly phases: readonly string[];
  readonly operations: number;
  readonly requests: number;
  readonly durationMs: number;
  /** Why the run ended early. */
  readonly stopped?: 'max-time' | 'rate-limit' | 'server-gone' | 'interrupted';
  /** Set if a request ended the server. The finding of the check "server responds" says the same. */
  readonly serverEnded?: {
    /** Such as `The server ended during POST /v3/auth/role/grant.` */
    readonly message: string;
    /** Shell commands that repeat the requests. */
    readonly curl: string;
    /** The requests as method and path. The last one ended the server. */
    readonly steps: readonly string[];
  };
  /** The worst first. */
  readonly findings: readonly ReportedFinding[];
  /** Findings of this severity or a worse one fail the run. */
  readonly failOn: Severity;
  /** Operations that were called but never succeeded: their findings mean little. */
  readonly unreached: readonly UnreachedOperation[];
  /** With `explain`: the tries of that operation, and of those that it waits for, in their order. */
  readonly tries?: readonly ReportedTry[];
  /** Requests that may have changed things that were there before the run: none without `touchExisting`. */
  readonly changed: readonly ChangedThing[];
  /** The number of items of the run that were deleted at its end; 0 with `keep`. */
  readonly deleted: number;
  /** Items of the run that could not be deleted at its end; empty with `keep`. */
  readonly notDeleted: readonly LeftItem[];
  /** The reason, if no operation succeeded and thus nothing was tested. */
  readonly nothingTested?: string;
  /** A sentence, if every operation that demands a credential refused the given one. */
  readonly credentialRefused?: string;
  /** What became of the operations that the run was to test. */
  readonly reach: Reach;
  /** The parts that could not be checked, with the reasons. */
  readonly notes: readonly string[];
  /** The overlay that the run wrote. */
  readonly overlay?: WrittenOverlay;
  readonly coverage: {
    readonly operations: readonly OperationCoverage[];
    /**
     * By keyword of the request schemas: the number of places where it can be broken, and where an invalid request
     * broke it.
     */
    readonly keywords: Readonly<Record<string, { readonly broken: number; readonly places: number }>>;
  };
}
