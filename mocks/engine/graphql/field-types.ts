import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLInt,
  type GraphQLScalarType,
  GraphQLScalarType as Scalar,
  GraphQLString,
} from 'graphql';

import type { Row } from '../../../generated/engine/types.js';
import { fieldOf } from '../order.js';

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
