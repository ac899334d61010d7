import type { Api, Operation } from '../model/api.js';
import type { SourceLocation } from '../model/diagnostics/diagnostic.js';
import { DiffPlace } from './location.js';
import type { Fact, Touch, TouchingFact } from './raw-change.js';
import { SchemaGraph } from './schemas/schema-pairs.js';
import type { Direction } from './types.js';

/** Two APIs that are being compared, and what was found so far. */
export class DiffSession {
  readonly old: Api;
  readonly new: Api;
  readonly schemas: SchemaGraph;
  readonly #found: TouchingFact[] = [];

  constructor(old: Api, next: Api) {
    this.old = old;
    this.new = next;
    this.schemas = new SchemaGraph(old, next);
  }

  report(fact: Fact, touches: readonly Touch[]): void {
    this.#found.push({ fact, touches });
  }

  /** Everything that was found, schemas included. */
  finish(): TouchingFact[] {
    return [...this.#found, ...this.schemas.finish()];
  }
}

/** An operation in both specs: what is asked and what is answered have a direction each. */
export class OperationPair {
  readonly session: DiffSession;
  readonly old: Operation;
  readonly new: Operation;
  /** `request` but for webhooks and callbacks, which the server asks. */
  readonly asks: Direction;
  readonly answers: Direction;

  constructor(session: DiffSession, [old, next]: readonly [Operation, Operation], isOutgoing: boolean) {
    this.session = session;
    this.old = old;
    this.new = next;
    this.asks = isOutgoing ? 'response' : 'request';
    this.answers = isOutgoing ? 'request' : 'response';
  }

  /** Reports a change of what is asked. */
  asking(fact: Fact): void {
    this.session.report(fact, [this.touch(this.asks)]);
  }

  /** Reports a change of what is answered. */
  answering(fact: Fact): void {
    this.session.report(fact, [this.touch(this.answers)]);
  }

  touch(direction: Direction): Touch {
    return { operation: this.new, direction };
  }

  get oldPlace(): DiffPlace {
    return DiffPlace.at(this.old.source);
  }

  get newPlace(): DiffPlace {
    return DiffPlace.at(this.new.source);
  }
}

/** A place in each spec. */
export interface PlacePair {
  readonly old: DiffPlace;
  readonly new: DiffPlace;
}

/** The places of something that is in both specs. */
export function bothPlaces(
  old: { readonly source: SourceLocation },
  next: { readonly source: SourceLocation },
): PlacePair {
  return { old: DiffPlace.at(old.source), new: DiffPlace.at(next.source) };
}
