import { STATUS_CODES } from 'node:http';

/** Returns the reason phrase of a status, such as `Not Found`. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? (status >= 500 ? 'Server Error' : 'Error');
}

/** Canonical error codes, as in gRPC. Other statuses share a general code. */
const CANONICAL: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  410: 'NOT_FOUND',
  412: 'FAILED_PRECONDITION',
  426: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Returns the canonical code of a failure, in upper case. */
export function canonicalName(status: number): string {
  return CANONICAL[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
}

/** Words in error codes by status, most specific first. Letter case and punctuation are ignored. */
const CODE_WORDS: Readonly<Record<number, readonly string[]>> = {
  400: ['invalidrequest', 'badrequest', 'invalidargument', 'validation', 'malformed', 'invalidinput', 'invalid'],
  401: ['unauthenticated', 'authenticationfailed', 'unauthorized', 'authentication', 'credential', 'token', 'auth'],
  403: ['permissiondenied', 'forbidden', 'accessdenied', 'permission', 'denied', 'scope'],
  404: ['notfound', 'missing', 'unknown', 'nosuch'],
  405: ['methodnotallowed', 'method', 'invalidrequest', 'invalidargument', 'unsupported'],
  406: ['notacceptable', 'invalidrequest', 'invalidargument'],
  409: ['conflict', 'alreadyexists', 'duplicate', 'aborted', 'invalidstate', 'invalidstatus'],
  410: ['gone', 'expired', 'notfound'],
  412: ['precondition', 'conditionnotmet'],
  413: ['payloadtoolarge', 'toolarge', 'toobig', 'invalidrequest', 'invalidargument'],
  415: ['unsupportedmediatype', 'mediatype', 'contenttype', 'invalidrequest', 'invalidargument'],
  422: ['validation', 'unprocessable', 'invalidrequest', 'invalidargument', 'invalid'],
  426: ['upgrade', 'failedprecondition', 'invalidrequest', 'invalidargument'],
  429: ['toomanyrequests', 'ratelimit', 'resourceexhausted', 'quota', 'throttl', 'limit'],
  501: ['unimplemented', 'notimplemented'],
  503: ['unavailable'],
  504: ['deadlineexceeded', 'timeout'],
};

/** Returns the enum value whose words fit a status best, or else the first value. */
export function fittingCode(values: readonly unknown[], status: number): unknown {
  const words =
    CODE_WORDS[status] ??
    (status >= 500 ? ['internal', 'servererror', 'unexpected', 'unknown'] : CODE_WORDS[400]) ??
    [];
  const plain = values.map((value) =>
    typeof value === 'string' ? value.toLowerCase().replaceAll(/[^a-z0-9]/g, '') : '',
  );
  const asNumber = values.indexOf(status);
  if (asNumber !== -1) return status;
  const asText = plain.indexOf(String(status));
  if (asText !== -1) return values[asText];
  for (const word of words) {
    const exact = plain.indexOf(word);
    if (exact !== -1) return values[exact];
    const part = plain.findIndex((value) => value.includes(word));
    if (part !== -1) return values[part];
  }
  return values[0];
}
