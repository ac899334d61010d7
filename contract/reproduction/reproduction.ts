import { resolvePointer, toPointer } from '../../model/document/pointer.js';
import type { Slot } from '../../resources/resource.js';
import { type Path, setAt } from '../../schema/value-path.js';
import { idText, slotValue, withSlot } from '../execute/ids/id-slot.js';
import type { Call, Case, Exchange, Problem } from '../types.js';
import type { Assertion } from './assertion.js';
import { type Source, readSource } from './capture.js';
import type { Script } from './print-websocket-script.js';

/** Where a call takes a value of an earlier response: a slot, a place deep in its body, a header that was added to it, or its whole address. */
export type FillPlace =
  | Slot
  | { readonly in: 'value'; readonly path: Path }
  | { readonly in: 'header'; readonly name: string }
  | { readonly in: 'address' };

/** A value that a call takes from an earlier response. */
export interface Fill {
  readonly place: FillPlace;
  /** The key of the step that gives it. */
  readonly from: Exchange;
  readonly source: Source;
}

/** One request of a reproduction. */
export interface Step {
  /** The exchange in which the step was first seen: it names the step, however often it is repeated. */
  readonly key: Exchange;
  /** The last request and its response. */
  readonly sent: Case;
  readonly exchange: Exchange;
  readonly fills: readonly Fill[];
  /** A request that the spec allows, to send instead of one that breaks it. */
  readonly proper?: Pick<Step, 'sent' | 'fills'>;
  /** A place of its body that is needed as it is: a server that has seen the run already has it, and another one does not. */
  readonly keeps?: string;
  /** Taken along because it may matter: whether it does is seen when the reproduction is repeated without it. */
  readonly isSpare?: true;
}

/** The requests that show a finding, in their order, and what the server expects to them. */
export interface Reproduction {
  readonly steps: readonly Step[];
  readonly claim: Assertion;
  /** Where an earlier response shows the id of the item that is wrong in the last one: others may be wrong as well, until they are gone. */
  readonly about?: { readonly from: Exchange; readonly source: Source };
  /** What the requests showed when they were repeated last, where one response shows it. */
  readonly shown?: Problem;
  /** The requests were repeated and did not show it again: what went before them in the run may matter. */
  readonly isUncertain?: true;
}

/** Said of a reproduction that did not show its finding again. */
export const UNCERTAIN = 'Repeated by the run, these requests did not show it again: what went before them may matter.';

/** The value at a place of a request. */
export function readPlace(call: Call, place: FillPlace): unknown {
  if (place.in === 'address') return call.address;
  if (place.in === 'value') return resolvePointer(call.body?.value, toPointer(place.path));
  return place.in === 'header' ? call.headers?.[place.name] : slotValue(call, place);
}

/** The same call with something else at a place. */
export function putPlace(call: Call, place: FillPlace, value: unknown): Call {
  if (place.in === 'header') return { ...call, headers: { ...call.headers, [place.name]: String(value) } };
  if (place.in === 'address') return { ...call, address: String(value) };
  if (place.in === 'value') {
    const { body } = call;
    return body === undefined ? call : { ...call, body: { ...body, value: setAt(body.value, place.path, value) } };
  }
  return withSlot(call, place, value);
}

/** The same call with what earlier responses show now; `undefined` where one of them does not have it. */
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
    const wanted = typeof readPlace(call, place) === 'number' ? Number(value) : value;
    filled = putPlace(filled, place, place.in === 'parameter' || place.in === 'body' ? idText(place, wanted) : wanted);
  }
  return filled;
}

/** Where a problem was seen. */
export interface Sighting extends Pick<Case, 'call' | 'phase'> {
  /** The assertion over several requests; absent: a valid response to the last one. */
  readonly claim?: Assertion;
  /** Exchanges that are needed beside those of the claim. */
  readonly others?: readonly Exchange[];
  /** How to show it, where requests over HTTP do not. */
  readonly script?: Script;
  /** Exchanges that may matter. */
  readonly spare?: readonly Exchange[];
}
