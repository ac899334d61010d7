import type { Operation } from '../../model/api.js';
import type { AnswerMedia, AnswerRule } from '../../http/response/response-spec.js';
import {
  checkAnswer,
  checkValue,
  isUndescribedSuccess,
  mayHaveBody,
  mediaOf,
} from '../../http/response/check-response.js';
import { type StreamWords, isErrorEvent, readStreamWords } from '../../http/response/stream-convention.js';
import { decodeCharset } from '../../http/request/decode-charset.js';
import { DecodeProblem } from '../../http/request/decode-error.js';
import { parseMediaType } from '../../http/media-type.js';
import { parseJson } from '../../http/request/parse-json.js';
import type { HeaderMap, Violation } from '../../http/messages.js';
import type { PassedBody } from '../exchange/exchange.js';

/** What is known of an answer before its body. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: HeaderMap;
  /** HEAD is answered without a body. */
  readonly isHead: boolean;
  /** A refusal of what breaks the spec need not be documented. */
  readonly isRequestBroken: boolean;
}

/** What the operation says of an answer. */
export interface AnswerContext {
  readonly operation: Operation;
  readonly rule: AnswerRule | undefined;
}

const NOT_MODIFIED = 304;

/** One answer, held against its operation: first the head, then the body as a whole or event by event. */
export class AnswerCheck {
  /** What its status and headers break. */
  readonly headViolations: readonly Violation[];
  readonly #head: AnswerHead;
  readonly #rule: AnswerRule | undefined;
  readonly #media: AnswerMedia | undefined;
  readonly #words: StreamWords;

  constructor(head: AnswerHead, { operation, rule }: AnswerContext) {
    this.#head = head;
    this.#rule = rule;
    this.#words = readStreamWords(operation);
    const reply = { ...head, body: undefined, refusal: false };
    this.#media = rule === undefined ? undefined : mediaOf(reply, rule);
    const isExempt = rule === undefined && isUnnamed(head, operation);
    this.headViolations = isExempt
      ? []
      : [...checkAnswer(reply, rule, { withBody: false }), ...this.#checkContentType()];
  }

  /** The events of the answer are described one by one. */
  get hasDescribedEvents(): boolean {
    const media = this.#media;
    return this.#expectsBody && media?.isEventStream === true && media.media.extensions['x-event-stream'] === 'item';
  }

  /** Whether there is something to say of the body as a whole once it is there. */
  get checksBody(): boolean {
    const media = this.#media;
    if (!this.#expectsBody || media?.validate === undefined || media.isEventStream) return false;
    return media.kind === 'json' || (media.kind === 'text' && isTextSchema(media));
  }

  /** Whether the body as a whole can break anything. */
  get judgesBody(): boolean {
    return this.checksBody || (this.#expectsBody && this.#rule?.response.content.length === 0);
  }

  /** What the body breaks, or why it was not checked. */
  async checkBody(body: PassedBody): Promise<{ readonly violations: readonly Violation[]; readonly note?: string }> {
    if (this.#rule === undefined || this.#head.isHead || !mayHaveBody(this.#head.status)) return { violations: [] };
    const presence = this.#checkPresence(body);
    if (presence !== undefined || !this.checksBody) return { violations: presence ?? [] };
    const expanded = await body.expand();
    if (expanded.ok) return { violations: this.#checkContent(expanded.bytes) };
    return expanded.reason === 'broken'
      ? { violations: [toViolation('/headers/content-encoding', expanded.message)] }
      : { violations: [], note: `The body of the answer was not checked: it ${expanded.message}.` };
  }

  /** What the data of one event breaks. */
  checkEvent(data: string): readonly Violation[] {
    const media = this.#media;
    if (media === undefined || data === this.#words.end) return [];
    if (isTextSchema(media)) return checkValue(data, media);
    const parsed = readJson(data);
    if (!parsed.ok) return [toViolation('/body', parsed.message)];
    return isErrorEvent(parsed.value, this.#words) ? [] : checkValue(parsed.value, media);
  }

  get #expectsBody(): boolean {
    return !this.#head.isHead && mayHaveBody(this.#head.status);
  }

  #checkContentType(): readonly Violation[] {
    const type = this.#head.headers['content-type'];
    if (this.#rule === undefined || type === undefined || !this.#expectsBody || this.#rule.media.length === 0)
      return [];
    if (typeof type !== 'string' || parseMediaType(type) === undefined)
      return [toViolation('/headers/content-type', 'must be a media type')];
    return this.#media === undefined ? [toViolation('/headers/content-type', 'must be a documented media type')] : [];
  }

  #checkPresence({ size, isWhole }: PassedBody): readonly Violation[] | undefined {
    const isDocumented = (this.#rule?.response.content.length ?? 0) > 0;
    if (isDocumented && size === 0 && isWhole) return [toViolation('/body', 'must be present')];
    if (!isDocumented && size > 0) return [toViolation('/body', 'must NOT be present')];
    const isAnyType = this.#rule?.media.some(({ parsed }) => parsed.essence === '*/*') === true;
    if (size > 0 && !isAnyType && this.#head.headers['content-type'] === undefined)
      return [toViolation('/headers/content-type', 'must be present')];
    return undefined;
  }

  #checkContent(bytes: Uint8Array): readonly Violation[] {
    const media = this.#media;
    if (media === undefined) return [];
    const type = this.#head.headers['content-type'];
    const charset = typeof type === 'string' ? parseMediaType(type)?.parameters.get('charset') : undefined;
    try {
      const text = decodeCharset(bytes, charset);
      return checkValue(media.kind === 'json' ? parseJson(text) : text, media);
    } catch (error) {
      if (!(error instanceof DecodeProblem)) throw error;
      return [toViolation(error.pointer === '/content-type' ? '/headers/content-type' : '/body', error.message)];
    }
  }
}

/** Statuses that a spec need not name: 304 is part of HTTP. */
function isUnnamed({ status, isRequestBroken }: AnswerHead, operation: Operation): boolean {
  if (status === NOT_MODIFIED || isUndescribedSuccess(operation, status)) return true;
  return isRequestBroken && status >= 400 && status < 500;
}

/** Other texts, such as XML, are described by schemas of what they stand for. */
function isTextSchema({ media: { schema } }: AnswerMedia): boolean {
  return typeof schema === 'object' && schema.type === 'string';
}

function readJson(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string } {
  try {
    return { ok: true, value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof DecodeProblem)) throw error;
    return { ok: false, message: error.message };
  }
}

function toViolation(pointer: string, message: string): Violation {
  return { in: 'response', pointer, message };
}
