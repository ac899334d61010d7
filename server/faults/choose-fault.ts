import { suggestName } from '../../model/diagnostics/closest-name.js';
import { HttpError } from '../../http/http-error.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { Fault, FaultQuery, FaultState, ListedScenario, ScenarioRecord, Scenarios } from './fault.js';

/** The scenario that is active at the start. */
const DEFAULT = 'default';

/** A fault that may happen, and where it is from. */
interface Candidate {
  readonly fault: Fault;
  readonly scenario?: string;
  readonly index: number;
}

/** The fault that happens to a call. */
export interface ChosenFault {
  readonly fault: Fault;
  readonly scenario?: string;
  /** The state after it has happened; absent if that changes nothing. */
  readonly next?: FaultState;
}

/**
 * Returns the faults that may happen to a call: those that were set come before those of scenarios.
 *
 * @throws HttpError 400 if there is no scenario of this name
 */
export function faultsFor(
  state: FaultState,
  scenarios: Scenarios | undefined,
  scenario: string | undefined,
): readonly Fault[] {
  return candidatesOf(state, scenarios, scenario).map(({ fault }) => fault);
}

function candidatesOf(
  state: FaultState,
  scenarios: Scenarios | undefined,
  scenario: string | undefined,
): readonly Candidate[] {
  const set = state.faults.map((fault, index) => ({ fault, index }));
  if (scenario !== undefined) checkScenario(scenario, scenarios);
  const names = scenario === undefined ? activeNames(state.scenarios, scenarios) : [scenario];
  if (names.length === 0) return set;
  const used = state.scenarios?.hash === scenarios?.hash ? (state.scenarios?.used ?? {}) : {};
  return [
    ...set,
    ...names.flatMap((name) =>
      (scenarios?.lists.get(name) ?? []).flatMap((fault, index) => {
        const count = Object.hasOwn(used, name) ? (used[name]?.[index] ?? 0) : 0;
        return count < (fault.times ?? Infinity) ? [{ fault, scenario: name, index }] : [];
      }),
    ),
  ];
}

/** Returns the first fault that happens to a call. @throws HttpError 400 for an unknown scenario */
export function chooseFault(
  state: FaultState,
  scenarios: Scenarios | undefined,
  { scenario, happens }: FaultQuery,
): ChosenFault | undefined {
  const chosen = candidatesOf(state, scenarios, scenario).find(({ fault }) => happens(fault));
  if (chosen === undefined) return undefined;
  const { fault, scenario: name } = chosen;
  const own = name === undefined ? { fault } : { fault, scenario: name };
  return fault.times === undefined ? own : { ...own, next: countDown(state, scenarios, chosen) };
}

function countDown(
  state: FaultState,
  scenarios: Scenarios | undefined,
  { fault, scenario, index }: Candidate,
): FaultState {
  if (scenario === undefined) {
    const { times = Infinity } = fault;
    const left = times > 1 ? [{ ...fault, times: times - 1 }] : [];
    return { ...state, faults: state.faults.flatMap((one, at) => (at === index ? left : [one])) };
  }
  const hash = scenarios?.hash ?? '';
  const used = state.scenarios?.hash === hash ? state.scenarios.used : {};
  const own: Readonly<Record<string, number>> = (Object.hasOwn(used, scenario) ? used[scenario] : undefined) ?? {};
  const counted = { ...own, [index]: (own[index] ?? 0) + 1 };
  return {
    ...state,
    scenarios: {
      ...state.scenarios,
      hash,
      used: Object.fromEntries([...Object.entries(used), [scenario, counted]]),
    },
  };
}

/** The active scenarios. Those that a changed file no longer has are left out. */
function activeNames(record: ScenarioRecord | undefined, scenarios: Scenarios | undefined): readonly string[] {
  if (scenarios === undefined) return [];
  return (record?.active ?? [DEFAULT]).filter((name) => scenarios.lists.has(name));
}

export function listScenarios(state: FaultState, scenarios: Scenarios | undefined): readonly ListedScenario[] {
  const active = activeNames(state.scenarios, scenarios);
  return [...(scenarios?.lists.keys() ?? [])].map((name) => ({ name, active: active.includes(name) }));
}

/** Makes these scenarios the active ones, and counts their faults from the start. */
export function activate(names: readonly string[], scenarios: Scenarios | undefined): ScenarioRecord {
  return { hash: scenarios?.hash ?? '', active: names, used: {} };
}

function checkScenario(name: string, scenarios: Scenarios | undefined): void {
  const problem = findUnknownScenario(name, scenarios);
  if (problem !== undefined) throw new HttpError(400, problem);
}

/** Returns what is wrong with the name of a scenario. */
export function findUnknownScenario(name: string, scenarios: Scenarios | undefined): string | undefined {
  const known = [...(scenarios?.lists.keys() ?? [])];
  if (known.includes(name)) return undefined;
  const listed =
    known.length === 0
      ? ' This mock has no scenarios.'
      : ` There ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}.`;
  return `There is no scenario ${stringifyExactJson(name)}.${suggestName(name, known) || listed}`;
}
