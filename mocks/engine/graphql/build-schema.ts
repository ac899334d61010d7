import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';

import type { Row } from '../../../generated/engine/types.js';
import type { Entity } from '../configuration/entity.js';
import { settingsOf } from '../configuration/settings.js';
import { allowedFields, listEntities } from '../entities.js';
import { grantOf } from '../grants.js';
import { listRows } from '../rows.js';
import { type Arguments, orderOf, type GraphqlRequest } from './arguments.js';
import {
  ANY,
  createConditions,
  createEntityTypes,
  DIRECTIONS,
  type EntityTypes,
  isName,
  readFieldTypes,
  typeNamesOf,
} from './entity-types.js';
import { findRelated } from './related-rows.js';
import { resolveField, resolveList, type RootAction } from './resolve-field.js';

type RootConfig = GraphQLFieldConfig<unknown, GraphqlRequest>;
type Names = NonNullable<Entity['graphql']>;

interface Offered {
  readonly entity: Entity;
  readonly names: Names;
  readonly types: EntityTypes;
}

/** Names that no entity can take. */
const OWN = ['Query', 'Mutation', 'Int', 'Float', 'String', 'Boolean', 'ID', ANY.name, DIRECTIONS.name];

/**
 * Builds the schema of the current rows: `books`, `book_by_pk`, `createBook`, `updateBook`, `deleteBook`. Types of
 * fields are not declared, so they are inferred from values. Omits an entity whose type names clash with another's.
 */
export async function buildSchema(context: GraphqlRequest['context']): Promise<GraphQLSchema> {
  const conditions = new Map<GraphQLScalarType, GraphQLInputObjectType>();
  const conditionsOf = (type: GraphQLScalarType): GraphQLInputObjectType => {
    const known = conditions.get(type) ?? createConditions(type);
    conditions.set(type, known);
    return known;
  };
  const taken = new Set([...OWN, ...['Int', 'Float', 'String', 'Boolean', 'Any'].map((type) => `${type}FilterInput`)]);
  const offered = new Map<string, Offered>();
  for (const entity of await listEntities(context)) {
    const { graphql: names } = entity;
    if (names === undefined || !isName(names.singular) || !isName(names.plural)) continue;
    const typeNames = typeNamesOf(names.singular);
    if (typeNames.some((name) => taken.has(name))) continue;
    for (const name of typeNames) taken.add(name);
    const related = (): GraphQLFieldConfigMap<Row, GraphqlRequest> => relatedFields(entity, offered);
    const types = createEntityTypes(entity, names.singular, {
      fields: await readTypes(context, entity),
      ...{ conditionsOf, related },
    });
    offered.set(entity.name, { entity, names, types });
  }
  return toSchema([...offered.values()], settingsOf(context).graphql.createsMany);
}

async function readTypes(
  context: GraphqlRequest['context'],
  entity: Entity,
): Promise<ReadonlyMap<string, GraphQLScalarType>> {
  const allowed = (await allowedFields(context, entity)) ?? [];
  return readFieldTypes(await listRows(context, entity), [...entity.keys, ...entity.fields, ...allowed]);
}

/** Creates the schema without validating it, because without entities it has no fields, which validation refuses. */
function toSchema(offered: readonly Offered[], createsMany: boolean): GraphQLSchema {
  const isProcedure = ({ entity }: Offered): boolean => entity.kind === 'stored-procedure';
  const tables = offered.filter((one) => !isProcedure(one));
  const procedures = offered.filter(isProcedure);
  const calls = (operation: Names['operation']): readonly (readonly [string, RootConfig])[] =>
    procedures.filter(({ names }) => names.operation === operation).map(callField);
  return new GraphQLSchema({
    assumeValid: true,
    query: new GraphQLObjectType({
      name: 'Query',
      fields: Object.fromEntries([...tables.flatMap(queryFields), ...calls('query')]),
    }),
    mutation: new GraphQLObjectType({
      name: 'Mutation',
      fields: Object.fromEntries([
        ...tables.flatMap(mutationFields),
        ...(createsMany ? tables.map(createManyField) : []),
        ...calls('mutation'),
      ]),
    }),
  });
}

