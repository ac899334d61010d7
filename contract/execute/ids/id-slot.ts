import { isRecord } from '../../../model/document/records.js';
import type { Slot } from '../../../resources/resource.js';
import type { Call } from '../../types.js';

/** The value of a slot. */
export function slotValue({ parameters, body }: Call, slot: Slot): unknown {
  if (slot.in === 'parameter') return parameters.get(slot.parameter);
  return memberOf(body?.value, slot.name);
}

/** The same call with something else at a slot; the call itself where it has no such place. */
export function withSlot(call: Call, slot: Slot, value: unknown): Call {
  if (slot.in === 'parameter') return { ...call, parameters: new Map([...call.parameters, [slot.parameter, value]]) };
  const { body } = call;
  if (body === undefined || body.raw !== undefined || !isRecord(body.value)) return call;
  return { ...call, body: { ...body, value: { ...body.value, [slot.name]: value } } };
}

/** The same call with the id of an item at a slot. */
export function withId(call: Call, slot: Slot, id: unknown): Call {
  return withSlot(call, slot, idText(slot, id));
}

/** The values of a call's path parameters, by name. */
export function pathValues({ parameters }: Call): ReadonlyMap<string, unknown> {
  return new Map([...parameters].flatMap(([one, value]) => (one.in === 'path' ? [[one.name, value] as const] : [])));
}

/** The same call below the items that the path of another call names. */
export function withPathOf(call: Call, other: Call): Call {
  const known = pathValues(other);
  const filled = [...call.parameters].map(
    ([one, value]) => [one, one.in === 'path' ? (known.get(one.name) ?? value) : value] as const,
  );
  return { ...call, parameters: new Map(filled) };
}

/** The last segment of a resource name such as `files/abc`, whose collection is part of the path. */
export function idText(slot: Slot, id: unknown): unknown {
  const isInPath = slot.in === 'parameter' && slot.parameter.in === 'path';
  return isInPath && typeof id === 'string' ? (id.split('/').at(-1) ?? id) : id;
}

export function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
