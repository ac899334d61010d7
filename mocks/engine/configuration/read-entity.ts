import type {
  Entity as EntityConfig,
  Relationship as RelationshipConfig,
  Action,
  ActionName,
  Permission,
} from '../../../generated/engine/types.js';
import { type ConfigReader, trimSlashes } from './config-reader.js';
import {
  DEFAULT_KEY,
  type Entity,
  type Relationship,
  graphqlNames,
  type Access,
  type EntityAction,
  type Permissions,
} from './entity.js';
import { FilterError, fieldsOfFilter, parseFilter } from '../filter.js';

export interface EntityDefaults {
  /** Whether the database offers aggregations. */
  readonly aggregates: boolean;
  /** In seconds; absent if the cache is off. */
  readonly cacheSeconds?: number;
}

interface EntityPlace {
  readonly reader: ConfigReader;
  readonly pointer: string;
}

/** Reads the definition of an entity. @throws InputError for problems that the schema cannot detect */
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
    fields: [
      ...new Set([
        ...mappings.values(),
        ...permissions.fields,
        ...relationships.flatMap(({ sourceFields }) => sourceFields),
      ]),
    ],
    parameters: source.parameters ?? {},
    permissions: permissions.roles,
    aggregates: defaults.aggregates,
    ...readOffers(name, config, place),
    ...readUpkeep(config, place, defaults),
  };
}

type Offers = Pick<Entity, 'restPath' | 'methods' | 'graphql' | 'hasDmlTools' | 'hasCustomTool'>;

function readOffers(name: string, { rest, graphql, mcp }: EntityConfig, { reader, pointer }: EntityPlace): Offers {
  const { path = name } = typeof rest === 'object' ? rest : {};
  const { type = name } = typeof graphql === 'object' ? graphql : {};
  const { singular, plural } = typeof type === 'string' ? { singular: type } : { plural: undefined, ...type };
  const operation = reader.value(`${pointer}/graphql/operation`) as NonNullable<Entity['graphql']>['operation'];
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
      ? { healthThreshold: reader.number(`${pointer}/health/threshold-ms`) }
      : {}),
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

const ACTIONS: readonly EntityAction[] = ['create', 'read', 'update', 'delete', 'execute'];

interface PermissionPlace {
  readonly reader: ConfigReader;
  /** Of the entity. */
  readonly pointer: string;
  /** Returns the name of a field that callers see. */
  readonly exposed: (field: string) => string;
}

interface ReadPermissions {
  readonly roles: Permissions;
  readonly fields: readonly string[];
}

/** Reads the permissions of each role. @throws InputError for an unreadable policy */
function readPermissions(permissions: readonly Permission[], place: PermissionPlace): ReadPermissions {
  const roles = new Map<string, Map<EntityAction, Access>>();
  const fields: string[] = [];
  for (const [index, { role, actions }] of permissions.entries()) {
    const known = roles.get(role) ?? new Map<EntityAction, Access>();
    roles.set(role, known);
    for (const [at, given] of actions.entries()) {
      const action = typeof given === 'string' ? { action: given } : given;
      const access = readAccess(action, place, `${place.pointer}/permissions/${index}/actions/${at}`);
      fields.push(...namedFields(action, place));
      // A named action takes precedence over `*`.
      for (const name of namesOf(action.action)) if (action.action !== '*' || !known.has(name)) known.set(name, access);
    }
  }
  return { roles, fields };
}

function namesOf(action: ActionName): readonly EntityAction[] {
  return action === '*' ? ACTIONS : [action];
}

function namedFields({ fields = {} }: Action, { exposed }: PermissionPlace): readonly string[] {
  return [...(fields.include ?? []), ...(fields.exclude ?? [])].filter((field) => field !== '*').map(exposed);
}

function readAccess({ fields = {}, policy = {} }: Action, place: PermissionPlace, pointer: string): Access {
  const include = new Set((fields.include ?? ['*']).map(place.exposed));
  const exclude = new Set((fields.exclude ?? []).map(place.exposed));
  const { database, request } = policy;
  return {
    reaches: (field) => !exclude.has('*') && !exclude.has(field) && (include.has('*') || include.has(field)),
    ...(database === undefined ? {} : { rowPolicy: readPolicy(database, place, `${pointer}/policy/database`) }),
    ...(request === undefined ? {} : { requestPolicy: readRequestPolicy(request, place, `${pointer}/policy/request`) }),
  };
}

/** Reads a policy: a filter in which fields are `@item.<field>` and claims of the caller `@claims.<name>`. */
function readPolicy(text: string, place: PermissionPlace, pointer: string): NonNullable<Access['rowPolicy']> {
  const read: NonNullable<Access['rowPolicy']> = (claims) => parseFilter(text, { claims, exposed: place.exposed });
  try {
    read({});
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw place.reader.problem(pointer, `The policy cannot be read: ${error.message}.`);
  }
  return read;
}

function readRequestPolicy(
  text: string,
  place: PermissionPlace,
  pointer: string,
): NonNullable<Access['requestPolicy']> {
  const policy = readPolicy(text, place, pointer);
  if (fieldsOfFilter(text).length > 0)
    throw place.reader.problem(pointer, 'A request policy may use the claims of the caller, but no fields.');
  return (claims) => policy(claims)({});
}
