import { encodeTarget, type Handler, type HeaderMap, type RequestContext } from 'specmill/mock';

import type { EngineOperations, Row } from '../../generated/engine/types.js';
import { queryRows, selectFields } from './query-rows.js';
import {
  createRow,
  deleteRow,
  type Entity,
  findRow,
  keyTextOf,
  openEntity,
  refuse,
  requireEntity,
  rowNotFound,
  writeRow,
} from './rows.js';

type RowPath = EngineOperations['getRow']['request']['path'];

/** A row is addressed by its key and by no other field. */
function checkKey({ name, key }: Entity, path: RowPath): void {
  if (path.key === key) return;
  throw refuse(400, `The primary key of the entity ${name} is ${key}.`, {
    in: 'path',
    pointer: '/key',
    message: `must be ${key}`,
  });
}

function locationOf({ baseUrl }: Pick<RequestContext, 'baseUrl'>, entity: Entity, row: Row): HeaderMap {
  const parts = ['api', entity.name, entity.key, keyTextOf(entity, row)].map((part) => encodeURIComponent(part));
  return { location: `${baseUrl}/${parts.join('/')}` };
}

export const listRows: Handler<EngineOperations['listRows']> = async (call) => {
  const entity = await requireEntity(call, call.input.path.entity);
  const { $filter: filter, $select: select, $orderby: orderby, $first: first, $after: after } = call.input.query ?? {};
  const { rows, next } = await queryRows(call, entity, { filter, orderby, first, after });
  const nextLink = next === undefined ? {} : { nextLink: linkAfter(call, next) };
  return call.respond(200, { value: rows.map((row) => selectFields(row, select)), ...nextLink });
};

/** The same request with another continuation token. */
function linkAfter({ baseUrl, request }: Pick<RequestContext, 'baseUrl' | 'request'>, token: string): string {
  const [path = '', query = ''] = request.target.split('?');
  const kept = query.split('&').filter((part) => part !== '' && !/^(?:\$|%24)after(?:=|$)/i.test(part));
  return baseUrl + encodeTarget(`${path}?${[...kept, `$after=${token}`].join('&')}`);
}

export const addRow: Handler<EngineOperations['createRow']> = async (call) => {
  const entity = await openEntity(call, call.input.path.entity);
  const row = await createRow(call, entity, call.input.body);
  return call.respond(201, { value: [row] }, locationOf(call, entity, row));
};

export const getRow: Handler<EngineOperations['getRow']> = async (call) => {
  const { path, query } = call.input;
  const entity = await requireEntity(call, path.entity);
  checkKey(entity, path);
  const row = await findRow(call, entity, path.value);
  if (row === undefined) throw rowNotFound(entity, path.value);
  return call.respond(200, { value: [selectFields(row, query?.$select)] });
};

/** PUT and PATCH change a row, or create it; with `If-Match: *` they only change. */
function writing(how: 'replace' | 'merge'): Handler<EngineOperations['replaceRow']> {
  return async (call) => {
    const { path, body } = call.input;
    const mayCreate = call.request.headers['if-match'] === undefined;
    const entity = mayCreate ? await openEntity(call, path.entity, path.key) : await requireEntity(call, path.entity);
    checkKey(entity, path);
    const { row, isNew } = await writeRow(call, entity, { value: path.value, fields: body, how, mayCreate });
    if (!isNew) return call.respond(200, { value: [row] });
    return call.respond(201, { value: [row] }, locationOf(call, entity, row));
  };
}

export const replaceRow: Handler<EngineOperations['replaceRow']> = writing('replace');
export const updateRow: Handler<EngineOperations['updateRow']> = writing('merge');

export const removeRow: Handler<EngineOperations['deleteRow']> = async (call) => {
  const { path } = call.input;
  const entity = await requireEntity(call, path.entity);
  checkKey(entity, path);
  await deleteRow(call, entity, path.value);
  return call.respond(204, undefined);
};
