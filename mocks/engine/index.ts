import {
  type Api,
  type DefinedMock,
  defineMock,
  type HandlerContext,
  isRecord,
  type HandlerResponse,
  type Middleware,
  type RequestContext,
  stringifyExactJson,
} from 'specmill/mock';

import type { EngineOperations, Row } from '../../generated/engine/types.js';
import type { Entity } from './configuration/entity.js';
import { readSettings } from './configuration/read-settings.js';
import { type EngineSettings, settingsOf } from './configuration/settings.js';
import { declareColumns, openEntity, ENTITIES, ENTITY_SCHEMA } from './entities.js';
import { getHealth } from './health.js';
import { guessColumn } from './columns/column.js';
import { callMcp } from './mcp/call-mcp.js';
import { getOpenapi } from './openapi.js';
import { addRow, getRow, listRows, removeRow, replaceRow, updateRow } from './rest.js';
import { keyTextsOf, putRow, ROWS, ROW_SCHEMA } from './rows.js';
import { openSession } from './session.js';
import { fieldOf } from './sort-rows.js';
import { engineCollections } from './start-data.js';

const MEGABYTE = 1_024 * 1_024;

/** Authenticates the caller of each operation, and refuses responses that exceed the configured size. */
const guardRequests: Middleware = async (call, next) => {
  if (call.operation === undefined) return next();
  openSession(call);
  return limitSize(call, await next());
};

function limitSize(call: RequestContext, response: HandlerResponse): HandlerResponse {
  const { maxResponseMegabytes } = settingsOf(call).host;
  if (response.refusal || response.body?.kind !== 'json') return response;
  if (stringifyExactJson(response.body.value).length <= maxResponseMegabytes * MEGABYTE) return response;
  return call.refuse(413, `The result is larger than ${maxResponseMegabytes} MB. Use paging to make it smaller.`);
}

/** The endpoints of a data API engine (document 3, area A), as configured. */
export const mock: DefinedMock = defineMock<EngineOperations>('engine', {
  checkDocument: async (file, setup) => {
    await readSettings({ engineConfig: file }, setup);
  },
  prepare: async ({ engineConfig, engineSchema }, setup) => {
    const { settings, files } = await readSettings({ engineConfig, engineSchema }, setup);
    return {
      api: toServedApi(setup.api, settings),
      config: settings,
      files,
      cors: settings.host.cors,
      compression: settings.compression,
    };
  },
  seed: seedRows,
  data: ({ config }) => engineCollections(settingsOf({ config })),
  items: { [ENTITIES]: ENTITY_SCHEMA, [ROWS]: ROW_SCHEMA },
  middleware: guardRequests,
  operations: {
    listRows,
    createRow: addRow,
    getRow,
    replaceRow,
    updateRow,
    deleteRow: removeRow,
    // Loaded on demand, because most tests of an engine never send a document.
    executeGraphql: async (call) => (await import('./graphql/execute-graphql.js')).executeGraphql(call),
    queryGraphql: async (call) => (await import('./graphql/execute-graphql.js')).queryGraphql(call),
    callMcp,
    getHealth,
    getOpenapi,
  },
});

const SAMPLE = 'Book';

/**
 * Creates the books that the spec shows. With a configuration, they become rows of an entity `Book` if it names no
 * other fields.
 */
async function seedRows(context: HandlerContext): Promise<void> {
  const { entities } = settingsOf(context);
  const rows = sampleRows(context.api);
  const fields = new Set(rows.flatMap((row) => Object.keys(row)));
  const configured = entities?.get(SAMPLE);
  if (entities !== undefined && !(configured !== undefined && isSample(configured, fields))) return;
  const entity = await openEntity(context, SAMPLE);
  const exposed = (row: Row): Row =>
    Object.fromEntries(Object.entries(row).map(([field, value]) => [entity.mappings.get(field) ?? field, value]));
  for (const row of rows.map(exposed)) await putRow(context, entity, keyTextsOf(entity, row), row);
  const columns = [...fields].map((field) => {
    const values = rows.map((row) => fieldOf(row, field));
    const { isGuess: _guess, ...column } = guessColumn(entity.mappings.get(field) ?? field, values, true);
    return column;
  });
  await declareColumns(context, SAMPLE, columns);
}

function isSample({ keys, columns, mappings, kind }: Entity, known: ReadonlySet<string>): boolean {
  const original = new Map([...mappings].map(([from, to]) => [to, from]));
  const isKnown = (field: string): boolean => known.has(original.get(field) ?? field) || known.has(field);
  return kind !== 'stored-procedure' && keys.join() === 'id' && [...columns.keys()].every(isKnown);
}

/** The rows in the examples of a list, each once. */
function sampleRows({ operations }: Api): readonly Row[] {
  const shown = operations.find(({ id }) => id === 'listRows')?.responses.find(({ status }) => status === '200');
  const pages = shown?.content.flatMap(({ examples }) => examples.map(({ value }) => value)) ?? [];
  const byId = new Map<number, Row>();
  for (const page of pages) {
    for (const row of isRecord(page) && Array.isArray(page['value']) ? page['value'] : [])
      if (isRow(row)) byId.set(row.id, Object.assign(byId.get(row.id) ?? {}, row));
  }
  return [...byId.values()];
}

function isRow(value: unknown): value is Row & { readonly id: number } {
  return isRecord(value) && typeof value['id'] === 'number';
}

type Operation = Api['operations'][number];

/** The first segment of a path in the spec, and the configuration of the endpoint there. */
function endpointsOf({ rest, graphql, mcp, health }: EngineSettings): ReadonlyMap<string, Endpoint> {
  return new Map<string, Endpoint>([
    ['api', rest],
    ['graphql', graphql],
    ['mcp', mcp],
    ['health', { enabled: health.enabled, path: '/health' }],
  ]);
}

interface Endpoint {
  readonly enabled: boolean;
  readonly path: string;
}

/** Returns the API with the endpoints that the configuration enables, at its paths. */
function toServedApi(api: Api, settings: EngineSettings): Api {
  const endpoints = endpointsOf(settings);
  const entities = [...(settings.entities?.values() ?? [])];
  const isNested = entities.some(({ restPath }) => restPath?.includes('/') === true);
  const isComposite = entities.some(({ keys }) => keys.length > 1);
  const multiple = [...(isNested ? ['entity'] : []), ...(isComposite ? ['value'] : [])];
  const operations = api.operations.flatMap((operation) => {
    const [, segment = ''] = operation.path.split('/');
    const endpoint = endpoints.get(segment);
    if (endpoint === undefined) return [operation];
    if (!endpoint.enabled) return [];
    const path = endpoint.path + operation.path.slice(segment.length + 1);
    return [withSegments({ ...operation, path }, multiple)];
  });
  return { ...api, operations };
}

function withSegments(operation: Operation, names: readonly string[]): Operation {
  if (names.length === 0) return operation;
  const parameters = operation.parameters.map((parameter) =>
    parameter.in === 'path' && names.includes(parameter.name)
      ? { ...parameter, extensions: { ...parameter.extensions, 'x-multi-segment': true } }
      : parameter,
  );
  return { ...operation, parameters };
}
