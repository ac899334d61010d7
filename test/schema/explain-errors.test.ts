import { expect, test } from 'vitest';

import { compileValidator } from '../../schema/compile-validator.js';
import { dropEchoes, explainErrors } from '../../schema/explain-errors.js';
import { loadSpec } from '../specs/support/load-spec.js';

const SOURCE = { 'database-type': 'mssql', 'connection-string': 'x' };

/** What a configuration of the engine breaks, and the sentences that its author reads. */
const CASES: readonly (readonly [string, object, readonly string[]])[] = [
  [
    'a value in other letter case',
    { 'data-source': { ...SOURCE, 'database-type': 'MSSQL' } },
    [
      '/data-source/database-type must be "mssql", "postgresql", "mysql", "docdb_nosql" or "dwsql", not "MSSQL"; did you mean "mssql"?',
    ],
  ],
  [
    'a value that is far from any allowed value',
    { runtime: { compression: { level: 9 } } },
    ['/runtime/compression/level must be "optimal", "fastest" or "none", not 9'],
  ],
  [
    'a mistyped name',
    { runtime: { rest: { enable: true } } },
    ['/runtime/rest/enable is not a known member; did you mean "enabled"?'],
  ],
  [
    'a name that is far from any known name',
    { runtime: { rest: { colour: 1 } } },
    ['/runtime/rest/colour is not a known member: expected path, enabled or request-body-strict'],
  ],
  ['a bound', { runtime: { cache: { 'ttl-seconds': 0 } } }, ['/runtime/cache/ttl-seconds must be >= 1, not 0']],
  [
    'types of alternatives in one sentence',
    { runtime: { mcp: { 'dml-tools': [] } } },
    ['/runtime/mcp/dml-tools must be a boolean, a string or an object, not an array'],
  ],
  [
    'of alternatives, the one that came closest',
    { runtime: { mcp: { 'dml-tools': { 'aggregate-records': { 'query-timeout': 601 } } } } },
    ['/runtime/mcp/dml-tools/aggregate-records/query-timeout must be <= 600, not 601'],
  ],
  [
    'a member that another member forbids',
    { 'data-source': { ...SOURCE, options: { database: 'd' } } },
    ['/data-source/options/database must not be present if database-type is "mssql"'],
  ],
  [
    'a member that is forbidden because another is absent',
    { runtime: { host: { authentication: { jwt: { audience: 'a', issuer: 'b' } } } } },
    ['/runtime/host/authentication/jwt must not be present if there is no provider'],
  ],
  [
    'what another member requires',
    { runtime: { embeddings: { provider: 'vendor-openai' } } },
    [`/runtime/embeddings must have required property 'model' if provider is "vendor-openai"`],
  ],
  [
    'a member that is required in any case',
    { 'data-source': { 'database-type': 'docdb_nosql', options: { database: 'd', schema: 's' } } },
    [`/data-source must have required property 'connection-string'`],
  ],
  [
    'a type that another member asks for',
    {
      runtime: {
        telemetry: {
          'vendor-log-analytics': {
            enabled: true,
            auth: { 'custom-table-name': null, 'dcr-immutable-id': 'a', 'dce-endpoint': 'b' },
          },
        },
      },
    },
    ['/runtime/telemetry/vendor-log-analytics/auth/custom-table-name must be a string if enabled is true, not null'],
  ],
  [
    'a name of a wrong form',
    { runtime: { telemetry: { 'log-level': { 'a-b': 'none' } } } },
    [
      String.raw`/runtime/telemetry/log-level/a-b has an invalid name: it must match pattern "^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*$"`,
    ],
  ],
  [
    'a condition on a member of a member',
    {
      entities: {
        Book: { source: { object: 'b', type: 'stored-procedure', 'key-fields': ['id'] }, permissions: [] },
      },
    },
    ['/entities/Book/source/key-fields must not be present if type is "stored-procedure"'],
  ],
];

test.each(CASES)('errors are explained: %s', async (_name, value, sentences) => {
  const api = await loadSpec('engine');
  const schema = { $ref: `#/$defs/${api.rootSchema}` };
  const errors = compileValidator(api, schema, { direction: 'request' })(value);
  const explained = explainErrors(errors, { api, schema, value });
  expect(explained.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual(sentences);
});

test('errors that only repeat another error are removed, but never all errors', () => {
  const error = (keyword: string, pointer = '') => ({ keyword, pointer, message: keyword, params: {} });
  expect(dropEchoes([error('required'), error('if')])).toEqual([error('required')]);
  expect(dropEchoes([error('not'), error('type'), error('not', '/a')])).toEqual([error('type'), error('not', '/a')]);
  expect(dropEchoes([error('if')])).toEqual([error('if')]);
  expect(dropEchoes([])).toEqual([]);
});
