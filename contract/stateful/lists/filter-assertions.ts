import { takeAt } from '../../../schema/value-path.js';
import { resolvePointer } from '../../../model/document/pointer.js';
import { listPathOf } from '../../../resources/envelope.js';
import { idOf } from '../../../resources/extract-id.js';
import { scalarText } from '../../../http/request/write-request.js';
import type { ResponsesAssertion, VariableOf } from '../../expectations/assertion.js';
import { findSource, readSource } from '../../reproduction/capture.js';
import { findListPlace } from '../../expectations/lists.js';
import { kindsShownBy } from '../../reproduction/find-origin.js';
import { memberPath } from '../../reproduction/member-path.js';
import type { Exchange } from '../../types.js';
import { type FilterCheck, fits, isChoice, isWanted } from './filter-meaning.js';
import { itemsCode, itemsOf, pathCode } from './read-list.js';

/** A filter and its value in a request. */
interface GivenFilter {
  readonly check: FilterCheck;
  readonly value: unknown;
}

interface WrongItem {
  readonly list: Exchange;
  readonly item: unknown;
  /** The call that created the item, if the run did. */
  readonly others: readonly Exchange[];
}

/**
 * The assertion that the item, if listed, fits; if the run did not create the item, that each listed item fits. Other
 * items may not exist on another server.
 */
export function assertFits(
  filters: readonly [GivenFilter, ...GivenFilter[]],
  { list, item, others }: WrongItem,
): ResponsesAssertion {
  const [{ check }] = filters;
  const { run, operation } = check;
  const isFitting = (shown: unknown, by: Exchange | undefined): boolean =>
    filters.every((one) => fits(one.check, takeAt(shown, one.check.path), sentIn(one.check, by, one.value)));
  const allowed = (variableOf: VariableOf): string =>
    filters.map((one) => allowedCode(one.check, list, { value: one.value, variableOf })).join(' && ');
  const read = (exchange: Exchange | undefined): readonly unknown[] => itemsOf(run, operation, exchange);
  const name = kindsShownBy(run, operation)[0]?.parameter ?? 'id';
  const id = idOf(item, name);
  const creation = others.at(-1);
  const source = creation === undefined || id === undefined ? undefined : findSource(id, creation);
  const { idAt } = findListPlace([list], name, listPathOf(operation, run.options.api));
  if (creation === undefined || source?.in !== 'body' || idAt === undefined)
    return {
      expects: 'that',
      exchanges: [list],
      holds: ([one]) => read(one).every((shown) => isFitting(shown, one)),
      code: ([one = ''], variableOf) => `${itemsCode(operation, run, one)}.every((item) => ${allowed(variableOf)})`,
    };
  const isIt = (one: unknown, made: Exchange | undefined): boolean =>
    made !== undefined && scalarText(resolvePointer(one, idAt)) === scalarText(readSource(source, made));
  return {
    expects: 'that',
    exchanges: [list, creation],
    holds: ([one, made]) =>
      read(one)
        .filter((shown) => isIt(shown, made))
        .every((shown) => isFitting(shown, one)),
    code: ([one = '', made = ''], variableOf) =>
      `${itemsCode(operation, run, one)}.filter((item) => item${memberPath(idAt, '?')} === ${made}${memberPath(source.pointer, '?')}).every((item) => ${allowed(variableOf)})`,
  };
}

/** The assertion that the list contains as many items as fit. */
export function assertComplete(check: FilterCheck, exchanges: readonly Exchange[], value: unknown): ResponsesAssertion {
  const { run, operation, path } = check;
  const read = (exchange: Exchange | undefined): readonly unknown[] => itemsOf(run, operation, exchange);
  return {
    expects: 'that',
    exchanges,
    holds: ([one, whole]) =>
      read(one).length >=
      read(whole).filter((item) => isWanted(check, takeAt(item, path), sentIn(check, one, value))).length,
    code: ([one = '', whole = ''], variableOf) =>
      `${itemsCode(operation, run, one)}.length >= ${itemsCode(operation, run, whole)}.filter((item) => ${wantedCode(check, exchanges[0], { value, variableOf })}).length`,
  };
}

/** The value of a filter in a request. When repeated, it may be the id of another item. */
function sentIn({ parameter }: FilterCheck, list: Exchange | undefined, value: unknown): unknown {
  if (list === undefined || typeof value !== 'string') return value;
  return new URL(list.request.url).searchParams.get(parameter.name) ?? value;
}

interface PrintedValue {
  readonly value: unknown;
  readonly variableOf: VariableOf;
}

function valueCode(
  { parameter }: FilterCheck,
  list: Exchange | undefined,
  { value, variableOf }: PrintedValue,
): string {
  return (list && variableOf(list, parameter)) ?? JSON.stringify(value);
}

/** The test code for whether an item has the value. */
function wantedCode(check: FilterCheck, list: Exchange | undefined, printed: PrintedValue): string {
  const at = `item${pathCode(check.path)}`;
  const value = valueCode(check, list, printed);
  if (check.test === 'equals') return `${at} === ${value}`;
  const [left, right] = typeof printed.value === 'string' ? [`Date.parse(${at})`, `Date.parse(${value})`] : [at, value];
  return `${left} ${check.test === 'from' ? '>=' : '<='} ${right}`;
}

/** The test code for whether an item may be listed. */
function allowedCode(check: FilterCheck, list: Exchange, printed: PrintedValue): string {
  if (check.test !== 'equals' || typeof printed.value !== 'string' || isChoice(check))
    return wantedCode(check, list, printed);
  const value = valueCode(check, list, printed);
  return `String(item${pathCode(check.path)}).toLowerCase().includes(String(${value}).toLowerCase())`;
}
