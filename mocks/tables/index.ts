import { type DefinedMock, defineMock } from 'specmill/mock';

import type { TablesOperations } from '../../generated/tables/types.js';
import { getTableIamPolicy, setTableIamPolicy, testTableIamPermissions } from './access.js';
import { expireTable, POLICIES } from './table-record.js';
import { TABLE_HOOKS } from './table-resource.js';

/** The tables of a data warehouse (document 3, area B). Starts with the tables that the spec shows. */
export const mock: DefinedMock = defineMock<TablesOperations>('tables', {
  resources: { Table: TABLE_HOOKS },
  items: { [POLICIES]: { $ref: '#/$defs/Policy' } },
  operations: { getTableIamPolicy, setTableIamPolicy, testTableIamPermissions },
  jobs: { 'expire-table': expireTable },
});
