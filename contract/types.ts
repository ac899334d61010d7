import type { SessionSocket } from './execute/http/websocket-session.js';
import type { Api, MediaType, Operation, Parameter } from '../model/api.js';
import type { ContractConfig } from '../config/contract-config.js';
import type { ContractReportData, ReportedFinding } from '../reports/contract/contract-report.js';

export type { OperationCoverage } from '../reports/contract/contract-report.js';

export type Phase = 'examples' | 'boundary' | 'negative' | 'fuzz' | 'stateful';

/** Every phase, in the order in which a run goes through them: what is open-ended comes last. */
export const PHASES: readonly Phase[] = ['examples', 'stateful', 'boundary', 'negative', 'fuzz'];

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

/** One call of an operation, as values: how they travel is decided when it is sent. */
export interface Call {
  readonly operation: Operation;
  readonly parameters: ReadonlyMap<Parameter, unknown>;
  readonly body?: CallBody;
  /** Without the credentials that the operation demands. */
  readonly isAnonymous?: boolean;
  /** By the second identity of the run. */
  readonly isOther?: boolean;
  /** A repeated key of idempotency is meant. */
  readonly keepsKey?: boolean;
  /** The `ETag` of the item, which the run puts into `If-Match`: anew each time the call is sent. */
  readonly tag?: string;
  /** Headers beside those of the spec. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Query parameters beside those of the spec. */
  readonly query?: Readonly<Record<string, string>>;
  /** Replaces the operation's method. */
  readonly method?: string;
  /** An address that the server gave; replaces the operation's own. Relative to the server. */
  readonly address?: string;
}

export interface CallBody {
  readonly media: MediaType;
  readonly value: unknown;
  /** The very text to send, where it is not what the value would be written as. */
  readonly raw?: string;
  /** Replaces the media type. */
  readonly contentType?: string;
}

/** The expectation for a response. */
export type Expectation =
  /** A documented response; a refusal that state can explain is one. */
  | {
      readonly kind: 'valid';
      readonly about?: string;
      /**
       * A refusal that points here (a JSON pointer; `*`: anywhere) is a finding. Nowhere: the values were made up, and may
       * break rules that no schema can say. Found out for what is refused, since few calls are.
       */
      readonly judged?: () => string | undefined;
      /** Calls one step inside of the edge: where one is accepted, a refusal of the edge itself is wrong. */
      readonly neighbours?: () => readonly Call[];
      /** The same call without the edge, which the server accepts. */
      readonly base?: Call;
    }
  /** A refusal: 4xx. */
  | { readonly kind: 'invalid'; readonly pointer: string; readonly keyword: string; readonly message: string }
  /** A refusal: no item has this id. */
  | { readonly kind: 'unknown item'; readonly parameter: string }
  /** Whatever another identity receives. */
  | { readonly kind: 'other identity' }
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'unsupported' };

/** A call and what is expected of its response. */
export interface Case {
  readonly phase: Phase;
  readonly call: Call;
  readonly expectation: Expectation;
}

/** The request of a case, and the problems of its response. */
export interface Outcome {
  readonly exchange: Exchange;
  readonly problems: readonly Problem[];
}

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The headers of a response, by names in any case; one that came more than once is one, with commas between its values. */
export type ResponseHeaders = Pick<Headers, 'get' | 'has'>;

/** A response, read to its end. */
export interface Exchange {
  readonly request: WireRequest;
  /** 0 where no response came. */
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly text: string;
  /** The body, where it is JSON. */
  readonly json?: unknown;
  /** The text is a beginning: a stream went on. */
  readonly isCut?: true;
  readonly durationMs: number;
  /** Why no response came. */
  readonly failure?: 'timeout' | 'connection';
}

/** A problem that a check reports. */
export interface Problem {
  readonly check: CheckName;
  /** The key of its cause, within its check, operation and status. */
  readonly cause: string;
  readonly pointer: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
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
  /** Set while the run waits for a limit of the server to end: for how long. Milliseconds. */
  readonly waitMs?: number;
}

/** A finding that is known and accepted; a member that is left out fits any. */
export interface AcceptedFinding {
  readonly check: string;
  readonly operationId?: string;
  readonly pointer?: string;
}

/** The options of a run. They are added to those of the configuration, and override them where both set one. */
export interface ContractOptions extends ContractConfig {
  /** The name of an API (in the configuration, else one that comes with specmill), or an API that was loaded. */
  readonly api?: string | Api;
  /** Path (relative to `cwd`) or URL of a spec, instead of that of the API. */
  readonly spec?: string | readonly string[];
  /** Sent when the spec is fetched from a URL, beside those of the configuration. */
  readonly specHeaders?: Readonly<Record<string, string>>;
  /** Follow references to other hosts than that of the spec. Default: `false`. */
  readonly allowRemote?: boolean;
  /** The folder that references to local files may not leave. Default: the folder of the spec. */
  readonly root?: string;
  /** The server. No other host is ever sent to. */
  readonly url: string;
  /** Real names that replace the word `vendor`: `NAME[,header=NAME][,media=NAME][,engine=NAME]`. */
  readonly vendor?: string;
  /** Default: all. */
  readonly phases?: readonly Phase[];
  /** The same seed and the same server repeat the run exactly. Default: 1. */
  readonly seed?: number;
  /** The most cases for each operation in each phase. Default: 60. */
  readonly maxExamples?: number;
  /** Milliseconds, or a duration such as `60s`; waiting for rate limits counts. Default: 60 s. */
  readonly maxTime?: number | string;
  /** Slower responses are findings. Milliseconds, or a duration. Default: 10 s. */
  readonly timeLimit?: number | string;
  /**
   * How many requests go side by side, where they leave the server as it is; all others go one after another. Default: 4.
   */
  readonly concurrency?: number;
  /** Operations to test: `tag:`, `path:`, `operation:` or `method:` and a text in which `*` is any text. Default: all. */
  readonly includeOperations?: readonly string[];
  /** Operations that are never sent, written as those to test. */
  readonly excludeOperations?: readonly string[];
  /** One part of all operations, such as `1/4`: the parts are always the same, none overlaps, together they are all. */
  readonly shard?: string;
  /** Waits so long for the server to respond. Milliseconds, or a duration. Default: not at all. */
  readonly wait?: number | string;
  /** Findings that are accepted, such as those of an earlier report: they are left out. */
  readonly baseline?: readonly AcceptedFinding[];
  /** Certificates of authorities beside the known ones, as PEM. */
  readonly ca?: string;
  /** Any certificate of the server will do. */
  readonly insecure?: boolean;
  /** Ends the run; what was found until then is reported. */
  readonly signal?: AbortSignal;
  /** The headers of a second identity: what the first one has created must be refused to it. */
  readonly otherHeaders?: Readonly<Record<string, string>>;
  /** Sends nothing that changes the server: GET, HEAD and OPTIONS alone. */
  readonly readOnly?: boolean;
  /** Also changes and deletes items that were there before the run. Default: only those that the run has created. */
  readonly touchExisting?: boolean;
  /** Responds instead of the network. */
  readonly fetch?: typeof fetch;
  /** Opens WebSockets instead of the network, such as those of a mock in this process. Without it a run with `fetch` has none. */
  readonly webSocket?: (url: string) => SessionSocket;
  readonly config?: string;
  /** Default: the working directory of the process. */
  readonly cwd?: string;
  readonly onProgress?: (progress: ContractProgress) => void;
}

/** Where a pasted test finds the spec: the name of an API, or files. */
export interface SpecSource {
  readonly api?: string;
  readonly spec?: readonly string[];
}
