import type { SandboxHost } from './sandbox-host.js';
import type { PostResult } from './webhook-post.js';
import type { WaitingCallback } from './webhook-queue.js';

/** Reports work of a sandbox outside of calls. */
export interface WorkReporter {
  readonly job: (name: string) => void;
  /** @param retryAfter - milliseconds until the next attempt, if this one has failed. */
  readonly attempt: (callback: WaitingCallback, result: PostResult, retryAfter?: number) => void;
}

/** Creates a reporter for `onWork` that redacts credentials in URLs. */
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
