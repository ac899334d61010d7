import { findUnknownName } from '../config/option-checks.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { isRecord } from '../model/document/records.js';
import type { Api } from '../model/api.js';
import type { Action, OperationTypes } from './handler-api.js';
import type { MockDefinition } from './mock-definition.js';

export type ActionMap = Readonly<Record<string, Action<never>>>;

/** The result of {@link defineMock}: an API and its behaviour. */
export interface DefinedMock<Actions extends ActionMap = ActionMap> {
  /** The API, its name in the configuration, or the name of a built-in API. */
  readonly api: Api | string;
  readonly definition: MockDefinition;
  /** Never set; it only carries the types of the actions. */
  readonly actions?: Actions;
}

/**
 * Defines the behaviour of an API, typed by its generated types: an undocumented member or status is a compile error.
 * Omitted operations are inferred from the spec.
 *
 * @typeParam Types - the operations of the API, as its generated `types.ts` exports them.
 * @param api - the API, or its name in the configuration.
 * @throws InputError if the definition is missing, or has an unknown member, which is most likely a typo.
 * @example
 * export default defineMock<TasksOperations>('tasks', {
 *   operations: {
 *     addTask: async (call) => {
 *       const task = { id: call.random.uuid(), ...call.input.body };
 *       await call.collection<Task>('tasks').put(task.id, task);
 *       return call.respond(201, task);
 *     },
 *   },
 * });
 */
export function defineMock<Types extends OperationTypes = OperationTypes, Actions extends ActionMap = ActionMap>(
  api: Api | string,
  definition: MockDefinition<Types> & { readonly actions?: Actions },
): DefinedMock<Actions> {
  checkMembers(definition);
  // Cast: the pipeline calls each handler with input that was validated against the spec of these types.
  return { api, definition: definition as unknown as MockDefinition };
}

/** Only JavaScript allows unknown members: without the check, a mock would serve without them and say nothing. */
function checkMembers(definition: object): void {
  if (!isRecord(definition))
    throw new InputError('defineMock needs the API, and an object with the members of the mock.');
  const names = Object.keys(MEMBERS);
  const unknown = findUnknownName(definition, names);
  if (unknown !== undefined)
    throw new InputError(`The definition of a mock has no member ${unknown} It has ${names.join(', ')}.`);
}

/** The names of all members; a missing one is a compile error. */
const MEMBERS: Readonly<Record<keyof MockDefinition, true>> = {
  prepare: true,
  seed: true,
  operations: true,
  resources: true,
  middleware: true,
  sockets: true,
  handshakes: true,
  streamed: true,
  actions: true,
  jobs: true,
  indexes: true,
  items: true,
  checkDocument: true,
  data: true,
  stateBy: true,
};
