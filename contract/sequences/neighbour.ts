import { problem } from '../checks/problem.js';
import { type Life, readItem } from './life.js';
import type { Exchange } from '../types.js';
import { changedMembers } from './compare-values.js';

/** What was done to one item has left another one as it was. */
export async function checkNeighbour(neighbour: Life, before: Exchange, { created }: Life): Promise<void> {
  const { run, resource } = neighbour;
  if (before.status !== 200 || resource.read === undefined) return;
  const after = await readItem(neighbour);
  if (after === undefined) return;
  const call = { operation: resource.read, parameters: new Map() };
  if (after.status === 404 || after.status === 410) {
    const found = problem('others untouched', {
      cause: 'gone',
      message: 'An item is gone, although only another one was deleted.',
      expected: '200',
      actual: String(after.status),
    });
    run.report(found, { call, phase: 'stateful' }, after);
  }
  if (after.status !== 200) return;
  for (const { name, was, is } of changedMembers(created.call.body?.value, before.json, after.json)) {
    const found = problem('others untouched', {
      cause: name,
      pointer: `/${name}`,
      message: `${name} has changed, although only another item was changed.`,
      expected: JSON.stringify(was) ?? 'nothing',
      actual: JSON.stringify(is) ?? 'nothing',
    });
    run.report(found, { call, phase: 'stateful' }, after);
  }
}
