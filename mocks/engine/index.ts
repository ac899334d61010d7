import { type DefinedMock, defineMock, type HandlerContext, isRecord } from 'specmill/mock';

import type { EngineOperations, Row } from '../../generated/engine/types.js';
import { checkRole } from './access.js';
import { getHealth } from './health.js';
import { callMcp } from './mcp/call-mcp.js';
import { addRow, getRow, listRows, removeRow, replaceRow, updateRow } from './rest.js';
import { openEntity, ROWS, writeRow } from './rows.js';

/** The endpoints of a data API engine (document 3, area A), over rows that nobody configured. */
export const mock: DefinedMock = defineMock<EngineOperations>('engine', {
  seed: seedRows,
  indexes: [{ collection: ROWS, path: 'entity' }],
  middleware: checkRole,
  operations: {
    listRows,
    createRow: addRow,
    getRow,
    replaceRow,
    updateRow,
    deleteRow: removeRow,
    // Loaded late: most tests of an engine never send a document.
    executeGraphql: async (call) => (await import('./graphql/execute-graphql.js')).executeGraphql(call),
    callMcp,
    getHealth,
  },
});

/** Starts with the books that the spec shows. */
async function seedRows(context: HandlerContext): Promise<void> {
  const shown = context.api.operations
    .find(({ id }) => id === 'listRows')
    ?.responses.find(({ status }) => status === '200');
  const pages = shown?.content.flatMap(({ examples }) => examples.map(({ value }) => value)) ?? [];
  const book = await openEntity(context, 'Book');
  for (const page of pages) {
    for (const row of isRecord(page) && Array.isArray(page['value']) ? page['value'] : []) {
      if (isRow(row))
        await writeRow(context, book, { value: String(row.id), fields: row, how: 'merge', mayCreate: true });
    }
  }
}

function isRow(value: unknown): value is Row & { readonly id: number } {
  return isRecord(value) && typeof value['id'] === 'number';
}
