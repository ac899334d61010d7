import { type ValueRow, choices, type SeedRules, words } from '../support/seed-rules.js';

/** Rows about function declarations that differ in some members. */
function declaration(rule: string, accepted: readonly object[], refused: readonly object[]): ValueRow[] {
  const whole = (change: object): unknown => ({ name: 'find_boat', description: 'Finds a boat.', ...change });
  return choices(rule, 'FunctionDeclaration', accepted.map(whole), refused.map(whole));
}

const TOOLS: readonly ValueRow[] = [
  ...declaration(
    'letters, digits, underscores, colons, dots, dashes',
    [{ name: 'a_1:b.c-D' }],
    [{ name: 'a b' }, { name: 'bücher' }, { name: '' }],
  ),
  ...declaration('at most 128 characters', [{ name: 'a'.repeat(128) }], [{ name: 'a'.repeat(129) }]),
  ...choices('name and description are required', 'FunctionDeclaration', [], [{ name: 'a' }, { description: 'a' }]),
  ...declaration(
    'behaviours',
    words('UNSPECIFIED BLOCKING NON_BLOCKING').map((behavior) => ({ behavior })),
    [{ behavior: 'ASYNC' }],
  ),
  ...declaration(
    'exclusive',
    [{ parameters: { type: 'OBJECT' } }, { parametersJsonSchema: {} }],
    [{ parameters: { type: 'OBJECT' }, parametersJsonSchema: {} }],
  ),
  ...declaration(
    'exclusive',
    [{ response: { type: 'OBJECT' } }, { responseJsonSchema: {} }],
    [{ response: { type: 'OBJECT' }, responseJsonSchema: {} }],
  ),
  ...choices(
    'modes',
    'DynamicRetrievalConfig',
    [{ mode: 'MODE_UNSPECIFIED' }, { mode: 'MODE_DYNAMIC', dynamicThreshold: 0.3 }],
    [{ mode: 'ALWAYS' }],
  ),
  ...choices(
    'both are required together',
    'Interval',
    [{ startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' }],
    [
      { startTime: '2026-01-01T00:00:00Z' },
      { endTime: '2026-02-01T00:00:00Z' },
      { startTime: '2026-01-01', endTime: '2026-02-01' },
    ],
  ),
  ...choices(
    'empty objects',
    'VendorSearch',
    [{ searchTypes: { webSearch: {}, imageSearch: {} } }],
    [{ searchTypes: { webSearch: true } }],
  ),
  ...choices(
    'the environment is required',
    'ComputerUse',
    words('ENVIRONMENT_UNSPECIFIED ENVIRONMENT_BROWSER ENVIRONMENT_MOBILE ENVIRONMENT_DESKTOP').map((environment) => ({
      environment,
    })),
    [{}, { environment: 'BROWSER' }],
  ),
  ...choices(
    'safety policies',
    'ComputerUse',
    words(`SAFETY_POLICY_UNSPECIFIED FINANCIAL_TRANSACTIONS SENSITIVE_DATA_MODIFICATION COMMUNICATION_TOOL ACCOUNT_CREATION DATA_MODIFICATION
    LEGAL_TERMS_AND_AGREEMENTS`).map((policy) => ({
      environment: 'ENVIRONMENT_BROWSER',
      disabledSafetyPolicies: [policy],
    })),
    [{ environment: 'ENVIRONMENT_BROWSER', disabledSafetyPolicies: ['NONE'] }],
  ),
  ...choices(
    'store names are required',
    'FileSearch',
    [{ fileSearchStoreNames: ['fileSearchStores/a'], metadataFilter: 'a = 1', topK: 3 }],
    [{}, { fileSearchStoreNames: ['a'] }],
  ),
  ...choices(
    'a server',
    'McpServer',
    [
      {
        name: 'a',
        streamableHttpTransport: {
          url: 'https://a.example/mcp',
          headers: { a: 'b' },
          timeout: '3.5s',
          sseReadTimeout: '5s',
          terminateOnClose: true,
        },
      },
    ],
    [{ streamableHttpTransport: { headers: { a: 1 } } }, { streamableHttpTransport: { timeout: '3m' } }],
  ),
  ...choices('a boolean', 'VendorMaps', [{ enableWidget: true }], [{ enableWidget: 'yes' }]),
  ...choices(
    'schema types',
    'Schema',
    // In any letter case: an assumption of the spec, because client libraries send both.
    words('TYPE_UNSPECIFIED STRING NUMBER INTEGER BOOLEAN ARRAY OBJECT NULL string Integer').map((type) => ({ type })),
    [{}, { type: 'text' }],
  ),
  ...choices(
    'int64 strings',
    'Schema',
    [{ type: 'ARRAY', minItems: '1', maxItems: '9' }],
    [
      { type: 'ARRAY', maxItems: 9 },
      { type: 'ARRAY', minItems: 'x' },
    ],
  ),
  ...choices(
    'nested schemas',
    'Schema',
    [{ type: 'OBJECT', properties: { a: { type: 'STRING', enum: ['b'] } } }],
    [
      { type: 'OBJECT', properties: { a: {} } },
      { type: 'ARRAY', items: { type: 1 } },
    ],
  ),
];

export const GENERATION_TOOLS_RULES: SeedRules = { values: TOOLS };
