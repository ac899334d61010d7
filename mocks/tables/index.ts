import { type DefinedMock, defineMock, type HandlerContext, isRecord, matchesEtag } from 'specmill/mock';

import type { Table, TablesOperations } from '../../generated/tables/types.js';
import { getTableIamPolicy, setTableIamPolicy, testTableIamPermissions } from './access.js';
import { listTables } from './list-tables.js';
import { showTable } from './show-table.js';
import {
  etagHeader,
  expireTable,
  findTable,
  planExpiry,
  POLICIES,
  TABLE_SCHEMA,
  tableNotFound,
  type TableRecord,
  TABLES,
  toKey,
} from './table-record.js';
import { deleteTable, insertTable, patchTable, updateTable } from './write-tables.js';

/** The tables of a data warehouse (document 3, area B). Starts with the tables that the spec shows. */
export const mock: DefinedMock = defineMock<TablesOperations>('tables', {
  seed: seedTables,
  indexes: [{ collection: TABLES, path: 'tableReference.datasetId' }],
  items: { [TABLES]: TABLE_SCHEMA, [POLICIES]: { $ref: '#/$defs/Policy' } },
  operations: {
    listTables,
    insertTable,
    getTable: async (call) => {
      const table = await findTable(call, call.input.path);
      if (table === undefined) throw tableNotFound(call.input.path);
      if (matchesEtag(call.request, 'if-none-match', table.etag) === true)
        return call.respond(304, undefined, etagHeader(table));
      return call.respond(200, showTable(table, call, call.input.query), etagHeader(table));
    },
    patchTable,
    updateTable,
    deleteTable,
    getTableIamPolicy,
    setTableIamPolicy,
    testTableIamPermissions,
  },
  jobs: { 'expire-table': expireTable },
});

async function seedTables(context: HandlerContext): Promise<void> {
  const shown = context.api.operations
    .find(({ id }) => id === 'getTable')
    ?.responses.find(({ status }) => status === '200');
  for (const { value } of shown?.content.flatMap(({ examples }) => examples) ?? []) {
    if (!isTable(value)) continue;
    const { selfLink: _, ...table } = value;
    const key = toKey(table.tableReference);
    await context.collection<TableRecord>(TABLES).put(key, table);
    await planExpiry(context, key, table);
  }
}

/** The examples of the spec are valid: a test of the specs checks them against their schemas. */
function isTable(value: unknown): value is Table & { readonly etag: string } {
  return isRecord(value) && isRecord(value['tableReference']) && typeof value['etag'] === 'string';
}
