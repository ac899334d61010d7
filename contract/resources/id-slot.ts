import type { Api, Operation, Parameter } from '../../model/api.js';
import { membersOf } from './schema-members.js';
import type { Call } from '../types.js';

/** Where an operation takes the id of an item. */
export type Slot =
  | { readonly in: 'parameter'; readonly parameter: Parameter }
  /** A member of the body, at the top. */
  | { readonly in: 'body'; readonly name: string };

/** What an operation does to an item or to all of them. */
export type Role = 'list' | 'create' | 'read' | 'replace' | 'change' | 'remove';

/** Items of one kind, and the operations that create, show, change and remove them. */
export interface Resource extends Readonly<Partial<Record<Role, Operation>>> {
  /** Unique: the path of an item, such as `/books/{bookId}`, or the folder of its calls and a noun, such as `/api/case`. */
  readonly name: string;
  /** What the id is called: `bookId`, `id`. */
  readonly parameter: string;
  /** Other operations that create items, such as `createcasefromtemplate`. */
  readonly creators: readonly Operation[];
  /** Other operations whose answers show items of the same schema, one or a list of them. */
  readonly sights: readonly Operation[];
  /** Where operations on an item take its id. */
  readonly slots: ReadonlyMap<Operation, Slot>;
  /** Where operations on something else name an item. */
  readonly mentions: ReadonlyMap<Operation, Slot>;
}

/** A name without what spellings differ in. */
export function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** The slot for an id that is called one of these names, in plain spelling, the first one first. */
export function findSlot(operation: Operation, names: readonly string[], api: Api): Slot | undefined {
  const { parameters, body } = operation;
  const inParameters = parameters.filter(({ in: place }) => place !== 'cookie');
  const members = (body?.content ?? []).slice(0, 1).flatMap(({ schema }) => [...membersOf(schema ?? true, api).keys()]);
  for (const wanted of names) {
    const parameter = inParameters.find(({ name }) => plain(name) === wanted);
    if (parameter !== undefined) return { in: 'parameter', parameter };
    const name = members.find((one) => plain(one) === wanted);
    if (name !== undefined) return { in: 'body', name };
  }
  return undefined;
}

/** What stands at a slot. */
export function slotValue({ parameters, body }: Call, slot: Slot): unknown {
  if (slot.in === 'parameter') return parameters.get(slot.parameter);
  return memberOf(body?.value, slot.name);
}

/** The same call with something else at a slot; the call itself where it has no such place. */
export function withSlot(call: Call, slot: Slot, value: unknown): Call {
  if (slot.in === 'parameter') return { ...call, parameters: new Map([...call.parameters, [slot.parameter, value]]) };
  const { body } = call;
  if (body === undefined || body.raw !== undefined || !isObject(body.value)) return call;
  return { ...call, body: { ...body, value: { ...body.value, [slot.name]: value } } };
}

/** The same call with the id of an item at a slot. */
export function withId(call: Call, slot: Slot, id: unknown): Call {
  return withSlot(call, slot, idText(slot, id));
}

/** Of a name with its collection before it, such as `files/abc`: a path has the collection already. */
export function idText(slot: Slot, id: unknown): unknown {
  const isInPath = slot.in === 'parameter' && slot.parameter.in === 'path';
  return isInPath && typeof id === 'string' ? (id.split('/').at(-1) ?? id) : id;
}

export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
