import { type HandlerContext, type HttpError, splitPointer, type Violation } from 'specmill/mock';

import type { TableFieldSchema } from '../../generated/tables/types.js';
import { refuse, type TableRecord } from './table-record.js';

interface Facts {
  readonly table: TableRecord;
  readonly stored: TableRecord | undefined;
}

interface Broken {
  /** JSON pointer into the table. */
  readonly pointer: string;
  readonly message: string;
}

/** A rule that depends on more than one member, or that no schema can express. */
interface Rule {
  /** The sentence of the seed document, or else the decision of the spec (`x-assumption`). */
  readonly sentence: string;
  readonly find: (facts: Facts) => Broken | undefined;
}

const UNCLUSTERED: ReadonlySet<string> = new Set(['RECORD', 'STRUCT', 'RANGE', 'JSON', 'GEOGRAPHY']);
const KIBIBYTE = 1_024;

function findColumn({ schema }: TableRecord, name: string): TableFieldSchema | undefined {
  return schema?.fields?.find((field) => field.name === name);
}

function isColumn(table: TableRecord, name: string, types: readonly string[]): boolean {
  const column = findColumn(table, name);
  return column !== undefined && types.includes(column.type) && column.mode !== 'REPEATED';
}

function bytesOf(parameters: Readonly<Record<string, string>> = {}): number {
  return Object.entries(parameters).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
}

/** Whether a name is in the runtime's time zone database, which is that of IANA. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Checked in this order, for the table that would result from an insert, a patch or an update. */
const RULES: readonly Rule[] = [
  {
    sentence: 'TimePartitioning.field: top-level TIMESTAMP or DATE, NULLABLE or REQUIRED.',
    find: ({ table }) => {
      const field = table.timePartitioning?.field;
      if (field === undefined || isColumn(table, field, ['TIMESTAMP', 'DATE'])) return undefined;
      const message = `The field specified for partitioning, ${field}, is not a top-level TIMESTAMP or DATE column.`;
      return { pointer: '/timePartitioning/field', message };
    },
  },
  {
    sentence: 'RangePartitioning.field: required, top-level INT64, NULLABLE or REQUIRED.',
    find: ({ table }) => {
      const field = table.rangePartitioning?.field;
      if (field === undefined || isColumn(table, field, ['INTEGER', 'INT64'])) return undefined;
      const message = `The field specified for partitioning, ${field}, is not a top-level INTEGER column.`;
      return { pointer: '/rangePartitioning/field', message };
    },
  },
  {
    sentence: 'Clustering.fields: top-level non-repeated simple types.',
    find: ({ table }) => {
      const fields = table.clustering?.fields ?? [];
      const index = fields.findIndex((name) => {
        const column = findColumn(table, name);
        return column === undefined || column.mode === 'REPEATED' || UNCLUSTERED.has(column.type);
      });
      if (index === -1) return undefined;
      const message = `The field specified for clustering, ${fields[index]}, is not a top-level column of a simple type that is not repeated.`;
      return { pointer: `/clustering/fields/${index}`, message };
    },
  },
  {
    sentence: 'MaterializedViewDefinition: allowNonIncrementalDefinition cannot change after creation.',
    find: ({ table, stored }) => {
      if (stored?.materializedView === undefined || table.materializedView === undefined) return undefined;
      const before = stored.materializedView.allowNonIncrementalDefinition ?? false;
      if ((table.materializedView.allowNonIncrementalDefinition ?? false) === before) return undefined;
      return {
        pointer: '/materializedView/allowNonIncrementalDefinition',
        message: 'allowNonIncrementalDefinition cannot change after the materialized view was created.',
      };
    },
  },
  {
    sentence: 'ExternalDataConfiguration: timeZone (IANA name).',
    find: ({ table }) => {
      const name = table.externalDataConfiguration?.timeZone;
      if (name === undefined || isTimeZone(name)) return undefined;
      return { pointer: '/externalDataConfiguration/timeZone', message: `There is no time zone ${name}.` };
    },
  },
  {
    sentence: 'ExternalCatalogTableOptions: parameters (map, at most 4 MiB).',
    find: ({ table }) => {
      if (bytesOf(table.externalCatalogTableOptions?.parameters) <= 4 * KIBIBYTE * KIBIBYTE) return undefined;
      return {
        pointer: '/externalCatalogTableOptions/parameters',
        message: 'The parameters have more than 4 MiB in all.',
      };
    },
  },
  {
    sentence: 'storageDescriptor: locationUri at most 2056 bytes.',
    find: ({ table }) => {
      const uri = table.externalCatalogTableOptions?.storageDescriptor?.locationUri ?? '';
      if (Buffer.byteLength(uri) <= 2_056) return undefined;
      return {
        pointer: '/externalCatalogTableOptions/storageDescriptor/locationUri',
        message: 'The location has more than 2056 bytes.',
      };
    },
  },
  {
    sentence: 'serdeInfo: parameters at most 10 KiB.',
    find: ({ table }) => {
      const parameters = table.externalCatalogTableOptions?.storageDescriptor?.serdeInfo?.parameters;
      if (bytesOf(parameters) <= 10 * KIBIBYTE) return undefined;
      const pointer = '/externalCatalogTableOptions/storageDescriptor/serdeInfo/parameters';
      return { pointer, message: 'The parameters have more than 10 KiB in all.' };
    },
  },
];

/**
 * Checks the table that would result.
 *
 * @throws HttpError 400 for a rule of the spec that it violates.
 */
export function checkTable(
  context: Pick<HandlerContext, 'schema'>,
  table: TableRecord,
  stored: TableRecord | undefined,
): void {
  // The request was validated when it arrived, but its merge with the stored table was not.
  const errors = stored === undefined ? [] : context.schema('Table').validate(table);
  const [first] = errors;
  if (first !== undefined) throw invalid(`Invalid value at ${toLocation(first.pointer)}: ${first.message}`, errors);
  for (const { find } of RULES) {
    const broken = find({ table, stored });
    if (broken !== undefined) throw invalid(broken.message, [broken]);
  }
}

function invalid(message: string, broken: readonly Broken[]): HttpError {
  const location = toLocation(broken[0]?.pointer ?? '');
  const violations = broken.map((one): Violation => ({ in: 'body', pointer: one.pointer, message: one.message }));
  return refuse(message, { status: 400, reason: 'invalid', location, violations });
}

/** `/schema/fields/2/scale` -> `schema.fields[2].scale`. */
function toLocation(pointer: string): string {
  return splitPointer(pointer).reduce(
    (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : `${path}${path === '' ? '' : '.'}${part}`),
    '',
  );
}
