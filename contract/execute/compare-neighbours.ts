import { problem } from '../checks/problem.js';
import type { Case, Outcome } from '../types.js';
import type { ContractRun } from './contract-run.js';

/** Refusals of one operation that are looked into. */
const MAX_COMPARED = 12;

/** Refused edges of an operation, to be compared with what is one step inside of them. */
export class RefusedEdges {
  readonly #run: ContractRun;
  readonly #refused: Case[] = [];

  constructor(run: ContractRun) {
    this.#run = run;
  }

  note(tried: Case, { exchange: { status }, problems }: Outcome): void {
    const isRefused = status === 400 || status === 422;
    const isReported = problems.some(({ check }) => check === 'valid input accepted');
    if (isRefused && !isReported && tried.expectation.kind === 'valid' && tried.expectation.neighbours !== undefined)
      this.#refused.push(tried);
  }

  /** Whatever the errors of a server look like: what is refused at an edge and accepted beside it is refused wrongly. */
  async compare(): Promise<void> {
    for (const tried of this.#refused.slice(0, MAX_COMPARED)) await this.#compare(tried);
  }

  async #compare(tried: Case): Promise<void> {
    const { expectation, phase } = tried;
    const near = expectation.kind === 'valid' ? expectation.neighbours?.()[0] : undefined;
    if (near === undefined) return;
    const inside: Case = { phase, call: await this.#run.ready(near, phase), expectation: { kind: 'valid' } };
    const accepted = await this.#run.try(inside);
    if (accepted === undefined || accepted.status >= 300 || accepted.status === 0) return;
    // The edge once more, so that nothing but the value is another one.
    const again = { ...tried, call: await this.#run.ready(tried.call, phase) };
    const refused = await this.#run.try(again);
    if (refused === undefined || (refused.status !== 400 && refused.status !== 422)) return;
    const about = expectation.kind === 'valid' ? (expectation.about ?? '') : '';
    const found = problem('valid input accepted', {
      cause: about,
      pointer: about.split(': ')[0] ?? '',
      message: `A valid request was refused (${about}), although the same with a value one step inside of it is accepted.`,
      expected: 'a status below 400',
      actual: `${refused.status} ${refused.text}`,
    });
    const claim = { expects: 'status', exchange: refused, status: 'good' } as const;
    this.#run.report(found, { call: again.call, phase, claim }, refused);
  }
}
