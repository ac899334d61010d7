import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLScalarType as Scalar,
  GraphQLString,
} from 'graphql';
import { isRecord } from 'specmill/mock';

import type { Row } from '../../../generated/engine/types.js';
import { computeAggregate, groupRows, NUMBER_FUNCTIONS, type RowGroup } from '../aggregate.js';
import type { Entity } from '../configuration/entity.js';
import { checkFields, grantOf } from '../grants.js';
import { refuse } from '../refusals.js';
import { fieldOf } from '../sort-rows.js';
import { CONDITIONS, type GraphqlRequest } from './arguments.js';
import type { ResolvedPage } from './resolve-field.js';

type FieldTypes = ReadonlyMap<string, GraphQLScalarType>;

/** The types of an entity: its rows, their lists and groups, and the input types of arguments. */
export interface EntityTypes {
  readonly row: GraphQLObjectType;
  readonly list: GraphQLObjectType;
  readonly filter: GraphQLInputObjectType;
  readonly orderBy: GraphQLInputObjectType;
  readonly createInput: GraphQLScalarType;
  readonly updateInput: GraphQLScalarType;
  /** Types of the key fields. */
  readonly keys: FieldTypes;
}

export const DIRECTIONS: GraphQLEnumType = new GraphQLEnumType({ name: 'OrderBy', values: { ASC: {}, DESC: {} } });

/** Words that are values and cannot be names in an enum. */
const VALUES: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** The names of the types that {@link createEntityTypes} makes. */
export function typeNamesOf(name: string): readonly string[] {
  const suffixes = ['', 'Connection', 'FilterInput', 'OrderByInput', 'GroupBy', 'GroupByFields', 'Aggregations'];
  return [...[...suffixes, 'Field', 'NumericField'].map((suffix) => name + suffix), ...inputNames(name)];
}

function inputNames(name: string): readonly [create: string, update: string] {
  return [`Create${name}Input`, `Update${name}Input`];
}

export interface TypeParts {
  readonly fields: FieldTypes;
  /** Returns the input type of conditions on fields of a type; all entities share them. */
  readonly conditionsOf: (type: GraphQLScalarType) => GraphQLInputObjectType;
  /** Returns the fields of rows that lead to other entities, known after all types are created. */
  readonly related: () => GraphQLFieldConfigMap<Row, GraphqlRequest>;
}

/** @param name - the name of one row, such as `Book`. */
export function createEntityTypes(
  entity: Entity,
  name: string,
  { fields, conditionsOf, related }: TypeParts,
): EntityTypes {
  const [createInput, updateInput] = inputNames(name);
  const row = new GraphQLObjectType<Row, GraphqlRequest>({
    name,
    description: entity.description ?? `A row of ${name}.`,
    fields: () => ({ ...rowFields(entity, fields), ...related() }),
  });
  return {
    row,
    list: createList(name, row, { entity, fields }),
    filter: createFilter(name, fields, conditionsOf),
    orderBy: new GraphQLInputObjectType({
      name: `${name}OrderByInput`,
      fields: Object.fromEntries([...fields.keys()].map((field) => [field, { type: DIRECTIONS }])),
    }),
    createInput: rowScalar(createInput),
    updateInput: rowScalar(updateInput),
    keys: new Map([...fields].filter(([field]) => entity.keys.includes(field))),
  };
}

/** The fields of a row. Every row has its key; any other field may be missing. */
function rowFields(entity: Entity, fields: FieldTypes, isGroup = false): GraphQLFieldConfigMap<Row, GraphqlRequest> {
  const action = entity.kind === 'stored-procedure' ? 'execute' : 'read';
  return Object.fromEntries(
    [...fields].map(([name, type]) => [
      name,
      {
        type: entity.keys.includes(name) && !isGroup ? new GraphQLNonNull(type) : type,
        resolve: (row: Row, _args: object, { session }: GraphqlRequest) => {
          checkFields(grantOf(session, entity, action), [name]);
          return fieldOf(row, name);
        },
      },
    ]),
  );
}

interface TypedEntity {
  readonly entity: Entity;
  readonly fields: FieldTypes;
}

function createList(name: string, row: GraphQLObjectType, typed: TypedEntity): GraphQLObjectType {
  return new GraphQLObjectType<ResolvedPage, GraphqlRequest>({
    name: `${name}Connection`,
    description: `A page of ${name}.`,
    fields: {
      items: { type: listOf(row) },
      hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean) },
      endCursor: { type: GraphQLString },
      ...(typed.entity.aggregates ? createGroups(name, typed) : {}),
    },
  });
}

