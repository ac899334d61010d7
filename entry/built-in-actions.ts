import type { GenerationActions } from '../mocks/generation/index.js';
import type { NotificationsActions } from '../mocks/notifications/actions.js';
import type { SigningActions } from '../mocks/signing/actions.js';
import type { CallsOf } from '../server/start/mock.js';

/** The actions of the built-in APIs. */
export interface BuiltInActions {
  readonly signing: CallsOf<SigningActions>;
  readonly generation: CallsOf<GenerationActions>;
  readonly notifications: CallsOf<NotificationsActions>;
}

declare module '../server/start/mock.js' {
  interface ActionsByApi extends BuiltInActions {}
}
