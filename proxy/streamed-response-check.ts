import type { Operation } from '../model/api.js';
import type { HeaderMap, Violation } from '../http/messages.js';
import { boundaryOf, framingOf } from '../runtime/items.js';
import {
  findItemProblems,
  ItemStreamCheck,
  readStreamConvention,
  type StreamConvention,
} from '../http/response/checked-items.js';
import {
  findContentProblems,
  findContentTypeProblems,
  findHeaderProblems,
  findPresenceProblems,
  findResponseMedia,
  isBodyDescribed,
  isUndescribedSuccess,
  mayStatusHaveBody,
  type ResponseViolation,
  toViolation,
  undocumentedStatus,
} from '../http/response/response-violations.js';
import type { ResponseMedia, ResponseSpec } from '../http/response/response-spec.js';
import type { DecodedBody, ForwardedBody, UndecodedReason } from './exchange/forwarded-exchange.js';
import type { KnownBodies } from './known-bodies.js';

/** The facts of a response before its body. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: HeaderMap;
  /** The response to HEAD has no body. */
  readonly isHead: boolean;
  /** Whether the request has violations; its refusal need not be documented. */
  readonly isRequestBroken: boolean;
}

/** What checks of responses share. */
export interface ResponseRules {
  readonly operation: Operation;
  readonly spec: ResponseSpec | undefined;
  readonly known: KnownBodies;
}

/** The violations of a body, or the reason why it was not checked. */
export interface CheckedResponseBody {
  readonly violations: readonly Violation[];
  readonly note?: string;
  /** The reason if the body could not be checked. */
  readonly unchecked?: UndecodedReason;
}

const NOT_MODIFIED = 304;

/** Checks one response while it passes: first the head, then the body as a whole or item by item. */
export class StreamedResponseCheck {
  /** The violations of status and headers. */
  readonly headViolations: readonly Violation[];
  readonly #head: ResponseHead;
  readonly #spec: ResponseSpec | undefined;
  readonly #media: ResponseMedia | undefined;
  readonly #convention: StreamConvention;
  readonly #known: KnownBodies;

  constructor(head: ResponseHead, { operation, spec, known }: ResponseRules) {
    this.#head = head;
    this.#spec = spec;
    this.#known = known;
    this.#convention = readStreamConvention(operation);
    this.#media = spec === undefined ? undefined : findResponseMedia(head.headers, spec);
    this.headViolations = this.#findHeadProblems(operation).map(toViolation);
  }

  /** Whether the response is a stream whose items the spec describes. */
  get hasDescribedItems(): boolean {
    return this.#expectsBody && this.#media?.items !== undefined;
  }

  /** Whether the body as a whole can be validated. */
  get validatesBody(): boolean {
    return this.#expectsBody && this.#media !== undefined && isBodyDescribed(this.#media, this.#head.headers);
  }

  /** Whether the body as a whole can have violations. */
  get judgesBody(): boolean {
    return this.validatesBody || (this.#expectsBody && this.#spec?.response.content.length === 0);
  }

  checkBody(body: ForwardedBody): CheckedResponseBody | Promise<CheckedResponseBody> {
    const [spec, media] = [this.#spec, this.#media];
    if (spec === undefined || !this.#expectsBody) return { violations: [] };
    // An incomplete body may still get content, so its emptiness is not a violation.
    const presence = body.size > 0 || body.isWhole ? findPresenceProblems(this.#head.headers, spec, body.size) : [];
    if (presence.length > 0 || media === undefined || !this.validatesBody)
      return { violations: presence.map(toViolation) };
    const decoded = body.decode();
    return decoded instanceof Promise
      ? decoded.then((known) => this.#judge(known, media))
      : this.#judge(decoded, media);
  }

  #judge(decoded: DecodedBody, media: ResponseMedia): CheckedResponseBody {
    if (decoded.ok) {
      const { bytes } = decoded;
      const { headers } = this.#head;
      const find = (): readonly Violation[] => findContentProblems(bytes, media, headers).map(toViolation);
      return { violations: this.#known.check(media, { bytes, type: headers['content-type'] }, find) };
    }
    if (decoded.reason !== 'broken')
      return {
        violations: [],
        note: `The body of the response was not checked: it ${decoded.message}.`,
        unchecked: decoded.reason,
      };
    return { violations: [{ in: 'response', pointer: '/headers/content-encoding', message: decoded.message }] };
  }

  /** Creates a check of the items that pass; `undefined` if the spec does not describe them. */
  watchItems(limits: { readonly itemBytes: number; readonly violations: number }): ItemStreamCheck | undefined {
    const items = this.#expectsBody ? this.#media?.items : undefined;
    if (items === undefined) return undefined;
    const type = this.#head.headers['content-type'];
    const boundary = typeof type === 'string' ? boundaryOf(type) : undefined;
    return new ItemStreamCheck(
      (content) => findItemProblems(content, items, this.#convention),
      { framing: framingOf(items.plan.format), boundary },
      limits,
    );
  }

  get #expectsBody(): boolean {
    return !this.#head.isHead && mayStatusHaveBody(this.#head.status);
  }

  #findHeadProblems(operation: Operation): readonly ResponseViolation[] {
    const { status, headers } = this.#head;
    if (this.#spec === undefined) return isUnnamed(this.#head, operation) ? [] : [undocumentedStatus(status)];
    const contentType = this.#expectsBody ? findContentTypeProblems(headers, this.#spec) : [];
    return [...findHeaderProblems(headers, this.#spec), ...contentType];
  }
}

/** Whether the spec need not document a status, such as 304, which is part of HTTP. */
function isUnnamed({ status, isRequestBroken }: ResponseHead, operation: Operation): boolean {
  if (status === NOT_MODIFIED || isUndescribedSuccess(operation, status)) return true;
  return isRequestBroken && status >= 400 && status < 500;
}
