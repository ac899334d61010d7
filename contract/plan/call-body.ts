import type { Api, MediaType } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { isValidValue } from '../../schema/compile-validator.js';
import { isObjectSchema, membersOf } from '../../schema/facts/members.js';
import type { CallBody } from '../types.js';

/** Whether a body is valid as a request. */
export function isValidBody({ media, value }: CallBody, api: Api): boolean {
  return isValidValue(value, media.schema ?? true, api);
}

/**
 * The path to the members of the item: the body itself, or its only member, such as `driver` in `{ "driver": { … } }`.
 */
export function itemPlace({ schema = true }: MediaType, api: Api): readonly string[] {
  const [only, ...others] = membersOf(schema, api).values();
  return only !== undefined && others.length === 0 && isObjectSchema(only.schema, api) ? [only.name] : [];
}

/** Unlike `setAt`, adds missing objects around the member. */
export function writeAt(target: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const own = isRecord(target) ? target : {};
  return { ...own, [name]: writeAt(own[name], rest, value) };
}
