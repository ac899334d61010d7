import { appendPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { bodyAt, good, same } from '../expectations/assertion.js';
import { acceptedOn, isTouchedBetween } from '../reproduction/find-origin.js';
import { type CrudContext, readItem } from './crud-context.js';
import type { Exchange } from '../types.js';

/** Checks that operations on one item leave another one unchanged. */
export async function checkIsolation(neighbour: CrudContext, before: Exchange, other: CrudContext): Promise<void> {
  const { created } = other;
  const { run, resource } = neighbour;
  if (before.status !== 200 || resource.read === undefined) return;
  const after = await readItem(neighbour);
  if (after === undefined || isTouchedBetween(run, neighbour.id, before, after)) return;
  const spare = [created.exchange, ...acceptedOn(run, other.id)];
  if (after.status === 404 || after.status === 410)
    run.findings.expect('others untouched', good(after), {
      cause: 'gone',
      message: 'Changing one item deleted another.',
      spare,
    });
  if (after.status !== 200) return;
  for (const name of sharedMembers(created.call.body?.value, before.json, after.json)) {
    const pointer = appendPointer('', name);
    run.findings.expect('others untouched', same(bodyAt(after, pointer), bodyAt(before, pointer)), {
      cause: name,
      message: `Changing one item changed ${name} of another.`,
      spare,
    });
  }
}

/** The members that were sent for one item and that another one may show. */
function sharedMembers(sent: unknown, before: unknown, after: unknown): string[] {
  return isRecord(sent) && isRecord(before) && isRecord(after) ? Object.keys(sent) : [];
}
