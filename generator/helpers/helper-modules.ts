import { CODEC_NAMES } from '../client/print-codecs.js';

/** Names of the runtime that helpers use, by module. */
export const HELPER_MODULES: Readonly<Record<string, readonly string[]>> = {
  codecs: [...CODEC_NAMES, 'decodeResult', 'encodeMembers', 'parseTyped', 'stringifyTyped'],
  context: ['CallOptions'],
  'event-stream': ['StreamOptions', 'streamMessages'],
  helpers: [
    ...['ChangeOptions', 'PollOptions', 'WebhookOptions'],
    ...['isPast', 'pollChanges', 'readChangeWrite', 'readExpiry', 'readWebhook'],
  ],
  'json-integers': ['parseExactJson', 'stringifyExactJson'],
  'live-session': ['LiveOptions', 'LiveSession', 'openLiveSession'],
  paging: ['Listing', 'PageOptions', 'pageByLink', 'pageByOffset', 'pageByToken'],
  'rate-limit': ['RateLimitPlan', 'RetryOptions', 'waitForLimits'],
  'typed-webhooks': ['readTypedWebhook'],
  upload: ['UploadData', 'UploadOptions', 'upload'],
  serialize: ['writeKeyQuery'],
};

/** The errors that users of the output may catch, by the module that throws them. */
export const HELPER_ERRORS: Readonly<Record<string, readonly string[]>> = {
  'event-stream': ['BrokenStreamError'],
  items: ['BrokenStreamError'],
  'live-session': ['SessionClosedError'],
  paging: ['PagingError'],
  upload: ['UploadError'],
};

/** The module that declares an error of {@link HELPER_ERRORS}. */
export const ERROR_MODULES: Readonly<Record<string, string>> = {
  BrokenStreamError: 'event-stream',
  PagingError: 'paging',
  SessionClosedError: 'live-session',
  UploadError: 'upload-protocol',
};

/** Whether a name of {@link HELPER_MODULES} is a type; functions begin with a lower-case letter. */
export function isTypeName(name: string): boolean {
  return /^[A-Z]/.test(name);
}
