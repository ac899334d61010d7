import type { FieldValue, Row } from '../../../generated/engine/types.js';

export type EntityAction = 'create' | 'read' | 'update' | 'delete' | 'execute';

export interface Access {
  readonly reaches: (field: string) => boolean;
  /** Condition on rows, by the claims of the caller. */
  readonly rowPolicy?: (claims: Claims) => (row: Row) => boolean;
  /** Condition on the caller only. */
  readonly requestPolicy?: (claims: Claims) => boolean;
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
  readonly linking?: {
    readonly object: string;
    readonly sourceFields: readonly string[];
    readonly targetFields: readonly string[];
  };
}

/** Rows that the engine offers under a name. All field names are those that callers see. */
export interface Entity {
  readonly name: string;
  readonly kind: 'table' | 'view' | 'stored-procedure';
  readonly description?: string;
  /** Name of the object in the database. */
  readonly object: string;
  readonly keys: readonly string[];
  /** Further fields that the configuration names. */
  readonly fields: readonly string[];
  /** Names that callers see, by name in the database. */
  readonly mappings: ReadonlyMap<string, string>;
  readonly parameters: Readonly<Record<string, FieldValue>>;
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
  /** Whether its rows may have any field, because nothing describes them. */
  readonly isOpen: boolean;
}

/** The name of the key if none is configured. */
export const DEFAULT_KEY = 'id';

/** Maximum duration of a healthy check of an entity that no file describes, in milliseconds. */
const DEFAULT_THRESHOLD = 1_000;

export function describeUnconfigured(
  name: string,
  keys: readonly string[],
  { isOpen, cacheSeconds, aggregates }: Pick<Entity, 'isOpen' | 'aggregates'> & { readonly cacheSeconds?: number },
): Entity {
  return {
    ...{ name, kind: 'table', object: name, keys, fields: [], mappings: new Map(), parameters: {}, restPath: name },
    ...{ methods: [], graphql: graphqlNames(name), hasDmlTools: true, hasCustomTool: false, aggregates, isOpen },
    ...{ relationships: [], healthThreshold: DEFAULT_THRESHOLD },
    ...(cacheSeconds === undefined ? {} : { cacheSeconds }),
  };
}

export function graphqlNames(singular: string, plural: string = toPlural(singular)): NonNullable<Entity['graphql']> {
  return { singular, plural, operation: 'mutation' };
}

function toPlural(name: string): string {
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`;
}
