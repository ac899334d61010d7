import {
  type FieldNode,
  getArgumentValues,
  GraphQLBoolean,
  type GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  Kind,
  type SelectionSetNode,
} from 'graphql';

import type { Row } from '../../../generated/engine/types.js';
import { computeAggregate, groupRows, NUMBER_FUNCTIONS, type RowGroup } from '../aggregate.js';
import { isNumeric } from '../columns/column.js';
import { toRowTest } from '../conditions/condition.js';
import { checkFields, grantOf } from '../grants.js';
import { type GraphqlRequest, readFilterArgument } from './arguments.js';
import type { ResolvedPage } from './resolve-field.js';
import { conditionsOf } from './scalars.js';
import { listOf, namesEnum, openMark, rowFields, type TypedEntity } from './typed-entity.js';

/** The field `groupBy` of a list. */
export function createGroups(typed: TypedEntity): GraphQLFieldConfigMap<ResolvedPage, GraphqlRequest> {
  const { entity, name, columns } = typed;
  const groupable = namesEnum(`${name}Field`, [...columns.keys()], typed);
  const aggregations = createAggregations(typed, groupable);
  const group = new GraphQLObjectType<RowGroup, GraphqlRequest>({
    name: `${name}GroupBy`,
    description: 'Rows that have the same values in some fields.',
    fields: {
      fields: {
        type: new GraphQLObjectType<Row, GraphqlRequest>({
          ...{ name: `${name}GroupByFields`, fields: rowFields(typed, true) },
          ...openMark(typed),
        }),
        resolve: ({ common }) => common,
      },
      aggregations: { type: aggregations, resolve: (rows) => rows },
    },
  });
  return {
    groupBy: {
      type: listOf(group),
      description: 'All rows of the filter, whatever page is asked for, put together by the values of some fields.',
      args: { fields: { type: new GraphQLList(new GraphQLNonNull(groupable)) } },
      resolve: ({ all }, { fields: by }: { readonly fields?: readonly string[] | null }, { session }, info) => {
        checkFields(grantOf(session, entity, 'read'), by ?? []);
        const groups = groupRows(all, by ?? []);
        const conditions = readHaving(aggregations, info);
        return groups.filter((one) => conditions.every((test) => test(one)));
      },
    },
  };
}

interface AggregateArguments {
  readonly field?: string | null;
  readonly distinct?: boolean | null;
  /** Condition on the number; groups for which it does not hold are left out. */
  readonly having?: unknown;
}

type AggregateField = GraphQLFieldConfig<RowGroup, GraphqlRequest, AggregateArguments>;

function createAggregations(
  typed: TypedEntity,
  groupable: GraphQLEnumType,
): GraphQLObjectType<RowGroup, GraphqlRequest> {
  const { entity, name, columns } = typed;
  const numeric = [...columns.values()].filter((column) => isNumeric(column) || column.type === 'any');
  const summable = namesEnum(
    `${name}NumericField`,
    numeric.map((column) => column.name),
    typed,
  );
  const computed = numeric.length === 0 && !typed.isOpen ? [] : NUMBER_FUNCTIONS;
  const resolveBy =
    (compute: string) =>
    ({ rows }: RowGroup, given: AggregateArguments, { session }: GraphqlRequest) => {
      checkFields(grantOf(session, entity, 'read'), given.field == null ? [] : [given.field]);
      return computeOver(compute, given, rows);
    };
  const shared = { having: { type: conditionsOf(GraphQLFloat) }, distinct: { type: GraphQLBoolean } };
  const count: AggregateField = {
    ...{ type: GraphQLInt, args: { field: { type: groupable }, ...shared }, resolve: resolveBy('count') },
  };
  const numbers = computed.map((compute): readonly [string, AggregateField] => [
    compute,
    {
      type: GraphQLFloat,
      args: { field: { type: new GraphQLNonNull(summable) }, ...shared },
      resolve: resolveBy(compute),
    },
  ]);
  return new GraphQLObjectType<RowGroup, GraphqlRequest>({
    name: `${name}Aggregations`,
    fields: Object.fromEntries([['count', count], ...numbers]),
  });
}

function computeOver(compute: string, { field, distinct }: AggregateArguments, rows: readonly Row[]): number | null {
  return computeAggregate(compute, field ?? undefined, rows, distinct === true);
}

type GroupTest = (group: RowGroup) => boolean;

/** The conditions `having` of the aggregations that a `groupBy` selects. */
function readHaving(type: GraphQLObjectType, info: GraphQLResolveInfo): readonly GroupTest[] {
  const selected = info.fieldNodes
    .flatMap((node) => fieldsIn(node.selectionSet, info))
    .filter((node) => node.name.value === 'aggregations')
    .flatMap((node) => fieldsIn(node.selectionSet, info));
  return selected.flatMap((node): readonly GroupTest[] => {
    const field = type.getFields()[node.name.value];
    const given: AggregateArguments = field === undefined ? {} : getArgumentValues(field, node, info.variableValues);
    if (given.having == null) return [];
    const test = toRowTest(readFilterArgument({ value: given.having }, NO_ENTITY, undefined));
    return [({ rows }) => test({ value: computeOver(node.name.value, given, rows) })];
  });
}

/** The number of an aggregation has no relationships. */
const NO_ENTITY = { relationships: [] } as const;

function fieldsIn(set: SelectionSetNode | undefined, info: GraphQLResolveInfo): readonly FieldNode[] {
  return (set?.selections ?? []).flatMap((selection): readonly FieldNode[] => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsIn(selection.selectionSet, info);
    return fieldsIn(info.fragments[selection.name.value]?.selectionSet, info);
  });
}
