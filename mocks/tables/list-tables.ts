import { cutPage, type Handler, type HttpError, makeEtag } from 'specmill/mock';

import type { TablesOperations } from '../../generated/tables/types.js';
import { showListItem } from './show-table.js';
import { isExpired, refuse, type TableRecord, TABLES } from './table-record.js';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1_000;

/** The tables of a dataset in the order of their ids, a page at a time. */
export const listTables: Handler<TablesOperations['listTables']> = async (call) => {
  const { projectId, datasetId } = call.input.path;
  const { maxResults = DEFAULT_PAGE_SIZE, pageToken } = call.input.query ?? {};
  const now = call.clock.now();
  const { items } = await call.collection<TableRecord>(TABLES).query({
    where: [
      { path: 'tableReference.datasetId', test: 'equals', value: datasetId },
      { path: 'tableReference.projectId', test: 'equals', value: projectId },
    ],
    order: [{ path: 'tableReference.tableId' }],
  });
  const tables = items.map(({ value }) => value).filter((table) => !isExpired(table, now));
  const page = cutPage(tables, {
    size: Math.min(maxResults, MAX_PAGE_SIZE),
    list: `${projectId}/${datasetId}`,
    keyOf: ({ tableReference }) => tableReference.tableId,
    token: pageToken,
  });
  if (page === undefined || pageToken === '') throw badToken();
  const list = {
    ...(page.nextToken === undefined ? {} : { nextPageToken: page.nextToken }),
    totalItems: tables.length,
    ...(page.items.length === 0 ? {} : { tables: page.items.map(showListItem) }),
  };
  return call.respond(200, { kind: 'tables#tableList', etag: makeEtag(list), ...list });
};

function badToken(): HttpError {
  return refuse('Invalid page token.', {
    ...{ status: 400, reason: 'invalid', location: 'pageToken', locationType: 'parameter' },
    violations: [{ in: 'query', pointer: '/pageToken', message: 'must be a token that a list of this dataset gave' }],
  });
}
