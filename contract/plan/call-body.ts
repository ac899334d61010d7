import type { Api, MediaType } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { isObjectSchema, membersOf } from '../../schema/facts/members.js';
import type { CallBody } from '../types.js';

/** Whether a body is what its schema lets a client send. */
export function isValidBody({ media, value }: CallBody, api: Api): boolean {
  return compileValidator(api, media.schema ?? true, { direction: 'request' })(value).length === 0;
}

/** Where a body has the members of the item: in itself, or in its only member, such as `driver` of `{ "driver": { … } }`. */
export function itemPlace({ schema = true }: MediaType, api: Api): readonly string[] {
  const [only, ...others] = membersOf(schema, api).values();
  return only !== undefined && others.length === 0 && isObjectSchema(only.schema, api) ? [only.name] : [];
}

/** Unlike `setAt`, adds the objects around the member that are missing. */
export function writeAt(target: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const own = isRecord(target) ? target : {};
  return { ...own, [name]: writeAt(own[name], rest, value) };
}
