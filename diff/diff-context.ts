import type { Api, Operation } from '../model/api.js';
import { SpecLocation } from './location.js';
import type { RawChange, Usage, UsedChange } from './raw-change.js';
import { SchemaPairs } from './schemas/schema-pairs.js';
import { isUnstable } from './stability.js';
import type { Direction } from './api-diff.js';

/** Two APIs that are being compared, and the changes found so far. */
export class DiffContext {
  readonly old: Api;
  readonly new: Api;
  readonly schemas: SchemaPairs;
  /** The time with which sunset dates are compared. */
  readonly now: Date;
  readonly #found: UsedChange[] = [];

  constructor(old: Api, next: Api, now: Date) {
    this.old = old;
    this.new = next;
    this.now = now;
    this.schemas = new SchemaPairs(old, next);
  }

  report(change: RawChange, usages: readonly Usage[]): void {
    this.#found.push({ change, usages });
  }

  /** Returns all changes, including those of schemas. */
  finish(): UsedChange[] {
    return [...this.#found, ...this.schemas.finish()];
  }
}

/** An operation in both specs, with the directions of its requests and responses. */
export class OperationPair {
  readonly context: DiffContext;
  readonly old: Operation;
  readonly new: Operation;
  /** `request`, except for webhooks and callbacks, whose requests the server sends. */
  readonly requestDirection: Direction;
  readonly responseDirection: Direction;

  constructor(context: DiffContext, [old, next]: readonly [Operation, Operation], isOutgoing: boolean) {
    this.context = context;
    this.old = old;
    this.new = next;
    this.requestDirection = isOutgoing ? 'response' : 'request';
    this.responseDirection = isOutgoing ? 'request' : 'response';
  }

  reportInRequest(change: RawChange): void {
    this.context.report(change, [this.usage(this.requestDirection)]);
  }

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
