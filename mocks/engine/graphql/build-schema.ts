import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';

import type { Row } from '../../../generated/engine/types.js';
import { type Column, type Columns, guessColumn } from '../columns/column.js';
import type { Entity } from '../configuration/entity.js';
import { settingsOf } from '../configuration/settings.js';
import { hasField, listEntities, shapeOf } from '../entities.js';
import { grantOf } from '../grants.js';
import { listRows } from '../rows.js';
import { fieldOf } from '../sort-rows.js';
import { type Arguments, type GraphqlRequest, orderOf } from './arguments.js';
import { createEntityTypes } from './entity-types.js';
import { isGraphqlName, lowerFirst, OWN_TYPES, typeNamesOf } from './names.js';
import type { OpenFields } from './open-fields.js';
import { findRelated } from './related-rows.js';
import { resolveField, resolveList, type RootAction } from './resolve-field.js';
import { ALL_SCALARS, ANY } from './scalars.js';
import type { EntityTypes, RelatedTypes, TypedEntity } from './typed-entity.js';

type RootConfig = GraphQLFieldConfig<unknown, GraphqlRequest>;
type Names = NonNullable<Entity['graphql']>;

interface Offered {
  readonly entity: Entity;
  readonly names: Names;
  readonly types: EntityTypes;
}

/**
 * Builds the schema of the entities: `books`, `book_by_pk`, `createBook`, `updateBook`, `deleteBook`. Columns without a
 * declared type have that of their values. Omits an entity that no configuration describes and whose type names clash
 * with those of another.
 *
 * @param extra - fields that the document names on open entities.
 */
export async function buildSchema(
  context: GraphqlRequest['context'],
  extra: OpenFields = new Map(),
): Promise<GraphQLSchema> {
  const { createsMany } = settingsOf(context).graphql;
  const taken = new Set(OWN_TYPES);
  const offered = new Map<string, Offered>();
  for (const entity of await listEntities(context)) {
    const { graphql: names } = entity;
    if (names === undefined || !isGraphqlName(names.singular) || !isGraphqlName(names.plural)) continue;
    const typeNames = typeNamesOf(names.singular);
    if (typeNames.some((name) => taken.has(name))) continue;
    for (const name of typeNames) taken.add(name);
    const typed: TypedEntity = {
      ...{ entity, name: names.singular, createsMany },
      ...(await readTypes(context, entity, extra.get(entity.name) ?? new Set())),
      related: () => relatedTypes(entity, offered),
      relatedFields: () => relatedFields(entity, offered),
    };
    offered.set(entity.name, { entity, names, types: createEntityTypes(typed) });
  }
  return toSchema([...offered.values()], createsMany);
}

/** The columns of an entity whose names GraphQL can have; those of an open entity have the types of their values. */
async function readTypes(
  context: GraphqlRequest['context'],
  entity: Entity,
  extra: ReadonlySet<string>,
): Promise<{ readonly columns: Columns; readonly isOpen: boolean }> {
  const shape = await shapeOf(context, entity);
  const { kind, isDeclared } = entity;
  const isOpen = shape.isOpen || (kind === 'stored-procedure' && !isDeclared);
  if (!isOpen) return { columns: named([...shape.columns.values()]), isOpen };
  const rows = await listRows(context, entity);
  const names = [...shape.columns.keys(), ...rows.flatMap((row) => Object.keys(row))];
  const asked = [...extra].filter((name) => hasField(entity, { ...shape, isOpen }, name));
  const guessed = [...new Set([...names, ...asked])].map((name) => ({
    ...shape.columns.get(name),
    ...guessColumn(
      name,
      rows.map((row) => fieldOf(row, name)),
    ),
  }));
  return { columns: named(guessed), isOpen };
}

function named(columns: readonly Column[]): Columns {
  return new Map(columns.flatMap((column) => (isGraphqlName(column.name) ? [[column.name, column] as const] : [])));
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
    types: ALL_SCALARS,
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
  const item = (type: GraphQLInputObjectType) => ({ item: { type: new GraphQLNonNull(type) } });
  const byKey = keyArguments(entity, types);
  return [
    [`create${names.singular}`, rootField(row, { action: 'create', entity }, item(types.createInput))],
    [`update${names.singular}`, rootField(row, { action: 'update', entity }, { ...byKey, ...item(types.updateInput) })],
    [`delete${names.singular}`, rootField(row, { action: 'delete', entity }, byKey)],
  ];
}

function createManyField({ entity, names, types }: Offered): readonly [string, RootConfig] {
  const items = { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(types.createInput))) };
  // A name that is its own plural has a mutation for one row already.
  const name = names.plural === names.singular ? `${names.singular}_Multiple` : names.plural;
  return [`create${name}`, rootField(types.list, { action: 'createMany', entity }, { items })];
}

/** `executeTopSellers`. */
function callField({ entity, names, types }: Offered): readonly [string, RootConfig] {
  const parameters = [...entity.parameters].filter(([name]) => isGraphqlName(name));
  const args = Object.fromEntries(parameters.map(([name]) => [name, { type: ANY }]));
  const type = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(types.row)));
  return [`execute${names.singular}`, rootField(type, { action: 'execute', entity }, args)];
}

function rootField(type: RootConfig['type'], action: RootAction, args: NonNullable<RootConfig['args']>): RootConfig {
  return { type, args, resolve: (_root, given: Arguments, request) => resolveField(request, action, given) };
}

function keyArguments({ keys }: Entity, types: EntityTypes): NonNullable<RootConfig['args']> {
  return Object.fromEntries(
    keys.filter(isGraphqlName).map((key) => [key, { type: new GraphQLNonNull(types.keys.get(key) ?? ANY) }]),
  );
}

function relatedTypes({ relationships }: Entity, offered: ReadonlyMap<string, Offered>): readonly RelatedTypes[] {
  return relationships.flatMap((relationship) => {
    const target = offered.get(relationship.target);
    if (target === undefined || !isGraphqlName(relationship.name)) return [];
    return [{ relationship, target: target.entity, types: target.types }];
  });
}

function relatedFields(
  entity: Entity,
  offered: ReadonlyMap<string, Offered>,
): GraphQLFieldConfigMap<Row, GraphqlRequest> {
  return Object.fromEntries(
    relatedTypes(entity, offered).map((related) => [
      related.relationship.name,
      related.relationship.isMany ? manyField(related) : oneField(related),
    ]),
  );
}

type RowField = GraphQLFieldConfig<Row, GraphqlRequest>;

function manyField({ relationship, target, types }: RelatedTypes): RowField {
  return {
    type: new GraphQLNonNull(types.list),
    args: listArguments(types),
    resolve: async (row, given: Arguments, request, info) => {
      const asked = { ...given, orderBy: orderOf(given, request, info) };
      return resolveList(request, target, asked, await findRelated(request, row, relationship));
    },
  };
}

function oneField({ relationship, target, types }: RelatedTypes): RowField {
  return {
    type: types.row,
    resolve: async (row, _given, request) => {
      const isRelated = await findRelated(request, row, relationship);
      const grant = grantOf(request.session, target, 'read');
      const rows = await listRows(request.context, target);
      return rows.find((one) => isRelated(one) && grant.allows(one)) ?? null;
    },
  };
}
