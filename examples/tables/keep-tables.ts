/**
 * Creates tables, lists them page by page and changes one without losing what others have written, with the generated
 * client against a mock in this very process.
 *
 *     npm run build && npx jiti examples/tables/keep-tables.ts
 */
import { createTablesClient, isTablesError } from '../../generated/tables/client.js';
import { isTableExpired } from '../../generated/tables/helpers.js';
import { startMock } from 'specmill/mock';

const mock = await startMock('tables');
const client = createTablesClient({ baseUrl: mock.url, fetch: mock.fetch, credentials: { OAuth2: 'my-token' } });
const dataset = { projectId: 'acme-analytics', datasetId: 'bookshop' };

for (const tableId of ['books', 'orders', 'returns']) {
  await client.insertTable({
    path: dataset,
    body: {
      tableReference: { ...dataset, tableId },
      schema: { fields: [{ name: 'id', type: 'INTEGER', mode: 'REQUIRED' }] },
    },
  });
}

// The client asks for page after page, here of two tables each.
const names: string[] = [];
for await (const { tableReference } of client.listTablesItems({ path: dataset }, { pageSize: 2 })) {
  names.push(tableReference.tableId);
}
console.log(`tables: ${names.join(', ')}`);

// An update replaces the whole table. So it is read, changed and written, on the condition that no other client wrote
// between: here one does, and the change is made again on the new version.
const orders = { ...dataset, tableId: 'orders' };
let tries = 0;
const { data: updated } = await client.updateTableWith({ path: orders }, async (table) => {
  tries += 1;
  if (tries === 1) await client.patchTable({ path: orders, body: { labels: { team: 'sales' } } });
  table.description = 'What customers have ordered';
});
console.log(`updated in ${tries} tries: ${updated.description}, ${JSON.stringify(updated.labels)}`);

// The raw call fails with a typed failure where the etag is not the one that is stored.
try {
  await client.updateTable({ path: orders, headers: { 'If-Match': '"an-old-one"' }, body: { tableReference: orders } });
} catch (error) {
  if (!isTablesError(error, 'updateTable') || error.status !== 412) throw error;
  console.log(`refused: ${error.status}`);
}

// int64 values are strings, also moments in milliseconds.
const { now } = await mock.clock.get();
const expirationTime = String(Date.parse(now) + 3_600_000);
const { data: brief } = await client.patchTable({ path: orders, body: { expirationTime } });
const inTwoHours = new Date(Date.parse(now) + 2 * 3_600_000);
console.log(`expired: now ${isTableExpired(brief, new Date(now))}, in two hours ${isTableExpired(brief, inTwoHours)}`);
await mock.close();
