import { toExactNumber } from '../../runtime/json-integers.js';
import { resolvePointer, toPointer } from '../../model/document/pointer.js';
import type { Slot } from '../../resources/resource.js';
import { type Path, setAt } from '../../schema/value-path.js';
import { idText, slotValue, withSlot } from '../execute/ids/id-slot.js';
import type { Call, Case, Exchange } from '../types.js';
import type { Assertion } from '../expectations/assertion.js';
import { type Source, readSource } from './capture.js';
import type { Script } from './print-websocket-script.js';
import type { Outcome, Problem } from '../checks/problem.js';

/**
 * Where a call takes a value from an earlier response: a slot, a place deep in its body, an added header, or its URL.
 */
export type FillPlace =
  | Slot
  | { readonly in: 'value'; readonly path: Path }
  | { readonly in: 'header'; readonly name: string }
  | { readonly in: 'address' };

/** A value that a call takes from an earlier response. */
export interface Fill {
  readonly place: FillPlace;
  /** The key of the step whose response gives the value. */
  readonly from: Exchange;
  readonly source: Source;
}

/** One request of a reproduction. */
export interface Step {
  /** The exchange in which the step was first seen. It identifies the step, however often it is repeated. */
  readonly key: Exchange;
  /** The last request and its response. */
  readonly sent: Case;
  readonly exchange: Exchange;
  readonly fills: readonly Fill[];
  /** A valid request to send instead, if this one breaks the spec. */
  readonly validTwin?: Pick<Step, 'sent' | 'fills'>;
  /** A part of the body that must stay unchanged: the server of the run has the value already, another one does not. */
  readonly keeps?: string;
  /** Set if the step may be unnecessary. Repeating the reproduction without it decides. */
  readonly isSpare?: true;
  /** Set if the request is sent at the same time as the next one. */
  readonly withNext?: true;
}

/** The steps in order, those that are sent at the same time together. */
export function sentTogether(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const [index, step] of steps.entries())
    if (steps[index - 1]?.withNext === true) groups.at(-1)?.push(step);
    else groups.push([step]);
  return groups;
}

/** No such problem in the response to the last request, by the checks of a single response. */
export interface NoProblem {
  readonly expects: 'response';
  readonly matches: (outcome: Outcome) => boolean;
}

/** Milliseconds before each reading of a job. */
export const READ_AFTER_MS = 100;

/** The readings of a job, which takes time. */
export interface Readings {
  readonly count: number;
  /** The readings that the assertion is about. */
  readonly judged: 'each' | 'last';
}

/** The requests that show a finding, in order, and the assertion about their responses. */
export interface Reproduction {
  readonly steps: readonly Step[];
  readonly assertion: Assertion | NoProblem;
  /** Set if the last request reads a job: it is sent that often, each time after {@link READ_AFTER_MS}. */
  readonly readings?: Readings;
  /**
   * Where an earlier response shows the id of the wrong item in the last one. Other items may be wrong too, until they
   * are deleted.
   */
  readonly about?: { readonly from: Exchange; readonly source: Source };
  /** The problem that the requests showed when last repeated, if a single response shows it. */
  readonly shown?: Problem;
  /** Set if the repeated requests did not show the problem: the likely reason. */
  readonly uncertain?: keyof typeof UNCERTAIN;
}

/** A reproduction with an assertion about its own steps. */
export interface StatedReproduction extends Reproduction {
  readonly assertion: Assertion;
}

/**
 * Returns a reproduction with the assertion that its problem breaks. What a single response breaks is stated of the
 * last response, as last repeated.
 */
export function stateProblem({ steps, ...rest }: Reproduction, { assertion }: Problem): StatedReproduction {
  if (rest.assertion.expects !== 'response') return { ...rest, steps, assertion: rest.assertion };
  if (assertion === undefined) throw new Error('The problem of a single response has an assertion.');
  const last = steps.length - 1;
  return { ...rest, steps: steps.map((step, at) => (at === last ? { ...step, key: step.exchange } : step)), assertion };
}

/** The notes for a reproduction that did not show its finding again. */
export const UNCERTAIN = {
  requests: 'Repeating these requests did not show it again: earlier requests may matter.',
  list: 'Repeating these requests did not show it again, because the list had more items by then: try a fresh server.',
} as const;

/** The value at a place of a request. */
export function readPlace(call: Call, place: FillPlace): unknown {
  if (place.in === 'address') return call.address;
  if (place.in === 'value') return resolvePointer(call.body?.value, toPointer(place.path));
  return place.in === 'header' ? call.headers?.[place.name] : slotValue(call, place);
}

/** Returns the same call with another value at a place. */
export function putPlace(call: Call, place: FillPlace, value: unknown): Call {
  if (place.in === 'header') return { ...call, headers: { ...call.headers, [place.name]: String(value) } };
  if (place.in === 'address') return { ...call, address: String(value) };
  if (place.in === 'value') {
    const { body } = call;
    return body === undefined ? call : { ...call, body: { ...body, value: setAt(body.value, place.path, value) } };
  }
  return withSlot(call, place, value);
}

/** Returns the same call with the current values of earlier responses; `undefined` if one of them is missing. */
export function fillCall(
  call: Call,
  fills: readonly Fill[],
  responseOf: (key: Exchange) => Exchange | undefined,
): Call | undefined {
  let filled: Call | undefined = call;
  for (const { place, from, source } of fills) {
    const response = responseOf(from);
    const value = response === undefined ? undefined : readSource(source, response);
    if (filled === undefined || value === undefined) return undefined;
    const isNumber = ['number', 'bigint'].includes(typeof readPlace(call, place));
    const wanted = isNumber ? toExactNumber(String(value)) : value;
    filled = putPlace(filled, place, place.in === 'parameter' || place.in === 'body' ? idText(place, wanted) : wanted);
  }
  return filled;
}

/** Where a problem was seen. */
export interface FindingSource extends Pick<Case, 'phase'>, Partial<Pick<Case, 'expectation'>> {
  readonly call: Pick<Call, 'operation'> & Partial<Call>;
  /** The assertion over several requests; if absent, a valid response to the last one. */
  readonly assertion?: Assertion;
  /** Exchanges that are needed besides those of the assertion. */
  readonly others?: readonly Exchange[];
  /** How to show the problem if HTTP requests cannot. */
  readonly script?: Script;
  /** Exchanges that may matter. */
  readonly spare?: readonly Exchange[];
  /** Values that the last request takes from others. */
  readonly fills?: readonly Fill[];
  /** The milliseconds that a job may take, if the finding is that it takes longer. */
  readonly longestMs?: number;
  /** Exchanges whose requests were sent at the same time, if the finding needs that. */
  readonly together?: readonly Exchange[];
}
