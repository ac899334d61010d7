import { NameAllocator, lowerFirst, splitWords, upperFirst } from '../../model/identifiers.js';
import { toSingular } from '../../model/singular.js';
import type { OperationShape } from './operation-shape.js';

/** A part of a path template: a word, or the name of a parameter. */
export interface TemplatePart {
  readonly prefix: '/' | ':' | '.';
  readonly text: string;
  readonly isParameter: boolean;
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
  HEAD: 'check',
  OPTIONS: 'describe',
  TRACE: 'trace',
};

/** Words that already say what is done, as paths of RPC APIs have them: `createcase`. */
const OWN_VERB =
  /^(?:get|list|find|search|create|update|delete|remove|send|mark|recall|remind|request|cancel|lookup)[a-zA-Z_-]{3}/;

/** Members that hold the items of a list. */
const ITEMS = /^(?:data|items|results|values|records|entries|list|rows|elements|content|value)$/i;

/** Words of a path that say nothing about an operation. */
const NO_NOUN = /^(?:v\d+(?:\w{0,8})?|api|rest|\d+|json)$/i;

/** Names the parameter of a value after the word before it: `customerId` after `customers`. */
export function parameterName(parts: readonly TemplatePart[], kinds: ReadonlyMap<string, number>): string {
  const names = new NameAllocator({ taken: parts.filter(({ isParameter }) => isParameter).map(({ text }) => text) });
  const last = parts.at(-1);
  const [kind = ''] = [...kinds.keys()];
  if (kind === 'date' || kind === 'email') return names.take(kind);
  if (last === undefined || last.isParameter || NO_NOUN.test(last.text)) return names.take('id');
  if (/id$/i.test(last.text)) return names.take(lowerFirst(pascal(last.text)));
  return names.take(`${lowerFirst(pascal(toSingular(last.text)))}Id`);
}

/** The noun of a path: `CustomerOrder` for `/customers/{customerId}/orders`. */
export function nounOf(parts: readonly TemplatePart[], isList = false): string {
  const words = parts.filter(({ isParameter, text }) => !isParameter && !NO_NOUN.test(text));
  return words
    .slice(-3)
    .map(({ text }, index, all) => pascal(isList && index === all.length - 1 ? text : toSingular(text)))
    .join('');
}

/** Names an operation by its method and path, such as `listCustomers`. */
export function operationName(method: string, parts: readonly TemplatePart[], shape: OperationShape): string {
  const verb = parts.findLast(({ prefix }) => prefix === ':');
  if (verb !== undefined) return `${lowerFirst(pascal(verb.text))}${nounOf(parts.filter((part) => part !== verb))}`;
  const last = parts.at(-1);
  const isItem = last?.isParameter === true;
  if (!isItem && last !== undefined && OWN_VERB.test(last.text)) return lowerFirst(pascal(last.text)) || 'root';
  const isList = method === 'GET' && !isItem && returnsList(shape, last?.text ?? '');
  const start = method === 'GET' ? (isList ? 'list' : 'get') : (VERBS[method] ?? method.toLowerCase());
  return `${start}${upperFirst(nounOf(parts, isList) || 'Root')}`;
}

/** Whether successful responses are lists, or objects with the items in a member of a usual name or that of the path. */
function returnsList({ responses }: OperationShape, word: string): boolean {
  const isItems = (name: string): boolean => ITEMS.test(name) || name.toLowerCase() === word.toLowerCase();
  return [...responses].some(
    ([status, { media }]) =>
      status < 300 &&
      [...media.values()].some(
        ({ shape }) =>
          shape !== undefined &&
          (shape.arrays > 0 || [...shape.members].some(([name, member]) => isItems(name) && member.shape.arrays > 0)),
      ),
  );
}

function pascal(text: string): string {
  return splitWords(text).map(upperFirst).join('').slice(0, 80);
}
