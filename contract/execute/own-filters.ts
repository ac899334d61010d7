import type { Api, Operation, Parameter } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { listItemOf, openItem } from '../../resources/envelope.js';
import { subjectOf } from '../../resources/list-inputs.js';
import { listParametersOf } from '../../resources/list-parameters.js';
import { finderOf } from '../../resources/resource-finder.js';
import { isValidValue } from '../../schema/compile-validator.js';
import { takeAt } from '../../schema/value-path.js';
import type { Call } from '../types.js';
import { memberLike } from './ids/id-slot.js';

/** A response that shows an item. */
export interface ShownItem {
  readonly operation: Operation;
  readonly json: unknown;
}

/**
 * Sets each filter of a list that may hide an item, because it is required or has a default, to the item's own value;
 * `undefined` if none does.
 */
export function withOwnFilters(call: Call, shown: ShownItem, api: Api): Call | undefined {
  const item = itemOf(shown, api);
  const own = call.operation.parameters.flatMap((parameter) => {
    const { in: place, schema } = parameter;
    const standard = call.parameters.get(parameter) ?? (typeof schema === 'object' ? schema.default : undefined);
    if (place !== 'query' || standard === undefined) return [];
    const value = ownValue(item, parameter, call.operation, api);
    const isOther = value !== undefined && value !== null && value !== standard;
    return isOther && isValidValue(value, schema, api) ? [[parameter, value] as const] : [];
  });
  return own.length === 0 ? undefined : { ...call, parameters: new Map([...call.parameters, ...own]) };
}

/** Whether a call of a list asks by a filter for a value that the item of a response does not have. */
export function hidesItem(call: Call, shown: ShownItem, api: Api): boolean {
  const { filters } = listParametersOf(call.operation, listItemOf(call.operation, api) ?? true, api);
  const named = filters.map(({ parameter, member, test }) => ({ name: parameter.name, path: member.path, test }));
  return asksForOther(call, named, itemOf(shown, api));
}

/** A filter of a list, and the member of an item that it is about. */
interface MemberFilter {
  readonly name: string;
  readonly path: readonly string[];
  readonly test: 'equals' | 'from' | 'to';
}

/** Whether a call asks by one of these filters for a value that an item does not have. */
export function asksForOther(call: Call, filters: readonly MemberFilter[], item: unknown): boolean {
  return [...call.parameters].some(([parameter, value]) => {
    const filter = filters.find(({ name }) => parameter.in === 'query' && name === parameter.name);
    const own = filter === undefined ? undefined : takeAt(item, filter.path);
    return filter?.test === 'equals' && !(Array.isArray(own) ? own : [own]).includes(value);
  });
}

/** The item's value for a filter, as the map says, or in a member with its name where the spec does not describe items. */
function ownValue(item: unknown, parameter: Parameter, operation: Operation, api: Api): unknown {
  const { filters } = listParametersOf(operation, listItemOf(operation, api) ?? true, api);
  const filter = filters.find((one) => one.parameter.name === parameter.name);
  return filter === undefined ? memberLike(item, subjectOf(parameter)) : takeAt(item, filter.member.path);
}

function itemOf({ operation, json }: ShownItem, api: Api): unknown {
  const envelope = finderOf(api).assign(operation)?.part.envelope;
  if (envelope !== undefined) return openItem(envelope, json);
  return isRecord(json) && Object.keys(json).length === 1 ? Object.values(json)[0] : json;
}
