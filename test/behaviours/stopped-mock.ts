import type { Mock, MockOptions } from '../../entry/mock.js';
import type { ActionsOf } from '../../server/start/mock.js';
import { startMock } from '../support/start-mock.js';

/** How tests reach a mock: over a real socket, or in process. */
export type Transport = 'socket' | 'process';
export const TRANSPORTS: readonly Transport[] = ['socket', 'process'];

/** 2026-11-20T12:00:00Z */
export const START: number = Date.UTC(2026, 10, 20, 12);

/** A mock whose clock is stopped at {@link START}, and the `fetch` that reaches it. */
export interface StoppedMock<Actions extends object> {
  readonly mock: Mock<Actions>;
  readonly fetch: typeof globalThis.fetch;
}

export async function startStopped<Name extends string>(
  api: Name,
  transport: Transport,
  options: MockOptions = {},
): Promise<StoppedMock<ActionsOf<Name>>> {
  const mock = await startMock(api, { ...(transport === 'socket' ? { port: 0 } : {}), ...options });
  await mock.clock.freeze();
  await mock.clock.set(new Date(START));
  return { mock, fetch: transport === 'socket' ? globalThis.fetch : mock.fetch };
}
