import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLError,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
  Kind,
  valueFromASTUntyped,
  type ValueNode,
} from 'graphql';

import { checkType, type Column, type ColumnType } from '../columns/column.js';
import { conditionsName } from './names.js';

/** Values of a field without a declared type. */
export const ANY: GraphQLScalarType = new GraphQLScalarType({ name: 'Any', description: 'A value of any type.' });

export const DIRECTIONS: GraphQLEnumType = new GraphQLEnumType({ name: 'OrderBy', values: { ASC: {}, DESC: {} } });

/** Makes the scalar of a type of columns, whose values are sent as they are stored. */
function createScalar(name: string, type: ColumnType, description: string): GraphQLScalarType {
  const parse = (value: unknown): unknown => {
    const problem = checkType(type, value);
    if (problem !== undefined) throw new GraphQLError(`A value of the type ${name} ${problem}.`);
    return value;
  };
  return new GraphQLScalarType({
    ...{ name, description, parseValue: parse },
    parseLiteral: (node) => parse(readLiteral(node)),
  });
}

/** Reads a literal; an integer beyond the safe ones keeps its digits. */
function readLiteral(node: ValueNode): unknown {
  if (node.kind === Kind.INT && !Number.isSafeInteger(Number(node.value))) return BigInt(node.value);
  return valueFromASTUntyped(node);
}

const SCALARS: Readonly<Record<ColumnType, GraphQLScalarType>> = {
  byte: createScalar('Byte', 'byte', 'An integer from 0 to 255.'),
  short: createScalar('Short', 'short', 'An integer of 16 bits.'),
  int: GraphQLInt,
  long: createScalar('Long', 'long', 'An integer of 64 bits.'),
  single: createScalar('Single', 'single', 'A number of 32 bits.'),
  float: GraphQLFloat,
  decimal: createScalar('Decimal', 'decimal', 'A decimal number.'),
  boolean: GraphQLBoolean,
  text: GraphQLString,
  ...dates(),
  time: createScalar('LocalTime', 'time', 'A time.'),
  uuid: createScalar('UUID', 'uuid', 'A UUID.'),
  bytes: createScalar('ByteArray', 'bytes', 'Bytes in Base64.'),
  any: ANY,
};

function dates(): Readonly<Record<'datetime' | 'date', GraphQLScalarType>> {
  const datetime = createScalar('DateTime', 'datetime', 'A date, or a date and time, in ISO 8601.');
  return { datetime, date: datetime };
}

export const ALL_SCALARS: readonly GraphQLScalarType[] = [...new Set(Object.values(SCALARS))];

export function scalarOf({ type }: Pick<Column, 'type'>): GraphQLScalarType {
  return SCALARS[type];
}

/** The type of sent values: any, if nothing declares the type of the column. */
export function inputScalarOf(column: Pick<Column, 'type' | 'isGuess'>): GraphQLScalarType {
  return column.isGuess === true ? ANY : scalarOf(column);
}

const ORDER_CONDITIONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'];
const TEXT_CONDITIONS = ['contains', 'notContains', 'startsWith', 'endsWith'];

/** Input types of conditions on fields, by scalar. */
const CONDITIONS = new Map<GraphQLScalarType, GraphQLInputObjectType>(
  ALL_SCALARS.map((type) => [type, createConditions(type)]),
);

function createConditions(type: GraphQLScalarType): GraphQLInputObjectType {
  const texts = type === GraphQLString || type === ANY ? TEXT_CONDITIONS : [];
  return new GraphQLInputObjectType({
    name: conditionsName(type.name),
    fields: {
      ...Object.fromEntries([...ORDER_CONDITIONS, ...texts].map((name) => [name, { type }])),
      in: { type: new GraphQLList(type) },
      isNull: { type: GraphQLBoolean },
    },
  });
}

export function conditionsOf(type: GraphQLScalarType): GraphQLInputObjectType {
  return CONDITIONS.get(type) ?? createConditions(type);
}

export function required<Type extends GraphQLScalarType | GraphQLInputObjectType>(type: Type): GraphQLNonNull<Type> {
  return new GraphQLNonNull(type);
}
