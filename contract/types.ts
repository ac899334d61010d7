import type { BodyValue } from '../http/request/write-body.js';
import type { SessionSocket } from './execute/http/websocket-session.js';
import type { Api, Operation, Parameter } from '../model/api.js';
import type { Given } from '../config/given.js';
import type { ContractConfig } from '../config/contract-config.js';
import { SCHEMAS } from '../generated/options/schemas.js';
import type {
  AcceptedFinding as GeneratedFinding,
  ContractOptions as GeneratedOptions,
} from '../generated/options/types.js';
import type { ContractReportData, ReportedFinding } from '../reports/contract/contract-report.js';

export type { OperationCoverage } from '../reports/contract/contract-report.js';

export type Phase = (typeof PHASES)[number];

/** All phases in the order of a run. Open-ended ones come last. */
export const PHASES: typeof SCHEMAS.ContractOptions.properties.phases.default =
  SCHEMAS.ContractOptions.properties.phases.default;

/** The names of all checks. */
export const CHECKS = [
  'no server error',
  'server responds',
  'time limit',
  'documented status',
  'content type',
  'response schema',
  'response headers',
  'event stream',
  'authentication required',
  'wrong credential refused',
  'invalid input refused',
  'valid input accepted',
  'unsupported method',
  'no echo in HTML',
  'created is available',
  'unique id',
  'unique value',
  'others untouched',
  'read back equal',
  'list contains',
  'update is visible',
  'replace replaces',
  'gone after delete',
  'paging adds up',
  'conditional requests',
  'int64 precision',
  'resumable upload',
  'gone after expiry',
  'live session',
  'written as sent',
  'read-only ignored',
  'default value',
  'conflict refused',
  'unknown item refused',
  'location leads to item',
  'filter',
  'sort order',
  'total',
  'belongs to parent',
  'same status for HEAD',
  'idempotency key',
  'job ends',
  'access of others refused',
] as const;

export type CheckName = (typeof CHECKS)[number];

/** One call of an operation, with parameters and body as values. They are serialized when it is sent. */
export interface Call {
  readonly operation: Operation;
  readonly parameters: ReadonlyMap<Parameter, unknown>;
  readonly body?: CallBody;
  /** Sends the call without the credentials that the operation demands. */
  readonly isAnonymous?: boolean;
  /** Sends the call with the second identity of the run. */
  readonly isOther?: boolean;
  /** Set if an idempotency key is repeated on purpose. */
  readonly keepsKey?: boolean;
  /** Set if an outdated version is sent in the body on purpose. */
  readonly keepsVersion?: boolean;
  /** The item's current `ETag` for `If-Match`. The run updates it each time the call is sent. */
  readonly tag?: string;
  /** Headers besides those of the spec. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Query parameters besides those of the spec. */
  readonly query?: Readonly<Record<string, string>>;
  /** Replaces the operation's method. */
  readonly method?: string;
  /** A URL from the server, relative to it, that replaces the operation's own. */
  readonly address?: string;
}

export type CallBody = BodyValue;

/** The expectation for a response. */
export type Expectation =
  /** A documented response, or a refusal that state can explain. */
  | {
      readonly kind: 'valid';
      readonly about?: string;
      /**
       * The place (a JSON pointer; `*`: anywhere) where a refusal is a finding; `undefined` if the generated values may
       * break rules that no schema states. Lazy, because few calls are refused.
       */
      readonly judged?: () => string | undefined;
      /** Calls with a value one step inside the edge: if one is accepted, refusing the edge is wrong. */
      readonly neighbours?: () => readonly Call[];
      /** An accepted call that differs only in the boundary value. */
      readonly base?: Call;
    }
  /** A refusal: 4xx. */
  | {
      readonly kind: 'invalid';
      readonly pointer: string;
      readonly keyword: string;
      readonly message: string;
      /** Whether accepting the value is harmless: `null` for an absent one, or a scalar in another form. */
      readonly isHarmless?: () => boolean;
    }
  /** A refusal: no item has this id. */
  | {
      readonly kind: 'unknown item';
      readonly parameter: string;
      /** Whether an empty list would be no harm. */
      readonly isLenient?: boolean;
    }
  /** Depends on what another identity may see. */
  | { readonly kind: 'other identity' }
  | {
      readonly kind: 'unauthenticated';
      /** Whether the request has a credential, which is wrong. */
      readonly isWrong?: true;
    }
  | { readonly kind: 'unsupported' };

/** A call and its expected response. */
export interface Case {
  readonly phase: Phase;
  readonly call: Call;
  readonly expectation: Expectation;
}

/** A serialized request. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The headers of a response, by case-insensitive names. Values of repeated headers are joined with commas. */
export type ResponseHeaders = Pick<Headers, 'get' | 'has' | 'keys'>;

/** A request and its response, read completely. */
export interface Exchange {
  readonly request: WireRequest;
  /** 0 if no response arrived. */
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly text: string;
  /** The parsed body, if it is JSON. */
  readonly json?: unknown;
  /** Set if the text is incomplete because a stream went on. */
  readonly isCut?: true;
  readonly durationMs: number;
  /** Why no response arrived. */
  readonly failure?: 'timeout' | 'connection';
}

/** A distinct cause, with the smallest request that shows it. */
export interface Finding extends ReportedFinding {
  readonly check: CheckName;
  readonly phase: Phase;
}

export interface ContractReport extends ContractReportData {
  readonly phases: readonly Phase[];
  readonly findings: readonly Finding[];
}

export interface ContractProgress {
  readonly phase: Phase;
  readonly operationId: string;
  readonly requests: number;
  readonly findings: number;
  /** Set while the run waits for a rate limit: how long, in milliseconds. */
  readonly waitMs?: number;
}

/** A known and accepted finding. An omitted member matches any value. */
export type AcceptedFinding = Readonly<Omit<GeneratedFinding, 'alsoAt'>> & {
  readonly alsoAt?: readonly Readonly<Pick<GeneratedFinding, 'operationId' | 'pointer'>>[];
};

/** The options of a run. They extend and override those of the configuration. */
export interface ContractOptions
  extends Given<Omit<GeneratedOptions, keyof ContractConfig>, RunMembers>, ContractConfig {}

/** The members that JSON cannot hold. */
interface RunMembers {
  /**
   * The name of an API (in the configuration, else one that comes with specmill), the path or URL of a spec, or an API
   * object.
   */
  readonly api?: string | Api;
  /** The URL of the server. Requests go to no other host. */
  readonly url: string;
  /** Ends the run early. The findings so far are reported. */
  readonly signal?: AbortSignal;
  /** Replaces the network. */
  readonly fetch?: typeof fetch;
  /**
   * Opens WebSockets without the network, such as those of a mock in this process. If only `fetch` is given, the run
   * opens none.
   */
  readonly webSocket?: (url: string) => SessionSocket;
  readonly onProgress?: (progress: ContractProgress) => void;
}

/** The spec of a pasted test: the name of an API, or files. */
export interface SpecSource {
  readonly api?: string;
  readonly spec?: readonly string[];
}
