import type { FieldValue } from '../../../generated/engine/types.js';
import type { Columns } from '../columns/column.js';
import type { Condition } from '../conditions/condition.js';

export type EntityAction = 'create' | 'read' | 'update' | 'delete' | 'execute';

export interface Access {
  readonly reaches: (field: string) => boolean;
  /** The claims that its policies need; a caller without one of them is refused. */
  readonly claims: readonly string[];
  /** Condition on rows, by the claims of the caller. */
  readonly rowPolicy?: Condition;
  /** Condition on the caller only. */
  readonly requestPolicy?: Condition;
}

export type Claims = Readonly<Record<string, unknown>>;

export type Permissions = ReadonlyMap<string, ReadonlyMap<EntityAction, Access>>;

/** A relationship, in the names that callers see. */
export interface Relationship {
  readonly name: string;
  readonly isMany: boolean;
  readonly target: string;
  readonly sourceFields: readonly string[];
  readonly targetFields: readonly string[];
  /** The entity between the two, and its fields that point to them. */
  readonly linking?: {
    readonly entity: Entity;
    readonly sourceFields: readonly string[];
    readonly targetFields: readonly string[];
  };
}

/** A parameter of a stored procedure. */
export interface Parameter {
  readonly required: boolean;
  readonly default?: FieldValue;
  readonly description?: string;
}

/** Rows that the engine offers under a name. All field names are those that callers see. */
export interface Entity {
  readonly name: string;
  readonly kind: 'table' | 'view' | 'stored-procedure';
  readonly description?: string;
  /** Name of the object in the database. */
  readonly object: string;
  readonly keys: readonly string[];
  /** The columns that the configuration or the schema of the database names. */
  readonly columns: Columns;
  /** Whether these are all columns, so that rows have no others. */
  readonly isDeclared: boolean;
  /** Sets of columns whose values together occur only once, besides the key. */
  readonly unique: readonly (readonly string[])[];
  /** Names that callers see, by name in the database. */
  readonly mappings: ReadonlyMap<string, string>;
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** Path below the path of REST; absent if REST does not offer the entity. */
  readonly restPath?: string;
  /** Methods in lower case with which a stored procedure is called. */
  readonly methods: readonly string[];
  /** Absent if GraphQL does not offer it. */
  readonly graphql?: { readonly singular: string; readonly plural: string; readonly operation: 'query' | 'mutation' };
  readonly hasDmlTools: boolean;
  readonly hasCustomTool: boolean;
  readonly aggregates: boolean;
  /** Absent: every role may do everything. */
  readonly permissions?: Permissions;
  readonly relationships: readonly Relationship[];
  /** In seconds; absent if reads are not cached. */
  readonly cacheSeconds?: number;
  /** In milliseconds; absent if it is not checked. */
  readonly healthThreshold?: number;
  /** Whether it is only a table between two entities, which callers cannot name. */
  readonly isLink: boolean;
}

/** The name of the key if none is configured. */
export const DEFAULT_KEY = 'id';

/** Maximum duration of a healthy check of an entity that no file describes, in milliseconds. */
export const DEFAULT_THRESHOLD = 1_000;

type Known = Partial<Pick<Entity, 'columns' | 'isDeclared' | 'unique' | 'object' | 'cacheSeconds' | 'aggregates'>>;

/** An entity that no configuration describes: everything is offered to everyone. */
export function describeUnconfigured(name: string, keys: readonly string[], known: Known = {}): Entity {
  return {
    ...{ name, kind: 'table', object: name, keys, columns: new Map(), isDeclared: false, unique: [], isLink: false },
    ...{ mappings: new Map(), parameters: new Map(), restPath: name, methods: [], graphql: graphqlNames(name) },
    ...{ hasDmlTools: true, hasCustomTool: false, aggregates: true, relationships: [] },
    ...{ healthThreshold: DEFAULT_THRESHOLD, ...known },
  };
}

/** A table that links two entities, known only from a relationship. */
export function describeLink(object: string, keys: readonly string[]): Entity {
  const {
    restPath: _path,
    graphql: _names,
    healthThreshold: _threshold,
    ...hidden
  } = describeUnconfigured(object, keys);
  return { ...hidden, isLink: true, hasDmlTools: false };
}

export function graphqlNames(singular: string, plural: string = toPlural(singular)): NonNullable<Entity['graphql']> {
  return { singular, plural, operation: 'mutation' };
}

/** The plural of a name. One such as `tasks` is a plural already. */
function toPlural(name: string): string {
  if (/[^sui]s$/i.test(name)) return name;
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`;
}
