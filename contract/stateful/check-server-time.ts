import { setTimeout as sleep } from 'node:timers/promises';

import { appendPointer, resolvePointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { bodyAt, other } from '../expectations/assertion.js';
import { isServerTime } from '../checks/is-comparable.js';
import type { Call, Exchange } from '../types.js';
import { type CrudContext, createItem, latestRead, readItem, isDone } from './crud-context.js';
import { sendChange } from './check-update.js';
import { varyBody } from './maximal-body.js';

/** Pause between two changes, in milliseconds. */
const PAUSE = 10;
/** Matches times to the millisecond or better: times in whole seconds may be equal. */
const PRECISE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{0,8}[1-9]/;
/** The most levels of objects around the time. */
const MAX_DEPTH = 2;

/**
 * Checks that a change updates the time of the last change (`updated_at`).
 *
 * @param changed - a change that the server has accepted.
 */
export async function checkServerTime(crud: CrudContext, changed: Call | undefined): Promise<void> {
  const { run, resource } = crud;
  const body =
    changed?.body === undefined
      ? undefined
      : varyBody(changed.body, changed.operation, { run, seed: run.options.seed + 81 });
  const before = body === undefined ? undefined : await latestRead(crud);
  const pointer = before?.status === 200 ? findTime(before.json, '', 0) : undefined;
  if (changed === undefined || body === undefined || before === undefined || pointer === undefined) return;
  await sleep(PAUSE);
  const { call, exchange } = await sendChange(crud, { ...changed, body });
  const after = isDone(exchange) ? await readItem(crud) : undefined;
  if (exchange === undefined || after?.status !== 200 || after.text === before.text || resource.read === undefined)
    return;
  const [was, now] = [before, after].map(({ json }) => resolvePointer(json, pointer));
  if (was !== now || (await isClockStopped(crud, pointer, now))) return;
  run.findings.expect('update is visible', other(bodyAt(after, pointer), bodyAt(before, pointer)), {
    cause: `time ${pointer}`,
    message: `${call.operation.id} changed the item, but ${pointer} is still the time from before.`,
    expected: 'the time of the change',
    others: [exchange],
  });
}

/** Finds the time of the last change in an item. */
function findTime(item: unknown, around: string, depth: number): string | undefined {
  if (!isRecord(item) || depth > MAX_DEPTH) return undefined;
  const name = Object.keys(item).find((one) => isServerTime(one) && PRECISE_TIME.test(String(item[one])));
  if (name !== undefined) return appendPointer(around, name);
  return Object.entries(item)
    .map(([member, value]) => findTime(value, appendPointer(around, member), depth + 1))
    .find((one) => one !== undefined);
}

/** Whether the server's clock stands still, as in some test servers: then an item created now has the same time. */
async function isClockStopped(crud: CrudContext, pointer: string, time: unknown): Promise<boolean> {
  const { run, resource, created } = crud;
  const other: CrudContext | undefined = await createItem(run, resource, created.call);
  const shown: Exchange | undefined = other === undefined ? undefined : await latestRead(other);
  return shown === undefined || resolvePointer(shown.json, pointer) === time;
}
