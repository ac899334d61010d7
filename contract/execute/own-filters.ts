import type { Api } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { subjectOf } from '../../resources/list-inputs.js';
import { isValidValue } from '../../schema/compile-validator.js';
import type { Call } from '../types.js';
import { memberLike } from './ids/id-slot.js';

/** Sets each filter of a list whose default hides an item to the item's own value; `undefined` if none does. */
export function withOwnFilters(call: Call, body: unknown, api: Api): Call | undefined {
  const item = isRecord(body) && Object.keys(body).length === 1 ? Object.values(body)[0] : body;
  const own = call.operation.parameters.flatMap((parameter) => {
    const { in: place, schema } = parameter;
    if (place !== 'query' || typeof schema !== 'object' || schema.default === undefined) return [];
    const value = memberLike(item, subjectOf(parameter));
    const isOther = value !== undefined && value !== schema.default;
    return isOther && isValidValue(value, schema, api) ? [[parameter, value] as const] : [];
  });
  return own.length === 0 ? undefined : { ...call, parameters: new Map([...call.parameters, ...own]) };
}
