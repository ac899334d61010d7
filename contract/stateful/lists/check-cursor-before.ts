import type { Operation, Parameter } from '../../../model/api.js';
import { idOf } from '../../../resources/extract-id.js';
import { foldName } from '../../../resources/inflection.js';
import { problem } from '../../checks/problem.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Exchange } from '../../types.js';
import { type ListResponse, creationsOf, itemsCode, itemsOf, readList } from './read-list.js';

const BEFORE = /^(?:endingbefore|beforeid)$/;

/** Checks that a page that ends before an item does not contain the item. */
export async function checkCursorBefore(run: ContractRun, operation: Operation, all: ListResponse): Promise<void> {
  const parameter = operation.parameters.find((one) => one.in === 'query' && BEFORE.test(foldName(one.name)));
  const id = idOf(all.items[1], 'id');
  if (parameter === undefined || id === undefined) return;
  const page = await readList(run, operation, new Map<Parameter, unknown>([[parameter, id]]));
  if (page === undefined || page.items.every((item) => idOf(item, 'id') !== id)) return;
  const found = problem('paging adds up', {
    cause: parameter.name,
    pointer: `query ${parameter.name}`,
    message: `The page before an item (${parameter.name}) has the item itself.`,
    expected: 'the items before it',
    actual: `${page.items.length} items, ${String(id)} among them`,
  });
  const secondOf = (whole: Exchange | undefined): unknown => idOf(itemsOf(run, operation, whole)[1], 'id');
  const assertion = {
    expects: 'that',
    exchanges: [page.exchange, all.exchange],
    holds: ([one, whole]: readonly Exchange[]) =>
      itemsOf(run, operation, one).every((item) => idOf(item, 'id') !== secondOf(whole)),
    code: ([one = '', whole = '']: readonly string[]) =>
      `${itemsCode(operation, run, one)}.every((item) => item.id !== ${itemsCode(operation, run, whole)}[1].id)`,
  } as const;
  const others = [all.exchange, ...creationsOf(run, operation, all.items.slice(0, 2))];
  run.report(found, { call: page.call, phase: 'stateful', assertion, others }, page.exchange);
}
