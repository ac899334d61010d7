/**
 * Checks a configuration file of the data API engine, and works with the rows that it would open, with the generated
 * validators and client against a mock in this very process.
 *
 *     npm run build && npx jiti examples/engine/check-configuration.ts
 */
import { readFile } from 'node:fs/promises';

import { createEngineClient, isEngineError } from '../../generated/engine/client.js';
import type { EngineConfiguration } from '../../generated/engine/types.js';
import { assertEngineConfiguration, validateEngineConfiguration } from '../../generated/engine/validators.js';
import { startMock } from 'specmill/mock';

// On the command line, with line and column: specmill validate engine examples/engine/bookshop.config.json
const draft: unknown = JSON.parse(await readFile(new URL('bookshop.config.json', import.meta.url), 'utf8'));
const result = validateEngineConfiguration(draft);
if (!result.ok) for (const { pointer, message } of result.errors) console.log(`draft: ${pointer} ${message}`);

// The same file, put right; the compiler knows every key.
const configuration = {
  'data-source': { 'database-type': 'mssql', 'connection-string': "@env('BOOKSHOP_DATABASE')" },
  runtime: { pagination: { 'default-page-size': 20 } },
  entities: {
    Book: { source: 'dbo.books', permissions: [{ role: 'anonymous', actions: ['*'] }] },
  },
} satisfies EngineConfiguration;
assertEngineConfiguration(configuration);
console.log('put right: a valid configuration');

const mock = await startMock('engine');
const client = createEngineClient({ baseUrl: mock.url, fetch: mock.fetch });
const { data: health } = await client.getHealth();
console.log(`health: ${health.status}`);

const book = { entity: 'Book', key: 'id', value: '7' } as const;
const created = await client.createRow({
  path: { entity: 'Book' },
  body: { id: 7, title: 'Tides of the estuary', year: 1999 },
});
console.log(`created: ${created.status} ${JSON.stringify(created.data.value)}`);

await client.updateRow({ path: book, body: { year: 2001 } });
const { data: read } = await client.getRow({ path: book });
console.log(`updated: ${JSON.stringify(read.value)}`);

await client.deleteRow({ path: book });
try {
  await client.getRow({ path: book });
} catch (error) {
  if (!isEngineError(error, 'getRow') || error.status !== 404) throw error;
  console.log(`deleted: ${error.status}`);
}
await mock.close();
