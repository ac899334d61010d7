import type { Place } from './request-error.js';

/** A value of an argument, once the variables are known. */
export type Value = (variables: ReadonlyMap<string, unknown>) => unknown;

/** Whether a selection counts, once the variables are known. */
export type Condition = (variables: ReadonlyMap<string, unknown>) => boolean;

interface Selected {
  readonly place: Place;
  /** Of `@include` and `@skip`; all must hold. */
  readonly conditions: readonly Condition[];
}

interface FieldSelection extends Selected {
  readonly kind: 'field';
  readonly name: string;
  /** The name in the result. */
  readonly alias: string;
  readonly args: ReadonlyMap<string, Value>;
  readonly selections: readonly Selection[] | undefined;
}

interface SpreadSelection extends Selected {
  readonly kind: 'spread';
  readonly fragment: string;
}

interface InlineSelection extends Selected, Fragment {
  readonly kind: 'inline';
}

export type Selection = FieldSelection | SpreadSelection | InlineSelection;

export interface Fragment {
  /** The type that it is for; absent where it only groups. */
  readonly on: string | undefined;
  readonly selections: readonly Selection[];
}

export interface Variable {
  readonly name: string;
  readonly isRequired: boolean;
  readonly byDefault: Value | undefined;
}

export interface GraphqlOperation {
  readonly kind: 'query' | 'mutation';
  readonly name: string | undefined;
  readonly variables: readonly Variable[];
  readonly selections: readonly Selection[];
}

export interface GraphqlDocument {
  readonly operations: readonly GraphqlOperation[];
  readonly fragments: ReadonlyMap<string, Fragment>;
}
