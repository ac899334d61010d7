/** The parts of HAR 1.2 that a proxy writes. Members with an underscore are extensions, as the format allows. */
export interface HarEntry {
  readonly startedDateTime: string;
  /** Milliseconds, like all durations. */
  readonly time: number;
  readonly request: HarRequest;
  readonly response: HarResponse;
  readonly cache: Readonly<Record<string, never>>;
  readonly timings: {
    readonly blocked: -1;
    readonly dns: -1;
    readonly connect: number;
    readonly ssl: -1;
    readonly send: number;
    readonly wait: number;
    readonly receive: number;
  };
  readonly comment?: string;
  readonly _operationId?: string;
  readonly _violations?: readonly unknown[];
  /** In the format of browsers. */
  readonly _resourceType?: 'websocket';
  readonly _webSocketMessages?: readonly HarSocketMessage[];
}

/** A WebSocket message, in the format of browsers. */
export interface HarSocketMessage {
  readonly type: 'send' | 'receive';
  /** Epoch seconds. */
  readonly time: number;
  /** 1: text, 2: binary. */
  readonly opcode: 1 | 2;
  /** Binary messages in base64. */
  readonly data: string;
}

export interface HarNameValue {
  readonly name: string;
  readonly value: string;
}

interface HarMessage {
  readonly httpVersion: string;
  readonly cookies: readonly HarNameValue[];
  readonly headers: readonly HarNameValue[];
  readonly headersSize: -1;
  readonly bodySize: number;
}

export interface HarRequest extends HarMessage {
  readonly method: string;
  readonly url: string;
  readonly queryString: readonly HarNameValue[];
  readonly postData?: {
    readonly mimeType: string;
    readonly params: readonly HarNameValue[];
    readonly text: string;
    readonly _encoding?: 'base64';
    readonly comment?: string;
  };
}

export interface HarResponse extends HarMessage {
  /** 0 if there was no response. */
  readonly status: number;
  readonly statusText: string;
  readonly content: {
    readonly size: number;
    readonly compression?: number;
    readonly mimeType: string;
    readonly text?: string;
    readonly encoding?: 'base64';
    readonly comment?: string;
  };
  readonly redirectURL: string;
}
