import { appendPointer, toPointer } from '../../model/document/pointer.js';
import { takeAt } from '../../schema/value-path.js';
import { findVersion, refusesOutdated, versionsShown } from '../checks/version-members.js';
import { envelopeOf, openEnvelope } from '../checks/check-written.js';
import { isCondition } from '../checks/is-comparable.js';
import { isRecord } from '../../model/document/records.js';
import { bodyAt, other, refused } from '../expectations/assertion.js';
import { memberOf } from '../execute/ids/id-slot.js';
import { writeAt } from '../plan/call-body.js';
import type { Call, Exchange } from '../types.js';
import { type CrudContext, callOn, isDone, latestRead, readItem } from './crud-context.js';
import { varyBody } from './maximal-body.js';

/**
 * Checks that the version in the body of an item (`etag`, `revision`) changes with the item, and that a change which
 * names an outdated one is refused.
 *
 * @param changed - a change that the server has accepted.
 */
export async function checkVersions(crud: CrudContext, changed: Call | undefined): Promise<void> {
  const { run } = crud;
  const before = changed?.body === undefined ? undefined : await latestRead(crud);
  if (changed?.body === undefined || before?.status !== 200 || !isRecord(before.json)) return;
  const base = await callOn(crud, changed.operation);
  const body = varyBody(changed.body, changed.operation, { run, seed: run.options.seed + 95 });
  if (base === undefined || body === undefined) return;
  const change = await run.client.sendValid({ ...base, body });
  const after = isDone(change) ? await readItem(crud) : undefined;
  if (change === undefined || after?.status !== 200 || after.text === before.text) return;
  const version = findVersion(changed.operation, changed.body.media, run.options.api);
  const names = [...versionsShown(before.json).keys()].filter((name) => isCondition(name) || name === version?.name);
  for (const name of names) if (!expectOther(crud, { name, before, after, change, body })) return;
  if (version === undefined || !names.includes(version.name)) return;
  await checkOutdated({ ...base, body }, { crud, before, change, path: version.path });
}

interface Versions {
  readonly name: string;
  readonly before: Exchange;
  readonly after: Exchange;
  readonly change: Exchange;
  readonly body: NonNullable<Call['body']>;
}

function expectOther(crud: CrudContext, { name, before, after, change, body }: Versions): boolean {
  const item = openEnvelope(body, after.json, crud.run.options.api);
  const around = memberOf(after.json, name) === undefined ? envelopeOf(after.json, item) : undefined;
  const pointer = appendPointer(around === undefined ? '' : appendPointer('', around), name);
  return crud.run.findings.expect('conditional requests', other(bodyAt(after, pointer), bodyAt(before, pointer)), {
    cause: `stuck ${name}`,
    severity: 'error',
    message: `The item changed, but its ${pointer} did not.`,
    expected: 'another value after a change',
    others: [change],
  });
}

interface Outdated {
  readonly crud: CrudContext;
  readonly before: Exchange;
  readonly change: Exchange;
  /** The member that names the version, in a body. */
  readonly path: readonly string[];
}

async function checkOutdated(call: Call, { crud, before, change, path }: Outdated): Promise<void> {
  const { run } = crud;
  const { body, operation } = call;
  const name = path.at(-1) ?? '';
  const old = isRecord(before.json) ? versionsShown(before.json).get(name) : undefined;
  if (body === undefined || old === undefined || !refusesOutdated(operation)) return;
  const varied = varyBody(body, operation, { run, seed: run.options.seed + 96 }) ?? body;
  if (typeof old !== typeof takeAt(writeAt(varied.value, path, old), path)) return;
  const value = writeAt(varied.value, path, old);
  const stale = await run.client.sendValid({ ...call, body: { ...varied, value }, keepsVersion: true });
  if (!isDone(stale)) return;
  run.findings.expect('conditional requests', refused(stale), {
    cause: `lost update ${toPointer(path)}`,
    severity: 'error',
    message: `Lost update: a write with an outdated ${name} in its body was accepted.`,
    expected: '409 or 412',
    others: [before, change],
  });
}
