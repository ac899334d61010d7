import {
  type GraphQLFieldConfig,
  type GraphQLInputObjectType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';

import { type Arguments, orderOf, type RequestContext } from './arguments.js';
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
import { resolveField, type RootAction } from './resolve-field.js';
import { type Entity, listEntities, listRows } from '../rows.js';

type RootConfig = GraphQLFieldConfig<unknown, RequestContext>;

/** Names that no entity can take. */
const OWN = ['Query', 'Mutation', 'Int', 'Float', 'String', 'Boolean', 'ID', ANY.name, DIRECTIONS.name];

/**
 * The schema of the rows as they are now: `books`, `book_by_pk`, `createBook`, `updateBook`, `deleteBook`. Nobody declared
 * types, so those of fields are read from their values. An entity whose types would have the name of another's is left out.
 */
export async function buildSchema(context: RequestContext['context']): Promise<GraphQLSchema> {
  const conditions = new Map<GraphQLScalarType, GraphQLInputObjectType>();
  const conditionsOf = (type: GraphQLScalarType): GraphQLInputObjectType => {
    const known = conditions.get(type) ?? createConditions(type);
    conditions.set(type, known);
    return known;
  };
  const taken = new Set([...OWN, ...['Int', 'Float', 'String', 'Boolean', 'Any'].map((type) => `${type}FilterInput`)]);
  const queries = new Map<string, RootConfig>();
  const mutations = new Map<string, RootConfig>();
  for (const entity of await listEntities(context)) {
    const names = typeNamesOf(entity);
    if (!isName(entity.name) || names.some((name) => taken.has(name))) continue;
    for (const name of names) taken.add(name);
    const types = createEntityTypes(entity, readFieldTypes(await listRows(context, entity), entity.key), conditionsOf);
    for (const [name, field] of queryFields(entity, types)) queries.set(name, field);
    for (const [name, field] of mutationFields(entity, types)) mutations.set(name, field);
  }
  // Where there are no entities yet, there are no fields, which a check of the whole schema would refuse.
  return new GraphQLSchema({
    assumeValid: true,
    query: new GraphQLObjectType({ name: 'Query', fields: Object.fromEntries(queries) }),
    mutation: new GraphQLObjectType({ name: 'Mutation', fields: Object.fromEntries(mutations) }),
  });
}

function queryFields(entity: Entity, types: EntityTypes): readonly (readonly [string, RootConfig])[] {
  const { name, key } = entity;
  const single = name.slice(0, 1).toLowerCase() + name.slice(1);
  const args = {
    ...{ first: { type: GraphQLInt }, after: { type: GraphQLString } },
    ...{ filter: { type: types.filter }, orderBy: { type: types.orderBy } },
  };
  const resolveList: RootConfig['resolve'] = (_root, given: Arguments, request, info) =>
    resolveField(request.context, { action: 'list', entity }, { ...given, orderBy: orderOf(given, request, info) });
  return [
    [toPlural(single), { type: types.list, args, resolve: resolveList }],
    [`${single}_by_pk`, rootField(types.row, { action: 'find', entity }, keyArgument(key, types))],
  ];
}

function mutationFields(entity: Entity, types: EntityTypes): readonly (readonly [string, RootConfig])[] {
  const { name, key } = entity;
  const { row } = types;
  const item = (type: GraphQLScalarType) => ({ item: { type: new GraphQLNonNull(type) } });
  const byKey = keyArgument(key, types);
  return [
    [`create${name}`, rootField(row, { action: 'create', entity }, item(types.createInput))],
    [`update${name}`, rootField(row, { action: 'update', entity }, { ...byKey, ...item(types.updateInput) })],
    [`delete${name}`, rootField(row, { action: 'delete', entity }, byKey)],
  ];
}

function rootField(type: GraphQLObjectType, action: RootAction, args: NonNullable<RootConfig['args']>): RootConfig {
  return { type, args, resolve: (_root, given: Arguments, { context }) => resolveField(context, action, given) };
}

function keyArgument(key: string, types: EntityTypes): NonNullable<RootConfig['args']> {
  return isName(key) ? { [key]: { type: new GraphQLNonNull(types.key) } } : {};
}

function toPlural(name: string): string {
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`;
}
