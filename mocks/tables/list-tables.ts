import type { Handler } from 'specmill/mock';

import type { TablesOperations } from '../../generated/tables/types.js';
import { hashEtag } from './etags.js';
import { showListItem } from './show-table.js';
import { TABLES, type TableRecord, isExpired } from './table-record.js';
import { refuse } from './table-refusal.js';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1_000;

interface Dataset {
  readonly projectId: string;
  readonly datasetId: string;
}

/** The tables of a dataset in the order of their ids, a page at a time. */
export const listTables: Handler<TablesOperations['listTables']> = async (call) => {
  const { projectId, datasetId } = call.input.path;
  const { maxResults = DEFAULT_PAGE_SIZE, pageToken } = call.input.query ?? {};
  const after = pageToken === undefined ? '' : readToken(pageToken, call.input.path);
  const now = call.clock.now();
  const { items } = await call.collection<TableRecord>(TABLES).query({
    where: [
      { path: 'tableReference.datasetId', test: 'equals', value: datasetId },
      { path: 'tableReference.projectId', test: 'equals', value: projectId },
    ],
    order: [{ path: 'tableReference.tableId' }],
  });
  const all = items.map(({ value }) => value).filter((table) => !isExpired(table, now));
  const rest = all.filter(({ tableReference }) => tableReference.tableId > after);
  const page = rest.slice(0, Math.min(maxResults, MAX_PAGE_SIZE));
  const last = page.at(-1);
  const list = {
    ...(last !== undefined && page.length < rest.length
      ? { nextPageToken: writeToken(call.input.path, last.tableReference.tableId) }
      : {}),
    totalItems: all.length,
    ...(page.length === 0 ? {} : { tables: page.map(showListItem) }),
  };
  return call.respond(200, { kind: 'tables#tableList', etag: hashEtag(list), ...list });
};

function writeToken({ projectId, datasetId }: Dataset, tableId: string): string {
  return Buffer.from(JSON.stringify([projectId, datasetId, tableId])).toString('base64');
}

/** @throws HttpError for a token that a list of this dataset did not give. */
function readToken(token: string, dataset: Dataset): string {
  const tableId = parseToken(token);
  if (tableId !== undefined && writeToken(dataset, tableId) === token) return tableId;
  const message = 'Invalid page token.';
  throw refuse(message, {
    ...{ status: 400, reason: 'invalid', location: 'pageToken', locationType: 'parameter' },
    violations: [{ in: 'query', pointer: '/pageToken', message: 'must be a token that a list of this dataset gave' }],
  });
}

function parseToken(token: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64').toString());
    const tableId: unknown = Array.isArray(parsed) ? parsed[2] : undefined;
    return typeof tableId === 'string' ? tableId : undefined;
  } catch {
    return undefined;
  }
}