function lowerFirst(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

function listArguments(types: EntityTypes): NonNullable<RootConfig['args']> {
  return {
    ...{ first: { type: GraphQLInt }, after: { type: GraphQLString } },
    ...{ filter: { type: types.filter }, orderBy: { type: types.orderBy } },
  };
}

function queryFields({ entity, names, types }: Offered): readonly (readonly [string, RootConfig])[] {
  const resolve: RootConfig['resolve'] = (_root, given: Arguments, request, info) =>
    resolveList(request, entity, { ...given, orderBy: orderOf(given, request, info) });
  return [
    [lowerFirst(names.plural), { type: types.list, args: listArguments(types), resolve }],
    [
      `${lowerFirst(names.singular)}_by_pk`,
      rootField(types.row, { action: 'find', entity }, keyArguments(entity, types)),
    ],
  ];
}

function mutationFields({ entity, names, types }: Offered): readonly (readonly [string, RootConfig])[] {
  const { row } = types;
  const item = (type: GraphQLScalarType) => ({ item: { type: new GraphQLNonNull(type) } });
  const byKey = keyArguments(entity, types);
  return [
    [`create${names.singular}`, rootField(row, { action: 'create', entity }, item(types.createInput))],
    [`update${names.singular}`, rootField(row, { action: 'update', entity }, { ...byKey, ...item(types.updateInput) })],
    [`delete${names.singular}`, rootField(row, { action: 'delete', entity }, byKey)],
  ];
}

function createManyField({ entity, names, types }: Offered): readonly [string, RootConfig] {
  const items = { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(types.createInput))) };
  return [`create${names.plural}`, rootField(types.list, { action: 'createMany', entity }, { items })];
}

/** `executeTopSellers`. */
function callField({ entity, names, types }: Offered): readonly [string, RootConfig] {
  const parameters = Object.keys(entity.parameters).filter(isName);
  const args = Object.fromEntries(parameters.map((name) => [name, { type: ANY }]));
  const type = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(types.row)));
  return [`execute${names.singular}`, rootField(type, { action: 'execute', entity }, args)];
}

function rootField(type: RootConfig['type'], action: RootAction, args: NonNullable<RootConfig['args']>): RootConfig {
  return { type, args, resolve: (_root, given: Arguments, request) => resolveField(request, action, given) };
}

function keyArguments({ keys }: Entity, types: EntityTypes): NonNullable<RootConfig['args']> {
  return Object.fromEntries(
    keys.filter(isName).map((key) => [key, { type: new GraphQLNonNull(types.keys.get(key) ?? GraphQLString) }]),
  );
}

function relatedFields(
  { relationships }: Entity,
  offered: ReadonlyMap<string, Offered>,
): GraphQLFieldConfigMap<Row, GraphqlRequest> {
  const fields: [string, GraphQLFieldConfig<Row, GraphqlRequest>][] = [];
  for (const relationship of relationships) {
    const target = offered.get(relationship.target);
    if (target === undefined || !isName(relationship.name)) continue;
    const { entity, types } = target;
    const find = (row: Row, request: GraphqlRequest) => findRelated(request, { row, target: entity }, relationship);
    fields.push([
      relationship.name,
      relationship.isMany
        ? {
            type: new GraphQLNonNull(types.list),
            args: listArguments(types),
            resolve: async (row, given: Arguments, request, info) => {
              const asked = { ...given, orderBy: orderOf(given, request, info) };
              return resolveList(request, entity, asked, await find(row, request));
            },
          }
        : {
            type: types.row,
            resolve: async (row, _given, request) => {
              const [isRelated, grant] = [await find(row, request), grantOf(request.session, entity, 'read')];
              const rows = await listRows(request.context, entity);
              return rows.find((one) => isRelated(one) && grant.allows(one)) ?? null;
            },
          },
    ]);
  }
  return Object.fromEntries(fields);
}
