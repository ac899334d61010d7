import type { Entity as EntityConfig } from '../../../generated/engine/types.js';
import type { Tables } from '../database/table.js';
import { type ConfigReader, trimSlashes } from './config-reader.js';
import { DEFAULT_THRESHOLD, type Entity, graphqlNames, type Parameter } from './entity.js';
import { readColumns, readMappings } from './read-columns.js';
import { readPermissions } from './read-permissions.js';
import { readRelationship } from './read-relationships.js';

export interface EntityDefaults {
  /** Whether the database offers aggregations. */
  readonly aggregates: boolean;
  /** In seconds; absent if the cache is off. */
  readonly cacheSeconds?: number;
  /** Absent without a schema of the database. */
  readonly tables?: Tables;
}

interface EntityPlace {
  readonly reader: ConfigReader;
  /** Of its settings. */
  readonly pointer: string;
  /** Of its permissions. */
  readonly permissions: string;
}

/** Reads the definition of an entity. @throws InputError for problems that the schema cannot detect */
export function readEntity(name: string, config: EntityConfig, place: EntityPlace, defaults: EntityDefaults): Entity {
  const source = typeof config.source === 'string' ? { object: config.source } : config.source;
  const mappings = readMappings(config);
  const exposed = (field: string): string => mappings.get(field) ?? field;
  const { reader, pointer } = place;
  const permissions = readPermissions(config.permissions, { reader, pointer: place.permissions, exposed });
  const relationships = Object.entries(config.relationships ?? {}).map(([one, relationship]) =>
    readRelationship(one, relationship, exposed),
  );
  const kind = source.type ?? 'table';
  const table = kind === 'stored-procedure' ? undefined : defaults.tables?.find(source.object);
  const named = [...permissions.fields, ...relationships.flatMap(({ sourceFields }) => sourceFields)];
  return {
    ...{ name, kind, object: source.object, mappings, relationships, isLink: false },
    ...(config.description === undefined ? {} : { description: config.description }),
    ...(kind === 'stored-procedure'
      ? describeResult(config, place)
      : readColumns(config, { reader, pointer, table, mappings, named })),
    parameters: readParameters(source.parameters ?? {}, place),
    permissions: permissions.roles,
    aggregates: defaults.aggregates,
    ...readOffers(name, config, place),
    ...readUpkeep(config, place, defaults),
  };
}

/** The result of a stored procedure has the fields that the configuration lists, else any. */
function describeResult(
  config: EntityConfig,
  { reader, pointer }: EntityPlace,
): Pick<Entity, 'keys' | 'columns' | 'isDeclared' | 'unique'> {
  const mappings = readMappings(config);
  return { ...readColumns(config, { reader, pointer, table: undefined, mappings, named: [] }), isDeclared: false };
}

type ParameterConfig = NonNullable<Exclude<EntityConfig['source'], string>['parameters']>;

/** Reads the list of parameters, or the object of their default values. */
function readParameters(given: ParameterConfig, { reader, pointer }: EntityPlace): ReadonlyMap<string, Parameter> {
  if (!Array.isArray(given))
    return new Map(Object.entries(given).map(([name, value]) => [name, { required: false, default: value }]));
  return new Map(
    given.map(({ name, default: value, description }, index) => [
      name,
      {
        required: value === undefined && reader.flag(`${pointer}/source/parameters/${index}/required`),
        ...(value === undefined ? {} : { default: value }),
        ...(description == null ? {} : { description }),
      },
    ]),
  );
}

type Offers = Pick<Entity, 'restPath' | 'methods' | 'graphql' | 'hasDmlTools' | 'hasCustomTool'>;

function readOffers(name: string, { rest, graphql, mcp }: EntityConfig, { reader, pointer }: EntityPlace): Offers {
  const { path = name } = typeof rest === 'object' ? rest : {};
  const { type = name } = typeof graphql === 'object' ? graphql : {};
  const { singular, plural } = typeof type === 'string' ? { singular: type } : { plural: undefined, ...type };
  const operation = reader.value(`${pointer}/graphql/operation`) === 'query' ? 'query' : 'mutation';
  return {
    ...(reader.flag(`${pointer}/rest`) ? { restPath: trimSlashes(path) } : {}),
    methods: reader.texts(`${pointer}/rest/methods`),
    ...(reader.flag(`${pointer}/graphql`) ? { graphql: { ...graphqlNames(singular, plural), operation } } : {}),
    hasDmlTools: reader.flag(typeof mcp === 'object' ? `${pointer}/mcp/dml-tools` : `${pointer}/mcp`),
    hasCustomTool: reader.flag(`${pointer}/mcp/custom-tool`),
  };
}

function readUpkeep(
  { cache }: EntityConfig,
  { reader, pointer }: EntityPlace,
  { cacheSeconds }: EntityDefaults,
): Pick<Entity, 'cacheSeconds' | 'healthThreshold'> {
  const isCached = reader.flag(`${pointer}/cache/enabled`) && cacheSeconds !== undefined;
  return {
    ...(isCached ? { cacheSeconds: cache?.['ttl-seconds'] ?? cacheSeconds } : {}),
    ...(reader.flag(`${pointer}/health/enabled`)
      ? { healthThreshold: reader.number(`${pointer}/health/threshold-ms`) || DEFAULT_THRESHOLD }
      : {}),
  };
}
