import type { Job } from './clock-types.js';

/** The jobs of a sandbox by due time: a binary heap that skips cancelled jobs when they reach the top. */
export class Agenda {
  readonly #heap: Entry[] = [];
  readonly #current = new Map<string, Entry>();
  #order = 0;

  /** Adds a job. Replaces a job with the same id. */
  add(job: Job): void {
    this.#order += 1;
    const entry = { job, order: this.#order };
    this.#current.set(job.id, entry);
    this.#heap.push(entry);
    this.#siftUp(this.#heap.length - 1);
  }

  remove(id: string): void {
    this.#current.delete(id);
  }

  /** Returns the job that is due first. For equal times, the one planned first. */
  peek(): Job | undefined {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (this.#current.get(top.job.id) === top) return top.job;
      this.#dropTop();
    }
    return undefined;
  }

  #dropTop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#siftDown(0);
  }

  #siftUp(start: number): void {
    let place = start;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isBefore(place, parent)) return;
      this.#swap(place, parent);
      place = parent;
    }
  }

  #siftDown(start: number): void {
    let place = start;
    for (;;) {
      const [left, right] = [place * 2 + 1, place * 2 + 2];
      let first = this.#isBefore(left, place) ? left : place;
      if (this.#isBefore(right, first)) first = right;
      if (first === place) return;
      this.#swap(place, first);
      place = first;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [left, right] = [this.#heap[one], this.#heap[other]];
    if (left === undefined || right === undefined) return false;
    return left.job.dueAt < right.job.dueAt || (left.job.dueAt === right.job.dueAt && left.order < right.order);
  }

  #swap(one: number, other: number): void {
    const [left, right] = [this.#heap[one], this.#heap[other]];
    if (left === undefined || right === undefined) return;
    this.#heap[one] = right;
    this.#heap[other] = left;
  }
}

interface Entry {
  readonly job: Job;
  readonly order: number;
}
