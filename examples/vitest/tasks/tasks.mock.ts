// In your own project: import { defineMock } from 'specmill/mock'.
import { type DefinedMock, defineMock } from '../../../server/define-mock.js';
import type { Task, TasksOperations } from './generated/types.js';

/** Inferred collections are named by their path. */
const TASKS = '/tasks';

/** Only what the spec cannot say: adding, listing and reading tasks is inferred from it. */
export const mock: DefinedMock = defineMock<TasksOperations>('tasks', {
  operations: {
    finishTask: async (call) => {
      const { id } = call.input.path;
      const task = await call.collection<Task>(TASKS).get(id);
      if (task === undefined) return call.refuse(404, `There is no task ${id}.`);
      if (task.state === 'done') return call.refuse(409, `Task ${id} is done already.`);
      const done: Task = { ...task, state: 'done' };
      await call.collection<Task>(TASKS).put(id, done);
      return call.respond(200, done);
    },
  },
});
