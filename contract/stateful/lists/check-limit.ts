import { listPagesOf } from '../../../resources/paging.js';
import { isValidValue } from '../../../schema/compile-validator.js';
import { findPaging, sizeParameterOf } from '../pagination/walk.js';
import { type ListResponse, creationsOf, readWith } from './read-list.js';

/** Checks that a list without pages but with a limit, such as a search, returns one item for a limit of one. */
export async function checkLimit(all: ListResponse): Promise<void> {
  const { run, call, items } = all;
  const { operation } = call;
  const { api } = run.options;
  const parameter = sizeParameterOf(operation, api);
  const isPaged = findPaging(operation, api)?.size !== undefined;
  const { isBound } = listPagesOf(operation, api).parameters;
  if (parameter === undefined || isPaged || items.length < 2 || !isBound) return;
  if (!isValidValue(1, parameter.schema, api)) return;
  const small = await readWith(all, [parameter, 1]);
  if (small === undefined) return;
  run.findings.expect(
    'paging adds up',
    { expects: 'page size', list: small.place, most: 1 },
    {
      cause: 'size',
      message: `A page is larger than ${parameter.name} asks for.`,
      findOthers: () => creationsOf(all, small.items.slice(0, 2)),
    },
  );
}
