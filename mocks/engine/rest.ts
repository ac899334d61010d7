import {
  type Call,
  encodeTarget,
  type Handler,
  type HeaderMap,
  type RequestContext,
  type HandlerResponse,
} from 'specmill/mock';

import type { EngineOperations, Row } from '../../generated/engine/types.js';
import type { Entity } from './configuration/entity.js';
import { settingsOf } from './configuration/settings.js';
import { openRestEntity, requireRestEntity } from './entities.js';
import { executeProcedure } from './execute-procedure.js';
import { grantOf, writtenFields } from './grants.js';
import { queryRows, readSelect } from './query-rows.js';
import { refuse, rowNotFound } from './refusals.js';
import type { UnknownFields } from './fit-row.js';
import { deleteRow, findRow, keyTextsOf } from './rows.js';
import { openSession } from './session.js';
import { createRow, writeRow } from './write-rows.js';

type RowPath = EngineOperations['getRow']['request']['path'];

/** Maximum number of segments in the path of an entity. */
const MOST_SEGMENTS = 20;

/** The path of a row, split after the path of its entity: both may have several segments. */
function rowPathOf({ config }: Pick<RequestContext, 'config'>, given: RowPath): RowPath {
  const segments = [given.entity, given.key, given.value].join('/').split('/');
  const starts = segments
    .slice(0, -2)
    .slice(0, MOST_SEGMENTS)
    .map((_, index) => segments.slice(0, index + 1).join('/'));
  const paths = new Set([...(settingsOf({ config }).entities?.values() ?? [])].map(({ restPath }) => restPath));
  const entity = starts.findLast((start) => paths.has(start));
  if (entity === undefined || entity === given.entity) return given;
  const [key = '', ...value] = segments.slice(entity.split('/').length);
  return { entity, key, value: value.join('/') };
}

/**
 * Reads the values of the key in a path: `/id/5`, or for a key of several fields `/lang/en/id/5`, in any order.
 *
 * @throws HttpError 400 if these are not the fields of the key
 */
function readKeyPath({ name, keys, kind }: Entity, { key, value }: RowPath): readonly string[] {
  if (kind === 'stored-procedure') throw refuse(405, `The stored procedure ${name} has no rows.`);
  const parts = keys.length === 1 ? [key, value] : [key, ...value.split('/')];
  const given = new Map(parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? '']] : [])));
  if (parts.length === 2 * keys.length && keys.every((one) => (given.get(one) ?? '') !== ''))
    return keys.map((one) => given.get(one) ?? '');
  const violation = { in: 'path', pointer: '/key', message: `must be ${keys.join(' and ')}` } as const;
  throw refuse(400, `The primary key of the entity ${name} is ${keys.join(' and ')}.`, violation);
}

function locationOf(
  { baseUrl, config }: Pick<RequestContext, 'baseUrl' | 'config'>,
  entity: Entity,
  row: Row,
): HeaderMap {
  const values = keyTextsOf(entity, row);
  const parts = entity.keys.flatMap((key, index) => [key, values[index] ?? '']).map((part) => encodeURIComponent(part));
  const entityPath = (entity.restPath ?? entity.name).split('/').map((part) => encodeURIComponent(part));
  return { location: `${baseUrl}${settingsOf({ config }).rest.path}/${[...entityPath, ...parts].join('/')}` };
}

function unknownFields({ config }: Pick<RequestContext, 'config'>): UnknownFields {
  return settingsOf({ config }).rest.isStrict ? 'refuse' : 'ignore';
}

export const listRows: Handler<EngineOperations['listRows']> = async (call) => {
  const entity = await requireRestEntity(call, call.input.path.entity);
  if (entity.kind === 'stored-procedure') {
    const parameters = Object.fromEntries(new URLSearchParams(call.request.target.split('?')[1] ?? ''));
    return call.respond(200, { value: await callProcedure(call, entity, { method: 'get', parameters }) });
  }
  const grant = grantOf(openSession(call), entity, 'read');
  return keepResponse(call, entity, async () => {
    const {
      $filter: filter,
      $select: select,
      $orderby: orderby,
      $first: first,
      $after: after,
    } = call.input.query ?? {};
    const show = await readSelect(call, { entity, grant }, select);
    const { rows, next } = await queryRows(call, { entity, grant }, { filter, orderby, first, after });
    const nextLink = next === undefined ? {} : { nextLink: linkAfter(call, next) };
    return call.respond(200, { value: rows.map(show), ...nextLink });
  });
};

