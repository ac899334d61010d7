import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { wordsOf } from '../../resources/inflection.js';
import { isObjectSchema, type Member, membersOf } from '../../schema/facts/members.js';

/**
 * The members of a body that holds one of several messages, those with most members first: all are optional objects,
 * whose names have a word in common, such as `create_request` and `cancel_request`. Empty for other bodies. A spec that
 * is made from Protocol Buffers does not say that only one of them may be there.
 */
export function alternativeMessages(body: Schema, api: Api): readonly Member[] {
  const members = [...membersOf(body, api).values()];
  const isMessage = ({ schema, isRequired }: Member): boolean => !isRequired && isObjectSchema(schema, api);
  if (members.length < 2 || !members.every(isMessage)) return [];
  const [first = [], ...others] = members.map(({ name }) => wordsOf(name));
  if (!first.some((word) => others.every((words) => words.includes(word)))) return [];
  const sizeOf = ({ schema }: Member): number => membersOf(schema, api).size;
  return members.toSorted((one, other) => sizeOf(other) - sizeOf(one));
}
