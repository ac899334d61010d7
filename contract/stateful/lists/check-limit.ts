import { findParameter } from '../../../model/find-parameter.js';
import type { Operation } from '../../../model/api.js';
import { foldName } from '../../../resources/inflection.js';
import { listItemOf, listPathOf } from '../../../resources/envelope.js';
import { listParametersOf } from '../../../resources/pagination.js';
import { isValidValue } from '../../../schema/compile-validator.js';
import { problem } from '../../checks/problem.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { findListPlace } from '../../expectations/lists.js';
import { findPaging } from '../pagination/walk.js';
import { type ListResponse, creationsOf, readList, requiredQuery } from './read-list.js';

/** Without pages, other names of a page size, such as `count` or `rows`, mean something else. */
const LIMIT = /^(?:limit|maxresults|maxitems|perpage|pagesize|pagelimit|top|take)$/;

/** Checks that a list without pages but with a limit, such as a search, returns one item for a limit of one. */
export async function checkLimit(run: ContractRun, operation: Operation, all: ListResponse): Promise<void> {
  const { api } = run.options;
  const { size } = listParametersOf(operation, listItemOf(operation, api) ?? true, api);
  const parameter = findParameter(operation, 'query', size?.name);
  const isPaged = findPaging(operation, api)?.size !== undefined;
  if (parameter === undefined || isPaged || all.items.length < 2 || !LIMIT.test(foldName(parameter.name))) return;
  if (!isValidValue(1, parameter.schema, api)) return;
  const small = await readList(run, operation, new Map([...requiredQuery(all), [parameter, 1]]));
  if (small === undefined || small.items.length < 2) return;
  const found = problem('paging adds up', {
    cause: 'size',
    message: `A page is larger than ${parameter.name} asks for.`,
    expected: 'at most 1 item',
    actual: `${small.items.length} items`,
  });
  const list = findListPlace([small.exchange], 'id', listPathOf(operation, api));
  const others = creationsOf(run, operation, small.items.slice(0, 2));
  const assertion = { expects: 'page size', list, most: 1 } as const;
  run.report(found, { call: small.call, phase: 'stateful', assertion, others }, small.exchange);
}
