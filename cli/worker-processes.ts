import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';

import { EXIT, type ExitStatus, type Io } from './io.js';

/** How long workers may take to end when the command ends. Milliseconds. */
const END_WITHIN = 10_000;
/** How often in turn a worker may end before it serves. */
const MOST_FAILURES = 5;
/** How long the next start of a worker waits after one that failed. Milliseconds. */
const PAUSE = 500;

/** A message of a worker that serves; the command sends it to the worker that prints the table. */
const READY = 'specmill serves';
const ANNOUNCE = 'specmill announces';

/** Whether this process was started by {@link runWorkers}. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Serves as one of several processes. Only the first one says what is served. */
export async function runAsWorker(
  io: Io,
  serve: (io: Io & { readonly onReady: () => Promise<boolean> }) => Promise<ExitStatus>,
): Promise<ExitStatus> {
  try {
    return await serve({ ...io, onReady: sayReady });
  } finally {
    // The channel to the first process would keep this one running.
    process.channel?.unref();
  }
}

/** Says that this process serves. Returns whether this process prints the table. */
async function sayReady(): Promise<boolean> {
  const announced = new Promise<boolean>((resolve) => {
    process.once('message', (message) => resolve(message === ANNOUNCE));
  });
  process.send?.(READY);
  return announced;
}

/** Runs this command in several processes that share its ports, until the user stops it. */
export function runWorkers(count: number, io: Io): Promise<ExitStatus> {
  return new WorkerProcesses(count, io).run();
}

class WorkerProcesses {
  readonly #count: number;
  readonly #io: Io;
  readonly #running = new Set<Worker>();
  #isStopping = false;
  #failures = 0;
  #finish: (status: ExitStatus) => void = () => undefined;

  constructor(count: number, io: Io) {
    this.#count = count;
    this.#io = io;
  }

  async run(): Promise<ExitStatus> {
    const finished = new Promise<ExitStatus>((resolve) => {
      this.#finish = resolve;
    });
    const signal = this.#io.stopSignal();
    signal.addEventListener('abort', () => this.#finish(EXIT.done));
    // The first one reports what is wrong with the options, the spec or the port.
    const first = await Promise.race([this.#start(), finished]);
    if (typeof first === 'object' && 'status' in first) return this.#end(first.status);
    if (typeof first === 'object') void this.#startOthers(first);
    return this.#end(await finished);
  }

  async #startOthers(first: Worker): Promise<void> {
    const others = Array.from({ length: this.#count - 1 }, (_none, index) => this.#keep(index + 2));
    await Promise.all(others);
    first.send(ANNOUNCE);
    this.#watch(first, 1);
  }

  /** Starts a worker. Returns it when it serves, or else the status with which it has ended. */
  #start(): Promise<Worker | { readonly status: ExitStatus }> {
    const worker = cluster.fork();
    this.#running.add(worker);
    // A message to a worker that has just ended; its end is reported by itself.
    worker.on('error', () => undefined);
    return new Promise((resolve) => {
      worker.on('message', (message) => {
        if (message === READY) resolve(worker);
      });
      worker.once('exit', (code) => {
        this.#running.delete(worker);
        resolve({ status: code === EXIT.found ? EXIT.found : EXIT.failed });
      });
    });
  }

  /** Starts a worker, and another one when it ends. Returns when the first of them serves. */
  async #keep(number: number): Promise<void> {
    while (!this.#isStopping) {
      const started = await this.#start();
      if (!('status' in started)) {
        this.#failures = 0;
        started.send('');
        this.#watch(started, number);
        return;
      }
      this.#failures += 1;
      if (this.#failures >= MOST_FAILURES) return this.#finish(EXIT.failed);
      await wait(PAUSE);
    }
  }

  #watch(worker: Worker, number: number): void {
    const restart = (reason: string): void => {
      if (this.#isStopping) return;
      this.#io.err(`specmill: worker ${number} ended (${reason}) and is started again\n`);
      void this.#keep(number);
    };
    const { exitCode, signalCode } = worker.process;
    if (worker.isDead()) restart(signalCode ?? `status ${exitCode}`);
    else worker.once('exit', (code, signal: NodeJS.Signals | null) => restart(signal ?? `status ${code}`));
  }

  /** Ends all workers, those that do not respond by force. */
  async #end(status: ExitStatus): Promise<ExitStatus> {
    this.#isStopping = true;
    const ended = [...this.#running].map(
      (worker) =>
        new Promise<void>((resolve) => {
          if (worker.isDead()) resolve();
          else worker.once('exit', () => resolve());
        }),
    );
    for (const worker of this.#running) worker.process.kill('SIGTERM');
    const force = setTimeout(() => {
      for (const worker of this.#running) worker.process.kill('SIGKILL');
    }, END_WITHIN);
    await Promise.all(ended);
    clearTimeout(force);
    return status;
  }
}
