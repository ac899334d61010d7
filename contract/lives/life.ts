import type { Operation, Parameter } from '../../model/api.js';
import { splitPointer, valueAtPath } from '../../model/document/pointer.js';
import { isRecord, setMember } from '../../model/document/records.js';
import type { MappedFilter, MappedOperation, MappedResource, MappedRole } from '../../resources/map/resource-map.js';
import { parametersOf } from '../../resources/path-template.js';
import type { Call } from '../types.js';

/** A promise of the map that the mock does not keep. */
export interface LifeProblem {
  /** The path of the resource. */
  readonly path: string;
  readonly operationId: string;
  /** One sentence. */
  readonly message: string;
}

/** An item that was created or found. */
export interface LivedItem {
  readonly id: string;
  /** The values of the path parameters down to the item. */
  readonly values: readonly string[];
  /** Its members as far as they are known: what was sent to create it, and what the response shows. */
  readonly known: Readonly<Record<string, unknown>>;
}

/** The operations of a resource by role, the first of each. */
export function operationOf(resource: MappedResource, role: MappedRole): MappedOperation | undefined {
  return resource.operations.find((one) => one.role === role);
}

/** Sets the path parameters of a call in order, and the id where a call by verb takes it. */
export function withValues(call: Call, mapped: MappedOperation, values: readonly string[]): Call {
  const names = parametersOf(call.operation.path);
  const parameters = new Map(call.parameters);
  for (const [index, name] of names.entries()) {
    const parameter = findIn(call.operation, 'path', name);
    const value = values[index];
    if (parameter !== undefined && value !== undefined) parameters.set(parameter, value);
  }
  const id = values.at(-1);
  if (mapped.idIn === undefined || id === undefined) return { ...call, parameters };
  return withId({ ...call, parameters }, mapped.idIn, id);
}

/** Sets the filters that a list demands to the values of an item, which the list must then show. */
export function withFilters(call: Call, filters: readonly MappedFilter[], item: unknown): Call {
  const parameters = new Map(call.parameters);
  for (const { parameter: name, member } of filters) {
    const parameter = findIn(call.operation, 'query', name);
    const value = valueAtPath(item, splitPointer(member));
    if (parameter !== undefined && parameters.has(parameter) && value !== undefined && value !== null)
      parameters.set(parameter, value);
  }
  return { ...call, parameters };
}

function withId(call: Call, place: NonNullable<MappedOperation['idIn']>, id: string): Call {
  if (place.in === 'body') {
    const [media] = call.operation.body?.content ?? [];
    const body = call.body ?? (media === undefined ? undefined : { media, value: {} });
    return body === undefined ? call : { ...call, body: withMember(body, place.name, id) };
  }
  const parameter = findIn(call.operation, place.in, place.name);
  return parameter === undefined ? call : { ...call, parameters: new Map([...call.parameters, [parameter, id]]) };
}

function withMember(body: NonNullable<Call['body']>, name: string, id: string): NonNullable<Call['body']> {
  const value: Record<string, unknown> = isRecord(body.value) ? { ...body.value } : {};
  const known = value[name];
  setMember(value, name, typeof known === 'number' ? Number(id) : id);
  return { ...body, value };
}

function findIn({ parameters }: Operation, place: string, name: string): Parameter | undefined {
  return parameters.find((one) => one.in === place && one.name === name);
}
