import { InputError, isRecord } from 'specmill/mock';

import type { Column, ColumnDefault } from '../columns/column.js';
import { findTableStatements, type SqlStatement } from './sql-statements.js';
import { readSqlType } from './sql-types.js';
import type { ForeignKey, Table } from './table.js';

type Node = Readonly<Record<string, unknown>>;

/** Dialects of the parser, the most likely first for each type of database. */
const DIALECTS: Readonly<Record<string, readonly string[]>> = {
  postgresql: ['postgresql', 'generic', 'mysql', 'mssql'],
  mysql: ['mysql', 'generic', 'postgresql', 'mssql'],
};
const OTHER_DIALECTS = ['mssql', 'postgresql', 'mysql', 'generic', 'sqlite'] as const;

interface SqlScript {
  readonly file: string;
  readonly text: string;
  /** `database-type` of the configuration. */
  readonly databaseType: string | undefined;
}

/** Reads the tables that a script creates. @throws InputError with line and column for one that cannot be read */
export async function readSqlTables({ file, text, databaseType }: SqlScript): Promise<readonly Table[]> {
  // Loaded on demand: most mocks have no script, and it takes a fifth of a second.
  const { init, parse } = await import('@guanmingchiu/sqlparser-ts');
  await init();
  const dialects = DIALECTS[databaseType ?? ''] ?? OTHER_DIALECTS;
  const tables = new Map<string, TableDraft>();
  for (const statement of findTableStatements(text)) {
    const nodes = parseStatement(statement, (sql) => parseByDialects(sql, dialects, parse), file);
    for (const node of nodes) addStatement(tables, node);
  }
  if (tables.size === 0) throw new InputError('The script creates no table.', { file });
  return [...tables.values()].map(toTable);
}

type Parse = (sql: string, dialect: never) => unknown;

