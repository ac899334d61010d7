import path from 'node:path';

import { isRecord } from '../../model/document/records.js';
import { addDuration, parseDuration } from '../../model/duration.js';
import type { MockSandbox } from '../sandbox/mock-sandbox.js';
import { BadSnapshotError, type StateSnapshot } from '../sandbox/state-snapshot.js';
import type { Fault, JournalEntry } from '../sandbox/sandbox.js';
import { badInput, refuseInvalid } from './control-error.js';
import { type ServedApi, runAction } from './run-action.js';
import type { Api, Operation } from '../../model/api.js';
import { appendPointer } from '../../model/document/pointer.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import { findResponse } from '../../http/response/response-spec.js';
import { packageRoot } from '../../model/package-info.js';
import { refTo } from '../../model/schema-types.js';
import { compileValidator } from '../../schema/compile-validator.js';

export interface ClockView {
  readonly now: string;
  readonly frozen: boolean;
}

/** The operations of the control API on one sandbox. Invalid input of any kind is refused with a `ControlError`. */
export class SandboxControls {
  readonly #find: () => MockSandbox;
  readonly #served: () => ServedApi;

  /**
   * Both functions are called for each operation: the sandbox may have expired, and a reload may have changed the spec.
   */
  constructor(find: () => MockSandbox, served: () => ServedApi) {
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
    const { clock } = await this.#current();
    // Freezes first, so that the clock stops exactly at the given time.
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

  /** Returns the sandbox after applying the changes of other processes. */
  async #current(): Promise<MockSandbox> {
    const sandbox = this.#find();
    await sandbox.sync();
    return sandbox;
  }
}

/** Gives a better message than the schema's pattern, for values such as `1 day`. */
function refuseOddDuration(value: unknown): void {
  if (!isRecord(value) || typeof value['advance'] !== 'string') return;
  if (value['advance'].startsWith('P') && parseDuration(value['advance']) !== undefined) return;
  throw badInput('The clock goes forward by a duration of ISO 8601, such as PT90S, PT24H or P1D.', '/advance');
}

/** The names of all members; a missing one is a compile error. */
const MEMBERS: Readonly<Record<keyof Fault, true>> = {
  operationId: true,
  status: true,
  headers: true,
  body: true,
  example: true,
  latencyMs: true,
  abort: true,
  times: true,
};

/** Checks that the operations and examples of faults exist, which a schema cannot check. @throws ControlError 422 */
function checkFaults(faults: readonly Fault[], { operations }: Api): void {
  const ids = operations.map(({ id }) => id);
  for (const [index, fault] of faults.entries()) {
    const { operationId, example } = fault;
    const unknown = Object.keys(fault).find((name) => !Object.hasOwn(MEMBERS, name));
    if (unknown !== undefined)
      throw badInput(
        `A fault has no member ${JSON.stringify(unknown)}.${suggestName(unknown, Object.keys(MEMBERS))}`,
        appendPointer(`/${index}`, unknown),
      );
    const meant = operations.filter(({ id }) => operationId === undefined || id === operationId);
    if (operationId !== undefined && meant.length === 0)
      throw badInput(
        `The API has no operation ${JSON.stringify(operationId)}.${suggestName(operationId, ids)}`,
        `/${index}/operationId`,
      );
    if (example !== undefined && !meant.some((operation) => hasExample(operation, fault)))
      throw badInput(`There is no response with the example ${JSON.stringify(example)}.`, `/${index}/example`);
  }
}

function hasExample(operation: Operation, { example, status }: Fault): boolean {
  const wanted = status === undefined ? operation.responses : [findResponse(operation, status) ?? []].flat();
  return wanted.some(({ content }) => content.some(({ examples }) => examples.some(({ name }) => name === example)));
}

/** A change of the clock; see `ClockChange` in specs/control/openapi.yaml. */
export interface ClockChange {
  readonly now?: string;
  readonly advance?: string;
  readonly frozen?: boolean;
}

interface ControlTypes {
  readonly State: StateSnapshot;
  readonly ClockChange: ClockChange;
  readonly Faults: readonly Fault[];
}

let spec: Promise<Api> | undefined;

/**
 * Checks a value against the spec of the control API, which is read on first use.
 *
 * @throws ControlError 422 with the violations.
 */
async function checkControlInput<Name extends keyof ControlTypes>(
  name: Name,
  value: unknown,
): Promise<ControlTypes[Name]> {
  spec ??= loadControlSpec();
  const errors = compileValidator(await spec, { $ref: refTo(name) }, { direction: 'request' })(value);
  if (errors.length === 0) return value as ControlTypes[Name];
  throw refuseInvalid('The request breaks the description of the control interface', 'the body', errors);
}

async function loadControlSpec(): Promise<Api> {
  const { loadApi } = await import('../../model/load-api.js');
  return loadApi(path.join(packageRoot, 'specs/control/openapi.yaml'));
}
