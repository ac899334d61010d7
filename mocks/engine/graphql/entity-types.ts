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
import { CONDITIONS } from './arguments.js';
import type { ListPage } from './resolve-field.js';
import { type Entity, fieldOf, refuse } from '../rows.js';

type FieldTypes = ReadonlyMap<string, GraphQLScalarType>;

/** The types of an entity: its rows, lists and groups of them, and what arguments are made of. */
export interface EntityTypes {
  readonly row: GraphQLObjectType;
  readonly list: GraphQLObjectType;
  readonly filter: GraphQLInputObjectType;
  readonly orderBy: GraphQLInputObjectType;
  readonly createInput: GraphQLScalarType;
  readonly updateInput: GraphQLScalarType;
  readonly key: GraphQLScalarType;
}

export const DIRECTIONS: GraphQLEnumType = new GraphQLEnumType({ name: 'OrderBy', values: { ASC: {}, DESC: {} } });

/** Words that are values, and no names of an enum. */
const VALUES: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** The names of the types that {@link createEntityTypes} makes. */
export function typeNamesOf({ name }: Entity): readonly string[] {
  const suffixes = ['', 'Connection', 'FilterInput', 'OrderByInput', 'GroupBy', 'GroupByFields', 'Aggregations'];
  return [...[...suffixes, 'Field', 'NumericField'].map((suffix) => name + suffix), ...inputNames(name)];
}

function inputNames(name: string): readonly [create: string, update: string] {
  return [`Create${name}Input`, `Update${name}Input`];
}

/** @param conditionsOf - the input type of the conditions on a field of a type; all entities share them. */
export function createEntityTypes(
  { name, key }: Entity,
  fields: FieldTypes,
  conditionsOf: (type: GraphQLScalarType) => GraphQLInputObjectType,
): EntityTypes {
  const [createInput, updateInput] = inputNames(name);
  const row = new GraphQLObjectType<Row>({ name, description: `A row of ${name}.`, fields: rowFields(fields, key) });
  return {
    row,
    list: createList(name, row, fields),
    filter: createFilter(name, fields, conditionsOf),
    orderBy: new GraphQLInputObjectType({
      name: `${name}OrderByInput`,
      fields: Object.fromEntries([...fields.keys()].map((field) => [field, { type: DIRECTIONS }])),
    }),
    createInput: rowScalar(createInput),
    updateInput: rowScalar(updateInput),
    key: fields.get(key) ?? GraphQLString,
  };
}

/** Every row has its key; any other field may be missing from some of them. */
function rowFields(fields: FieldTypes, key?: string): GraphQLFieldConfigMap<Row, unknown> {
  return Object.fromEntries(
    [...fields].map(([name, type]) => [
      name,
      { type: name === key ? new GraphQLNonNull(type) : type, resolve: (row: Row) => fieldOf(row, name) },
    ]),
  );
}

function createList(name: string, row: GraphQLObjectType, fields: FieldTypes): GraphQLObjectType {
  const groupable = namesEnum(`${name}Field`, [...fields.keys()]);
  const group = new GraphQLObjectType<RowGroup>({
    name: `${name}GroupBy`,
    description: 'Rows that have the same values in some fields.',
    fields: {
      fields: {
        type: new GraphQLObjectType<Row>({ name: `${name}GroupByFields`, fields: rowFields(fields) }),
        resolve: ({ common }) => common,
      },
      aggregations: { type: createAggregations(name, fields, groupable), resolve: (rows) => rows },
    },
  });
  return new GraphQLObjectType<ListPage>({
    name: `${name}Connection`,
    description: `A page of ${name}.`,
    fields: {
      items: { type: listOf(row) },
      hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean) },
      endCursor: { type: GraphQLString },
      groupBy: {
        type: listOf(group),
        description: 'All rows of the filter, whatever page is asked for, put together by the values of some fields.',
        args: { fields: { type: new GraphQLList(new GraphQLNonNull(groupable)) } },
        resolve: ({ all }, { fields: by }: { readonly fields?: readonly string[] | null }) => groupRows(all, by ?? []),
      },
    },
  });
}

function createAggregations(name: string, fields: FieldTypes, groupable: GraphQLEnumType): GraphQLObjectType<RowGroup> {
  const numeric = [...fields]
    .filter(([, type]) => type === GraphQLInt || type === GraphQLFloat)
    .map(([field]) => field);
  const summable = namesEnum(`${name}NumericField`, numeric);
  const computed = numeric.length === 0 ? [] : NUMBER_FUNCTIONS;
  const resolveBy =
    (compute: string) =>
    ({ rows }: RowGroup, { field }: { readonly field?: string | null }) =>
      computeAggregate(compute, field ?? undefined, rows);
  return new GraphQLObjectType<RowGroup>({
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

/** The conditions on values of a type. */
export function createConditions(type: GraphQLScalarType): GraphQLInputObjectType {
  const fields = CONDITIONS.map((name) => [name, { type: name === 'isNull' ? GraphQLBoolean : type }] as const);
  return new GraphQLInputObjectType({ name: `${type.name}FilterInput`, fields: Object.fromEntries(fields) });
}

/** Rows have whatever fields they are given, so what is sent of them is one value. */
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

/** Values of a field that are of no one type: nobody declared one. */
export const ANY: GraphQLScalarType = new Scalar({ name: 'Any', description: 'A value of any type.' });

/** A name that GraphQL can write; those with two underscores are its own. */
const NAME = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/;

export function isName(text: string): boolean {
  return NAME.test(text);
}

/** The fields of some rows with the types that their values have. Fields whose names GraphQL cannot write are left out. */
export function readFieldTypes(rows: readonly Row[], key: string): ReadonlyMap<string, GraphQLScalarType> {
  const names = new Set([key, ...rows.flatMap((row) => Object.keys(row))]);
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
