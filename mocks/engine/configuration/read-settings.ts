import { appendPointer, type MockSetup, withoutUndefined } from 'specmill/mock';

import { type EngineConfiguration, type Mcp, McpToolName, type Runtime } from '../../../generated/engine/types.js';
import { ConfigReader, readConfigFiles, trimSlashes } from './config-reader.js';
import { DEFAULT_THRESHOLD, type Entity } from './entity.js';
import { readEntity } from './read-entity.js';
import type { DataSourceCheck, EngineSettings } from './settings.js';

const DEFAULT_PAGE = 100;
const LARGEST_PAGE = 100_000;
const LARGEST_RESPONSE = 158;
const CACHE_SECONDS = 5;
const HEALTH_SECONDS = 5;
const AGGREGATE_SECONDS = 30;

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
  const readers = isGiven ? await readConfigFiles(source, setup) : NO_FILES;
  return {
    settings: toSettings(readers, setup),
    files: readers.flatMap(({ file }) => (file === undefined ? [] : [file])),
  };
}

type Readers = readonly [ConfigReader, ...ConfigReader[]];

const NO_FILES: Readers = [new ConfigReader({ value: {}, placeOf: () => ({}) })];

/** Uses the runtime section of the first file, and the data sources and entities of all files. */
function toSettings(readers: Readers, { realName }: MockSetup): EngineSettings {
  const [reader] = readers;
  const { runtime = {} } = reader.config;
  const { cache = {}, compression = {} } = runtime;
  const isCached = reader.flag(cache.enabled, '/runtime/cache/enabled', false);
  const cacheSeconds = isCached ? { cacheSeconds: cache['ttl-seconds'] ?? CACHE_SECONDS } : {};
  const graphql = readGraphql(reader, runtime);
  return {
    ...readRest(reader, runtime),
    graphql,
    mcp: readMcp(reader, runtime.mcp ?? {}),
    host: readHost(reader, runtime),
    ...cacheSeconds,
    compression: compression.level ?? 'optimal',
    health: readHealth(readers, runtime),
    telemetry: hasTelemetry(reader, runtime, realName),
    ...readEntities(readers, { ...cacheSeconds, aggregates: graphql.aggregates }),
  };
}

function readRest(
  reader: ConfigReader,
  { rest = {}, pagination = {} }: Runtime,
): Pick<EngineSettings, 'rest' | 'pagination'> {
  return {
    rest: {
      enabled: reader.flag(rest.enabled, '/runtime/rest/enabled', true),
      path: readPath(reader, rest.path ?? '/api', '/runtime/rest/path'),
      isStrict: reader.flag(rest['request-body-strict'], '/runtime/rest/request-body-strict', false),
    },
    pagination: {
      defaultSize: pagination['default-page-size'] ?? DEFAULT_PAGE,
      maxSize: pagination['max-page-size'] ?? LARGEST_PAGE,
      isRelative: reader.flag(pagination['next-link-relative'], '/runtime/pagination/next-link-relative', false),
    },
  };
}

/** @throws InputError for a path that a route cannot have */
function readPath(reader: ConfigReader, value: string, pointer: string): string {
  const path = `/${trimSlashes(reader.text(value, pointer))}`;
  if (/^(?:\/[\w.~-]+)+$/.test(path) && !path.startsWith('/__specmill')) return path;
  throw reader.problem(pointer, 'A path consists of segments of letters, digits, dots, dashes and underscores.');
}

function readGraphql(reader: ConfigReader, { graphql = {} }: Runtime): EngineSettings['graphql'] {
  const limit = graphql['depth-limit'] ?? 0;
  return {
    enabled: reader.flag(graphql.enabled, '/runtime/graphql/enabled', true),
    path: readPath(reader, graphql.path ?? '/graphql', '/runtime/graphql/path'),
    allowsIntrospection: reader.flag(graphql['allow-introspection'], '/runtime/graphql/allow-introspection', true),
    ...(limit > 0 ? { depthLimit: limit } : {}),
    aggregates:
      reader.flag(graphql['enable-aggregation'], '/runtime/graphql/enable-aggregation', true) && canAggregate(reader),
    createsMany: reader.flag(
      graphql['multiple-mutations']?.create?.enabled,
      '/runtime/graphql/multiple-mutations/create/enabled',
      false,
    ),
  };
}

