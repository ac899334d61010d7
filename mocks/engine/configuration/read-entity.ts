import type { Entity as EntityConfig, Relationship as RelationshipConfig } from '../../../generated/engine/types.js';
import { type ConfigReader, trimSlashes } from './config-reader.js';
import { DEFAULT_KEY, DEFAULT_THRESHOLD, type Entity, type Relationship, graphqlNames } from './entity.js';
import { readPermissions } from './read-permissions.js';

/** The settings for all entities of a file. */
export interface EntityDefaults {
  /** Whether the database offers aggregations. */
  readonly aggregates: boolean;
  /** Seconds; absent: the cache is off. */
  readonly cacheSeconds?: number;
}

interface EntityPlace {
  readonly reader: ConfigReader;
  readonly pointer: string;
}

/** Reads the definition of an entity. @throws InputError for what the schema cannot check */
export function readEntity(name: string, config: EntityConfig, place: EntityPlace, defaults: EntityDefaults): Entity {
  const source = typeof config.source === 'string' ? { object: config.source } : config.source;
  const mappings = new Map(Object.entries(config.mappings ?? {}));
  const exposed = (field: string): string => mappings.get(field) ?? field;
  const permissions = readPermissions(config.permissions, { ...place, exposed });
  const relationships = Object.entries(config.relationships ?? {}).map(([one, relationship]) =>
    readRelationship(one, relationship, exposed),
  );
  const keys = source['key-fields'] ?? [];
  return {
    ...{ name, kind: source.type ?? 'table', object: source.object, mappings, relationships, isOpen: false },
    ...(config.description === undefined ? {} : { description: config.description }),
    keys: keys.length === 0 ? [DEFAULT_KEY] : keys.map(exposed),
    fields: [...new Set([...mappings.values(), ...permissions.fields, ...relationships.flatMap(fieldsOf)])],
    parameters: source.parameters ?? {},
    permissions: permissions.roles,
    aggregates: defaults.aggregates,
    ...readOffers(name, config, place),
    ...readUpkeep(config, place, defaults),
  };
}

function fieldsOf({ sourceFields }: Relationship): readonly string[] {
  return sourceFields;
}

type Offers = Pick<Entity, 'restPath' | 'methods' | 'graphql' | 'hasDmlTools' | 'hasCustomTool'>;

/** Where the entity is offered. */
function readOffers(name: string, { rest, graphql, mcp }: EntityConfig, { reader, pointer }: EntityPlace): Offers {
  const isRest = reader.flag(enabledOf(rest), `${pointer}/rest`, true);
  const isGraphql = reader.flag(enabledOf(graphql), `${pointer}/graphql`, true);
  const { path = name, methods = ['post'] } = objectOf(rest);
  const { type = name, operation = 'mutation' } = objectOf(graphql);
  const { singular, plural } = typeof type === 'string' ? { singular: type } : { plural: undefined, ...type };
  const tools = typeof mcp === 'object' ? mcp : { 'dml-tools': mcp };
  return {
    ...(isRest ? { restPath: trimSlashes(path) } : {}),
    methods,
    ...(isGraphql ? { graphql: { ...graphqlNames(singular, plural), operation } } : {}),
    hasDmlTools: reader.flag(tools['dml-tools'], `${pointer}/mcp`, true),
    hasCustomTool: reader.flag(objectOf(mcp)['custom-tool'], `${pointer}/mcp/custom-tool`, false),
  };
}

type Switch = boolean | string;

function enabledOf(value: Switch | { readonly enabled?: Switch } | undefined): Switch | undefined {
  return typeof value === 'object' ? value.enabled : value;
}

function objectOf<Value extends object>(value: Switch | Value | undefined): Partial<Value> {
  return typeof value === 'object' ? value : {};
}

/** Cache and health check of the entity. */
function readUpkeep(
  { cache = {}, health }: EntityConfig,
  { reader, pointer }: EntityPlace,
  { cacheSeconds }: EntityDefaults,
): Pick<Entity, 'cacheSeconds' | 'healthThreshold'> {
  const isCached = reader.flag(cache.enabled, `${pointer}/cache/enabled`, false) && cacheSeconds !== undefined;
  const isChecked = reader.flag(health?.enabled, `${pointer}/health/enabled`, true);
  return {
    ...(isCached ? { cacheSeconds: cache['ttl-seconds'] ?? cacheSeconds } : {}),
    ...(isChecked ? { healthThreshold: health?.['threshold-ms'] ?? DEFAULT_THRESHOLD } : {}),
  };
}

function readRelationship(name: string, config: RelationshipConfig, exposed: (field: string) => string): Relationship {
  const object = config['linking.object'];
  return {
    name,
    isMany: config.cardinality === 'many',
    target: config['target.entity'],
    sourceFields: (config['source.fields'] ?? []).map(exposed),
    targetFields: config['target.fields'] ?? [],
    ...(object === undefined
      ? {}
      : {
          linking: {
            object,
            sourceFields: config['linking.source.fields'] ?? [],
            targetFields: config['linking.target.fields'] ?? [],
          },
        }),
  };
}
