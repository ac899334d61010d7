import type { StreamPlan } from '../runtime/event-stream.js';
import type { ChangePlan, PollPlan } from '../runtime/helpers.js';
import type { LivePlan } from '../runtime/live-session.js';
import type { LinkPlan, OffsetPlan, TokenPlan } from '../runtime/paging.js';
import type { RateLimitPlan } from '../runtime/rate-limit.js';
import type { FilePlan, UploadPlan } from '../runtime/upload.js';

// Values of the extensions that declare helpers, as specs/extensions.schema.json describes them. Most are members of the
// plan that the runtime gets.

/** `x-pagination` */
export type PagingValue =
  | ({ readonly style: 'offset' } & Pick<OffsetPlan, PageMember | 'skip' | 'window'>)
  | ({ readonly style: 'page' } & Pick<LinkPlan, PageMember | 'total'> & Required<Pick<LinkPlan, 'page'>>)
  | ({ readonly style: 'token' } & Pick<TokenPlan, PageMember | 'token' | 'next'>);

type PageMember = 'items' | 'size' | 'maxSize';

/** `x-streaming` */
export type StreamingValue = Pick<StreamPlan, 'error' | 'end' | 'query'>;

/** `x-websocket` */
export interface WebSocketValue {
  readonly client: string;
  readonly server: string;
}

/** `x-live-session` */
export type LiveSessionValue = Omit<LivePlan, 'operation' | 'parse' | 'stringify'>;

/** `x-resumable-upload` */
export interface UploadValue extends Omit<UploadPlan, 'start' | 'poll'> {
  readonly upload: string;
  readonly start?: UploadPlan['start'];
  readonly poll?: FilePlan & { readonly operation: string };
}

/** `x-conditional-polling` */
export type PollingValue = Partial<PollPlan> & Pick<PollPlan, 'interval'>;

/** `x-read-before-write` */
export interface ChangeValue extends Pick<ChangePlan, 'from' | 'to' | 'etag'> {
  readonly read: string;
  readonly copy?: Readonly<Record<string, string>>;
  readonly conflict?: ChangePlan['conflict'];
}

/** `x-expires` */
export interface ExpiresValue {
  readonly what?: string;
  readonly from?: string;
  readonly after?: string;
  readonly unit?: 'seconds' | 'milliseconds';
}

/** `x-rate-limit` */
export interface RateLimitValue extends Pick<RateLimitPlan, 'secondary'> {
  readonly statuses?: RateLimitPlan['statuses'];
  readonly headers?: Pick<RateLimitPlan, 'remaining' | 'reset' | 'retryAfter'>;
  readonly retry?: Pick<RateLimitPlan, 'firstSeconds' | 'factor' | 'maxRetries'>;
  readonly policy?: { readonly $ref: string };
  readonly idempotent?: RateLimitPlan['methods'];
}