function linkAfter(
  { baseUrl, request, config }: Pick<RequestContext, 'baseUrl' | 'request' | 'config'>,
  token: string,
): string {
  const [path = '', query = ''] = request.target.split('?');
  const kept = query.split('&').filter((part) => part !== '' && !/^(?:\$|%24)after(?:=|$)/i.test(part));
  const target = encodeTarget(`${path}?${[...kept, `$after=${token}`].join('&')}`);
  return (
    (settingsOf({ config }).pagination.isRelative ? new URL(baseUrl).pathname.replace(/\/$/, '') : baseUrl) + target
  );
}

export const addRow: Handler<EngineOperations['createRow']> = async (call) => {
  const entity = await openRestEntity(call, call.input.path.entity);
  const fields = call.input.body;
  if (entity.kind === 'stored-procedure')
    return call.respond(200, { value: await callProcedure(call, entity, { method: 'post', parameters: fields }) });
  const session = openSession(call);
  const row = await createRow(call, entity, { fields, session, unknown: unknownFields(call) });
  return call.respond(201, { value: [writtenFields(session, entity, row)] }, locationOf(call, entity, row));
};

async function callProcedure(
  call: Call<EngineOperations['listRows']> | Call<EngineOperations['createRow']>,
  entity: Entity,
  { method, parameters }: { readonly method: 'get' | 'post'; readonly parameters: Row },
): Promise<Row[]> {
  if (!entity.methods.includes(method))
    throw refuse(405, `The stored procedure ${entity.name} is not called with ${method.toUpperCase()}.`);
  return [...(await executeProcedure(call, entity, { session: openSession(call), parameters }))];
}

export const getRow: Handler<EngineOperations['getRow']> = async (call) => {
  const { query } = call.input;
  const path = rowPathOf(call, call.input.path);
  const entity = await requireRestEntity(call, path.entity);
  const values = readKeyPath(entity, path);
  const grant = grantOf(openSession(call), entity, 'read');
  return keepResponse(call, entity, async () => {
    const show = await readSelect(call, { entity, grant }, query?.$select);
    const row = await findRow(call, entity, values, grant);
    if (row === undefined) throw rowNotFound(entity, values);
    return call.respond(200, { value: [show(row)] });
  });
};

/** Handles PUT and PATCH, which change or create a row; with `If-Match: *` they only change it. */
function writing(how: 'replace' | 'merge'): Handler<EngineOperations['replaceRow']> {
  return async (call) => {
    const { body: fields } = call.input;
    const path = rowPathOf(call, call.input.path);
    const mayCreate = call.request.headers['if-match'] === undefined;
    const entity = mayCreate
      ? await openRestEntity(call, path.entity, path.key)
      : await requireRestEntity(call, path.entity);
    const values = readKeyPath(entity, path);
    const session = openSession(call);
    const change = { values, fields, how, mayCreate, session, unknown: unknownFields(call) };
    const { row, isNew } = await writeRow(call, entity, change);
    const value: [Row] = [writtenFields(session, entity, row)];
    return isNew ? call.respond(201, { value }, locationOf(call, entity, row)) : call.respond(200, { value });
  };
}

export const replaceRow: Handler<EngineOperations['replaceRow']> = writing('replace');
export const updateRow: Handler<EngineOperations['updateRow']> = writing('merge');

export const removeRow: Handler<EngineOperations['deleteRow']> = async (call) => {
  const path = rowPathOf(call, call.input.path);
  const entity = await requireRestEntity(call, path.entity);
  await deleteRow(call, entity, readKeyPath(entity, path), openSession(call));
  return call.respond(204, undefined);
};

interface KeptResponse {
  readonly response: HandlerResponse;
  /** In epoch milliseconds. */
  readonly madeAt: number;
}

/** Maximum number of cached responses; the oldest are removed first. */
const MOST_KEPT = 1_000;

/**
 * Returns the response to a read, from the cache if the configuration enables it. Writes do not change the cache.
 * Callers with different roles or claims do not share it.
 */
async function keepResponse(
  call: RequestContext,
  entity: Pick<Entity, 'cacheSeconds'>,
  make: () => Promise<HandlerResponse>,
): Promise<HandlerResponse> {
  const { cacheSeconds } = entity;
  if (cacheSeconds === undefined) return make();
  const kept = call.memory('responses', () => new Map<string, KeptResponse>());
  const { role, claims } = openSession(call);
  const key = JSON.stringify([role, claims, call.baseUrl, call.request.target]);
  const now = call.clock.now();
  const known = kept.get(key);
  if (known !== undefined && now >= known.madeAt && now < known.madeAt + cacheSeconds * 1_000) return known.response;
  const response = await make();
  kept.delete(key);
  kept.set(key, { response, madeAt: now });
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
  return response;
}
