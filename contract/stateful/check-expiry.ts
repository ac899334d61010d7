import { isSuccess } from '../../http/messages.js';
import { successSchema } from '../../resources/success-response.js';
import type { Resource } from '../../resources/resource.js';
import { isRecord } from '../../model/document/records.js';
import { appendPointer } from '../../model/document/pointer.js';
import type { Schema } from '../../model/schema-types.js';
import { other, textOf } from '../expectations/assertion.js';
import type { ContractRun } from '../execute/contract-run.js';
import { type MockClock, clockCall } from '../execute/http/control-clock.js';
import { memberOf } from '../execute/ids/id-slot.js';
import { memberSchemas } from '../../schema/facts/members.js';
import { isExpiry } from './expiry-values.js';
import { type CrudContext, createItem, findCreation, readItem } from './crud-context.js';

/** A member that says when its item expires. */
interface Ending {
  readonly resource: Resource;
  readonly name: string;
  readonly unit: 'seconds' | 'milliseconds';
}

/** The farthest that a clock is moved, in milliseconds. */
const FARTHEST = 400 * 24 * 3_600_000;

/** The expiring items (`x-expires`) that the run can create and whose responses show the expiry. */
export function findEndings({ context, operations, options }: ContractRun): Ending[] {
  return context.pool.resources.flatMap((resource): Ending[] => {
    const { read, create } = resource;
    if (read === undefined || create === undefined || !operations.includes(create)) return [];
    const members = [...memberSchemas(successSchema(read), options.api)];
    const found = members.find(([, schema]) => expiresWholeItem(schema));
    return found === undefined ? [] : [{ resource, name: found[0], unit: unitOf(found[1]) }];
  });
}

/** True only if `x-expires` is about the object itself. */
function expiresWholeItem(schema: Schema): boolean {
  const said = typeof schema === 'object' ? schema['x-expires'] : undefined;
  return isExpiry(schema) && isRecord(said) && said['what'] === undefined && said['after'] === undefined;
}

function unitOf(schema: Schema): Ending['unit'] {
  const said = typeof schema === 'object' ? schema['x-expires'] : undefined;
  return memberOf(said, 'unit') === 'milliseconds' ? 'milliseconds' : 'seconds';
}

/** Checks that an expired item is no longer shown as before. */
export async function checkExpiry(run: ContractRun, ending: Ending, clock: MockClock): Promise<void> {
  const { resource, name } = ending;
  const creation = await findCreation(run, resource);
  const crud = creation === undefined ? undefined : await createItem(run, resource, creation);
  const before = crud === undefined ? undefined : await readItem(crud);
  if (crud === undefined || before?.status !== 200) return;
  const end = readMoment(memberOf(before.json, name), ending.unit);
  const now = await clock.now();
  if (end === undefined || now === undefined || end <= now || end - now > FARTHEST) return;
  await expire(crud, { name, seconds: Math.ceil((end - now) / 1_000) + 1 });
}

async function expire(
  crud: CrudContext,
  { name, seconds }: { readonly name: string; readonly seconds: number },
): Promise<void> {
  const { run, resource } = crud;
  const before = await readItem(crud);
  const call = clockCall(seconds);
  const moved = await run.client.sendValid(call);
  if (before === undefined || moved === undefined || !isSuccess(moved)) return;
  const after = await readItem(crud);
  if (after?.status !== 200 || after.text !== before.text || resource.read === undefined) return;
  run.findings.expect('gone after expiry', other(textOf(after), textOf(before)), {
    pointer: appendPointer('', name),
    message: `The item is still served after its expiry (${name}).`,
    expected: '404, or another state',
    actual: '200, and the same response',
    others: [moved],
  });
}

/** Reads a time: text, or a number since 1970, also as text. Returns milliseconds since 1970. */
function readMoment(value: unknown, unit: Ending['unit']): number | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d+$/.test(value));
  if (!isNumber && typeof value !== 'string') return undefined;
  const moment = isNumber ? Number(value) * (unit === 'milliseconds' ? 1 : 1_000) : Date.parse(value);
  return Number.isNaN(moment) ? undefined : moment;
}
