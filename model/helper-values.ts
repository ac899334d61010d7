/** Values of the extensions that declare helpers of an API, as specs/extensions.schema.json describes them. */

interface PagingBase {
  readonly items: string;
  readonly size?: string;
  readonly maxSize?: number;
}

/** `x-pagination` */
export type PagingValue =
  | (PagingBase & { readonly style: 'offset'; readonly skip: string; readonly size: string; readonly window?: number })
  | (PagingBase & { readonly style: 'page'; readonly page: string; readonly total?: string })
  | (PagingBase & { readonly style: 'token'; readonly token: string; readonly next: string });

/** `x-streaming` */
export interface StreamingValue {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly pointer: string; readonly status?: string };
  readonly end?: string;
}

/** `x-websocket` */
export interface WebSocketValue {
  readonly client: string;
  readonly server: string;
}

/** `x-live-session` */
export interface LiveSessionValue {
  readonly setup: string;
  readonly ready: string;
  readonly goAway?: string;
  readonly resumption?: { readonly handle: string; readonly resume: string };
}

/** `x-resumable-upload` */
export interface UploadValue {
  readonly name: string;
  readonly upload: string;
  readonly address: string;
  readonly start?: Readonly<Record<string, string>>;
  readonly size: string;
  readonly type: string;
  readonly displayName?: string;
  readonly command: string;
  readonly commands: { readonly upload: string; readonly finalize: string; readonly query: string };
  readonly offset: string;
  readonly status: string;
  readonly final: string;
  readonly received: string;
  readonly file: string;
  readonly poll?: {
    readonly operation: string;
    readonly from: string;
    readonly to: string;
    readonly prefix?: string;
    readonly state: string;
    readonly ready: readonly string[];
    readonly failed: readonly string[];
  };
}

/** `x-conditional-polling` */
export interface PollingValue {
  readonly interval: string;
  readonly validator?: string;
  readonly condition?: string;
}

/** `x-read-before-write` */
export interface ChangeValue {
  readonly read: string;
  readonly from?: string;
  readonly to?: string;
  readonly copy?: Readonly<Record<string, string>>;
  readonly etag?: { readonly header?: string; readonly pointer?: string; readonly condition: string };
  readonly conflict?: readonly number[];
}

/** `x-expires` */
export interface ExpiresValue {
  readonly what?: string;
  readonly from?: string;
  readonly after?: string;
  readonly unit?: 'seconds' | 'milliseconds';
}

/** `x-rate-limit` */
export interface RateLimitValue {
  readonly statuses?: readonly number[];
  readonly headers?: { readonly remaining: string; readonly reset: string; readonly retryAfter: string };
  readonly retry?: { readonly firstSeconds: number; readonly factor: number; readonly maxRetries: number };
  readonly policy?: { readonly $ref: string };
  readonly secondary: string;
  readonly idempotent?: readonly string[];
}
