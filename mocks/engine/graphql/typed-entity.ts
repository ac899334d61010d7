import {
  GraphQLEnumType,
  type GraphQLFieldConfigMap,
  type GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLScalarType,
} from 'graphql';

import type { Row } from '../../../generated/engine/types.js';
import type { Columns } from '../columns/column.js';
import type { Entity, Relationship } from '../configuration/entity.js';
import { checkFields, grantOf } from '../grants.js';
import { fieldOf } from '../sort-rows.js';
import type { GraphqlRequest } from './arguments.js';
import { scalarOf } from './scalars.js';

/** The types of an entity: its rows, their lists and groups, and the input types of arguments. */
export interface EntityTypes {
  readonly row: GraphQLObjectType;
  readonly list: GraphQLObjectType;
  readonly filter: GraphQLInputObjectType;
  readonly orderBy: GraphQLInputObjectType;
  readonly createInput: GraphQLInputObjectType;
  readonly updateInput: GraphQLInputObjectType;
  /** Types of the key fields. */
  readonly keys: ReadonlyMap<string, GraphQLScalarType>;
}

/** A relationship, with the types of the entity to which it leads. */
export interface RelatedTypes {
  readonly relationship: Relationship;
  readonly target: Entity;
  readonly types: EntityTypes;
}

export interface TypedEntity {
  readonly entity: Entity;
  /** Name of one row, such as `Book`. */
  readonly name: string;
  /** The columns whose names GraphQL can have. */
  readonly columns: Columns;
  /** Whether documents may name further fields. */
  readonly isOpen: boolean;
  /** Whether rows may contain the rows to which relationships lead when they are created. */
  readonly createsMany: boolean;
  /** Returns the relationships, known after all types are created. */
  readonly related: () => readonly RelatedTypes[];
  /** Returns the fields of rows that lead to other entities. */
  readonly relatedFields: () => GraphQLFieldConfigMap<Row, GraphqlRequest>;
}

/** Marks types to which a document may add fields, because nothing declares all fields of the entity. */
export function openMark({ entity, isOpen }: TypedEntity): { readonly extensions?: { readonly openEntity: string } } {
  return isOpen ? { extensions: { openEntity: entity.name } } : {};
}

/** The fields of a row. Every row has its key and the columns that cannot be null; any other field may be missing. */
export function rowFields(
  { entity, columns }: Pick<TypedEntity, 'entity' | 'columns'>,
  isGroup = false,
): GraphQLFieldConfigMap<Row, GraphqlRequest> {
  const action = entity.kind === 'stored-procedure' ? 'execute' : 'read';
  return Object.fromEntries(
    [...columns.values()].map((column) => {
      const { name, description, nullable } = column;
      const type = scalarOf(column);
      const isRequired = !isGroup && (action === 'read' ? entity.keys.includes(name) || !nullable : false);
      const resolve = (row: Row, _args: object, { session }: GraphqlRequest) => {
        checkFields(grantOf(session, entity, action), [name]);
        return fieldOf(row, name);
      };
      return [
        name,
        {
          ...{ type: isRequired ? new GraphQLNonNull(type) : type, resolve },
          ...(description === undefined ? {} : { description }),
        },
      ];
    }),
  );
}

export function namesEnum(name: string, fields: readonly string[], typed: TypedEntity): GraphQLEnumType {
  const values = fields.filter((field) => !VALUES.has(field)).map((field) => [field, {}] as const);
  return new GraphQLEnumType({ name, values: Object.fromEntries(values), ...openMark(typed) });
}

/** Words that are values and cannot be names in an enum. */
const VALUES: ReadonlySet<string> = new Set(['true', 'false', 'null']);

export function listOf(type: GraphQLObjectType): GraphQLNonNull<GraphQLList<GraphQLNonNull<GraphQLObjectType>>> {
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));
}
