import type { Api, Operation } from '../model/api.js';
import type { SourceLocation } from '../model/diagnostics/diagnostic.js';
import { SpecLocation } from './location.js';
import type { RawChange, Usage, UsedChange } from './raw-change.js';
import { SchemaPairs } from './schemas/schema-pairs.js';
import { isUnstable } from './stability.js';
import type { Direction } from './types.js';

/** Two APIs that are being compared, and what was found so far. */
export class DiffContext {
  readonly old: Api;
  readonly new: Api;
  readonly schemas: SchemaPairs;
  readonly #found: UsedChange[] = [];

  /** Sunset dates are compared with it. */
  readonly now: Date;

  constructor(old: Api, next: Api, now: Date) {
    this.now = now;
    this.old = old;
    this.new = next;
    this.schemas = new SchemaPairs(old, next);
  }

  report(change: RawChange, usages: readonly Usage[]): void {
    this.#found.push({ change, usages });
  }

  /** Everything that was found, schemas included. */
  finish(): UsedChange[] {
    return [...this.#found, ...this.schemas.finish()];
  }
}

/** An operation in both specs: requests and responses have a direction each. */
export class OperationPair {
  readonly context: DiffContext;
  readonly old: Operation;
  readonly new: Operation;
  /** `request` but for webhooks and callbacks, which the server requestDirection. */
  readonly requestDirection: Direction;
  readonly responseDirection: Direction;

  constructor(context: DiffContext, [old, next]: readonly [Operation, Operation], isOutgoing: boolean) {
    this.context = context;
    this.old = old;
    this.new = next;
    this.requestDirection = isOutgoing ? 'response' : 'request';
    this.responseDirection = isOutgoing ? 'request' : 'response';
  }

  /** Reports a change of what is asked. */
  reportInRequest(change: RawChange): void {
    this.context.report(change, [this.usage(this.requestDirection)]);
  }

  /** Reports a change of a response. */
  reportInResponse(change: RawChange): void {
    this.context.report(change, [this.usage(this.responseDirection)]);
  }

  usage(direction: Direction): Usage {
    return { operation: this.new, direction, isUnstable: isUnstable(this.old) };
  }

  get oldLocation(): SpecLocation {
    return SpecLocation.at(this.old.source);
  }

  get newLocation(): SpecLocation {
    return SpecLocation.at(this.new.source);
  }
}

/** A place in each spec. */
export interface LocationPair {
  readonly old: SpecLocation;
  readonly new: SpecLocation;
}

/** The places of something that is in both specs. */
export function bothLocations(
  old: { readonly source: SourceLocation },
  next: { readonly source: SourceLocation },
): LocationPair {
  return { old: SpecLocation.at(old.source), new: SpecLocation.at(next.source) };
}
