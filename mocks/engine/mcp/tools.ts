import { isRecord, type RequestContext } from 'specmill/mock';

import type { McpTool, McpToolName, Row } from '../../../generated/engine/types.js';
import { computeAggregate, groupRows } from '../aggregate.js';
import type { Entity, EntityAction } from '../configuration/entity.js';
import { settingsOf } from '../configuration/settings.js';
import { listEntities, openEntity, requireEntity } from '../entities.js';
import { executeProcedure } from '../execute-procedure.js';
import { checkFields, grantOf, isGranted, writtenFields } from '../grants.js';
import { queryRows, readSelect } from '../query-rows.js';
import { entityNotFound, refuse } from '../refusals.js';
import { deleteRow, fieldsOf } from '../rows.js';
import { openSession } from '../session.js';
import { createRow, writeRow } from '../write-rows.js';

type Context = RequestContext;
type Arguments = Readonly<Record<string, unknown>>;

/** A tool: its description and its function, which throws HttpError. */
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
const KEYS = { ...OBJECT, description: 'The primary key fields with their values.' } as const;

const ACTIONS: readonly EntityAction[] = ['create', 'read', 'update', 'delete', 'execute'];

const TOOLS: Readonly<Record<McpToolName, Tool>> = {
  describe_entities: {
    description: 'Lists the entities with their fields, their primary key and what the caller may do with them.',
    required: [],
    properties: { entities: { type: 'array', items: TEXT, description: 'Only these entities.' } },
    run: async (context, { entities }) => {
      const wanted = Array.isArray(entities) ? entities : undefined;
      const known = (await listEntities(context)).filter(
        ({ name, hasDmlTools }) => hasDmlTools && (wanted?.includes(name) ?? true),
      );
      return { entities: await Promise.all(known.map((entity) => describeEntity(context, entity))) };
    },
  },
  create_record: {
    description: 'Creates a row of an entity.',
    required: ['entity', 'data'],
    properties: { entity: ENTITY, data: { ...OBJECT, description: 'The fields of the row.' } },
    run: async (context, { entity, data }) => {
      const opened = offered(await openEntity(context, String(entity)));
      const session = openSession(context);
      const row = await createRow(context, opened, { fields: data as Row, session, unknown: 'refuse' });
      return { entity, value: [writtenFields(session, opened, row)] };
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
    run: async (context, { entity: name, filter, select, orderby, first, after }) => {
      const entity = await requireOffered(context, name);
      const grant = grantOf(openSession(context), entity, 'read');
      const options = {
        filter: textOf(filter),
        orderby: Array.isArray(orderby) ? orderby.join(',') : textOf(orderby),
        first: typeof first === 'number' ? first : undefined,
        after: textOf(after),
      };
      const show = await readSelect(context, { entity, grant }, textOf(select));
      const { rows, next } = await queryRows(context, { entity, grant }, options);
      return {
        entity: name,
        value: rows.map(show),
        ...(next === undefined ? {} : { after: next }),
      };
    },
  },
  update_record: {
    description: 'Changes fields of a row.',
    required: ['entity', 'keys', 'fields'],
    properties: { entity: ENTITY, keys: KEYS, fields: { ...OBJECT, description: 'The fields to change.' } },
    run: async (context, { entity, keys, fields }) => {
      const found = await requireOffered(context, entity);
      const session = openSession(context);
      const change = { how: 'merge', mayCreate: false, session, unknown: 'refuse' } as const;
      const { row } = await writeRow(context, found, {
        ...change,
        values: keyOf(found, keys),
        fields: fields as Row,
      });
      return { entity, value: [writtenFields(session, found, row)] };
    },
  },
  delete_record: {
    description: 'Deletes a row.',
    required: ['entity', 'keys'],
    properties: { entity: ENTITY, keys: KEYS },
    run: async (context, { entity, keys }) => {
      const found = await requireOffered(context, entity);
      await deleteRow(context, found, keyOf(found, keys), openSession(context));
      return { entity, deleted: keys };
    },
  },
  execute_entity: {
    description: 'Executes a stored procedure.',
    required: ['entity'],
    properties: { entity: ENTITY, parameters: { ...OBJECT, description: 'Parameters of the procedure.' } },
    run: async (context, { entity: name, parameters }) => {
      const entity = (await listEntities(context)).find((one) => one.name === String(name));
      if (entity?.kind !== 'stored-procedure' || !entity.hasDmlTools)
        throw refuse(400, `The entity ${String(name)} is no stored procedure.`);
      return execute(context, entity, isRecord(parameters) ? (parameters as Row) : {});
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
      checkTime(context);
      const entity = await requireOffered(context, given['entity']);
      const grant = grantOf(openSession(context), entity, 'read');
      const { rows } = await queryRows(context, { entity, grant }, { filter: textOf(given['filter']), first: -1 });
      const by = Array.isArray(given['groupby']) ? given['groupby'].map(String) : [];
      const [name, field] = [String(given['function']), textOf(given['field'])];
      checkFields(grant, field === undefined || field === '*' ? by : [...by, field]);
      const value = groupRows(rows, by).map((group) => ({
        ...group.common,
        [name]: computeAggregate(name, field, group.rows),
      }));
      return { entity: entity.name, value };
    },
  },
};

async function describeEntity(context: Context, entity: Entity): Promise<object> {
  const session = openSession(context);
  const { name, keys, description } = entity;
  const isProcedure = entity.kind === 'stored-procedure';
  const [key] = keys;
  const allowed = isGranted(session, entity, 'read') ? grantOf(session, entity, 'read').reaches : () => false;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(keys.length === 1 ? { key } : { keys }),
    fields: [...(await fieldsOf(context, entity))].filter((field) => keys.includes(field) || allowed(field)),
    permissions: ACTIONS.filter(
      (action) => (action === 'execute') === isProcedure && isGranted(session, entity, action),
    ),
    ...(isProcedure ? { parameters: [...entity.parameters.keys()] } : {}),
  };
}

