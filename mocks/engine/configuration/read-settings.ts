import { appendPointer, isRecord, type MockSetup, withoutUndefined } from 'specmill/mock';

import { type EngineConfiguration, McpToolName } from '../../../generated/engine/types.js';
import { ConfigReader, readConfigFiles, trimSlashes } from './config-reader.js';
import { readEngineSchema } from '../database/read-engine-schema.js';
import type { Tables } from '../database/table.js';
import { describeUnconfigured, type Entity } from './entity.js';
import { checkEntities } from './check-entities.js';
import { readAutoEntities } from './read-auto-entities.js';
import { type EntityDefaults, readEntity } from './read-entity.js';
import { linkEntities } from './read-relationships.js';
import type { DataSourceCheck, EngineSettings, Provider } from './settings.js';

export interface ReadSettings {
  readonly settings: EngineSettings;
  readonly files: readonly string[];
}

/**
 * Reads a configuration and the schema of the database, and applies every default.
 *
 * @param sources - files, or their content. Default: an empty configuration, and no schema.
 * @throws InputError or SpecError for a configuration that cannot be served
 */
export async function readSettings(sources: EngineSources, setup: MockSetup): Promise<ReadSettings> {
  const { engineConfig, engineSchema } = sources;
  const readers = isGiven(engineConfig) ? await readConfigFiles(engineConfig, setup) : noFiles(setup);
  const type = readers[0].config['data-source']?.['database-type'];
  const tables = isGiven(engineSchema) ? await readEngineSchema(engineSchema, type) : undefined;
  const schemaFile = typeof engineSchema === 'string' ? [engineSchema] : [];
  return {
    settings: toSettings(readers, setup, tables),
    files: [...readers.flatMap(({ file }) => (file === undefined ? [] : [file])), ...schemaFile],
  };
}

/** The options that name them. */
export interface EngineSources {
  readonly engineConfig?: unknown;
  readonly engineSchema?: unknown;
}

function isGiven(source: unknown): source is string | object {
  return typeof source === 'string' || (typeof source === 'object' && source !== null);
}

type Readers = readonly [ConfigReader, ...ConfigReader[]];

function noFiles({ api }: MockSetup): Readers {
  return [new ConfigReader({ value: {}, placeOf: () => ({}) }, api)];
}

/** Uses the runtime section of the first file, and the data sources and entities of all files. */
function toSettings(readers: Readers, { realName }: MockSetup, tables: Tables | undefined): EngineSettings {
  const [reader] = readers;
  const cacheSeconds = reader.flag('/runtime/cache/enabled')
    ? { cacheSeconds: reader.number('/runtime/cache/ttl-seconds') }
    : {};
  const graphql = readGraphql(reader);
  const rest = {
    enabled: reader.flag('/runtime/rest/enabled'),
    path: readPath(reader, '/runtime/rest/path'),
    isStrict: reader.flag('/runtime/rest/request-body-strict'),
  };
  const mcp = readMcp(reader);
  checkPaths(reader, { rest, graphql, mcp });
  return {
    rest,
    pagination: {
      defaultSize: reader.number('/runtime/pagination/default-page-size'),
      maxSize: reader.number('/runtime/pagination/max-page-size'),
      isRelative: reader.flag('/runtime/pagination/next-link-relative'),
    },
    graphql,
    mcp,
    host: readHost(reader),
    ...cacheSeconds,
    compression: reader.value('/runtime/compression/level') as EngineSettings['compression'],
    health: {
      enabled: reader.flag('/runtime/health/enabled'),
      ...withoutUndefined({ roles: reader.config.runtime?.health?.roles ?? undefined }),
      ttl: reader.number('/runtime/health/cache-ttl-seconds'),
      dataSources: readers.flatMap(readCheck),
    },
    telemetry: hasTelemetry(reader, realName),
    ...readEntities(readers, {
      ...{ ...cacheSeconds, aggregates: graphql.aggregates },
      ...(tables === undefined ? {} : { tables }),
    }),
  };
}

/** @throws InputError for two endpoints at one path */
function checkPaths(
  reader: ConfigReader,
  endpoints: Readonly<Record<string, { readonly enabled: boolean; readonly path: string }>>,
): void {
  const known = new Map<string, string>();
  for (const [name, { enabled, path }] of Object.entries(endpoints)) {
    const other = known.get(path);
    if (enabled && other !== undefined)
      throw reader.problem(`/runtime/${name}/path`, `The endpoint ${other} has the path ${path} too.`);
    if (enabled) known.set(path, name);
  }
}

/** @throws InputError for a path that a route cannot have */
function readPath(reader: ConfigReader, pointer: string): string {
  const path = `/${trimSlashes(reader.text(pointer))}`;
  if (/^(?:\/[\w.~-]+)+$/.test(path) && !path.startsWith('/__specmill')) return path;
  throw reader.problem(pointer, 'A path consists of segments of letters, digits, dots, dashes and underscores.');
}

