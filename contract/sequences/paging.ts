import type { Operation } from '../../model/api.js';
import { problem } from '../checks/problem.js';
import { makeCall } from '../cases/make-call.js';
import type { ContractRun } from '../contract-run.js';
import { idOf } from '../resources/item-ids.js';
import type { Call, Exchange } from '../types.js';
import { findPaging, walkPages } from './page-walk.js';

const PAGE_SIZE = 2;
/** So many items make more than one page. */
const ITEMS = 5;

/** Page sizes are obeyed, no item comes twice, none is missing. */
export async function checkPaging(run: ContractRun, operation: Operation): Promise<void> {
  const paging = findPaging(operation);
  if (paging?.size === undefined || !allowsSize(paging.size.schema)) return;
  const resource = run.context.pool.resources.find(({ list }) => list === operation);
  const create = resource?.create === undefined ? undefined : await run.base(resource.create, 'stateful');
  const fillers = create === undefined ? [] : Array.from({ length: ITEMS }, () => create);
  for (const filler of fillers)
    await run.try({ phase: 'stateful', call: await run.ready(filler, 'stateful'), expectation: { kind: 'valid' } });
  await run.base(operation, 'stateful');
  const call = makeCall(operation, { variant: 'minimal', seed: 1 }, run.context);
  if (call === undefined) return;
  // In one page, so that what is wrong with steps does not show here as well.
  const largest = largestSize(paging.size.schema);
  const whole = await walkPages(run, call, { paging: { ...paging, isSingle: true }, pageSize: largest });
  const small = await walkPages(run, call, { paging, pageSize: PAGE_SIZE });
  if (whole === undefined || small === undefined) return;
  const report = (text: Parameters<typeof problem>[1], exchange: Exchange, at: Call = call): void =>
    run.report(problem('paging adds up', text), { call: at, phase: 'stateful' }, exchange);
  const tooLarge = small.pages.find((page) => page.length > PAGE_SIZE);
  if (tooLarge !== undefined)
    report(
      {
        cause: 'size',
        message: `A page is larger than ${paging.size.name} asks for.`,
        expected: `at most ${PAGE_SIZE} items`,
        actual: `${tooLarge.length} items`,
      },
      small.last,
    );
  const key = (item: unknown): string => String(idOf(item, resource?.parameter ?? 'id') ?? JSON.stringify(item));
  const [keys, all] = [small.items.map(key), whole.items.map(key)];
  const twice = small.isWhole
    ? keys.find((one, index) => keys.indexOf(one) !== index)
    : findRepeated(small.pages.map((page) => page.map(key)));
  if (twice !== undefined && new Set(all).size === all.length)
    report(
      { cause: 'twice', message: 'An item is on more than one page.', expected: 'each item once', actual: twice },
      small.last,
    );
  if (!small.isWhole || whole.items.length >= largest) return;
  const missing = all.find((one) => !keys.includes(one)) ?? keys.find((one) => !all.includes(one));
  if (missing !== undefined)
    report(
      {
        cause: 'missing',
        message: 'Small pages together do not have the items of large ones.',
        expected: `${all.length} items, ${missing} among them`,
        actual: `${keys.length} items`,
      },
      small.last,
    );
}

/** An item of a page that has come before: a walk without an end may go in a circle. */
function findRepeated(pages: readonly (readonly string[])[]): string | undefined {
  const texts = pages.map((page) => JSON.stringify(page));
  return pages.find((page, index) => page.length > 0 && texts.indexOf(texts[index] ?? '') !== index)?.[0];
}

function largestSize(schema: Operation['parameters'][number]['schema']): number {
  return Math.min(typeof schema === 'object' ? (schema.maximum ?? 100) : 100, 1_000);
}

function allowsSize(schema: Operation['parameters'][number]['schema']): boolean {
  return (
    typeof schema !== 'object' || ((schema.minimum ?? 0) <= PAGE_SIZE && (schema.maximum ?? Infinity) >= PAGE_SIZE)
  );
}
