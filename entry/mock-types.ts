/**
 * The types of `specmill/mock` in the package: its exports, and the actions that the built-in mocks add to
 * `ActionsByApi`. `mock.ts` cannot name these mocks, because they import it, as the mock of a user does.
 */
import type { ActionsByApi } from './mock.js';

export * from './mock.js';
export type { GenerationActions } from '../mocks/generation/index.js';
export type { NotificationsActions } from '../mocks/notifications/actions.js';
export type { SigningActions } from '../mocks/signing/actions.js';

/** The actions of the built-in APIs. */
export type BuiltInActions = Pick<ActionsByApi, 'generation' | 'notifications' | 'signing'>;
