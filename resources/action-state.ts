import type { Api } from '../model/api.js';
import { foldName, wordsOf } from './inflection.js';
import { type Member, keywordOf } from '../schema/facts/members.js';

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['pay', 'paid'],
  ['send', 'sent'],
  ['hold', 'held'],
  ['withdraw', 'withdrawn'],
]);

/** The words for an item after `/trips/{id}/finish` or `/orders/{id}:cancel`, such as `finished`. */
export function participlesOf(path: string): ReadonlySet<string> {
  const verb = foldName(path.split(/[/:]/).at(-1) ?? '');
  const last = verb.at(-1) ?? '';
  const regular = [`${verb}ed`, `${verb}${last}ed`, `${verb}d`, verb.replace(/y$/, 'ied')];
  return new Set(verb.length < 3 ? [] : [...regular, IRREGULAR.get(verb) ?? verb].filter((one) => one !== verb));
}

/**
 * The value that a member has after an action, because the spec lists it: `voided` of a `credit_status` after `/void`.
 * What is promised here, mocks do and contract runs expect.
 */
export function stateAfter({ schema }: Pick<Member, 'schema'>, path: string, api: Api): string | undefined {
  const words = participlesOf(path);
  return textsOf(schema, api).find((value) => words.has(foldName(value)));
}

/** The value of a status that begins with the word of an action: `cancelling` after `/cancel`. No promise. */
export function likelyStateAfter({ name, schema }: Member, stem: string, api: Api): string | undefined {
  if (!['status', 'state', 'phase'].includes(wordsOf(name).at(-1) ?? '')) return undefined;
  return textsOf(schema, api).find((value) => value.toLowerCase().startsWith(stem));
}

function textsOf(schema: Member['schema'], api: Api): string[] {
  return (keywordOf(schema, 'enum', api) ?? []).filter((value) => typeof value === 'string');
}
