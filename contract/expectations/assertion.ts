import type { Api, Parameter } from '../../model/api.js';
import type { Call, Case, Exchange } from '../types.js';
import type { Order } from '../shown-as.js';
import type { Source } from '../reproduction/capture.js';

/** The id of an item and the place where a response shows it; a literal if there is no source. */
export interface IdValue {
  readonly value: string | number | bigint;
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

interface ValueKinds {
  /** A value in the body of a response. */
  readonly response: { readonly exchange: Exchange; readonly pointer: string };
  readonly header: { readonly exchange: Exchange; readonly name: string };
  readonly text: { readonly exchange: Exchange };
  readonly literal: { readonly value: unknown };
  /** A value in the body of a request. */
  readonly request: { readonly exchange: Exchange; readonly pointer: string };
  /** A parameter of a request. `value`: as first sent; when repeated, it may be the id of another item. */
  readonly parameter: { readonly exchange: Exchange; readonly parameter: Parameter; readonly value: unknown };
  /** A member of an item in a list. */
  readonly item: { readonly list: ListPlace; readonly id: IdValue; readonly pointer: string };
  readonly id: { readonly id: IdValue };
  /**
   * The number of items of a list; with `pageSize`, of the pages that they need; with `where`, of those that a filtered
   * list must contain.
   */
  readonly count: { readonly list: ListPlace; readonly pageSize?: number; readonly where?: Filter };
  /** The URL of the next page in the header `Link`. */
  readonly 'next link': { readonly exchange: Exchange };
  /** A parameter in the query of a URL in a body. */
  readonly 'link query': { readonly exchange: Exchange; readonly pointer: string; readonly name: string };
}

export type ValueOf<K extends keyof ValueKinds = keyof ValueKinds> = {
  [P in K]: { readonly from: P } & ValueKinds[P];
}[K];

/** A value that an assertion compares. Exchanges are the keys of steps. */
export type Value = ValueOf;

/**
 * How a filter compares a member with its value. `choice`: one of an enum. `id`: the id of another item. An item at the
 * bound is listed with `from` and `to`, not listed with `after` and `before`, and may be with `since` and `until`.
 */
export type FilterTest = 'equals' | 'choice' | 'id' | 'from' | 'to' | 'after' | 'before' | 'since' | 'until';

/** A member of items, and what a filter asks of it. */
export interface Filter {
  readonly path: readonly string[];
  readonly test: FilterTest;
  readonly value: Value;
  /** Whether the member is a list of objects, such as labels, of which the filter names one. */
  readonly isOfObjects?: boolean;
}

/**
 * Ranges of status codes. `good`: below 300. `refused`: from 400. `client error`, `no success` and `accepted` say
 * nothing of a server that fails, which `no failure` does.
 */
export type StatusName = 'good' | 'refused' | 'client error' | 'no success' | 'accepted' | 'no failure';

export interface Compared {
  readonly left: Value;
  readonly right: Value;
}

export interface AssertionKinds {
  readonly status: { readonly exchange: Exchange; readonly status: StatusName | number };
  /** Of equal requests at the same time, not all are accepted. */
  readonly 'one refused': { readonly exchanges: readonly Exchange[] };
  /** An item cannot be read any more, or reads as the response to its deletion showed it. */
  readonly gone: { readonly exchange: Exchange; readonly removal: Exchange };
  /** The response is as the spec documents it, unless the server failed, which is a finding of its own. */
  readonly documented: { readonly exchange: Exchange; readonly tried: Case; readonly api: Api };
  /** A page does not show input unescaped. */
  readonly escaped: { readonly exchange: Exchange };
  /** A member names the item that the path of the request names. */
  readonly 'same id': { readonly left: ValueOf<'response'>; readonly right: Value };
  readonly same: Compared;
  readonly other: Compared;
  /** `left` shows the value of `right` as it was written. */
  readonly shown: Compared & { readonly order?: Order };
  /** The number `left` is not below the number `right`. */
  readonly 'at least': Compared;
  /** A text matches a pattern without flags. */
  readonly matches: { readonly value: Value; readonly pattern: string };
  readonly 'matches not': { readonly value: Value; readonly pattern: string };
  readonly present: { readonly value: Value };
  /** A value is absent, null, false or an empty text, such as a token at the end of a list. */
  readonly empty: { readonly value: Value };
  readonly listed: { readonly list: ListPlace; readonly id: IdValue };
  readonly 'not listed': { readonly list: ListPlace; readonly id: IdValue };
  readonly 'page size': { readonly list: ListPlace; readonly most: number };
  readonly 'each once': { readonly list: ListPlace };
  readonly 'same items': SameItems;
  /** Each item of a list fits all filters; with `id`, the item with this id does, if the list contains it. */
  readonly fits: { readonly list: ListPlace; readonly id?: IdValue; readonly filters: readonly Filter[] };
  readonly sorted: { readonly list: ListPlace; readonly path: readonly string[]; readonly isDown: boolean };
}

/** Small pages together have the items of one large page, starting from the first. */
interface SameItems {
  readonly list: ListPlace;
  readonly whole: Exchange;
  /** The expected number of items of a page. */
  readonly size: number;
  /** What is empty on the last page only; if absent, a page with fewer items than `size` is the last. */
  readonly next?: Value;
}

export type AssertionOf<K extends keyof AssertionKinds = keyof AssertionKinds> = {
  [P in K]: { readonly expects: P } & AssertionKinds[P];
}[K];

/** What a check expects of responses, as data: it is evaluated, repeated and printed from this statement. */
export type Assertion = AssertionOf;

/** The requests and responses that an assertion is evaluated with: as first seen, or as repeated. */
export interface Evidence {
  readonly responseTo: (key: Exchange) => Exchange;
  readonly callOf: (key: Exchange) => Call | undefined;
}

/** The evidence of a single response and its call. */
export function evidenceFor(call: Call): Evidence {
  return { responseTo: (key) => key, callOf: () => call };
}

/** A value in a response. */
export function bodyAt(exchange: Exchange, pointer: string): ValueOf<'response'> {
  return { from: 'response', exchange, pointer };
}

export function headerOf(exchange: Exchange, name: string): Value {
  return { from: 'header', exchange, name };
}

export function textOf(exchange: Exchange): Value {
  return { from: 'text', exchange };
}

export function literalOf(value: unknown): Value {
  return { from: 'literal', value };
}

/** A value in the body of a request. */
export function sentAt(exchange: Exchange, pointer: string): Value {
  return { from: 'request', exchange, pointer };
}

/** The number of items of a list. */
export function countOf(list: ListPlace): Value {
  return { from: 'count', list };
}

/** A parameter of a request. */
export function parameterOf(exchange: Exchange, parameter: Parameter, value: unknown): Value {
  return { from: 'parameter', exchange, parameter, value };
}

export function same(left: Value, right: Value): Assertion {
  return { expects: 'same', left, right };
}

export function other(left: Value, right: Value): Assertion {
  return { expects: 'other', left, right };
}

/** @param right - the written value. */
export function shown(left: Value, right: Value, order: Order = 'any'): Assertion {
  return { expects: 'shown', left, right, order };
}

export function matches(value: Value, pattern: string): Assertion {
  return { expects: 'matches', value, pattern };
}

export function present(value: Value): Assertion {
  return { expects: 'present', value };
}

export function good(exchange: Exchange): Assertion {
  return { expects: 'status', exchange, status: 'good' };
}

export function refused(exchange: Exchange): Assertion {
  return { expects: 'status', exchange, status: 'refused' };
}

export function hasStatus(exchange: Exchange, status: StatusName | number): Assertion {
  return { expects: 'status', exchange, status };
}
