import type { HandlerContext } from 'specmill/mock';

import { POLICIES, TABLES, type TableRecord, isExpired } from './table-record.js';

interface Expiry {
  readonly key: string;
}

/** Plans the deletion of a table for when it expires; one that does not expire is deleted never. */
export async function planExpiry(
  { clock }: Pick<HandlerContext, 'clock'>,
  key: string,
  table: TableRecord | undefined,
): Promise<void> {
  const id = `expire-table ${key}`;
  const time = table?.expirationTime;
  if (time === undefined) await clock.cancel(id);
  else await clock.schedule({ id, name: 'expire-table', dueAt: Number(time), payload: { key } });
}

/** Deletes an expired table, with its policy. */
export async function expireTable(context: HandlerContext, { key }: Expiry): Promise<void> {
  const now = context.clock.now();
  const left = await context
    .collection<TableRecord>(TABLES)
    .update(key, (table) => (table === undefined || isExpired(table, now) ? undefined : table));
  if (left === undefined) await context.collection(POLICIES).delete(key);
}
