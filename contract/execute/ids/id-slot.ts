import { isRecord } from '../../../model/document/records.js';
import { type Id, isId, lastPartOf } from '../../../resources/extract-id.js';
import { scalarText } from '../../../http/request/write-request.js';
import { foldName } from '../../../resources/inflection.js';
import type { Slot } from '../../../resources/resource.js';
import type { Path } from '../../../schema/value-path.js';
import type { Call } from '../../types.js';

export function slotValue({ parameters, body }: Call, slot: Slot): unknown {
  if (slot.in === 'parameter') return parameters.get(slot.parameter);
  return memberOf(body?.value, slot.name);
}

/** Returns the same call with another value at a slot, or the call itself if it has no such place. */
export function withSlot(call: Call, slot: Slot, value: unknown): Call {
  if (slot.in === 'parameter') return { ...call, parameters: new Map([...call.parameters, [slot.parameter, value]]) };
  const { body } = call;
  if (body === undefined || body.raw !== undefined || !isRecord(body.value)) return call;
  return { ...call, body: { ...body, value: { ...body.value, [slot.name]: value } } };
}

/** Returns the same call with the id of an item at a slot. */
export function withId(call: Call, slot: Slot, id: unknown): Call {
  return withSlot(call, slot, idText(slot, id));
}

/** The values of a call's path parameters, by name. */
export function pathValues({ parameters }: Call): ReadonlyMap<string, unknown> {
  return new Map([...parameters].flatMap(([one, value]) => (one.in === 'path' ? [[one.name, value] as const] : [])));
}

/** Returns the same call with the path parameters that another call has. */
export function withPathOf(call: Call, other: Call): Call {
  return withPathValues(call, pathValues(other));
}

/** Returns the same call with other values of its path parameters, by name. */
export function withPathValues(call: Call, known: ReadonlyMap<string, unknown>): Call {
  const filled = [...call.parameters].map(
    ([one, value]) => [one, one.in === 'path' ? (known.get(one.name) ?? value) : value] as const,
  );
  return { ...call, parameters: new Map(filled) };
}

/** The id as text of a slot: the path already names the collection of a resource name such as `files/abc`. */
export function idText(slot: Slot, id: unknown): unknown {
  const isInPath = slot.in === 'parameter' && slot.parameter.in === 'path';
  return isInPath && typeof id === 'string' ? lastPartOf(id) : id;
}

/** The member of an object whose name is that of a parameter, however it is written. */
export function memberLike(value: unknown, name: string): unknown {
  if (!isRecord(value)) return undefined;
  const wanted = foldName(name);
  return Object.entries(value).find(([one]) => foldName(one) === wanted)?.[1];
}

export function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

const MAX_DEPTH = 3;

/** The values of a body that may be ids, with their paths. */
export function scalarPaths(value: unknown, path: Path = []): [Path, unknown][] {
  if (isId(value)) return value === '' ? [] : [[path, value]];
  if (!isRecord(value) || path.length >= MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, member]) => scalarPaths(member, [...path, name]));
}

/** Whether a call has an id in its path or body, so that its caller chose it and not the server. */
export function choosesId(call: Call, id: Id): boolean {
  const inBody = scalarPaths(call.body?.value).map(([, value]) => value);
  return [...pathValues(call).values(), ...inBody].some((value) => scalarText(value) === scalarText(id));
}
