/** Tests of one value of a request. All of them must hold. */
export interface ValueTest {
  readonly equals?: unknown;
  readonly oneOf?: readonly unknown[];
  /** A regular expression, which may match a part of the text. */
  readonly matches?: string;
  readonly gt?: number | string;
  readonly gte?: number | string;
  readonly lt?: number | string;
  readonly lte?: number | string;
  readonly exists?: boolean;
}

/** A value that must be equal, or tests. */
export type Condition = string | number | bigint | boolean | null | readonly unknown[] | ValueTest;

type ConditionMap = Readonly<Record<string, Condition>>;

/** Conditions on the parts of a request: names with values or tests. All of them must hold. */
export interface FaultConditions {
  readonly path?: ConditionMap;
  readonly query?: ConditionMap;
  readonly headers?: ConditionMap;
  /** Members of the body, or JSON pointers into it. */
  readonly body?: ConditionMap;
}

/** Replaces the response of the API, or delays it. The first fault that matches a call is used. */
export interface Fault {
  /** What the journal calls it. */
  readonly name?: string;
  readonly operationId?: string;
  readonly when?: FaultConditions;
  /** How likely it is that it happens to a call that matches, from 0 to 1. Default: always. */
  readonly probability?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly example?: string;
  readonly latencyMs?: number;
  readonly abort?: boolean;
  /** How often it matches. Default: without limit. */
  readonly times?: number;
}

/** Named lists of faults. */
export interface Scenarios {
  /** Changes if the files change. */
  readonly hash: string;
  readonly lists: ReadonlyMap<string, readonly Fault[]>;
}

/** What a sandbox notes of its scenarios. */
export interface ScenarioRecord {
  /** The hash of the files for which `used` counts. */
  readonly hash: string;
  /** Absent: the scenario `default`, if there is one. */
  readonly active?: readonly string[];
  /** How often each fault with `times` has happened, by scenario and index. */
  readonly used: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The faults of a sandbox: those that were set, and those of scenarios. */
export interface FaultState {
  readonly faults: readonly Fault[];
  readonly scenarios: ScenarioRecord | undefined;
}

/** What a call asks for. */
export interface FaultQuery {
  /** The scenario of the header `X-Specmill-Scenario`, in place of the active ones. */
  readonly scenario: string | undefined;
  /** Whether a fault happens to the call. */
  readonly happens: (fault: Fault) => boolean;
}

/** A scenario as the control API lists it. */
export interface ListedScenario {
  readonly name: string;
  readonly active: boolean;
}
