import type { ReadBody } from '../read-body.js';
import {
  type DraftContext,
  type DraftedRequest,
  type MediaShape,
  RequestShape,
  addBody,
  mergeMedia,
} from './request-shape.js';
import type { SeenScheme } from './security.js';

export interface ResponseShape {
  count: number;
  readonly media: Map<string, MediaShape>;
}

/** A response that says that there is no such operation, or no such item. */
const MISSING: ReadonlySet<number> = new Set([404, 405, 426, 501]);

/** What is known of the calls of one operation. */
export class OperationShape {
  /** Requests that were accepted: only these say what an operation takes. */
  readonly #accepted = new RequestShape();
  readonly #refused = new RequestShape();
  readonly responses: Map<number, ResponseShape> = new Map();
  /** Whether a call without a credential got a 401: only this proves that one is needed. */
  refusesAnonymous = false;

  add(
    request: DraftedRequest,
    response: { readonly status: number; readonly body: ReadBody | undefined },
    context: DraftContext,
  ): readonly SeenScheme[] {
    const { status, body } = response;
    const known = this.responses.get(status) ?? { count: 0, media: new Map<string, MediaShape>() };
    this.responses.set(status, known);
    known.count += 1;
    addBody(known.media, body, context);
    const schemes = (status < 400 ? this.#accepted : this.#refused).add(request, context);
    if (status === 401 && schemes.length === 0) this.refusesAnonymous = true;
    return schemes;
  }

  /** The accepted requests, or all if none was accepted. */
  get requests(): RequestShape {
    return this.#accepted.calls > 0 ? this.#accepted : this.#refused;
  }

  get calls(): number {
    return this.#accepted.calls + this.#refused.calls;
  }

  /** Whether no response says that the operation exists. */
  get isMissing(): boolean {
    return [...this.responses.keys()].every((status) => MISSING.has(status));
  }

  merge(other: OperationShape): void {
    this.#accepted.merge(other.#accepted);
    this.#refused.merge(other.#refused);
    this.refusesAnonymous ||= other.refusesAnonymous;
    for (const [status, { count, media }] of other.responses) {
      const known = this.responses.get(status) ?? { count: 0, media: new Map<string, MediaShape>() };
      this.responses.set(status, known);
      known.count += count;
      mergeMedia(known.media, media);
    }
  }

  /** The names of the members of successful JSON responses, two levels deep: how alike two operations are. */
  get memberNames(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const [status, { media }] of this.responses) {
      if (status >= 300) continue;
      for (const { shape } of media.values())
        for (const [name, member] of shape?.members ?? []) {
          names.add(name);
          for (const inner of (member.shape.items ?? member.shape).members.keys()) names.add(`${name}/${inner}`);
        }
    }
    return names;
  }
}
