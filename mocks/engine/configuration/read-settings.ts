import { appendPointer, isRecord, type MockSetup, withoutUndefined } from 'specmill/mock';

import { type EngineConfiguration, McpToolName } from '../../../generated/engine/types.js';
import { ConfigReader, readConfigFiles, trimSlashes } from './config-reader.js';
import type { Entity } from './entity.js';
import { readEntity } from './read-entity.js';
import type { DataSourceCheck, EngineSettings, Provider } from './settings.js';

export interface ReadSettings {
  readonly settings: EngineSettings;
  readonly files: readonly string[];
}

/**
 * Reads a configuration and applies every default.
 *
 * @param source - a file, or its content. Default: an empty configuration.
 * @throws InputError or SpecError for a configuration that cannot be served
 */
export async function readSettings(source: unknown, setup: MockSetup): Promise<ReadSettings> {
  const isGiven = typeof source === 'string' || (typeof source === 'object' && source !== null);
  const readers = isGiven ? await readConfigFiles(source, setup) : noFiles(setup);
  return {
    settings: toSettings(readers, setup),
    files: readers.flatMap(({ file }) => (file === undefined ? [] : [file])),
  };
}

type Readers = readonly [ConfigReader, ...ConfigReader[]];

function noFiles({ api }: MockSetup): Readers {
  return [new ConfigReader({ value: {}, placeOf: () => ({}) }, api)];
}

/** Uses the runtime section of the first file, and the data sources and entities of all files. */
function toSettings(readers: Readers, { realName }: MockSetup): EngineSettings {
  const [reader] = readers;
  const cacheSeconds = reader.flag('/runtime/cache/enabled')
    ? { cacheSeconds: reader.number('/runtime/cache/ttl-seconds') }
    : {};
  const graphql = readGraphql(reader);
  return {
    rest: {
      enabled: reader.flag('/runtime/rest/enabled'),
      path: readPath(reader, '/runtime/rest/path'),
      isStrict: reader.flag('/runtime/rest/request-body-strict'),
    },
    pagination: {
      defaultSize: reader.number('/runtime/pagination/default-page-size'),
      maxSize: reader.number('/runtime/pagination/max-page-size'),
      isRelative: reader.flag('/runtime/pagination/next-link-relative'),
    },
    graphql,
    mcp: readMcp(reader),
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
    ...readEntities(readers, { ...cacheSeconds, aggregates: graphql.aggregates }),
  };
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

/** @throws InputError for an entity in two files, or a relationship that leads nowhere */
function readEntities(
  readers: Readers,
  defaults: { readonly aggregates: boolean; readonly cacheSeconds?: number },
): Pick<EngineSettings, 'entities'> {
  if (readers.every(({ config }) => config.entities === undefined)) return {};
  const entities = new Map<string, Entity>();
  for (const reader of readers) {
    const aggregates = defaults.aggregates && canAggregate(reader);
    for (const [name, config] of Object.entries<NonNullable<EngineConfiguration['entities']>[string]>(
      reader.config.entities ?? {},
    )) {
      const pointer = appendPointer('/entities', name);
      if (entities.has(name)) throw reader.problem(pointer, `Another file has an entity ${name} already.`);
      entities.set(name, readEntity(name, config, { reader, pointer }, { ...defaults, aggregates }));
    }
  }
  checkEntities(entities, readers);
  return { entities };
}

function checkEntities(entities: ReadonlyMap<string, Entity>, readers: Readers): void {
  const paths = new Map<string, string>();
  for (const { name, relationships, restPath } of entities.values()) {
    const reader = readers.find(({ config }) => Object.hasOwn(config.entities ?? {}, name)) ?? readers[0];
    const pointer = appendPointer('/entities', name);
    const other = restPath === undefined ? undefined : paths.get(restPath);
    if (other !== undefined) throw reader.problem(pointer, `The entity ${other} has the path /${restPath} too.`);
    if (restPath !== undefined) paths.set(restPath, name);
    const lost = relationships.find(({ target }) => !entities.has(target));
    if (lost === undefined) continue;
    throw reader.problem(`${pointer}/relationships/${lost.name}/target.entity`, `There is no entity ${lost.target}.`);
  }
}
