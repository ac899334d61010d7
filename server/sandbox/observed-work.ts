import type { SandboxHost } from './sandbox-state.js';
import type { PostResult } from './webhook-post.js';
import type { WaitingCallback } from './webhook-queue.js';

/** Reports what a sandbox did without a call. */
export interface WorkReporter {
  readonly job: (name: string) => void;
  /** @param retryAfter - milliseconds until the next attempt, where the one that was made has failed. */
  readonly attempt: (callback: WaitingCallback, result: PostResult, retryAfter?: number) => void;
}

/** Reports to whoever watches the mock, with credentials in addresses redacted. */
export function createWorkReporter(
  { onWork, redact }: Pick<SandboxHost, 'onWork' | 'redact'>,
  sandbox: string,
): WorkReporter {
  return {
    job: (name) => onWork?.({ sandbox, kind: 'job', name, outcome: 'done' }),
    attempt: ({ url }, { outcome, reason }, retryAfter) =>
      onWork?.({
        sandbox,
        kind: 'callback',
        name: redact.target(url),
        outcome:
          retryAfter === undefined ? outcome : `failed: ${reason} The next attempt follows in ${retryAfter / 1_000} s.`,
      }),
  };
}
