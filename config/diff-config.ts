/** A level of a change between two specs. */
type DiffLevel = 'breaking' | 'risky' | 'safe';

/** How `specmill diff` judges changes. */
export interface DiffConfig {
  /** The level of a kind of change, for both directions or for each. `docs/diff.md` lists the kinds. */
  readonly levels?: Readonly<
    Record<string, DiffLevel | { readonly request?: DiffLevel; readonly response?: DiffLevel }>
  >;
  /** Whether a response that may have more than before is breaking. Default: `false`, risky. */
  readonly strictResponses?: boolean;
  /** `semver`: what breaks needs a new major version, from 1.0.0 on. Default: versions are not compared. */
  readonly versionRule?: 'semver';
  /** Changes that are accepted. */
  readonly waivers?: readonly DiffWaiverConfig[];
}

/** A change that is accepted. All members that are given must fit. */
export interface DiffWaiverConfig {
  /** A kind of change, such as `parameter-removed`. */
  readonly kind?: string;
  /** `GET /orders` or an operation id; `*` matches any text. */
  readonly operation?: string;
  /** Text in the message of the change. */
  readonly message?: string;
  /** Why it is accepted. */
  readonly reason: string;
  /** The last day on which it is accepted, such as `2027-01-31`. */
  readonly until?: string;
}
