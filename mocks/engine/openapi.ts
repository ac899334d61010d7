import type { Handler } from 'specmill/mock';

import type { EngineOperations } from '../../generated/engine/types.js';
import type { Column, ColumnType } from './columns/column.js';
import type { Entity, EntityAction } from './configuration/entity.js';
import { settingsOf } from './configuration/settings.js';
import { type Context, listEntities, type RowShape, shapeOf } from './entities.js';
import { findReach } from './grants.js';
import { openSession } from './session.js';

type Json = Readonly<Record<string, unknown>>;

/** Describes the entities as OpenAPI, for the role of the caller or the one that the query names. */
export const getOpenapi: Handler<EngineOperations['getOpenapi']> = async (call) => {
  const role = call.input.query?.role ?? openSession(call).role;
  const described = await Promise.all(
    (await listEntities(call)).map((entity, index) => describeEntity(call, entity, { role, index })),
  );
  return call.respond(200, {
    openapi: '3.1.0',
    info: { title: 'Entities of the engine', version: call.api.version, description: `For the role ${role}.` },
    servers: [{ url: call.baseUrl + settingsOf(call).rest.path }],
    paths: Object.assign({}, ...described.map(({ paths }) => paths)) as Record<string, unknown>,
    components: {
      schemas: { Problem: PROBLEM, ...(Object.assign({}, ...described.map(({ schemas }) => schemas)) as Json) },
      responses: {
        Problem: {
          description: 'Why the request is refused.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  });
};

const PROBLEM = {
  type: 'object',
  required: ['title', 'status'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    violations: { type: 'array', items: { type: 'object', additionalProperties: true } },
  },
};

interface Described {
  readonly paths: Json;
  readonly schemas: Json;
}

const NOTHING: Described = { paths: {}, schemas: {} };

/** An entity as one role sees it. */
interface SeenEntity {
  readonly entity: Entity;
  readonly shape: RowShape;
  /** Name for schemas and operations. */
  readonly name: string;
  readonly path: string;
  readonly reach: (action: EntityAction) => ((field: string) => boolean) | undefined;
}

async function describeEntity(
  context: Context,
  entity: Entity,
  { role, index }: { readonly role: string; readonly index: number },
): Promise<Described> {
  const { restPath, kind } = entity;
  if (restPath === undefined) return NOTHING;
  // A name without letters of identifiers still needs one of its own.
  const name = entity.name.replaceAll(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|_*$)/, `Entity${index}_`);
  const path = `/${restPath.split('/').map(encodeURIComponent).join('/')}`;
  const reach = (action: EntityAction) => findReach(role, entity, action);
  const seen = { entity, name, path, reach, shape: await shapeOf(context, entity) };
  return kind === 'stored-procedure' ? describeProcedure(seen) : describeTable(seen);
}

function describeTable(seen: SeenEntity): Described {
  const { name, path, reach, entity } = seen;
  const [read, create, update, remove] = (['read', 'create', 'update', 'delete'] as const).map(reach);
  const keys = entity.keys.map((key) => ({
    ...{ name: key, in: 'path', required: true },
    schema: columnSchema(seen.shape.columns.get(key), false),
  }));
  const list = { ...(read ? { get: listOperation(seen) } : {}), ...(create ? { post: createOperation(seen) } : {}) };
  const row = {
    ...(read ? { get: operation(`get${name}`, seen, { parameters: [SELECT] }) } : {}),
    ...(create && update ? { put: writeOperation(`replace${name}`, seen) } : {}),
    ...(update ? { patch: writeOperation(`update${name}`, seen) } : {}),
    ...(remove ? { delete: removeOperation(seen) } : {}),
  };
  const rowPath = path + entity.keys.map((key) => `/${encodeURIComponent(key)}/{${key}}`).join('');
  return {
    paths: {
      ...(Object.keys(list).length > 0 ? { [path]: list } : {}),
      ...(Object.keys(row).length > 0 ? { [rowPath]: { parameters: keys, ...row } } : {}),
    },
    schemas: {
      [name]: rowSchema(seen, read ?? ((field) => entity.keys.includes(field))),
      ...(create ? { [`New${name}`]: newSchema(seen, create) } : {}),
      ...(update ? { [`${name}Change`]: changeSchema(seen, update) } : {}),
    },
  };
}

function describeProcedure(seen: SeenEntity): Described {
  const { entity, name, path, reach } = seen;
  if (reach('execute') === undefined) return NOTHING;
  const given = [...entity.parameters].map(([parameter, { required, description }]) => ({
    ...{ name: parameter, required },
    ...(description === undefined ? {} : { description }),
  }));
  const get = operation(`execute${name}`, seen, {
    parameters: given.map((one) => ({ ...one, in: 'query', schema: { type: 'string' } })),
  });
  const properties = Object.fromEntries(given.map((one) => [one.name, {}]));
  const required = given.filter((one) => one.required).map((one) => one.name);
  const body = { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
  const post = operation(`execute${name}${entity.methods.includes('get') ? 'ByPost' : ''}`, seen, {
    requestBody: jsonBody(body),
  });
  const methods = {
    ...(entity.methods.includes('get') ? { get } : {}),
    ...(entity.methods.includes('post') ? { post } : {}),
  };
  return { paths: { [path]: methods }, schemas: { [name]: { type: 'object', additionalProperties: true } } };
}

const SELECT = {
  name: '$select',
  in: 'query',
  description: 'Fields to return, separated by commas.',
  schema: { type: 'string' },
};
const OPTIONS = [
  { name: '$filter', in: 'query', description: 'Condition on fields.', schema: { type: 'string' } },
  SELECT,
  { name: '$orderby', in: 'query', description: 'Fields to sort by.', schema: { type: 'string' } },
  { name: '$first', in: 'query', description: 'Number of rows on a page.', schema: { type: 'integer' } },
  { name: '$after', in: 'query', description: 'Token of the next page.', schema: { type: 'string' } },
];

function operation(operationId: string, { name, entity }: SeenEntity, more: Json, status = 200): Json {
  const { description } = entity;
  const value = { type: 'array', items: { $ref: `#/components/schemas/${name}` } };
  const schema = { type: 'object', required: ['value'], properties: { value } };
  return {
    ...{ operationId, tags: [entity.name], ...(description === undefined ? {} : { description }), ...more },
    responses: {
      [status]: { description: 'The rows.', content: { 'application/json': { schema } } },
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}

function listOperation(seen: SeenEntity): Json {
  const { name } = seen;
  const value = { type: 'array', items: { $ref: `#/components/schemas/${name}` } };
  const schema = { type: 'object', required: ['value'], properties: { value, nextLink: { type: 'string' } } };
  const content = { 'application/json': { schema } };
  const list = operation(`list${name}`, seen, { parameters: OPTIONS });
  const responses = {
    200: { description: 'A page of rows.', content },
    default: { $ref: '#/components/responses/Problem' },
  };
  return { ...list, responses };
}

function createOperation(seen: SeenEntity): Json {
  const requestBody = jsonBody({ $ref: `#/components/schemas/New${seen.name}` });
  return operation(`create${seen.name}`, seen, { requestBody }, 201);
}

function writeOperation(operationId: string, seen: SeenEntity): Json {
  const requestBody = jsonBody({ $ref: `#/components/schemas/${seen.name}Change` });
  const written = operation(operationId, seen, { requestBody });
  const responses = written['responses'] as Json;
  return { ...written, responses: { ...responses, 201: responses['200'] } };
}

function removeOperation(seen: SeenEntity): Json {
  const removed = operation(`delete${seen.name}`, seen, {});
  return {
    ...removed,
    responses: { 204: { description: 'The row is deleted.' }, default: { $ref: '#/components/responses/Problem' } },
  };
}

function jsonBody(schema: Json): Json {
  return { required: true, content: { 'application/json': { schema } } };
}

type Reach = (field: string) => boolean;

function rowSchema({ shape, entity }: SeenEntity, reach: Reach): Json {
  const columns = [...shape.columns.values()].filter(({ name }) => reach(name) || entity.keys.includes(name));
  return toObject(columns, shape, { required: () => false });
}

function newSchema({ shape, entity }: SeenEntity, reach: Reach): Json {
  const isMade = ({ name, isGenerated, default: made, type }: Column): boolean =>
    isGenerated === true || made !== undefined || (entity.keys.join() === name && type !== 'text');
  const columns = [...shape.columns.values()].filter(({ name }) => reach(name));
  return toObject(columns, shape, { required: (column) => !column.nullable && !isMade(column) });
}

function changeSchema({ shape, entity }: SeenEntity, reach: Reach): Json {
  const columns = [...shape.columns.values()].filter(({ name }) => reach(name) && !entity.keys.includes(name));
  return toObject(columns, shape, { required: () => false });
}

function toObject(
  columns: readonly Column[],
  { isOpen }: RowShape,
  { required }: { readonly required: (column: Column) => boolean },
): Json {
  const needed = columns.filter(required).map(({ name }) => name);
  return {
    type: 'object',
    ...(needed.length === 0 ? {} : { required: needed }),
    properties: Object.fromEntries(columns.map((column) => [column.name, columnSchema(column, column.nullable)])),
    additionalProperties: isOpen,
  };
}

const SCHEMAS: Readonly<Record<ColumnType, { readonly type?: string; readonly format?: string }>> = {
  byte: { type: 'integer' },
  short: { type: 'integer' },
  int: { type: 'integer', format: 'int32' },
  long: { type: 'integer', format: 'int64' },
  single: { type: 'number', format: 'float' },
  float: { type: 'number', format: 'double' },
  decimal: { type: 'number' },
  boolean: { type: 'boolean' },
  text: { type: 'string' },
  datetime: { type: 'string' },
  date: { type: 'string' },
  time: { type: 'string' },
  uuid: { type: 'string', format: 'uuid' },
  bytes: { type: 'string' },
  any: {},
};

function columnSchema(column: Column | undefined, nullable: boolean): Json {
  if (column === undefined) return { type: 'string' };
  const { type, ...format } = SCHEMAS[column.type];
  const { description, maxLength, values } = column;
  if (type === undefined) return nullable ? {} : { type: ['string', 'number'] };
  return {
    ...{ type: nullable ? [type, 'null'] : type, ...format },
    ...(description === undefined ? {} : { description }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(values === undefined ? {} : { enum: nullable ? [...values, null] : values }),
  };
}
