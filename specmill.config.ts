import type { SpecmillConfig } from './entry/specmill.js';

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
  },
};

export default config;
