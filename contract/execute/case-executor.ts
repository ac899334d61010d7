import { isSafeMethod } from '../../model/http-method.js';
import { splitPointer } from '../../model/document/pointer.js';
import { isConflict } from '../checks/is-conflict.js';
import { Prefetcher } from './prefetch.js';
import type { ContractRun, SentCase } from './contract-run.js';
import type { Case } from '../types.js';

/** A case with ids of existing items, ready to be sent. */
export interface PreparedCase extends SentCase {
  readonly source: Case;
}

/**
 * Sends cases of one operation and yields their outcomes in the order of the cases. Cases that change nothing are sent
 * concurrently: what is sent never depends on response order, so a seed repeats the run whatever the timing. If cases
 * are made lazily, the next is made while the server works on the last. Cases that a limit puts aside are given to
 * `onPutAside`.
 */
export async function* sendCases(
  run: ContractRun,
  cases: Iterable<Case>,
  onPutAside: (source: Case) => void = () => {},
): AsyncGenerator<PreparedCase> {
  const refusals = new Refusals();
  const ahead = new Prefetcher(cases);
  run.client.workMeanwhile(() => ahead.fill());
  let group: Case[] = [];
  for (let tried = ahead.take(); tried !== undefined; tried = ahead.take()) {
    if (run.options.concurrency > 1 && leavesAlone(tried, refusals)) {
      group.push(tried);
      continue;
    }
    yield* sendGroup(run, group, { refusals, onPutAside });
    group = [];
    yield* sendGroup(run, [tried], { refusals, onPutAside });
  }
  yield* sendGroup(run, group, { refusals, onPutAside });
}

interface GroupContext {
  readonly refusals: Refusals;
  readonly onPutAside: (source: Case) => void;
}

async function* sendGroup(
  run: ContractRun,
  group: readonly Case[],
  { refusals, onPutAside }: GroupContext,
): AsyncGenerator<PreparedCase> {
  const sources = new Map<Case, Case>();
  for (const source of group) {
    // An earlier case may have deleted the item.
    const call = await run.items.refreshIds(source.call, source.phase);
    sources.set(call === source.call ? source : { ...source, call }, source);
  }
  const left = new Set(group);
  for (const first of await run.client.sendTogether([...sources.keys()])) {
    const source = sources.get(first.tried) ?? first.tried;
    left.delete(source);
    const sent = isAboutState(first) ? await sendAfresh(run, first, source) : first;
    refusals.note(sent);
    yield { ...sent, source };
  }
  if (run.client.hasPutAside) for (const source of left) onPutAside(source);
}

/**
 * Whether an invalid request was refused for the state of its item, or for a unique value that another item has. Such a
 * refusal does not show whether the server rejects the invalid part.
 */
function isAboutState({ tried: { expectation }, outcome: { exchange } }: SentCase): boolean {
  if (expectation.kind !== 'invalid') return false;
  const member = splitPointer(expectation.pointer).at(-1) ?? '';
  return isConflict(exchange) && (exchange.status === 409 || !exchange.text.includes(member));
}

/** Sends a case again with another item and other unique values. */
async function sendAfresh(
  run: Pick<ContractRun, 'client' | 'items'>,
  first: SentCase,
  source: Case,
): Promise<SentCase> {
  const call = await run.items.refreshIds(source.call, source.phase);
  if (call === first.tried.call) return first;
  const [again] = await run.client.sendTogether([{ ...source, call }]);
  return again ?? first;
}

/** The kinds of invalid requests that an operation refuses. */
class Refusals {
  readonly #keywords = new Set<string>();
  #isBroken = false;

  /**
   * Whether an invalid case can be expected to be refused: its kind was refused before, and no invalid case was ever
   * accepted.
   */
  covers({ expectation }: Case): boolean {
    return expectation.kind === 'invalid' && !this.#isBroken && this.#keywords.has(expectation.keyword);
  }

  note({ tried: { expectation }, outcome: { exchange } }: SentCase): void {
    if (expectation.kind !== 'invalid') return;
    if (exchange.status >= 400 && exchange.status < 500) this.#keywords.add(expectation.keyword);
    else this.#isBroken = true;
  }
}

function leavesAlone(tried: Case, refusals: Refusals): boolean {
  const { call } = tried;
  return refusals.covers(tried) || (call.method === undefined && isSafeMethod(call.operation.method));
}
