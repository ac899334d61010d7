import type { Api, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { hasNumber, keywordOf, typesOf } from '../schema/facts/members.js';
import { type ListParameter, isNamedFilter, listInputs, membersByFoldedName } from './list-inputs.js';
import { nounsOf, pageWordsOf } from './page-words.js';

/** The parameters that select a part of a list. */
export interface PageParameters {
  readonly size?: ListParameter;
  readonly offset?: ListParameter;
  readonly page?: ListParameter;
  /** Takes what an earlier response gave: a token, or the id of the item after which the page starts. */
  readonly token?: ListParameter;
  /** Takes the same, for the page that ends there. */
  readonly back?: ListParameter;
  /** Whether `token` is named for an item, as `starting_after` is: it takes the id of one. */
  readonly takesId: boolean;
  /** Whether `back` is named for an item, as `ending_before` is. */
  readonly backTakesId: boolean;
  /** Whether the name of `size` is a bound even in a list without pages: `count` and `rows` may be something else there. */
  readonly isBound: boolean;
}

type Control = Exclude<keyof PageParameters, 'takesId' | 'backTakesId' | 'isBound'>;

/** Patterns over the words of a name. */
const SIZE =
  /^(?:page |max |item )*(?:limit|size|take|top|rows)$|^(?:page |max )?(?:first|count)$|^item per page$|^per page$|^max (?:item|key|page size)s?$|^page item$|^(?:page )?number item$/;
const OFFSET =
  /^(?:page |item )?(?:offset|skip)(?: item| count)?$|^start (?:index|at|from|offset)$|^first (?:item|index)$/;
const PAGE = /^(?:current )?page(?: number| index)?$/;
const TOKEN_WORDS =
  /^(?:(?:next|page|item|start|end|after|from|last|skip|scroll|since|current|continue|cursor|token|marker|key|id|index) ?)+$/;
const TOKEN = /\b(?:cursor|marker|continue)\b|\w token\b|\btoken \w|\w key\b|\bscroll id\b|\bafter\b/;
const ITEM_ID =
  /^(?:page )?(?:(?:start )?after|since|last|start|from)(?: item)? id$|^(?:page )?(?:start )?after(?: item)?$|^last item$/;
/** Sizes that bound any list. */
const BOUND = /^(?:page )?limit$|^page size$|^(?:item )?per page$|^max (?:item|page size)$|^(?:top|take)$/;
const BACK_ID = /^(?:page )?(?:end )?before(?: item)? id$|^(?:page )?end before(?: item)?$/;
const BACK =
  /^(?:(?:page|item|end|before|previous|id|cursor|token|key|marker) ?)*(?:before|previous)(?: (?:item|page|id|cursor|token|key|marker))*$/;
/** Names that may be a number or a token: the type decides, or a response that has such a token. */
const NUMBER_OR_TOKEN = /^(?:start|from|index|offset|page|skip|(?:item )?start)$/;
/** Names that page only if a response gives such a token. */
const ANY_TOKEN = /^(?:token|next|last|start|from|offset|page|index|key|skip)$/;

/** What is known of a parameter's name and type. */
interface Named {
  readonly words: string;
  readonly isText: boolean;
  readonly isNumber: boolean;
}

/**
 * Finds the parameters that select a part of a list by the meaning of the words in their names. A parameter with the
 * name of an item's member is a filter, whatever else it could be.
 *
 * @param givesToken - whether a response has a token that names like `page` or `offset` may take, if they are texts.
 */
export function findPageParameters(
  operation: Operation,
  item: Schema,
  { api, givesToken }: { readonly api: Api; readonly givesToken: boolean },
): PageParameters {
  const members = membersByFoldedName(item, api);
  const nouns = nounsOf(operation.path);
  const found: Partial<Record<Control, ListParameter>> = {};
  const is = { takesId: false, backTakesId: false, isBound: false };
  const weak: ListParameter[] = [];
  for (const parameter of listInputs(operation, api)) {
    if (isNamedFilter(parameter, members, api)) continue;
    const named = nameOf(parameter, nouns, api);
    const control = named === undefined ? undefined : controlOf(named, givesToken);
    if (named === undefined) continue;
    if (control !== undefined && found[control] === undefined) {
      found[control] = parameter;
      if (control === 'token') is.takesId = ITEM_ID.test(named.words);
      if (control === 'back') is.backTakesId = BACK_ID.test(named.words);
      if (control === 'size') is.isBound = BOUND.test(named.words);
    } else if (control === undefined && named.isText && ANY_TOKEN.test(named.words)) weak.push(parameter);
  }
  const [only] = weak;
  if (found.token === undefined && givesToken && only !== undefined) found.token = only;
  return { ...found, ...is };
}

/** The words of a parameter and what it may be; `undefined` if it is not about paging, such as a bound in time. */
function nameOf({ path, schema }: ListParameter, nouns: ReadonlySet<string>, api: Api): Named | undefined {
  const parts = path.map((part) => pageWordsOf(part, nouns));
  if (parts.includes(undefined) || keywordOf(schema, 'enum', api) !== undefined) return undefined;
  if (/^(?:date|time)/.test(keywordOf(schema, 'format', api) ?? '')) return undefined;
  const types = typesOf(schema, api);
  const isNumber = types.size === 0 || hasNumber(types);
  const isText = types.size === 0 || types.has('string');
  const words = parts.filter((part) => part !== '').join(' ');
  return isNumber || isText ? { words, isText, isNumber } : undefined;
}

function controlOf({ words, isText, isNumber }: Named, givesToken: boolean): Control | undefined {
  const isToken = givesToken && isText && !isNumber;
  if (NUMBER_OR_TOKEN.test(words) && isToken) return undefined;
  if (SIZE.test(words.replace(/^page (?=first|count)/, ''))) return 'size';
  if (OFFSET.test(words) || (/^(?:start|from)$/.test(words) && isNumber)) return 'offset';
  if (PAGE.test(words)) return 'page';
  if (BACK.test(words)) return 'back';
  const isPointer = TOKEN_WORDS.test(words) && TOKEN.test(words);
  return isPointer || ITEM_ID.test(words) ? 'token' : undefined;
}
