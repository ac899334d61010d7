import { findParameter } from '../../../model/find-parameter.js';
import { appendPointer } from '../../../model/document/pointer.js';
import { idOf } from '../../../resources/extract-id.js';
import { listPagesOf } from '../../../resources/paging.js';
import { type ListResponse, creationsOf, readWith } from './read-list.js';

/** Checks that a page that ends before an item does not contain the item. */
export async function checkCursorBefore(all: ListResponse): Promise<void> {
  const { run, call, exchange, place, items } = all;
  const { back, backTakesId } = listPagesOf(call.operation, run.options.api).parameters;
  const parameter = backTakesId ? findParameter(call.operation, 'query', back?.name) : undefined;
  const id = idOf(items[1], 'id');
  if (parameter === undefined || id === undefined || place.idAt === undefined) return;
  const page = await readWith(all, [parameter, id]);
  if (page === undefined) return;
  const pointer = `${appendPointer(place.itemsAt, '1')}${place.idAt}`;
  const second = { value: id, exchange, source: { in: 'body', pointer, isLast: false } } as const;
  run.findings.expect(
    'paging adds up',
    { expects: 'not listed', list: { ...page.place, idAt: place.idAt }, id: second },
    {
      cause: parameter.name,
      pointer: `query ${parameter.name}`,
      message: `The page before an item (${parameter.name}) contains the item itself.`,
      expected: 'the items before it',
      actual: `${page.items.length} items, ${String(id)} among them`,
      at: page.exchange,
      findOthers: () => [exchange, ...creationsOf(all, items.slice(0, 2))],
    },
  );
}