function parseByDialects(sql: string, dialects: readonly string[], parse: Parse): unknown {
  let first: unknown;
  for (const dialect of dialects) {
    try {
      return parse(sql, dialect as never);
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

function parseStatement(
  { text, line, column }: SqlStatement,
  parse: (sql: string) => unknown,
  file: string,
): readonly Node[] {
  try {
    const parsed = parse(text);
    return Array.isArray(parsed) ? parsed.filter(isRecord) : [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, problem = message, atLine = '1', atColumn = '1'] =
      /^(?:sql parser error: )?([^\n]*?)(?: at Line: (\d+), Column: (\d+))?$/.exec(message) ?? [];
    const place = {
      line: line + Number(atLine) - 1,
      column: Number(atLine) === 1 ? column + Number(atColumn) - 1 : Number(atColumn),
    };
    throw new InputError(`The statement cannot be read: ${problem.slice(0, 200)}.`, { file, ...place });
  }
}

interface TableDraft {
  readonly name: string;
  readonly columns: Map<string, Column>;
  keys: readonly string[];
  readonly foreignKeys: ForeignKey[];
  readonly unique: (readonly string[])[];
}

function toTable(draft: TableDraft): Table {
  const required = [...draft.columns].map(
    ([name, column]) => [name, draft.keys.includes(name) ? { ...column, nullable: false } : column] as const,
  );
  return { ...draft, columns: new Map(required) };
}

function addStatement(tables: Map<string, TableDraft>, node: Node): void {
  if (isRecord(node['CreateTable'])) {
    const created = node['CreateTable'];
    const name = nameOf(created['name']);
    const draft: TableDraft = { name, columns: new Map(), keys: [], foreignKeys: [], unique: [] };
    for (const column of listOf(created['columns'])) addColumn(draft, column);
    for (const constraint of listOf(created['constraints'])) addConstraint(draft, constraint);
    tables.set(name.toLowerCase(), draft);
  }
  if (!isRecord(node['AlterTable'])) return;
  const changed = tables.get(nameOf(node['AlterTable']['name']).toLowerCase());
  if (changed === undefined) return;
  for (const operation of listOf(node['AlterTable']['operations'])) {
    const added = isRecord(operation['AddConstraint']) ? operation['AddConstraint']['constraint'] : undefined;
    if (isRecord(added)) addConstraint(changed, added);
    const column = isRecord(operation['AddColumn']) ? operation['AddColumn']['column_def'] : undefined;
    if (isRecord(column)) addColumn(changed, column);
  }
}

function addColumn(draft: TableDraft, node: Node): void {
  const name = identifier(node['name']);
  const type = readSqlType(node['data_type']);
  const options = listOf(node['options']).map(({ option }) => option);
  const nodes = options.filter(isRecord);
  const made = nodes.map((option) => option['Default']).find((one) => one !== undefined);
  for (const option of nodes) {
    if (isRecord(option['PrimaryKey'])) draft.keys = [name];
    if (isRecord(option['Unique'])) draft.unique.push([name]);
    if (isRecord(option['ForeignKey']))
      draft.foreignKeys.push({ ...toForeignKey(option['ForeignKey']), columns: [name] });
  }
  draft.columns.set(name, {
    ...{ name, nullable: !options.includes('NotNull'), ...type },
    ...(made === undefined ? {} : { default: readDefault(made) }),
    ...(nodes.some(isNumbering) ? { isGenerated: true } : {}),
  });
}

/** `IDENTITY(1,1)`, `GENERATED … AS IDENTITY` or `AUTO_INCREMENT`. */
function isNumbering(option: Node): boolean {
  if (option['Identity'] !== undefined) return true;
  const generated = option['Generated'];
  if (isRecord(generated)) return generated['generation_expr'] == null;
  return /auto_?increment/i.test(JSON.stringify(option['DialectSpecific'] ?? ''));
}

function addConstraint(draft: TableDraft, constraint: Node): void {
  if (isRecord(constraint['PrimaryKey'])) draft.keys = columnsOf(constraint['PrimaryKey']);
  if (isRecord(constraint['Unique'])) draft.unique.push(columnsOf(constraint['Unique']));
  if (isRecord(constraint['ForeignKey'])) draft.foreignKeys.push(toForeignKey(constraint['ForeignKey']));
}

function toForeignKey(node: Node): ForeignKey {
  return {
    columns: listOf(node['columns']).map(identifier),
    table: nameOf(node['foreign_table']),
    targets: listOf(node['referred_columns']).map(identifier),
  };
}

/** The columns of a key: `[{ column: { expr: { Identifier } } }]`. */
function columnsOf(node: Node): readonly string[] {
  return listOf(node['columns']).map(({ column }) => {
    const expression = isRecord(column) ? column['expr'] : undefined;
    return isRecord(expression) ? identifier(expression['Identifier']) : '';
  });
}

function nameOf(parts: unknown): string {
  return listOf(parts)
    .map((part) => identifier(part['Identifier']))
    .join('.');
}

function identifier(node: unknown): string {
  return isRecord(node) && typeof node['value'] === 'string' ? node['value'] : '';
}

function listOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

const NOW =
  /^(?:getdate|getutcdate|sysdatetime|sysutcdatetime|sysdatetimeoffset|now|current_timestamp|localtimestamp|current_date)$/i;
const NEW_UUID = /^(?:newid|newsequentialid|gen_random_uuid|uuid_generate_v4|uuid)$/i;

/** Reads the expression of a default; one that is no literal and no known function is left to the database. */
function readDefault(node: unknown): ColumnDefault {
  if (!isRecord(node)) return { make: 'unknown' };
  const inner = node['Nested'] ?? (isRecord(node['Cast']) ? node['Cast']['expr'] : undefined);
  if (inner !== undefined) return readDefault(inner);
  const call = isRecord(node['Function']) ? nameOf(node['Function']['name']) : identifier(node['Identifier']);
  if (NOW.test(call)) return { make: 'now' };
  if (NEW_UUID.test(call)) return { make: 'uuid' };
  const minus = node['UnaryOp'];
  if (isRecord(minus) && minus['op'] === 'Minus') {
    const positive = readDefault(minus['expr']);
    return 'value' in positive && typeof positive.value === 'number' ? { value: -positive.value } : { make: 'unknown' };
  }
  const value = isRecord(node['Value']) ? node['Value']['value'] : undefined;
  return value === undefined ? { make: 'unknown' } : readLiteral(value);
}

function readLiteral(value: unknown): ColumnDefault {
  if (value === 'Null' || (isRecord(value) && Object.hasOwn(value, 'Null'))) return { value: null };
  if (!isRecord(value)) return { make: 'unknown' };
  if (Array.isArray(value['Number'])) return { value: Number(value['Number'][0]) };
  if (typeof value['Boolean'] === 'boolean') return { value: value['Boolean'] };
  const [text] = Object.values(value);
  return typeof text === 'string' ? { value: text } : { make: 'unknown' };
}
