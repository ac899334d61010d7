import type { Entity as EntityConfig } from '../../../generated/engine/types.js';
import { type Column, guessColumn } from '../columns/column.js';
import type { Table } from '../database/table.js';
import type { ConfigReader } from './config-reader.js';
import { DEFAULT_KEY, type Entity } from './entity.js';

interface ColumnPlace {
  readonly reader: ConfigReader;
  readonly pointer: string;
  /** The table of the entity, if a schema of the database has it. */
  readonly table: Table | undefined;
  /** Names that callers see, by name in the database. */
  readonly mappings: ReadonlyMap<string, string>;
  /** Fields that permissions and relationships name, by the names that callers see. */
  readonly named: readonly string[];
}

/** Reads the names that callers see: `mappings`, and the aliases of `fields`. */
export function readMappings({ mappings = {}, fields = [] }: EntityConfig): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(mappings),
    ...fields.flatMap(({ name, alias }) => (alias == null || alias === '' ? [] : [[name, alias] as const])),
  ]);
}

/**
 * Reads the columns of an entity: from its table, else from its list `fields`. Without both, the names that the
 * configuration has are known, but there may be others.
 *
 * @throws InputError for a field that the table does not have
 */
export function readColumns(
  config: EntityConfig,
  place: ColumnPlace,
): Pick<Entity, 'keys' | 'columns' | 'isDeclared' | 'unique'> {
  const { table, mappings, named } = place;
  const exposed = (name: string): string => mappings.get(name) ?? name;
  const { fields = [] } = config;
  if (table !== undefined) checkNames(config, place, table);
  const described = fields.map(({ name, description }): Column => {
    const known = table?.columns.get(name) ?? guessColumn(name, []);
    return { ...known, name: exposed(name), ...(description == null ? {} : { description }) };
  });
  const own = [...(table?.columns.values() ?? [])].map((column) => ({ ...column, name: exposed(column.name) }));
  const keys = readKeys(config, place).map(exposed);
  const guessed = [...keys, ...mappings.values(), ...(table === undefined ? named : [])];
  const columns = new Map<string, Column>(guessed.map((name) => [name, guessColumn(name, [])]));
  for (const column of [...own, ...described]) columns.set(column.name, column);
  return {
    keys,
    columns: inOrder(
      columns,
      [...own, ...described].map(({ name }) => name),
    ),
    isDeclared: table !== undefined || fields.length > 0,
    unique: (table?.unique ?? []).map((set) => set.map(exposed)),
  };
}

function inOrder(columns: ReadonlyMap<string, Column>, first: readonly string[]): ReadonlyMap<string, Column> {
  const names = new Set([...first, ...columns.keys()]);
  return new Map([...names].flatMap((name) => [[name, columns.get(name) ?? guessColumn(name, [])] as const]));
}

/** The primary key: of `fields`, of `key-fields`, of the table, else `id`, else the first field. */
function readKeys({ source, fields = [] }: EntityConfig, { reader, pointer, table }: ColumnPlace): readonly string[] {
  const marked = fields.filter((_field, index) => reader.flag(`${pointer}/fields/${index}/primary-key`));
  if (marked.length > 0) return marked.map(({ name }) => name);
  const given = typeof source === 'string' ? [] : (source['key-fields'] ?? []);
  if (given.length > 0) return given;
  if (table !== undefined && table.keys.length > 0) return table.keys;
  if (typeof source !== 'string' && source.type === 'view' && table === undefined)
    throw reader.problem(
      `${pointer}/source`,
      'A view needs key-fields, because the database has no primary key for it.',
    );
  const names = table === undefined ? fields.map(({ name }) => name) : [...table.columns.keys()];
  const [first] = names;
  return [first === undefined || names.includes(DEFAULT_KEY) ? DEFAULT_KEY : first];
}

function checkNames(config: EntityConfig, { reader, pointer }: ColumnPlace, table: Table): void {
  const { source, fields = [], mappings = {} } = config;
  const keys = typeof source === 'string' ? [] : (source['key-fields'] ?? []);
  const names: readonly (readonly [name: string, at: string])[] = [
    ...fields.map(({ name }, index) => [name, `${pointer}/fields/${index}/name`] as const),
    ...Object.keys(mappings).map((name) => [name, `${pointer}/mappings/${name}`] as const),
    ...keys.map((name, index) => [name, `${pointer}/source/key-fields/${index}`] as const),
  ];
  const wrong = names.find(([name]) => !table.columns.has(name));
  if (wrong === undefined) return;
  throw reader.problem(wrong[1], `The table ${table.name} of the schema has no column ${wrong[0]}.`);
}
