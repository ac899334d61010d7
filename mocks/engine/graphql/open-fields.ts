import {
  type DocumentNode,
  getNamedType,
  GraphQLEnumType,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLObjectType,
  type GraphQLSchema,
  isInputType,
  typeFromAST,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { isRecord } from 'specmill/mock';

import { isGraphqlName } from './names.js';

/** Fields that a document names and no row has, by the name of an open entity. */
export type OpenFields = ReadonlyMap<string, ReadonlySet<string>>;

/** Maximum number of such fields in one request. */
const MOST = 1_000;

/**
 * Finds the fields that a document and its variables name on types of open entities, but that no row has had. They are
 * null until a row has them.
 */
export function findOpenFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): OpenFields {
  const found = new OpenFieldList();
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: (node) => {
        // A field with fields of its own would be an object, which no column is.
        if (node.selectionSet === undefined) found.add(types.getParentType(), node.name.value);
      },
      ObjectField: (node) => found.add(types.getParentInputType(), node.name.value),
      EnumValue: (node) => found.add(types.getInputType(), node.value),
      VariableDefinition: (node) => {
        const type = typeFromAST(schema, node.type as never) as unknown;
        if (isInputType(type)) found.addValue(type, variables[node.variable.name.value]);
      },
    }),
  );
  return found.byEntity;
}

class OpenFieldList {
  readonly byEntity: Map<string, Set<string>> = new Map();
  #count = 0;

  add(type: unknown, name: string): void {
    const named = isType(type) ? getNamedType(type) : undefined;
    const entity = named?.extensions['openEntity'];
    if (typeof entity !== 'string' || !isGraphqlName(name) || isKnown(named, name) || this.#count >= MOST) return;
    if (named instanceof GraphQLInputObjectType && (name === 'and' || name === 'or')) return;
    const names = this.byEntity.get(entity) ?? new Set();
    this.byEntity.set(entity, names.add(name));
    this.#count += 1;
  }

  /** Adds the names in the value of a variable. */
  addValue(type: GraphQLInputType, value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.addValue(type, item);
    const named = getNamedType(type);
    if (named instanceof GraphQLEnumType && typeof value === 'string') this.add(named, value);
    if (!(named instanceof GraphQLInputObjectType) || !isRecord(value)) return;
    const fields = named.getFields();
    for (const [name, member] of Object.entries(value)) {
      this.add(named, name);
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field !== undefined) this.addValue(field.type, member);
    }
  }
}

function isType(type: unknown): type is GraphQLObjectType | GraphQLInputType {
  return type !== undefined && type !== null;
}

function isKnown(type: unknown, name: string): boolean {
  if (type instanceof GraphQLObjectType || type instanceof GraphQLInputObjectType)
    return name.startsWith('__') || Object.hasOwn(type.getFields(), name);
  return type instanceof GraphQLEnumType && type.getValue(name) !== undefined;
}
