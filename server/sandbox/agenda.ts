import type { Job } from './clock-types.js';

/** The jobs of a sandbox in the order of their due times; for equal times, in the order in which they were planned. */
export class Agenda {
  readonly #jobs: Job[] = [];
  /** The jobs before this index are removed, but still in the array: a shift moves all others. */
  #start = 0;
  readonly #planned = new Map<string, Job>();

  /** Adds a job. Replaces a job with the same id. */
  add(job: Job): void {
    this.remove(job.id);
    this.#planned.set(job.id, job);
    this.#jobs.splice(
      this.#placeOf((other) => other.dueAt > job.dueAt),
      0,
      job,
    );
  }

  remove(id: string): void {
    const job = this.#planned.get(id);
    if (job === undefined) return;
    this.#planned.delete(id);
    const first = this.#placeOf((other) => other.dueAt >= job.dueAt);
    const place = this.#jobs.indexOf(job, first);
    if (place === this.#start) this.#start += 1;
    else this.#jobs.splice(place, 1);
    if (this.#start <= this.#jobs.length / 2) return;
    this.#jobs.splice(0, this.#start);
    this.#start = 0;
  }

  /** Returns the job that is due first. */
  peek(): Job | undefined {
    return this.#jobs[this.#start];
  }

  /** Returns the first index from which jobs pass the test. */
  #placeOf(test: (job: Job) => boolean): number {
    let [low, high] = [this.#start, this.#jobs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const job = this.#jobs[middle];
      if (job === undefined || test(job)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
