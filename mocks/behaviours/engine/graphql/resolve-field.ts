import type { Row } from '../../../../generated/engine/types.js';
import { isRecord } from '../../../../model/document/records.js';
import type { BehaviourContext } from '../../../seams/behaviour.js';
import { EngineRefusal } from '../engine-refusal.js';
import { cutPage } from '../page.js';
import { readSize } from '../query-rows.js';
import { createRow, deleteRow, findRow, listRows, rowNotFound, writeRow } from '../rows.js';
import { readFilterArgument } from './filter-argument.js';
import type { RootField } from './root-fields.js';

type Context = Pick<BehaviourContext, 'collection'>;
type Arguments = Readonly<Record<string, unknown>>;

/** What a root field gives before fields are selected from it: a page, a row, or nothing. @throws EngineRefusal */
export async function resolveField(
  context: Context,
  { action, entity }: RootField,
  args: Arguments,
): Promise<Readonly<Record<string, unknown>> | null> {
  switch (action) {
    case 'find':
      return (await findRow(context, entity, keyOf(entity.key, args))) ?? null;
    case 'create':
      return createRow(context, entity, itemOf(args));
    case 'update': {
      const change = { value: keyOf(entity.key, args), fields: itemOf(args), how: 'merge', mayCreate: false } as const;
      return (await writeRow(context, entity, change)).row;
    }
    case 'delete':
      return removeRow(context, entity, keyOf(entity.key, args));
    default:
      return resolveList(context, entity, args);
  }
}

/** What is told of a row that is deleted is what it was. */
async function removeRow(context: Context, entity: RootField['entity'], value: string): Promise<Row> {
  const row = await findRow(context, entity, value);
  if (row === undefined) throw rowNotFound(entity, value);
  await deleteRow(context, entity, value);
  return row;
}

async function resolveList(
  context: Context,
  entity: RootField['entity'],
  { first, after, filter, orderBy }: Arguments,
): Promise<Readonly<Record<string, unknown>>> {
  const order = isRecord(orderBy)
    ? Object.entries(orderBy).map(([field, direction]) => ({ field, descending: direction === 'DESC' }))
    : [];
  const test = filter === undefined || filter === null ? () => true : readFilterArgument(filter);
  const size = readSize(readFirst(first));
  const page = cutPage(await listRows(context, entity), {
    entity,
    test,
    order,
    size,
    after: typeof after === 'string' ? after : undefined,
  });
  if (page === undefined) throw new EngineRefusal(400, 'The argument after is no cursor of this list.');
  return { items: page.rows, hasNextPage: page.next !== undefined, endCursor: page.next ?? null };
}

function readFirst(first: unknown): number | undefined {
  if (first === undefined || first === null) return undefined;
  if (typeof first === 'number' && Number.isInteger(first)) return first;
  throw new EngineRefusal(400, 'The argument first must be an integer.');
}

function keyOf(key: string, args: Arguments): string {
  const value = args[key];
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new EngineRefusal(400, `The argument ${key} must be a text or a number.`);
}

function itemOf({ item }: Arguments): Row {
  if (isRecord(item)) return item as Row;
  throw new EngineRefusal(400, 'The argument item must be an object.');
}
