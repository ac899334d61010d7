import { isRecord } from '../../model/document/records.js';
import { addDuration, parseDuration } from '../../model/duration.js';
import type { ControlledSandbox } from '../sandbox/controlled-sandbox.js';
import { BadSnapshotError, type StateSnapshot } from '../sandbox/state-snapshot.js';
import type { Fault, JournalEntry } from '../sandbox/sandbox.js';
import { checkFaults } from './check-faults.js';
import { badInput } from './control-error.js';
import { checkControlInput } from './validation.js';
import { type ServedApi, runAction } from './run-action.js';

/** The clock as the control interface shows it. */
export interface ClockView {
  readonly now: string;
  readonly frozen: boolean;
}

/**
 * The operations on one sandbox from outside, for the control interface and the members of a mock.
 * Input may be anything; what is bad is refused as a `ControlError`.
 */
export class SandboxControls {
  readonly #find: () => ControlledSandbox;
  readonly #served: () => ServedApi;

  /** Both are asked each time: a sandbox may have expired, and a mock may serve another version of its spec. */
  constructor(find: () => ControlledSandbox, served: () => ServedApi) {
    this.#find = find;
    this.#served = served;
  }

  reset(): Promise<void> {
    return this.#find().reset();
  }

  getState(): Promise<StateSnapshot> {
    return this.#find().snapshot();
  }

  async putState(value: unknown): Promise<void> {
    const snapshot = await checkControlInput('State', value);
    try {
      await this.#find().restore(snapshot);
    } catch (error) {
      throw error instanceof BadSnapshotError ? badInput(error.message, error.pointer) : error;
    }
  }

  async getClock(): Promise<ClockView> {
    const { clock } = await this.#current();
    return { now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen };
  }

  async putClock(value: unknown): Promise<ClockView> {
    refuseOddDuration(value);
    const { now, advance, frozen } = await checkControlInput('ClockChange', value);
    const sandbox = await this.#current();
    const { clock } = sandbox;
    // First, so that the clock stops exactly at the given time.
    if (frozen === true) await clock.freeze(true);
    if (now !== undefined) await clock.set(Date.parse(now));
    if (advance !== undefined) {
      const duration = parseDuration(advance);
      if (duration === undefined || Number.isNaN(new Date(addDuration(clock.now(), duration)).getTime())) {
        throw badInput('The duration is not one that the clock can go forward by.', '/advance');
      }
      await clock.advance(duration);
    }
    if (frozen === false) await clock.freeze(false);
    sandbox.emitClock();
    return this.getClock();
  }

  listRequests(options: { readonly violations?: boolean }): Promise<readonly JournalEntry[]> {
    return this.#find().readJournal(options);
  }

  clearRequests(): Promise<void> {
    return this.#find().clearJournal();
  }

  async listFaults(): Promise<readonly Fault[]> {
    return (await this.#current()).faults.list();
  }

  async putFaults(value: unknown): Promise<void> {
    const faults = await checkControlInput('Faults', value);
    checkFaults(faults, this.#served().api);
    await this.#find().putFaults(faults);
  }

  clearFaults(): Promise<void> {
    return this.#find().putFaults([]);
  }

  listActions(): object[] {
    const { actions = {} } = this.#served().definition;
    return Object.entries(actions).map(([name, { description, input }]) => ({ name, description, input }));
  }

  runAction(name: string, input: unknown): Promise<unknown> {
    return runAction(this.#served(), this.#find(), { name, input });
  }

  /** The sandbox with what other processes have done to it. */
  async #current(): Promise<ControlledSandbox> {
    const sandbox = this.#find();
    await sandbox.sync();
    return sandbox;
  }
}

/** A pattern is a poor message for a user who wrote `1 day`. */
function refuseOddDuration(value: unknown): void {
  if (!isRecord(value) || typeof value['advance'] !== 'string') return;
  if (value['advance'].startsWith('P') && parseDuration(value['advance']) !== undefined) return;
  throw badInput('The clock goes forward by a duration of ISO 8601, such as PT90S, PT24H or P1D.', '/advance');
}
