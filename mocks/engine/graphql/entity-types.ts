import {
  GraphQLBoolean,
  GraphQLInputObjectType,
  type GraphQLInputFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';

import type { Row } from '../../../generated/engine/types.js';
import type { Column } from '../columns/column.js';
import { createGroups } from './aggregate-types.js';
import type { GraphqlRequest } from './arguments.js';
import { inputNames } from './names.js';
import type { ResolvedPage } from './resolve-field.js';
import { conditionsOf, DIRECTIONS, inputScalarOf, required } from './scalars.js';
import { type EntityTypes, listOf, openMark, rowFields, type TypedEntity } from './typed-entity.js';

export function createEntityTypes(typed: TypedEntity): EntityTypes {
  const { entity, name, columns } = typed;
  const row = new GraphQLObjectType<Row, GraphqlRequest>({
    name,
    description: entity.description ?? `A row of ${name}.`,
    fields: () => ({ ...rowFields(typed), ...typed.relatedFields() }),
    ...openMark(typed),
  });
  return {
    row,
    list: createList(typed, row),
    filter: createFilter(typed),
    orderBy: new GraphQLInputObjectType({
      name: `${name}OrderByInput`,
      fields: Object.fromEntries([...columns.keys()].map((field) => [field, { type: DIRECTIONS }])),
      ...openMark(typed),
    }),
    ...createInputs(typed),
    keys: new Map(
      entity.keys.flatMap((key) => {
        const column = columns.get(key);
        return column === undefined ? [] : [[key, inputScalarOf(column)] as const];
      }),
    ),
  };
}

function createList(typed: TypedEntity, row: GraphQLObjectType): GraphQLObjectType {
  return new GraphQLObjectType<ResolvedPage, GraphqlRequest>({
    name: `${typed.name}Connection`,
    description: `A page of ${typed.name}.`,
    fields: {
      items: { type: listOf(row) },
      hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean) },
      endCursor: { type: GraphQLString },
      ...(typed.entity.aggregates ? createGroups(typed) : {}),
    },
  });
}

function createFilter(typed: TypedEntity): GraphQLInputObjectType {
  const { name, columns, related } = typed;
  const filter: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${name}FilterInput`,
    fields: () => ({
      ...Object.fromEntries(
        [...columns.values()].map((column) => [column.name, { type: conditionsOf(inputScalarOf(column)) }]),
      ),
      ...Object.fromEntries(related().map(({ relationship, types }) => [relationship.name, { type: types.filter }])),
      and: { type: new GraphQLList(new GraphQLNonNull(filter)) },
      or: { type: new GraphQLList(new GraphQLNonNull(filter)) },
    }),
    ...openMark(typed),
  });
  return filter;
}

function createInputs(typed: TypedEntity): Pick<EntityTypes, 'createInput' | 'updateInput'> {
  const { entity, name, columns } = typed;
  const [create, update] = inputNames(name);
  const changeable = [...columns.values()].filter((column) => !entity.keys.includes(column.name));
  return {
    createInput: new GraphQLInputObjectType({
      name: create,
      description: `A new row of ${name}.`,
      fields: () => ({
        ...Object.fromEntries([...columns.values()].map((column) => [column.name, createField(typed, column)])),
        ...nestedInputs(typed),
      }),
      ...openMark(typed),
    }),
    updateInput: new GraphQLInputObjectType({
      name: update,
      description: `The fields of a row of ${name} that change.`,
      fields: Object.fromEntries(changeable.map((column) => [column.name, { type: inputScalarOf(column) }])),
      ...openMark(typed),
    }),
  };
}

function createField({ entity, createsMany }: TypedEntity, column: Column): GraphQLInputFieldConfigMap[string] {
  const { name, nullable, isGenerated, default: made, type: columnType } = column;
  const type = inputScalarOf(column);
  const isKey = entity.keys.includes(name);
  const isMade =
    isGenerated === true || made !== undefined || (isKey && entity.keys.length === 1 && columnType !== 'text');
  // A row that contains the one that it points to does not write the foreign key.
  const isPointer = createsMany && entity.relationships.some(({ sourceFields }) => sourceFields.includes(name));
  const isFromParent = createsMany && !isKey && !nullable && columnType !== 'text';
  return { type: nullable || isMade || isPointer || isFromParent ? type : required(type) };
}

function nestedInputs({ createsMany, related }: TypedEntity): GraphQLInputFieldConfigMap {
  if (!createsMany) return {};
  return Object.fromEntries(
    related().map(({ relationship, types }) => {
      const { createInput } = types;
      const type = relationship.isMany ? new GraphQLList(new GraphQLNonNull(createInput)) : createInput;
      return [relationship.name, { type }];
    }),
  );
}
