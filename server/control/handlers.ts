import type { ClockChange, ControlOperations } from '../../generated/control/types.js';
import type { Api } from '../../model/api.js';
import { addDuration, parseDuration } from '../../model/duration.js';
import { readPackageVersion } from '../../model/package-info.js';
import { LATEST, parseIsoTime } from '../http-dates.js';
import { findFaultProblem } from '../faults/check-faults.js';
import { findUnknownScenario } from '../faults/choose-fault.js';
import type { MockSandbox } from '../sandbox/mock-sandbox.js';
import type { Fault } from '../sandbox/sandbox.js';
import { DEFAULT_SANDBOX } from '../sandbox/sandbox-registry.js';
import { BadSnapshotError, type StateSnapshot } from '../sandbox/state-snapshot.js';
import { ControlError, badInput } from './control-error.js';
import { createDataHandlers } from './data-handlers.js';
import {
  type ControlHandlers,
  type ControlHost,
  type PageOperationId,
  type SandboxCall,
  findSandbox,
  json,
} from './control-host.js';
import { runAction } from './run-action.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The handlers of specs/control/openapi.yaml. Their responses are checked against it. */
export function createControlHandlers(
  host: ControlHost,
): ControlHandlers<Exclude<keyof ControlOperations, PageOperationId>> {
  const { name, served, sandboxes } = host;
  const find = (call: SandboxCall): MockSandbox => findSandbox(host, call);
  /** Returns the sandbox after applying the changes of other processes. */
  const findCurrent = async (call: SandboxCall): Promise<MockSandbox> => {
    const sandbox = find(call);
    await sandbox.sync();
    return sandbox;
  };
  return {
    getHealth: (call) => {
      const { title } = served().api;
      const version = readPackageVersion();
      return call.respond(200, { status: 'ok', api: name, title, version, sandboxes: sandboxes.size });
    },
    resetSandbox: async (call) => {
      await find(call).reset();
      return call.respond(204, undefined);
    },
    getState: async (call) => call.respond(200, json(await find(call).snapshot())),
    putState: async (call) => {
      // The spec cannot express that the random state is a tuple; its length is checked.
      await restore(find(call), call.input.body as unknown as StateSnapshot);
      return call.respond(204, undefined);
    },
    ...createDataHandlers(served, findCurrent),
    getClock: async (call) => call.respond(200, showClock(await findCurrent(call))),
    setClock: async (call) => {
      const sandbox = await findCurrent(call);
      await changeClock(sandbox, call.input.body);
      return call.respond(200, showClock(await findCurrent(call)));
    },
    listRequests: async (call) => {
      const { violations = false } = call.input.query ?? {};
      return call.respond(200, json(await find(call).readJournal({ violations })));
    },
    clearRequests: async (call) => {
      await find(call).clearJournal();
      return call.respond(204, undefined);
    },
    listFaults: async (call) => call.respond(200, json((await findCurrent(call)).faults.list())),
    putFaults: async (call) => {
      const faults = call.input.body as readonly Fault[];
      refuseFaults(faults, served().api);
      await find(call).putFaults(faults);
      return call.respond(204, undefined);
    },
    clearFaults: async (call) => {
      await find(call).putFaults([]);
      return call.respond(204, undefined);
    },
    listScenarios: async (call) => call.respond(200, json((await findCurrent(call)).faults.scenarios())),
    setScenarios: async (call) => {
      const { active } = call.input.body;
      const problems = active.map((one) => findUnknownScenario(one, served().host.scenarios));
      const index = problems.findIndex((problem) => problem !== undefined);
      if (index !== -1) throw badInput(problems[index] ?? '', `/active/${index}`);
      await find(call).setScenarios(active);
      return call.respond(204, undefined);
    },
    listActions: (call) => {
      const actions = Object.entries(served().definition.actions ?? {});
      return call.respond(200, json(actions.map(([id, { description, input }]) => ({ name: id, description, input }))));
    },
    runAction: async (call) => {
      const { path, body = {} } = call.input;
      return call.respond(200, json(await runAction(served(), find(call), { name: path.name, input: body })));
    },
    watchSandbox: (call) => {
      // The query names the sandbox, because browsers cannot set headers of event streams.
      const { events } = sandboxes.get(call.input.query?.sandbox ?? DEFAULT_SANDBOX);
      return call.respond(200, { kind: 'stream', chunks: events.stream(call.request.signal) });
    },
    listSandboxes: async (call) => call.respond(200, json(await sandboxes.list())),
    dropSandbox: async (call) => {
      const dropped = call.input.path.name;
      if (await sandboxes.drop(dropped)) return call.respond(204, undefined);
      throw new ControlError(404, `There is no sandbox ${stringifyExactJson(dropped)}.`);
    },
  };
}

async function restore(sandbox: MockSandbox, snapshot: StateSnapshot): Promise<void> {
  try {
    await sandbox.restore(snapshot);
  } catch (error) {
    throw error instanceof BadSnapshotError ? badInput(error.message, error.pointer) : error;
  }
}

function showClock({ clock }: MockSandbox): { now: string; frozen: boolean } {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen };
}

async function changeClock({ clock }: MockSandbox, change: ClockChange): Promise<void> {
  const { now, advance, frozen } = change;
  // Freezes first, so that the clock stops exactly at the given time.
  if (frozen === true) await clock.freeze(true);
  if (now !== undefined) await clock.set(parseIsoTime(now));
  const duration = advance === undefined ? undefined : parseDuration(advance);
  if (advance !== undefined) {
    if (duration === undefined || !(addDuration(clock.now(), duration) <= LATEST))
      throw badInput('The duration is not one that the clock can go forward by.', '/advance');
    await clock.advance(duration);
  }
  if (frozen === false) await clock.freeze(false);
}

/** Refuses faults that their schema cannot check. @throws ControlError 422 */
function refuseFaults(faults: readonly Fault[], api: Api): void {
  const problem = findFaultProblem(faults, api);
  if (problem !== undefined) throw badInput(problem.message, problem.pointer);
}