async function execute(context: Context, entity: Entity, parameters: Row): Promise<Readonly<Record<string, unknown>>> {
  const session = openSession(context);
  return { entity: entity.name, value: await executeProcedure(context, entity, { session, parameters }) };
}

/**
 * Checks the time limit of an aggregation, which takes as long as the mock delays its responses. @throws HttpError if
 * it exceeds the limit
 */
function checkTime(context: Context): void {
  const { aggregateTimeout } = settingsOf(context).mcp;
  if (Number(context.options['latencyMs'] ?? 0) <= aggregateTimeout * 1_000) return;
  throw refuse(400, `The aggregation took longer than ${aggregateTimeout} seconds.`);
}

async function requireOffered(context: Context, name: unknown): Promise<Entity> {
  return offered(await requireEntity(context, String(name)));
}

/** @throws HttpError 404 for an entity that the tools do not offer */
function offered(entity: Entity): Entity {
  if (!entity.hasDmlTools || entity.kind === 'stored-procedure') throw entityNotFound(entity.name);
  return entity;
}

/** The enabled tools, and those of stored procedures. */
async function offeredTools(context: Context): Promise<ReadonlyMap<string, Tool>> {
  const { tools } = settingsOf(context).mcp;
  const own = Object.entries(TOOLS).filter(([name]) => tools.has(name as McpToolName));
  const custom = (await listEntities(context))
    .filter(({ hasCustomTool, kind }) => hasCustomTool && kind === 'stored-procedure')
    .map((entity) => [toToolName(entity.name), createCustomTool(entity)] as const);
  // A tool of the engine takes precedence over one of the same name.
  return new Map([...own, ...custom.filter(([name]) => !own.some(([other]) => other === name))]);
}

/** `TopSellers` -> `top_sellers`. */
function toToolName(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}

function createCustomTool(entity: Entity): Tool {
  const { name, description = `Executes ${name}.`, parameters } = entity;
  return {
    description,
    required: [...parameters].filter(([, parameter]) => parameter.required).map(([parameter]) => parameter),
    properties: Object.fromEntries(
      [...parameters].map(([parameter, { description: text }]) => [
        parameter,
        text === undefined ? {} : { description: text },
      ]),
    ),
    run: (context, given) => execute(context, entity, given as Row),
  };
}

export async function findTool(context: Context, name: string): Promise<Tool | undefined> {
  return (await offeredTools(context)).get(name);
}

export async function listTools(context: Context): Promise<McpTool[]> {
  return [...(await offeredTools(context))].map(([name, { description, required, properties }]) => ({
    name,
    description,
    inputSchema: { type: 'object', ...(required.length === 0 ? {} : { required: [...required] }), properties },
  }));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function keyOf({ keys, name }: Entity, given: unknown): readonly string[] {
  const values = keys.map((key) => (isRecord(given) ? given[key] : undefined));
  const texts = values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String);
  if (texts.length === keys.length) return texts;
  throw refuse(400, `The primary key of the entity ${name} is ${keys.join(' and ')}.`);
}
