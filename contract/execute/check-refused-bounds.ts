import { isRecord } from '../../model/document/records.js';
import { splitPointer } from '../../model/document/pointer.js';
import { foldName } from '../../resources/inflection.js';
import { blames } from '../checks/check-status.js';
import { good } from '../expectations/assertion.js';
import type { Case, Exchange } from '../types.js';
import { SAYS_TAKEN } from '../../resources/unique-members.js';
import type { ContractRun } from './contract-run.js';
import { isTakenElsewhere } from './is-taken-elsewhere.js';
import type { Outcome } from '../checks/problem.js';

/** The most refusals of one operation that are examined. */
const MAX_COMPARED = 12;

interface RefusedCase {
  readonly tried: Case;
  /** Whether the server names the place of the edge. */
  readonly isNamed: boolean;
}

/** Refused edge values of an operation, to be compared with values one step inside the edge. */
export class RefusedBounds {
  readonly #run: ContractRun;
  readonly #refused: RefusedCase[] = [];

  constructor(run: ContractRun) {
    this.#run = run;
  }

  note(tried: Case, { exchange, problems }: Outcome): void {
    const { status } = exchange;
    const isRefused = status === 400 || status === 422;
    const isReported = problems.some(({ check }) => check === 'valid input accepted');
    if (!isRefused || isReported || tried.expectation.kind !== 'valid') return;
    const isNamed = namesPlace(tried, exchange);
    if (tried.expectation.neighbours !== undefined || isNamed) this.#refused.push({ tried, isNamed });
  }

  /**
   * Reports an edge value as wrongly refused if the value beside it is accepted, whatever the server's errors look
   * like. If there is no such value, the server must name the place and accept the call with its original value.
   */
  async compare(): Promise<void> {
    for (const refused of this.#refused.slice(0, MAX_COMPARED)) await this.#compare(refused);
  }

  async #compare({ tried, isNamed }: RefusedCase): Promise<void> {
    const { expectation, phase } = tried;
    if (expectation.kind !== 'valid') return;
    const near = expectation.neighbours?.()[0];
    const other = near ?? (isNamed ? expectation.base : undefined);
    if (other === undefined) return;
    const inside: Case = {
      phase,
      call: await this.#run.items.refreshIds(other, phase),
      expectation: { kind: 'valid' },
    };
    const accepted = await this.#run.client.send(inside);
    if (accepted === undefined || accepted.status >= 300 || accepted.status === 0) return;
    // Sends the edge again, so that only the value differs.
    const again = { ...tried, call: await this.#run.items.refreshIds(tried.call, phase) };
    const refused = await this.#run.client.send(again);
    if (refused === undefined || (refused.status !== 400 && refused.status !== 422)) return;
    if (near === undefined && !namesPlace(again, refused)) return;
    if (await isTakenElsewhere(this.#run, again)) return;
    const about = expectation.about ?? '';
    const beside = near === undefined ? 'with another value' : 'with a value one step inside of it';
    this.#run.findings.expect('valid input accepted', good(refused), {
      cause: about,
      pointer: about.split(': ')[0] ?? '',
      message: `A valid request was refused (${about}), although the same ${beside} is accepted.`,
      expected: 'a status below 400',
      actual: `${refused.status} ${refused.text}`,
      phase,
    });
  }
}

/**
 * Whether a refusal names the place of its edge. Changes do not count: what an item may change to depends on its state.
 */
function namesPlace({ call, expectation }: Case, exchange: Exchange): boolean {
  if (expectation.kind !== 'valid' || !['get', 'post'].includes(call.operation.method)) return false;
  const judged = expectation.judged?.();
  if (judged === undefined || judged === '*' || judged === '') return false;
  return blames(exchange, judged) || (isChoice(expectation.about ?? '') && mentions(exchange, judged));
}

/**
 * Whether the case is about an enum, a boolean or null: the spec lists every value, so a further rule would be
 * surprising.
 */
function isChoice(about: string): boolean {
  return /: (?:enum|boolean|null)$/.test(about);
}

/** Whether the text of a refusal contains the name of a member as a word: `medium is invalid`. */
function mentions({ json }: Exchange, judged: string): boolean {
  const name = splitPointer(judged).at(-1) ?? '';
  const texts = isRecord(json)
    ? [json, json['error']].flatMap((one) => (isRecord(one) ? Object.values(one) : [one]))
    : [];
  return texts.some((text) => typeof text === 'string' && !SAYS_TAKEN.test(text) && hasWord(text, name));
}

function hasWord(text: string, name: string): boolean {
  return name.length > 2 && text.split(/[^\p{L}\p{N}_-]+/u).some((word) => foldName(word) === foldName(name));
}