/** The field `groupBy` of a list. */
function createGroups(
  name: string,
  { entity, fields }: TypedEntity,
): GraphQLFieldConfigMap<ResolvedPage, GraphqlRequest> {
  const groupable = namesEnum(`${name}Field`, [...fields.keys()]);
  const group = new GraphQLObjectType<RowGroup, GraphqlRequest>({
    name: `${name}GroupBy`,
    description: 'Rows that have the same values in some fields.',
    fields: {
      fields: {
        type: new GraphQLObjectType<Row, GraphqlRequest>({
          name: `${name}GroupByFields`,
          fields: rowFields(entity, fields, true),
        }),
        resolve: ({ common }) => common,
      },
      aggregations: { type: createAggregations(name, { entity, fields }, groupable), resolve: (rows) => rows },
    },
  });
  return {
    groupBy: {
      type: listOf(group),
      description: 'All rows of the filter, whatever page is asked for, put together by the values of some fields.',
      args: { fields: { type: new GraphQLList(new GraphQLNonNull(groupable)) } },
      resolve: ({ all }, { fields: by }: { readonly fields?: readonly string[] | null }, { session }) => {
        checkFields(grantOf(session, entity, 'read'), by ?? []);
        return groupRows(all, by ?? []);
      },
    },
  };
}

function createAggregations(
  name: string,
  { entity, fields }: TypedEntity,
  groupable: GraphQLEnumType,
): GraphQLObjectType<RowGroup, GraphqlRequest> {
  const numeric = [...fields]
    .filter(([, type]) => type === GraphQLInt || type === GraphQLFloat)
    .map(([field]) => field);
  const summable = namesEnum(`${name}NumericField`, numeric);
  const computed = numeric.length === 0 ? [] : NUMBER_FUNCTIONS;
  const resolveBy =
    (compute: string) =>
    ({ rows }: RowGroup, { field }: { readonly field?: string | null }, { session }: GraphqlRequest) => {
      checkFields(grantOf(session, entity, 'read'), field == null ? [] : [field]);
      return computeAggregate(compute, field ?? undefined, rows);
    };
  return new GraphQLObjectType<RowGroup, GraphqlRequest>({
    name: `${name}Aggregations`,
    fields: {
      count: { type: GraphQLInt, args: { field: { type: groupable } }, resolve: resolveBy('count') },
      ...Object.fromEntries(
        computed.map((compute) => [
          compute,
          { type: GraphQLFloat, args: { field: { type: new GraphQLNonNull(summable) } }, resolve: resolveBy(compute) },
        ]),
      ),
    },
  });
}

function createFilter(
  name: string,
  fields: FieldTypes,
  conditionsOf: (type: GraphQLScalarType) => GraphQLInputObjectType,
): GraphQLInputObjectType {
  const filter: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${name}FilterInput`,
    fields: () => ({
      ...Object.fromEntries([...fields].map(([field, type]) => [field, { type: conditionsOf(type) }])),
      and: { type: new GraphQLList(new GraphQLNonNull(filter)) },
      or: { type: new GraphQLList(new GraphQLNonNull(filter)) },
    }),
  });
  return filter;
}

export function createConditions(type: GraphQLScalarType): GraphQLInputObjectType {
  const fields = CONDITIONS.map((name) => [name, { type: name === 'isNull' ? GraphQLBoolean : type }] as const);
  return new GraphQLInputObjectType({ name: `${type.name}FilterInput`, fields: Object.fromEntries(fields) });
}

/** Creates the scalar for sent rows, which are one value because they may have any fields. */
function rowScalar(name: string): GraphQLScalarType {
  return new Scalar({
    name,
    description: 'The fields of a row, with their values: an object.',
    parseValue: (value) => {
      if (isRecord(value)) return value;
      throw refuse(400, 'The argument item must be an object.');
    },
  });
}

function namesEnum(name: string, fields: readonly string[]): GraphQLEnumType {
  const values = fields.filter((field) => !VALUES.has(field)).map((field) => [field, {}] as const);
  return new GraphQLEnumType({ name, values: Object.fromEntries(values) });
}

function listOf(type: GraphQLObjectType): GraphQLNonNull<GraphQLList<GraphQLNonNull<GraphQLObjectType>>> {
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));
}

/** Values of a field without a declared type. */
export const ANY: GraphQLScalarType = new Scalar({ name: 'Any', description: 'A value of any type.' });

/** A valid name in GraphQL; names that start with two underscores are reserved. */
const NAME = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/;

export function isName(text: string): boolean {
  return NAME.test(text);
}

/** The fields of rows with the types of their values, without fields whose names are invalid in GraphQL. */
export function readFieldTypes(rows: readonly Row[], known: readonly string[]): ReadonlyMap<string, GraphQLScalarType> {
  const names = new Set([...known, ...rows.flatMap((row) => Object.keys(row))]);
  return new Map([...names].filter(isName).map((name) => [name, typeOfValues(rows.map((row) => fieldOf(row, name)))]));
}

const LARGEST_INT = 2 ** 31;

function typeOfValues(values: readonly unknown[]): GraphQLScalarType {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return ANY;
  if (known.every((value) => typeof value === 'string')) return GraphQLString;
  if (known.every((value) => typeof value === 'boolean')) return GraphQLBoolean;
  if (!known.every((value) => typeof value === 'number')) return ANY;
  return known.every((value) => Number.isInteger(value) && Math.abs(value) < LARGEST_INT) ? GraphQLInt : GraphQLFloat;
}