/** Whether the database supports aggregation. Without a data source, it does. */
function canAggregate({ config }: ConfigReader): boolean {
  const type = config['data-source']?.['database-type'];
  return type === undefined || type === 'mssql' || type === 'dwsql';
}

function readMcp(reader: ConfigReader, mcp: Mcp): EngineSettings['mcp'] {
  const { 'dml-tools': tools = true, description } = mcp;
  const own = typeof tools === 'object' ? tools : {};
  const isOn = (name: McpToolName): boolean => {
    if (typeof tools !== 'object') return reader.flag(tools, '/runtime/mcp/dml-tools', true);
    const key = name.replaceAll('_', '-') as keyof typeof tools;
    const value = own[key];
    const pointer = `/runtime/mcp/dml-tools/${key}`;
    return reader.flag(typeof value === 'object' ? value.enabled : value, pointer, true);
  };
  const aggregate = own['aggregate-records'];
  return {
    enabled: reader.flag(mcp.enabled, '/runtime/mcp/enabled', true),
    path: readPath(reader, mcp.path ?? '/mcp', '/runtime/mcp/path'),
    ...(description === undefined ? {} : { instructions: reader.text(description, '/runtime/mcp/description') }),
    allowedHosts: (mcp['allowed-hosts'] ?? []).map((host, index) =>
      reader.text(host, `/runtime/mcp/allowed-hosts/${index}`),
    ),
    tools: new Set(Object.values(McpToolName).filter(isOn)),
    aggregateTimeout: (typeof aggregate === 'object' ? aggregate['query-timeout'] : undefined) ?? AGGREGATE_SECONDS,
  };
}

function readHost(reader: ConfigReader, { host = {} }: Runtime): EngineSettings['host'] {
  const { cors, authentication } = host;
  const jwt = authentication?.jwt;
  const pointer = '/runtime/host';
  return {
    mode: host.mode === 'development' ? 'Development' : 'Production',
    maxResponseMegabytes: host['max-response-size-mb'] ?? LARGEST_RESPONSE,
    cors: {
      origins: (cors?.origins ?? []).map((origin, index) => reader.text(origin, `${pointer}/cors/origins/${index}`)),
      allowCredentials: reader.flag(cors?.['allow-credentials'], `${pointer}/cors/allow-credentials`, false),
    },
    provider: authentication?.provider ?? 'Unauthenticated',
    ...withoutUndefined({
      jwt: jwt && {
        audience: reader.text(jwt.audience, `${pointer}/authentication/jwt/audience`),
        issuer: reader.text(jwt.issuer, `${pointer}/authentication/jwt/issuer`),
      },
    }),
  };
}

function readHealth(readers: Readers, { health }: Runtime): EngineSettings['health'] {
  const [reader] = readers;
  return {
    enabled: reader.flag(health?.enabled, '/runtime/health/enabled', true),
    ...withoutUndefined({ roles: health?.roles ?? undefined }),
    ttl: health?.['cache-ttl-seconds'] ?? HEALTH_SECONDS,
    dataSources: readers.flatMap(readCheck),
  };
}

/** The checks of the data source; without one, the check is named after the mock. */
function readCheck(reader: ConfigReader): readonly DataSourceCheck[] {
  const source = reader.config['data-source'];
  if (!reader.flag(source?.health?.enabled, '/data-source/health/enabled', true)) return [];
  const name = source?.health?.name ?? source?.['database-type'] ?? 'mock';
  return [{ name, threshold: source?.health?.['threshold-ms'] ?? DEFAULT_THRESHOLD }];
}

function hasTelemetry(reader: ConfigReader, { telemetry = {} }: Runtime, realName: (word: string) => string): boolean {
  const sections: Readonly<Record<string, unknown>> = { ...telemetry };
  const isOn = (name: string, standard: boolean): boolean => {
    const section = sections[realName(name)];
    if (typeof section !== 'object' || section === null) return false;
    const { enabled } = section as { readonly enabled?: boolean | string };
    return reader.flag(enabled, `/runtime/telemetry/${realName(name)}/enabled`, standard);
  };
  return [
    isOn('vendor-app-insights', true),
    isOn('open-telemetry', true),
    isOn('vendor-log-analytics', false),
    isOn('file', false),
  ].some(Boolean);
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
