import type { Api } from '../model/api.js';
import type { Action, OperationTypes } from './handler-api.js';
import type { MockDefinition } from './mock-definition.js';

export type ActionMap = Readonly<Record<string, Action<never>>>;

/** A mock as it was written: its API and its behaviour. */
export interface DefinedMock<Actions extends ActionMap = ActionMap> {
  /** The API, or its name in the configuration or in specmill. */
  readonly api: Api | string;
  readonly definition: MockDefinition;
  /** Never there: it carries the types of the actions. */
  readonly actions?: Actions;
}

/**
 * Writes the behaviour of an API, typed by its generated types: a member or a status that the spec does not know is a
 * compile error. Omitted operations are inferred from the spec.
 *
 * @typeParam Types - the operations of the API, as its generated `types.ts` exports them.
 * @param api - the API, or its name in the configuration.
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
  // The pipeline hands each handler the input of its own operation, checked against the spec that the types come from.
  return { api, definition: definition as unknown as MockDefinition };
}
