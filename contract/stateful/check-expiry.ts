import { isSuccess } from '../../http/messages.js';
import { successSchema } from '../../resources/success-response.js';
import type { Resource } from '../../resources/resource.js';
import { isRecord } from '../../model/document/records.js';
import { appendPointer } from '../../model/document/pointer.js';
import type { Schema } from '../../model/schema-types.js';
import { problem } from '../checks/problem.js';
import type { ContractRun } from '../execute/contract-run.js';
import { type MockClock, clockCall } from '../execute/http/control-clock.js';
import { memberOf } from '../execute/ids/id-slot.js';
import { memberSchemas } from '../../schema/facts/members.js';
import { isExpiry } from './expiry-values.js';
import { type CrudContext, createItem, findCreation, readItem } from './crud-context.js';

/** A member that says until when its item is valid. */
interface Ending {
  readonly resource: Resource;
  readonly name: string;
  readonly unit: 'seconds' | 'milliseconds';
}

/** Further than this no clock is moved. Milliseconds. */
const FARTHEST = 400 * 24 * 3_600_000;

/** The kinds of items whose end their own responses tell (`x-expires`), and which the run can create. */
export function findEndings({ context, operations, options }: ContractRun): Ending[] {
  return context.pool.resources.flatMap((resource): Ending[] => {
    const { read, create } = resource;
    if (read === undefined || create === undefined || !operations.includes(create)) return [];
    const members = [...memberSchemas(successSchema(read), options.api)];
    const found = members.find(([, schema]) => endsItem(schema));
    return found === undefined ? [] : [{ resource, name: found[0], unit: unitOf(found[1]) }];
  });
}

/** Of the object as a whole: an end of something else, or of the member alone, says nothing about reading it. */
function endsItem(schema: Schema): boolean {
  const said = typeof schema === 'object' ? schema['x-expires'] : undefined;
  return isExpiry(schema) && isRecord(said) && said['what'] === undefined && said['after'] === undefined;
}

function unitOf(schema: Schema): Ending['unit'] {
  const said = typeof schema === 'object' ? schema['x-expires'] : undefined;
  return memberOf(said, 'unit') === 'milliseconds' ? 'milliseconds' : 'seconds';
}

/** When the time of an item has come, it is no longer shown as it was. */
export async function checkExpiry(run: ContractRun, ending: Ending, clock: MockClock): Promise<void> {
  const { resource, name } = ending;
  const creation = await findCreation(run, resource);
  const life = creation === undefined ? undefined : await createItem(run, resource, creation);
  const before = life === undefined ? undefined : await readItem(life);
  if (life === undefined || before?.status !== 200) return;
  const end = readMoment(memberOf(before.json, name), ending.unit);
  const now = await clock.now();
  if (end === undefined || now === undefined || end <= now || end - now > FARTHEST) return;
  await expire(life, { name, seconds: Math.ceil((end - now) / 1_000) + 1 });
}

async function expire(
  life: CrudContext,
  { name, seconds }: { readonly name: string; readonly seconds: number },
): Promise<void> {
  const { run, resource } = life;
  const before = await readItem(life);
  const call = clockCall(seconds);
  const moved = await run.tryValid(call);
  if (before === undefined || moved === undefined || !isSuccess(moved)) return;
  const after = await readItem(life);
  if (after?.status !== 200 || after.text !== before.text || resource.read === undefined) return;
  const found = problem('gone after expiry', {
    pointer: appendPointer('', name),
    message: `${name} says that the item has come to its end, but it is shown as before.`,
    expected: '404, or another state',
    actual: '200, and the same response',
  });
  const claim = {
    expects: 'other',
    left: { from: 'text', exchange: after },
    right: { from: 'text', exchange: before },
  } as const;
  const read = { operation: resource.read, parameters: new Map() };
  run.report(found, { call: read, phase: 'stateful', claim, others: [moved] }, after);
}

/** A time as items have it: a text, or a number since 1970, which may be a text too. Gives milliseconds. */
function readMoment(value: unknown, unit: Ending['unit']): number | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d+$/.test(value));
  if (!isNumber && typeof value !== 'string') return undefined;
  const moment = isNumber ? Number(value) * (unit === 'milliseconds' ? 1 : 1_000) : Date.parse(value);
  return Number.isNaN(moment) ? undefined : moment;
}
