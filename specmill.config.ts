import type { Emitter, SpecmillConfig } from './entry/specmill.js';

/** The schemas themselves as a typed constant, which flags, help, defaults and the tables of the guides are made of. */
const schemas: Emitter = {
  name: 'schemas',
  emit: (api) => {
    const byName = Object.fromEntries([...api.schemas].map(([name, { schema }]) => [name, schema]));
    return [
      { path: 'schemas.ts', contents: `export const SCHEMAS = ${JSON.stringify(byName, undefined, 2)} as const;\n` },
    ];
  },
};

const config: SpecmillConfig = {
  apis: {
    signing: { spec: 'specs/signing/openapi.yaml', output: 'generated/signing' },
    generation: { spec: 'specs/generation/openapi.yaml', output: 'generated/generation' },
    dictionary: { spec: 'specs/dictionary/openapi.yaml', output: 'generated/dictionary' },
    engine: { spec: ['specs/engine/config.schema.json', 'specs/engine/openapi.yaml'], output: 'generated/engine' },
    tables: { spec: 'specs/tables/openapi.yaml', output: 'generated/tables' },
    notifications: { spec: 'specs/notifications/openapi.yaml', output: 'generated/notifications' },
    'rate-limits': {
      spec: ['specs/rate-limits/openapi.yaml', 'specs/rate-limits/policy.schema.json'],
      output: 'generated/rate-limits',
    },
    // No API that is mocked: the interface beside each mock, whose client `connectMock` is made of.
    control: { spec: 'specs/control/openapi.yaml', output: 'generated/control', only: ['types', 'client'] },
    // Our own options and configuration.
    options: {
      spec: 'config/options.schema.json',
      // Corrections of resources are described with the extensions.
      root: '.',
      output: 'generated/options',
      only: ['types', 'validators'],
      emitters: [schemas],
    },
  },
};

export default config;
