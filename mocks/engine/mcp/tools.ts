import { type HandlerContext, isRecord } from 'specmill/mock';

import type { McpTool, McpToolName, Row } from '../../../generated/engine/types.js';
import { computeAggregate, groupRows } from '../aggregate.js';
import { queryRows, selectFields } from '../query-rows.js';
import {
  createRow,
  deleteRow,
  type Entity,
  fieldsOf,
  listEntities,
  openEntity,
  refuse,
  requireEntity,
  writeRow,
} from '../rows.js';

type Context = Pick<HandlerContext, 'collection'>;
type Arguments = Readonly<Record<string, unknown>>;

/** A tool: what it says of itself, and what it does. @throws HttpError for what goes wrong inside */
interface Tool {
  readonly description: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
  readonly run: (context: Context, given: Arguments) => Promise<Readonly<Record<string, unknown>>>;
}

const TEXT = { type: 'string' } as const;
const OBJECT = { type: 'object' } as const;
const ENTITY = { ...TEXT, description: 'Name of the entity.' } as const;
const FILTER = { ...TEXT, description: 'Condition on fields, as in $filter.' } as const;
const KEYS = { ...OBJECT, description: 'The primary key field with its value.' } as const;

/** The tools, all of them switched on. */
const TOOLS: Readonly<Record<McpToolName, Tool>> = {
  describe_entities: {
    description: 'Lists the entities with their fields and their primary key.',
    required: [],
    properties: { entities: { type: 'array', items: TEXT, description: 'Only these entities.' } },
    run: async (context, { entities }) => {
      const wanted = Array.isArray(entities) ? entities : undefined;
      const known = (await listEntities(context)).filter(({ name }) => wanted?.includes(name) ?? true);
      const described = known.map(async (entity) => ({
        name: entity.name,
        key: entity.key,
        fields: [...(await fieldsOf(context, entity))],
      }));
      return { entities: await Promise.all(described) };
    },
  },
  create_record: {
    description: 'Creates a row of an entity.',
    required: ['entity', 'data'],
    properties: { entity: ENTITY, data: { ...OBJECT, description: 'The fields of the row.' } },
    run: async (context, { entity, data }) => {
      const opened = await openEntity(context, String(entity));
      return { entity, value: [await createRow(context, opened, data as Row)] };
    },
  },
  read_records: {
    description: 'Reads rows of an entity.',
    required: ['entity'],
    properties: {
      ...{ entity: ENTITY, filter: FILTER, select: { ...TEXT, description: 'Fields, with commas between them.' } },
      orderby: { type: ['string', 'array'], items: TEXT, description: 'Fields to sort by, each with asc or desc.' },
      first: { type: 'integer', description: 'How many rows at most.' },
      after: { ...TEXT, description: 'Where the page before ended.' },
    },
    run: async (context, { entity, filter, select, orderby, first, after }) => {
      const { rows, next } = await queryRows(context, await requireEntity(context, String(entity)), {
        filter: textOf(filter),
        orderby: Array.isArray(orderby) ? orderby.join(',') : textOf(orderby),
        first: typeof first === 'number' ? first : undefined,
        after: textOf(after),
      });
      return {
        entity,
        value: rows.map((row) => selectFields(row, textOf(select))),
        ...(next === undefined ? {} : { after: next }),
      };
    },
  },
  update_record: {
    description: 'Changes fields of a row.',
    required: ['entity', 'keys', 'fields'],
    properties: { entity: ENTITY, keys: KEYS, fields: { ...OBJECT, description: 'The fields to change.' } },
    run: async (context, { entity, keys, fields }) => {
      const found = await requireEntity(context, String(entity));
      const change = { value: keyOf(found, keys), fields: fields as Row, how: 'merge', mayCreate: false } as const;
      return { entity, value: [(await writeRow(context, found, change)).row] };
    },
  },
  delete_record: {
    description: 'Deletes a row.',
    required: ['entity', 'keys'],
    properties: { entity: ENTITY, keys: KEYS },
    run: async (context, { entity, keys }) => {
      const found = await requireEntity(context, String(entity));
      await deleteRow(context, found, keyOf(found, keys));
      return { entity, deleted: keys };
    },
  },
  execute_entity: {
    description: 'Executes a stored procedure.',
    required: ['entity'],
    properties: { entity: ENTITY, parameters: { ...OBJECT, description: 'Parameters of the procedure.' } },
    run: async (_context, { entity }) => {
      throw refuse(400, `The entity ${String(entity)} is no stored procedure: this mock has none.`);
    },
  },
  aggregate_records: {
    description: 'Counts, sums and averages rows of an entity.',
    required: ['entity', 'function'],
    properties: {
      ...{ entity: ENTITY, function: { enum: ['count', 'sum', 'avg', 'min', 'max'] }, filter: FILTER },
      field: { ...TEXT, description: 'The field of numbers; count needs none, or counts all with *.' },
      groupby: { type: 'array', items: TEXT, description: 'Fields by whose values rows are put together.' },
    },
    run: async (context, given) => {
      const found = await requireEntity(context, String(given['entity']));
      const { rows } = await queryRows(context, found, { filter: textOf(given['filter']), first: -1 });
      const by = Array.isArray(given['groupby']) ? given['groupby'].map(String) : [];
      const name = String(given['function']);
      const value = groupRows(rows, by).map((group) => ({
        ...group.common,
        [name]: computeAggregate(name, textOf(given['field']), group.rows),
      }));
      return { entity: found.name, value };
    },
  },
};

export function findTool(name: string): Tool | undefined {
  return Object.entries(TOOLS).find(([known]) => known === name)?.[1];
}

/** The tools as `tools/list` shows them. */
export function listTools(): McpTool[] {
  return Object.entries(TOOLS).map(([name, { description, required, properties }]) => ({
    name: name as McpToolName,
    description,
    inputSchema: { type: 'object', ...(required.length === 0 ? {} : { required }), properties },
  }));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function keyOf({ key, name }: Entity, keys: unknown): string {
  const value = isRecord(keys) ? keys[key] : undefined;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw refuse(400, `The primary key of the entity ${name} is ${key}.`);
}
