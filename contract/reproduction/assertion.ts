import type { Parameter } from '../../model/api.js';
import type { Exchange, Outcome } from '../types.js';
import type { Source } from './capture.js';

/** A value that an assertion compares. Exchanges are the keys of steps. */
export type Value =
  | { readonly from: 'response'; readonly exchange: Exchange; readonly pointer: string }
  | { readonly from: 'header'; readonly exchange: Exchange; readonly name: string }
  | { readonly from: 'text'; readonly exchange: Exchange }
  | { readonly from: 'literal'; readonly value: unknown }
  /** A value in the body of a request. */
  | { readonly from: 'request'; readonly exchange: Exchange; readonly pointer: string }
  | { readonly from: 'item'; readonly list: ListPlace; readonly id: IdValue; readonly pointer: string }
  | { readonly from: 'id'; readonly id: IdValue };

/** The id of an item and the place where a response shows it; a literal if there is no source. */
export interface IdValue {
  readonly value: string | number;
  readonly exchange: Exchange;
  readonly source: Source | undefined;
}

/** Where a list and its further pages show items and their ids. */
export interface ListPlace {
  readonly pages: readonly Exchange[];
  /** A JSON pointer to the items. */
  readonly itemsAt: string;
  /** A JSON pointer from an item to its id; if absent, whole items are compared. */
  readonly idAt?: string;
}

/** What a reproduction expects of its responses, in a form that can be evaluated again. */
export type Assertion =
  /** A valid response to the last request, by the checks of a single response. */
  | { readonly expects: 'response'; readonly matches: (outcome: Outcome) => boolean }
  | { readonly expects: 'status'; readonly exchange: Exchange; readonly status: 'good' | 'refused' | number }
  | { readonly expects: 'same' | 'other'; readonly left: Value; readonly right: Value }
  | { readonly expects: 'listed' | 'not listed'; readonly list: ListPlace; readonly id: IdValue }
  | { readonly expects: 'page size'; readonly list: ListPlace; readonly most: number }
  | { readonly expects: 'each once'; readonly list: ListPlace }
  | SameItems
  | { readonly expects: 'header'; readonly exchange: Exchange; readonly name: string; readonly pattern?: string }
  | ResponsesAssertion
  /** The last page has no link to a next page in its headers. */
  | { readonly expects: 'no next link'; readonly exchange: Exchange }
  | { readonly expects: 'text'; readonly exchange: Exchange; readonly text: string };

/** Small pages together have the items of one large page, starting from the first. */
export interface SameItems {
  readonly expects: 'same items';
  readonly list: ListPlace;
  readonly whole: Exchange;
  /** The expected number of items of a page. */
  readonly size: number;
  /** Where a page names the next one; if absent, a page with fewer items than `size` is the last. */
  readonly nextAt?: string;
}

/** The variable of the value that a request takes from an earlier response for a parameter. */
export type VariableOf = (exchange: Exchange, parameter: Parameter) => string | undefined;

/** An expectation of several response bodies together. */
export interface ResponsesAssertion {
  readonly expects: 'that';
  readonly exchanges: readonly Exchange[];
  readonly holds: (responses: readonly Exchange[]) => boolean;
  /** The same condition as a test expression over the names of the bodies. */
  readonly code: (bodies: readonly string[], variableOf: VariableOf) => string;
}
