import type { Sender } from '../senders.js';

/** The direction of a message as the client sees it. */
type Direction = 'request' | 'response';

/** The effect of a change on users of the old spec: `risky` if it depends on how defensive their code is. */
export type Level = 'breaking' | 'risky' | 'safe';

/** A position in one of the two specs. */
export interface Position {
  /** Absolute path or URL. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
}

/** An operation that a change affects. */
export interface AffectedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly directions: readonly Direction[];
}

/** A difference between two specs, reported once even if it affects several operations. */
export interface ReportedChange {
  readonly kind: string;
  /** The worse of `request` and `response`. */
  readonly level: Level;
  /** The effect on requests; absent if no request is affected. */
  readonly request?: Level;
  /** The effect on responses; absent if no response is affected. */
  readonly response?: Level;
  /** A documentation change: it affects neither requests nor responses. */
  readonly wordsOnly: boolean;
  /** One plain sentence. Text from a spec is quoted as a JSON string, with control characters escaped. */
  readonly message: string;
  /** Position in the old spec; for an addition, the position of its owner. */
  readonly old: Position;
  /** Position in the new spec; for a removal, the position of its former owner. */
  readonly new: Position;
  /** In document order; empty if the change belongs to no operation (a server, an unused schema). */
  readonly operations: readonly AffectedOperation[];
  /** The recorded calls that it affects, if there was a recording. Absent for documentation. */
  readonly traffic?: ChangeTraffic;
}

/** The recorded calls that a change affects. */
export interface ChangeTraffic {
  readonly calls: number;
  /** The time of the last one, ISO 8601. Absent if the recording does not say it. */
  readonly last?: string;
  /** Who sent them, those with most calls first, at most 100. */
  readonly clients: readonly Sender[];
}

/** The recorded calls that were compared with a diff. */
export interface DiffTraffic {
  /** All recorded calls. */
  readonly calls: number;
  /** Those that neither spec has an operation for. */
  readonly unknown: number;
  /** For each level, how many changes affect a call, and how many calls at least one of them affects. */
  readonly affecting: Readonly<Record<Level, { readonly changes: number; readonly calls: number }>>;
}

/** All differences between two specs. */
export interface DiffReport {
  readonly old: { readonly file: string; readonly title: string; readonly version: string };
  readonly new: { readonly file: string; readonly title: string; readonly version: string };
  /** The number of changes of each level; documentation changes do not count as safe. */
  readonly counts: Readonly<Record<Level | 'wordsOnly', number>>;
  /** How many changes the waivers of the configuration accept. */
  readonly waived: number;
  /** Waivers that match no change or have expired. */
  readonly notes: readonly string[];
  /** Breaking changes first, then in the order of the new spec. */
  readonly changes: readonly ReportedChange[];
  /** Set if the changes were compared with recorded calls. */
  readonly traffic?: DiffTraffic;
}
