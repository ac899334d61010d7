import type { SpecmillConfig } from 'specmill';

import { tanstackQuery } from './emitter.js';

const config: SpecmillConfig = {
  apis: {
    signing: {
      spec: '../../specs/signing/openapi.yaml',
      output: 'generated',
      only: ['types', 'client', 'tanstack-query'],
      emitters: [tanstackQuery],
    },
  },
};

export default config;
