import type { Operation } from '../../model/api.js';
import { foldName } from '../../resources/inflection.js';

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['pay', 'paid'],
  ['send', 'sent'],
  ['hold', 'held'],
  ['withdraw', 'withdrawn'],
]);

/** The words for an item after `/trips/{id}/finish` or `/orders/{id}:cancel`, such as `finished`. */
export function participlesOf({ path }: Operation): ReadonlySet<string> {
  const verb = foldName(path.split(/[/:]/).at(-1) ?? '');
  const last = verb.at(-1) ?? '';
  const regular = [`${verb}ed`, `${verb}${last}ed`, `${verb}d`, verb.replace(/y$/, 'ied')];
  return new Set(verb.length < 3 ? [] : [...regular, IRREGULAR.get(verb) ?? verb].filter((one) => one !== verb));
}
