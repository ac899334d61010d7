import type { Operation, Parameter } from '../../model/api.js';
import { appendPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { foldName } from '../../resources/inflection.js';
import { updateMaskOf } from '../../resources/update-mask.js';
import { itemsOf, keywordOf, typesOf } from '../../schema/facts/members.js';
import { isServerTime, isVersion } from '../checks/is-comparable.js';
import { bodyAt, same } from '../expectations/assertion.js';
import { memberOf } from '../execute/ids/id-slot.js';
import { makeCall } from '../plan/build-request-values.js';
import { itemPlace } from '../plan/call-body.js';
import type { Exchange } from '../types.js';
import { type CrudContext, callOn, isDone, latestRead, readItem } from './crud-context.js';

/** Checks that a write with a mask of members, such as `?updateMask=name`, leaves the other members as they were. */
export async function checkMasks(crud: CrudContext): Promise<void> {
  for (const operation of [crud.resource.patch, crud.resource.replace]) {
    const mask = operation === undefined ? undefined : updateMaskOf(operation, crud.run.options.api);
    if (operation !== undefined && mask !== undefined) await checkMask(crud, operation, mask);
  }
}

async function checkMask(crud: CrudContext, operation: Operation, mask: Parameter): Promise<void> {
  const { run } = crud;
  const base = await callOn(crud, operation);
  const made = makeCall(operation, { variant: 'full', seed: run.options.seed + 91 }, run.context)?.body;
  const before = await latestRead(crud);
  if (base === undefined || made === undefined || before?.status !== 200 || !isRecord(before.json)) return;
  if (!isRecord(made.value) || itemPlace(made.media, run.options.api).length > 0) return;
  const [first, ...others] = changedMembers(made.value, before.json, mask, crud);
  if (first === undefined || others.length === 0) return;
  const value = Object.fromEntries([first, ...others].map((name) => [name, memberOf(made.value, name)]));
  const parameters = new Map([...base.parameters, [mask, maskValue(mask, first, crud)]]);
  const exchange = await run.client.sendValid({ ...base, parameters, body: { media: made.media, value } });
  const after = isDone(exchange) ? await readItem(crud) : undefined;
  if (exchange === undefined || after?.status !== 200) return;
  for (const name of others) if (!expectKept(crud, { name, mask, before, after, exchange, first })) return;
}

/** The members of a body that would change an item, and that a mask can name. */
function changedMembers(
  made: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
  { schema }: Parameter,
  { run: { options } }: CrudContext,
): string[] {
  const { api } = options;
  const choices = keywordOf(itemsOf(schema, api) ?? schema, 'enum', api)?.map((one) => foldName(String(one)));
  return Object.keys(made).filter((name) => {
    const isMember = choices === undefined ? Object.hasOwn(before, name) : choices.includes(foldName(name));
    const isPlain = !isServerTime(name) && !isVersion(name) && typeof made[name] !== 'object';
    return isMember && isPlain && made[name] !== before[name];
  });
}

function maskValue({ schema }: Parameter, name: string, { run: { options } }: CrudContext): unknown {
  const { api } = options;
  const choices = keywordOf(itemsOf(schema, api) ?? schema, 'enum', api) ?? [name];
  const chosen = choices.find((one) => foldName(String(one)) === foldName(name)) ?? name;
  return typesOf(schema, api).has('array') ? [chosen] : chosen;
}

interface MaskedWrite {
  readonly name: string;
  readonly first: string;
  readonly mask: Parameter;
  readonly before: Exchange;
  readonly after: Exchange;
  readonly exchange: Exchange;
}

function expectKept(crud: CrudContext, { name, first, mask, before, after, exchange }: MaskedWrite): boolean {
  const pointer = appendPointer('', name);
  return crud.run.findings.expect('update is visible', same(bodyAt(after, pointer), bodyAt(before, pointer)), {
    cause: `mask ${name}`,
    message: `A write with ${mask.name}=${first} changed ${pointer} as well.`,
    others: [exchange],
  });
}
