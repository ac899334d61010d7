import {
  type DefinedMock,
  defineMock,
  type HttpError,
  isRecord,
  makeEtag,
  type Middleware,
  omitMembers,
  type ResourceHooks,
  type ResourceRefusal,
  withoutUndefined,
} from 'specmill/mock';

import type { TablesOperations } from '../../generated/tables/types.js';
import { getTableIamPolicy, setTableIamPolicy, testTableIamPermissions } from './access.js';
import {
  expireTable,
  POLICIES,
  isExpired,
  planExpiry,
  refuse,
  type TablePlace,
  type TableRecord,
  toName,
} from './table-record.js';
import { checkTable } from './rules.js';
import { applyFieldDefaults, completeTable, keepTags, newTable } from './shape-table.js';
import { showListItem, showTable } from './show-table.js';

/** The rules of tables beyond storing them; see the lifecycle in the spec. */
const TABLE_HOOKS: ResourceHooks<TableRecord> = {
  isPresent: (table, { clock }) => !isExpired(table, clock.now()),
  beforeWrite: ({ kind, item, before, call }) => {
    const { selfLink: _, ...written }: TableRecord & { readonly selfLink?: string } = item;
    const next =
      kind === 'create' ? newTable(written, call) : kind === 'patch' ? keepColumns(written, before) : written;
    const table = completeTable(applyFieldDefaults(next, before));
    checkTable(call, table, before);
    return table;
  },
  afterWrite: async ({ kind, item, call }) => {
    await planExpiry(call, item, kind === 'delete' ? undefined : item.expirationTime);
    if (kind === 'create' || kind === 'delete') await call.collection(POLICIES).delete(toName(item.tableReference));
  },
  examples: ['read'],
  hasDefaults: false,
  show: showTable,
  refuse: refuseTable,
  page: {
    maxSize: 1_000,
    order: [{ path: 'tableReference.tableId' }],
    showItem: showListItem,
    show: ({ kind, ...page }) => {
      const list = omitMembers(page, (name) => name === 'tables' && page['totalItems'] === 0);
      return { kind, etag: makeEtag(list), ...list };
    },
  },
};

/** A patch changes the columns that it names; a schema of null leaves them all. */
function keepColumns(table: TableRecord, stored: TableRecord | undefined): TableRecord {
  const { schema = stored?.schema } = table;
  return keepTags({ ...table, ...withoutUndefined({ schema }) }, stored);
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'invalid',
  401: 'required',
  403: 'forbidden',
  404: 'notFound',
};

/** Gives each refusal the list of errors, without which the official program cannot read it. */
const listErrors: Middleware = async (_call, next) => {
  const response = await next();
  const { body, status } = response;
  if (!response.refusal || body?.kind !== 'json' || !isRecord(body.value)) return response;
  const { error } = body.value;
  if (!isRecord(error) || error['errors'] !== undefined) return response;
  const errors = [{ domain: 'global', reason: REASONS[status] ?? 'invalid', message: error['message'] }];
  return { ...response, body: { ...body, value: { ...body.value, error: { ...error, errors } } } };
};

const REFUSALS: Readonly<Record<ResourceRefusal['reason'], (table: string) => HttpError>> = {
  unknown: (table) => refuse(`Not found: Table ${table}`, { status: 404, reason: 'notFound' }),
  taken: (table) => refuse(`Already Exists: Table ${table}`, { status: 409, reason: 'duplicate' }),
  changed: () =>
    refuse('Precondition check failed.', {
      ...{ status: 412, reason: 'conditionNotMet', location: 'If-Match', locationType: 'header' },
    }),
  page: () =>
    refuse('Invalid page token.', {
      ...{ status: 400, reason: 'invalid', location: 'pageToken', locationType: 'parameter' },
      violations: [{ in: 'query', pointer: '/pageToken', message: 'must be a token that a list of this dataset gave' }],
    }),
};

function refuseTable({ reason, id = '', call: { input } }: ResourceRefusal): HttpError {
  // The path of every call contains the project and the dataset.
  return REFUSALS[reason](toName({ ...input.path, tableId: id } as TablePlace));
}

/** The tables of a data warehouse (document 3, area B). Starts with the tables that the spec shows. */
export const mock: DefinedMock = defineMock<TablesOperations>('tables', {
  resources: { Table: TABLE_HOOKS },
  middleware: listErrors,
  items: { [POLICIES]: { $ref: '#/$defs/Policy' } },
  operations: { getTableIamPolicy, setTableIamPolicy, testTableIamPermissions },
  jobs: { 'expire-table': expireTable },
});
