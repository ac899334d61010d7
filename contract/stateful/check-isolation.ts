import { appendPointer } from '../../model/document/pointer.js';
import { problem } from '../checks/problem.js';
import { acceptedOn, isTouchedBetween } from '../reproduction/find-origin.js';
import { type CrudContext, inResponse, readItem } from './crud-context.js';
import type { Exchange } from '../types.js';
import { changedMembers } from './compare-values.js';

/** Checks that operations on one item leave another one unchanged. */
export async function checkIsolation(neighbour: CrudContext, before: Exchange, other: CrudContext): Promise<void> {
  const { created } = other;
  const { run, resource } = neighbour;
  if (before.status !== 200 || resource.read === undefined) return;
  const after = await readItem(neighbour);
  if (after === undefined || isTouchedBetween(run, neighbour.id, before, after)) return;
  const call = { operation: resource.read, parameters: new Map() };
  const spare = [created.exchange, ...acceptedOn(run, other.id)];
  if (after.status === 404 || after.status === 410) {
    const found = problem('others untouched', {
      cause: 'gone',
      message: 'An item is gone, although only another one was touched.',
      expected: '200',
      actual: String(after.status),
    });
    const assertion = { expects: 'status', exchange: after, status: 'good' } as const;
    run.report(found, { call, phase: 'stateful', assertion, spare }, after);
  }
  if (after.status !== 200) return;
  for (const { name, was, is } of changedMembers(created.call.body?.value, before.json, after.json)) {
    const found = problem('others untouched', {
      cause: name,
      pointer: `/${name}`,
      message: `${name} has changed, although only another item was touched.`,
      expected: JSON.stringify(was) ?? 'nothing',
      actual: JSON.stringify(is) ?? 'nothing',
    });
    const pointer = appendPointer('', name);
    const assertion = {
      expects: 'same',
      left: inResponse(after)(pointer),
      right: inResponse(before)(pointer),
    } as const;
    run.report(found, { call, phase: 'stateful', assertion, spare }, after);
  }
}
