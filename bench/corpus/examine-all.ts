import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { bundleHost } from './bundle-host.js';
import type { Examined, Fault } from './examine.js';
import type { Job } from './examine-host.js';

export interface ExamineAllOptions {
  /** A folder for the program of the processes. */
  readonly folder: string;
  /** How many documents are examined at the same time. */
  readonly processes: number;
  /** Milliseconds for one document; after that its process is killed. */
  readonly limit: number;
  readonly onExamined?: (examined: Examined) => void;
}

/** Examines documents in processes of their own, so that one that hangs or crashes harms no other. */
export async function examineAll(
  jobs: readonly Job[],
  { folder, processes, limit, onExamined }: ExamineAllOptions,
): Promise<Examined[]> {
  const results: Examined[] = [];
  const waiting = jobs.entries();
  const program = await bundleHost(folder);
  const work = async (): Promise<void> => {
    const host = new Host(program, limit);
    for (const [index, job] of waiting) {
      const examined = await host.run(job);
      results[index] = examined;
      onExamined?.(examined);
    }
    host.stop();
  };
  await Promise.all(Array.from({ length: processes }, work));
  return results;
}

/** A process for one document after the other. It is started again after it had to be killed. */
class Host {
  #child: ChildProcess | undefined;

  readonly #program: string;
  readonly #limit: number;

  constructor(program: string, limit: number) {
    this.#program = program;
    this.#limit = limit;
  }

  async run(job: Job): Promise<Examined> {
    const child = (this.#child ??= fork(this.#program, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }));
    const over = new AbortController();
    const { signal } = over;
    const answer = once(child, 'message', { signal }).then(([examined]) => examined as Examined);
    const exit = once(child, 'exit', { signal }).then(() => this.#failed(job, 'crash', 'the process ended'));
    const late = sleep(this.#limit, undefined, { signal }).then(() =>
      this.#failed(job, 'limit', `not done after ${this.#limit / 1000} s`),
    );
    child.send(job);
    const contenders = [answer, exit, late];
    for (const contender of contenders) contender.catch(() => undefined);
    const first = await Promise.race(contenders);
    over.abort();
    return first;
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  #failed({ document: { name } }: Job, room: Fault['room'], cause: string): Examined {
    this.stop();
    const facts = { dialect: '', operations: 0, schemas: 0, diagnostics: {}, errors: 0, withoutFixture: [] };
    return { document: name, ...facts, faults: [{ room, cause, detail: '' }] };
  }
}
