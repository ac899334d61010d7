import { resolvePointer } from '../../../model/document/pointer.js';
import { listPathOf } from '../../../resources/envelope.js';
import { idOf } from '../../../resources/extract-id.js';
import { scalarText } from '../../execute/http/serialize-parameter.js';
import type { ResponsesAssertion } from '../../reproduction/assertion.js';
import { findSource, readSource } from '../../reproduction/capture.js';
import { findListPlace } from '../../reproduction/evaluate-assertion.js';
import { memberPath } from '../../reproduction/js-literals.js';
import type { Exchange } from '../../types.js';
import { type FilterCheck, isChoice, isWanted } from './filter-meaning.js';
import { itemsCode, itemsOf, pathCode, readPath } from './read-list.js';

/** Expressions of a test: an item has the value of a filter, and it may be in the list. */
export function conditionsOf(
  check: FilterCheck,
  value: unknown,
): { readonly wanted: string; readonly allowed: string } {
  const { path, test } = check;
  const at = `item${pathCode(path)}`;
  const text = JSON.stringify(value);
  const [left, right] = typeof value === 'string' ? [`Date.parse(${at})`, `Date.parse(${text})`] : [at, text];
  const wanted = test === 'equals' ? `${at} === ${text}` : `${left} ${test === 'from' ? '>=' : '<='} ${right}`;
  if (test !== 'equals' || typeof value !== 'string' || isChoice(check)) return { wanted, allowed: wanted };
  return { wanted, allowed: `String(${at}).toLowerCase().includes(${JSON.stringify(value.toLowerCase())})` };
}

interface WrongItem {
  readonly list: Exchange;
  readonly item: unknown;
  /** The call that created it, if the run did. */
  readonly others: readonly Exchange[];
}

/** An item fits where it is in the list; without its creation, each item of the list. Others may be gone on another server. */
export function claimFits(
  { run, operation }: FilterCheck,
  { list, item, others }: WrongItem,
  { isFitting, allowed }: { readonly isFitting: (item: unknown) => boolean; readonly allowed: string },
): ResponsesAssertion {
  const read = (exchange: Exchange | undefined): readonly unknown[] => itemsOf(run, operation, exchange);
  const id = idOf(item, 'id');
  const creation = others.at(-1);
  const source = creation === undefined || id === undefined ? undefined : findSource(id, creation);
  const { idAt } = findListPlace([list], 'id', listPathOf(operation, run.options.api));
  if (creation === undefined || source?.in !== 'body' || idAt === undefined)
    return {
      expects: 'that',
      exchanges: [list],
      holds: ([one]) => read(one).every(isFitting),
      code: ([one = '']) => `${itemsCode(operation, run, one)}.every((item) => ${allowed})`,
    };
  const isIt = (one: unknown, made: Exchange | undefined): boolean =>
    made !== undefined && scalarText(resolvePointer(one, idAt)) === scalarText(readSource(source, made));
  return {
    expects: 'that',
    exchanges: [list, creation],
    holds: ([one, made]) =>
      read(one)
        .filter((shown) => isIt(shown, made))
        .every(isFitting),
    code: ([one = '', made = '']) =>
      `${itemsCode(operation, run, one)}.filter((item) => item${memberPath(idAt, '?')} === ${made}${memberPath(source.pointer, '?')}).every((item) => ${allowed})`,
  };
}

/** None of all items that fit is missing in the list. */
export function claimComplete(
  check: FilterCheck,
  exchanges: readonly Exchange[],
  { value, wanted }: { readonly value: unknown; readonly wanted: string },
): ResponsesAssertion {
  const { run, operation, path } = check;
  const read = (exchange: Exchange | undefined): readonly unknown[] => itemsOf(run, operation, exchange);
  return {
    expects: 'that',
    exchanges,
    holds: ([one, whole]) =>
      read(one).length >= read(whole).filter((item) => isWanted(check, readPath(item, path), value)).length,
    code: ([one = '', whole = '']) =>
      `${itemsCode(operation, run, one)}.length >= ${itemsCode(operation, run, whole)}.filter((item) => ${wanted}).length`,
  };
}