function readGraphql(reader: ConfigReader): EngineSettings['graphql'] {
  const limit = reader.number('/runtime/graphql/depth-limit');
  return {
    enabled: reader.flag('/runtime/graphql/enabled'),
    path: readPath(reader, '/runtime/graphql/path'),
    allowsIntrospection: reader.flag('/runtime/graphql/allow-introspection'),
    ...(limit > 0 ? { depthLimit: limit } : {}),
    aggregates: reader.flag('/runtime/graphql/enable-aggregation') && canAggregate(reader),
    createsMany: reader.flag('/runtime/graphql/multiple-mutations/create/enabled'),
  };
}

/** Whether the database supports aggregation. Without a data source, it does. */
function canAggregate({ config }: ConfigReader): boolean {
  const type = config['data-source']?.['database-type'];
  return type === undefined || type === 'mssql' || type === 'dwsql';
}

function readMcp(reader: ConfigReader): EngineSettings['mcp'] {
  const tools = '/runtime/mcp/dml-tools';
  const isOn = (name: McpToolName): boolean =>
    reader.flag(isRecord(reader.value(tools)) ? `${tools}/${name.replaceAll('_', '-')}` : tools);
  const instructions = reader.text('/runtime/mcp/description');
  return {
    enabled: reader.flag('/runtime/mcp/enabled'),
    path: readPath(reader, '/runtime/mcp/path'),
    ...(instructions === '' ? {} : { instructions }),
    allowedHosts: reader.texts('/runtime/mcp/allowed-hosts'),
    tools: new Set(Object.values(McpToolName).filter(isOn)),
    aggregateTimeout: reader.number(`${tools}/aggregate-records/query-timeout`),
  };
}

function readHost(reader: ConfigReader): EngineSettings['host'] {
  const pointer = '/runtime/host';
  const jwt = `${pointer}/authentication/jwt`;
  return {
    mode: reader.value(`${pointer}/mode`) === 'development' ? 'Development' : 'Production',
    maxResponseMegabytes: reader.number(`${pointer}/max-response-size-mb`),
    cors: {
      origins: reader.texts(`${pointer}/cors/origins`),
      allowCredentials: reader.flag(`${pointer}/cors/allow-credentials`),
    },
    provider: reader.value(`${pointer}/authentication/provider`) as Provider,
    ...(reader.value(jwt) === undefined
      ? {}
      : { jwt: { audience: reader.text(`${jwt}/audience`), issuer: reader.text(`${jwt}/issuer`) } }),
  };
}

/** The checks of the data source; without one, the check is named after the mock. */
function readCheck(reader: ConfigReader): readonly DataSourceCheck[] {
  if (!reader.flag('/data-source/health/enabled')) return [];
  const source = reader.config['data-source'];
  const name = source?.health?.name ?? source?.['database-type'] ?? 'mock';
  return [{ name, threshold: reader.number('/data-source/health/threshold-ms') }];
}

/** Whether a part of the telemetry that the file has is on. */
function hasTelemetry(reader: ConfigReader, realName: (word: string) => string): boolean {
  const names = ['vendor-app-insights', 'open-telemetry', 'vendor-log-analytics', 'file'];
  return (
    names
      .map((name) => `/runtime/telemetry/${realName(name)}`)
      .filter((pointer) => reader.value(pointer) !== undefined && reader.flag(pointer)).length > 0
  );
}

/**
 * Reads the entities of all files. Without any, each table of the schema is an entity of its own.
 *
 * @throws InputError for an entity in two files, or entities that cannot be served together
 */
function readEntities(readers: Readers, defaults: EntityDefaults): Pick<EngineSettings, 'entities' | 'links'> {
  const { tables } = defaults;
  const isConfigured = readers.some(({ config }) => config.entities !== undefined || config.autoentities !== undefined);
  if (!isConfigured) return tables === undefined ? { links: new Map() } : offerTables(tables, defaults);
  const read = new Map<string, Entity>();
  for (const reader of readers) {
    const aggregates = defaults.aggregates && canAggregate(reader);
    for (const [name, config] of Object.entries<NonNullable<EngineConfiguration['entities']>[string]>(
      reader.config.entities ?? {},
    )) {
      const pointer = appendPointer('/entities', name);
      if (read.has(name)) throw reader.problem(pointer, `Another file has an entity ${name} already.`);
      const place = { reader, pointer, permissions: `${pointer}/permissions` };
      read.set(name, readEntity(name, config, place, { ...defaults, aggregates }));
    }
    for (const entity of readAutoEntities(reader, read, { ...defaults, aggregates })) read.set(entity.name, entity);
  }
  const { entities, links } = linkEntities(read, tables);
  checkEntities(entities, readers);
  return { entities, links };
}

function offerTables(
  tables: Tables,
  { aggregates, cacheSeconds }: EntityDefaults,
): Pick<EngineSettings, 'entities' | 'links'> {
  const entities = tables.list.map(({ name, keys, columns, unique }) => {
    const word = name.slice(name.lastIndexOf('.') + 1);
    const cache = cacheSeconds === undefined ? {} : { cacheSeconds };
    const known = { ...{ columns, unique, isDeclared: true, object: name, aggregates }, ...cache };
    return describeUnconfigured(word, keys.length === 0 ? [...columns.keys()].slice(0, 1) : keys, known);
  });
  return { entities: new Map(entities.map((entity) => [entity.name, entity])), links: new Map() };
}
