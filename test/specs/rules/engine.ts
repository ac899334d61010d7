import { type ValueRow, choices, type SeedRules } from '../support/seed-rules.js';

const ROOT = 'EngineConfiguration';

/** Rows for one place of the configuration: what may stand there, and what may not. */
function at(rule: string, place: string, accepted: readonly unknown[], refused: readonly unknown[]): ValueRow[] {
  const whole = (value: unknown): unknown => nest(place.split(' '), value);
  return choices(rule, ROOT, accepted.map(whole), refused.map(whole));
}

/** `runtime rest path` and a value become `{ runtime: { rest: { path: value } } }`. */
function nest(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

const FLAG = [true, false, 'true', "@env('FLAG')"];

const NO_FLAG = [1, null];

const flag = (place: string): ValueRow[] => at('boolean-or-string', place, FLAG, NO_FLAG);

const source = (type: string, more: object = {}): object => ({
  'database-type': type,
  'connection-string': 'x',
  ...more,
});

const DOCUMENTS = { database: 'd', schema: 's.gql' };

const JWT = { audience: 'a', issuer: 'i' };

const SOURCES: readonly ValueRow[] = [
  ['nothing is required at the top', ROOT, { $schema: 's', 'data-source-files': ['a.json'] }, true],
  ['no extra properties anywhere', ROOT, { extra: 1 }, false],
  ...at('at least 1 file', 'data-source-files', [['a.json']], [[], 'a.json', [1]]),
  ...at(
    'database types',
    'data-source',
    ['mssql', 'postgresql', 'mysql', 'dwsql'].map((type) => source(type)),
    [source('oracle'), source('MSSQL')],
  ),
  ...at('both are required', 'data-source', [], [{ 'database-type': 'mssql' }, { 'connection-string': 'x' }]),
  ...at(
    'docdb_nosql needs options',
    'data-source',
    [source('docdb_nosql', { options: DOCUMENTS })],
    [source('docdb_nosql')],
  ),
  ...at(
    'database and schema are required, container is not',
    'data-source',
    [source('docdb_nosql', { options: { ...DOCUMENTS, container: 'c' } })],
    [source('docdb_nosql', { options: { database: 'd' } }), source('docdb_nosql', { options: { schema: 's' } })],
  ),
  ...at(
    'no other keys for docdb_nosql',
    'data-source',
    [],
    [{ 'set-session-context': true }, { other: 1 }].map((more) =>
      source('docdb_nosql', { options: { ...DOCUMENTS, ...more } }),
    ),
  ),
  ...['mssql', 'dwsql'].flatMap((type) =>
    at(
      'set-session-context',
      'data-source',
      [source(type, { options: { 'set-session-context': 'true' } })],
      [source(type, { options: { 'set-session-context': 1 } }), source(type, { options: { database: 'd' } })],
    ),
  ),
  ...['mysql', 'postgresql'].flatMap((type) =>
    at(
      'no keys',
      'data-source',
      [source(type, { options: {} })],
      [source(type, { options: { 'set-session-context': true } })],
    ),
  ),
  ...at(
    'health may be null',
    'data-source',
    [source('mssql', { health: null }), source('mssql', { health: { enabled: 'false', name: null } })],
    [source('mssql', { health: true })],
  ),
  ...at(
    '1 to 2147483647',
    'data-source',
    [1, 2_147_483_647].map((ms) => source('mssql', { health: { 'threshold-ms': ms } })),
    [0, 2_147_483_648, 1.5].map((ms) => source('mssql', { health: { 'threshold-ms': ms } })),
  ),
  ...at(
    'a single provider',
    'data-source',
    [
      source('mssql', {
        'user-delegated-auth': { enabled: true, provider: 'enterprise-id', 'database-audience': 'https://db' },
      }),
    ],
    [source('mssql', { 'user-delegated-auth': { provider: 'Custom' } })],
  ),
  ...at('user-delegated-auth may be null', 'data-source', [source('mssql', { 'user-delegated-auth': null })], []),
];

const ENDPOINTS: readonly ValueRow[] = [
  ...at('minimum 1 or null', 'runtime pagination max-page-size', [1, 500_000, null], [0, '10']),
  ...at('minimum 1 or null', 'runtime pagination default-page-size', [1, null], [0, 1.5]),
  ...flag('runtime pagination next-link-relative'),
  ...at('a string', 'runtime rest path', ['/api'], [null, 1]),
  ...flag('runtime rest enabled'),
  ...flag('runtime rest request-body-strict'),
  ...flag('runtime graphql allow-introspection'),
  ...flag('runtime graphql enabled'),
  ...flag('runtime graphql enable-aggregation'),
  ...at('an integer or null, -1 too', 'runtime graphql depth-limit', [null, -1, 3, 0], ['3', 1.5]),
  ...flag('runtime graphql multiple-mutations create enabled'),
  ...flag('runtime mcp enabled'),
  ...at('a string', 'runtime mcp description', ['Boats'], [1]),
  ...at('an array of strings', 'runtime mcp allowed-hosts', [[], ['*'], ['a.example']], ['*', [1]]),
  ...at('a flag for all tools, or an object', 'runtime mcp dml-tools', [...FLAG, {}], NO_FLAG),
  ...[
    'describe-entities',
    'create-record',
    'read-records',
    'update-record',
    'delete-record',
    'execute-entity',
    'aggregate-records',
  ].flatMap((tool) => flag(`runtime mcp dml-tools ${tool}`)),
  ...at('only aggregate-records may be an object', 'runtime mcp dml-tools read-records', [], [{ enabled: true }]),
  ...at(
    '1 to 600 seconds',
    'runtime mcp dml-tools aggregate-records',
    [1, 600].map((seconds) => ({ enabled: true, 'query-timeout': seconds })),
    [{ 'query-timeout': 0 }, { 'query-timeout': 601 }],
  ),
  ...at('known tools alone', 'runtime mcp dml-tools', [], [{ 'drop-table': true }]),
];

const HOST: readonly ValueRow[] = [
  ...at('1 to 158 or null', 'runtime host max-response-size-mb', [1, 158, null], [0, 159]),
  ...at('production or development', 'runtime host mode', ['production', 'development', null], ['test']),
  ...at(
    'an object or null',
    'runtime host cors',
    [null, { origins: ['*'], 'allow-credentials': 'true' }],
    [{ origins: '*' }, true],
  ),
  ...['StaticWebApps', 'Simulator', 'AppService', 'Unauthenticated'].flatMap((provider) =>
    at('jwt is forbidden', 'runtime host authentication', [{ provider }], [{ provider, jwt: JWT }]),
  ),
  ...['Custom', 'enterprise-id', 'enterprise-directory'].flatMap((provider) =>
    at('jwt is required', 'runtime host authentication', [{ provider, jwt: JWT }], [{ provider }]),
  ),
  ...at(
    'audience and issuer are both required',
    'runtime host authentication',
    [],
    [
      { provider: 'Custom', jwt: { audience: 'a' } },
      { provider: 'Custom', jwt: { issuer: 'i' } },
    ],
  ),
  ...at('known providers', 'runtime host authentication', [null], [{ provider: 'Basic' }]),
  ...flag('runtime cache enabled'),
  ...at('minimum 1', 'runtime cache ttl-seconds', [1], [0, null]),
  ...at(
    'connection-string is required when enabled',
    'runtime cache level-2',
    [{ enabled: true, 'connection-string': 'c' }, { enabled: false }, {}],
    [{ enabled: true }],
  ),
  ...at('only redis', 'runtime cache level-2 provider', ['redis'], ['memcached']),
  ...at('compression levels', 'runtime compression level', ['optimal', 'fastest', 'none'], ['best', null]),
  ...at(
    'health may be null',
    'runtime health',
    [null, { enabled: true, roles: null, 'cache-ttl-seconds': 5, 'max-query-parallelism': 4 }],
    [{ roles: 'admin' }],
  ),
];

const EMBEDDINGS: readonly ValueRow[] = [
  ...at('a plain boolean', 'runtime embeddings enabled', [true, false], ['true']),
  ...at('two providers', 'runtime embeddings', [{ provider: 'openai' }], [{ provider: 'other' }]),
  ...at(
    'model is required for the cloud-hosted variant',
    'runtime embeddings',
    [{ provider: 'vendor-openai', model: 'm' }],
    [{ provider: 'vendor-openai' }],
  ),
  ...at(
    'api-version for the cloud-hosted variant only',
    'runtime embeddings',
    [{ provider: 'vendor-openai', model: 'm', 'api-version': '2023-05-15' }],
    [{ provider: 'openai', 'api-version': '2023-05-15' }],
  ),
  ...at('substitution', 'runtime embeddings api-key', ["@env('KEY')"], [7]),
];

const AUTH = { 'custom-table-name': 't', 'dcr-immutable-id': 'r', 'dce-endpoint': 'e' };

const TELEMETRY: readonly ValueRow[] = [
  ...at(
    'connection-string is required',
    'runtime telemetry vendor-app-insights',
    [{ 'connection-string': 'c', enabled: 'true' }],
    [{ enabled: true }],
  ),
  ...at(
    'endpoint is required',
    'runtime telemetry open-telemetry',
    [{ endpoint: 'e', headers: 'a=b', 'service-name': 's' }],
    [{}],
  ),
  ...at(
    'two protocols',
    'runtime telemetry open-telemetry',
    ['grpc', 'httpprotobuf'].map((protocol) => ({ endpoint: 'e', 'exporter-protocol': protocol })),
    [{ endpoint: 'e', 'exporter-protocol': 'http' }],
  ),
  ...at(
    'auth is required when enabled',
    'runtime telemetry vendor-log-analytics',
    [{ enabled: true, auth: AUTH }, { enabled: false }],
    [{ enabled: true }],
  ),
  ...at(
    'all three are required as strings when enabled',
    'runtime telemetry vendor-log-analytics',
    [{ auth: { ...AUTH, 'dce-endpoint': null } }],
    [
      ...Object.keys(AUTH).map((key) => ({ enabled: true, auth: { ...AUTH, [key]: null } })),
      { enabled: true, auth: { 'custom-table-name': 't' } },
    ],
  ),
  ...at(
    'path is required when enabled',
    'runtime telemetry file',
    [{ enabled: true, path: '/l' }, { enabled: false }, {}],
    [{ enabled: true }],
  ),
  ...at(
    'intervals',
    'runtime telemetry file rolling-interval',
    ['Minute', 'Hour', 'Day', 'Month', 'Year', 'Infinite'],
    ['Week', 'day'],
  ),
  ...at('minimum 1', 'runtime telemetry file retained-file-count-limit', [1], [0]),
  ...at('minimum 1', 'runtime telemetry file file-size-limit-bytes', [1], [0]),
  ...at(
    'levels',
    'runtime telemetry log-level Engine.Core_1',
    ['trace', 'debug', 'information', 'warning', 'error', 'critical', 'none', null],
    ['fatal', 3],
  ),
  ...at(
    'keys are like namespaces',
    'runtime telemetry log-level',
    [{ a: 'none', 'A.b.C_9': 'none' }],
    [{ 'a-b': 'none' }, { 'a..b': 'none' }, { '': 'none' }],
  ),
];

export const ENGINE_RULES: SeedRules = { values: [...SOURCES, ...ENDPOINTS, ...HOST, ...EMBEDDINGS, ...TELEMETRY] };
