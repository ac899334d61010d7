import { getOrInsert } from '../model/maps.js';
import type { Api, Operation, Parameter } from '../model/api.js';
import { itemsOf, keywordOf, membersOf } from '../schema/facts/members.js';
import { foldName, isUpdateMask } from './inflection.js';
import { bodySchemaOf } from './success-response.js';

/** Matches descriptions of parameters that choose what a response shows. */
const ABOUT_RESPONSE =
  /\b(?:return(?:s|ed)?|respon(?:se|ds?)|shown?|shows|include[sd]?|expand(?:s|ed)?|embed(?:s|ded)?)\b/i;

const caches = new WeakMap<Operation, { readonly mask: Parameter | undefined }>();

/**
 * The query parameter of a write that names the members to be written: `updateMask`, or a list whose choices are all
 * members of the body.
 */
export function updateMaskOf(operation: Operation, api: Api): Parameter | undefined {
  return getOrInsert(caches, operation, () => ({ mask: findUpdateMask(operation, api) })).mask;
}

function findUpdateMask(operation: Operation, api: Api): Parameter | undefined {
  const body = bodySchemaOf(operation);
  if (body === undefined || operation.method === 'get') return undefined;
  const query = operation.parameters.filter((one) => one.in === 'query');
  const named = query.find(({ name }) => isUpdateMask(name));
  if (named !== undefined) return named;
  const members = new Set([...membersOf(body, api).keys()].map(foldName));
  return query.find(({ schema, description = '' }) => {
    const choices = keywordOf(itemsOf(schema, api) ?? true, 'enum', api) ?? [];
    const isOfMembers = choices.length > 0 && choices.every((one) => members.has(foldName(String(one))));
    return isOfMembers && !ABOUT_RESPONSE.test(description);
  });
}
